//! Finite differences at the cursor. A cell is nudged up and down by several step sizes, everything between it and one
//! number of the run is recomputed, and the resulting slope is compared with the tape's gradient.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::cell_name::cell_name;
use super::{CellRef, Focus, Run, Session, numeric};
use crate::autograd::{Edit, Nature, Origin, Step, Trace};
use crate::lesson::exercise::catch;
use crate::tensor::Tensor;

/// Step sizes for cells of magnitude up to 1; they are scaled up for larger cells.
const STEPS: [f64; 7] = [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

/// Above this many cells on the path, only every second step size is tried: at the size of the paper's model a nudge
/// takes about a second.
const MANY: usize = 20_000_000;

/// How the number was chosen whose slope is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The learner asked for its gradients.
    Learner,
    /// It is the last single number that the run computes: the loss.
    Loss,
    /// The run computes no single number, so this is the cell of the last tensor that the nudge moves most.
    Moved,
}

/// A cell whose slope is wanted, with all that is needed to compute it on any thread.
#[derive(Clone)]
pub struct GradientCheckRequest {
    run: Arc<Run>,
    cell: CellRef,
    of: Option<(CellRef, Chosen)>,
    /// The learner's changes to the run, which a nudge must not undo.
    edits: Vec<Edit>,
}

/// Result for one step size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Distance by which the cell is nudged in each direction.
    pub step: f64,
    /// The number after the nudge down.
    pub down: f32,
    /// The number after the nudge up.
    pub up: f32,
    /// Their difference divided by the distance between the nudged values.
    pub slope: f64,
    /// Relative difference from the tape's slope, as a share of the larger of the two; 0 if both are 0.
    pub relative: f64,
    /// Number of ReLU units that affect the number and are open at one end and shut at the other.
    pub bends: usize,
}

impl Row {
    /// Distance between the two ends, in units of the last digit of an f32.
    pub fn digits(&self) -> f64 {
        (f64::from(self.up) - f64::from(self.down)).abs()
            / spacing(self.down.abs().max(self.up.abs()))
    }
}

/// The slope of one number with respect to one cell, by finite differences and by the tape.
#[derive(Clone, Debug)]
pub struct GradientCheck {
    /// Name of the nudged cell: `bias[0]`.
    pub cell: String,
    /// Its position.
    pub at: CellRef,
    /// Its value.
    pub value: f32,
    /// Name of the number whose slope is measured.
    pub of: String,
    /// Its position.
    pub of_at: CellRef,
    /// How it was chosen.
    pub chosen: Chosen,
    /// Its value.
    pub of_value: f32,
    /// Slope according to the tape.
    pub tape: f64,
    /// True if the number depends on the cell at all.
    pub depends: bool,
    /// True if a cell that the learner edited lies between the two.
    pub held: bool,
    /// Results, largest step size first.
    pub rows: Vec<Row>,
    /// True if all step sizes have been tried.
    pub done: bool,
    /// Why a step failed.
    pub trouble: Option<String>,
}

impl Session {
    /// The request for a slope at the cell under the cursor. The error explains why the cell has none.
    ///
    /// The number is the one whose gradients are shown, else the cell whose gradients the learner last asked for, else
    /// the last single number of the run, else the cell of the last tensor that moves most.
    pub fn gradient_check_request(&self) -> Result<GradientCheckRequest, String> {
        let run = self.values();
        let steps = run.trace.steps();
        let Focus::Step(step) = self.view.focus else {
            return Err("only a tensor's cells can be nudged: step to one".to_owned());
        };
        let at = &steps[step];
        if at.value.is_empty() {
            return Err(format!("{} has no cells", at.name));
        }
        let value = at.value.at(&self.view.cursor);
        match at.nature {
            Nature::Ids => {
                return Err(format!(
                    "{} holds ids: a number in a list of words, with nothing between {value} and {}. It has no slope; e gives it another word",
                    at.name,
                    value + 1.0
                ));
            }
            Nature::Mask => {
                return Err(format!(
                    "{} is a mask: a cell is seen or blocked, with nothing between. It has no slope; e flips it",
                    at.name
                ));
            }
            _ if !value.is_finite() => {
                return Err(format!("{value} has nothing beside it to be nudged to"));
            }
            _ => {}
        }
        let shown = self.edits.gradients.as_ref().map(|(of, _)| of);
        let loss = || super::loss(&run.trace).map(|loss| (loss, Chosen::Loss));
        let picked = shown.or(self.edits.chosen_target.as_ref()).map(|of| {
            let single = steps[of.step].value.rank() == 0;
            let how = if single {
                Chosen::Loss
            } else {
                Chosen::Learner
            };
            (of.clone(), how)
        });
        Ok(GradientCheckRequest {
            run: run.clone(),
            cell: CellRef {
                step,
                index: self.view.cursor.clone(),
            },
            of: picked.or_else(loss),
            edits: self.edits().to_vec(),
        })
    }

    /// [`Session::gradient_check_request`], answered at once.
    pub fn gradient_check(&self) -> Result<GradientCheck, String> {
        Ok(self
            .gradient_check_request()?
            .answer(&mut |_| ControlFlow::Continue(())))
    }
}

impl GradientCheckRequest {
    /// True if it is the same request about the same run.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.run, &other.run) && self.cell == other.cell && self.of == other.of
    }

    /// True if `check` is about the same cell.
    pub fn is_of(&self, check: &GradientCheck) -> bool {
        self.cell == check.at
    }

    /// Tries one step size after another, calling back before each.
    pub fn answer(&self, tell: &mut dyn FnMut(&GradientCheck) -> ControlFlow<()>) -> GradientCheck {
        let trace = &self.run.trace;
        let reached = downstream(trace, self.cell.step);
        let (of, chosen) = match &self.of {
            Some((of, chosen)) => (of.clone(), *chosen),
            None => (self.most_moved(&reached), Chosen::Moved),
        };
        let between = between(trace, &reached, of.step);
        let (at, goal) = (&trace.steps()[self.cell.step], &trace.steps()[of.step]);
        let path = cut(trace, self.cell.step, of.step, &between);
        let depends = self.cell == of || between[of.step];
        let held = |edit: &&Edit| edit.step != self.cell.step && between[edit.step];
        let mut check = GradientCheck {
            cell: cell_name(&at.name, &self.cell.index),
            at: self.cell.clone(),
            value: at.value.at(&self.cell.index),
            of: cell_name(&goal.name, &of.index),
            of_value: goal.value.at(&of.index),
            chosen,
            tape: 0.0,
            depends,
            held: self.edits.iter().any(|edit| held(&edit)),
            rows: Vec::new(),
            done: true,
            trouble: None,
            of_at: of.clone(),
        };
        if !depends {
            return check;
        }
        check.done = false;
        if tell(&check).is_break() {
            return check;
        }
        let grads = path.gradients(of.step, &of.index);
        let slope = grads[self.cell.step].as_ref();
        check.tape = slope.map_or(0.0, |grad| f64::from(grad.at(&self.cell.index)));
        let nudges = NudgePath {
            units: units(&path, &grads),
            path,
            of,
            value: check.value,
            tape: check.tape,
        };
        let size = scale(check.value);
        let recomputed = trace.steps().iter().zip(&between);
        let cells: usize = recomputed
            .filter(|(_, on)| **on)
            .map(|(s, _)| s.value.len())
            .sum();
        for step in STEPS.into_iter().step_by(if cells > MANY { 2 } else { 1 }) {
            if tell(&check).is_break() {
                return check;
            }
            let row = || self.row(&nudges, step * size);
            match catch(row) {
                Ok(row) => check.rows.push(row),
                Err(why) => {
                    check.trouble = Some(why);
                    break;
                }
            }
        }
        check.done = true;
        check
    }

    fn nudged(&self, path: &Trace, value: f32) -> Trace {
        // Keep the learner's edits, except to the cell that is being nudged.
        let mut edits = self.edits.clone();
        edits.retain(|edit| edit.step > self.cell.step && edit.step < path.steps().len());
        edits.push(Edit {
            step: self.cell.step,
            index: self.cell.index.clone(),
            value,
        });
        path.replay(&edits)
    }

    fn row(&self, path: &NudgePath, step: f64) -> Row {
        // In f32, value ± step is rounded, so divide by the actual distance between the two ends.
        let value = f64::from(path.value);
        let ends = ((value - step) as f32, (value + step) as f32);
        let run = |value| {
            let trace = self.nudged(&path.path, value);
            let number = trace.steps()[path.of.step].value.at(&path.of.index);
            let open = |(step, cells): &(usize, Vec<usize>)| {
                let value = trace.steps()[*step].value.data();
                cells.iter().map(|&cell| value[cell] > 0.0).collect()
            };
            let open: Vec<Vec<bool>> = path.units.iter().map(open).collect();
            (number, open)
        };
        let ((down, shut), (up, open)) = (run(ends.0), run(ends.1));
        let apart = f64::from(ends.1) - f64::from(ends.0);
        let slope = (f64::from(up) - f64::from(down)) / apart;
        let sides = shut.iter().zip(&open).flat_map(|(a, b)| a.iter().zip(b));
        Row {
            step,
            down,
            up,
            slope,
            relative: relative(slope, path.tape),
            bends: sides.filter(|(a, b)| a != b).count(),
        }
    }

    /// The cell that a nudge moves most in the last tensor computed from this cell; the cell itself if nothing is
    /// computed from it.
    fn most_moved(&self, reached: &[bool]) -> CellRef {
        let trace = &self.run.trace;
        let last = (0..reached.len())
            .rev()
            .find(|&i| reached[i] && numeric(&trace.steps()[i]) && i != self.cell.step);
        let Some(last) = last else {
            return self.cell.clone();
        };
        let path = cut(trace, self.cell.step, last, &between(trace, reached, last));
        let value = trace.steps()[self.cell.step].value.at(&self.cell.index);
        let nudge = || self.nudged(&path, value + (0.01 * scale(value)) as f32);
        let before = &trace.steps()[last].value;
        let Ok(after) = catch(nudge) else {
            return self.cell.clone();
        };
        let after = &after.steps()[last].value;
        let moved = |index: &Vec<usize>| {
            let by = (after.at(index) - before.at(index)).abs();
            if by.is_finite() { by } else { 0.0 }
        };
        // The first of equals, so that there is a result even if nothing moves.
        let mut most: Option<(f32, Vec<usize>)> = None;
        for index in before.indices() {
            let by = moved(&index);
            if most.as_ref().is_none_or(|(so_far, _)| by > *so_far) {
                most = Some((by, index));
            }
        }
        CellRef {
            step: last,
            index: most.map_or_else(Vec::new, |(_, index)| index),
        }
    }
}

/// Marks the steps computed from `from`, including itself.
fn downstream(trace: &Trace, from: usize) -> Vec<bool> {
    let mut reached = vec![false; trace.steps().len()];
    reached[from] = true;
    for (number, step) in trace.steps().iter().enumerate().skip(from + 1) {
        reached[number] = step.inputs().iter().any(|&i| reached[i]);
    }
    reached
}

/// Marks those of the `reached` steps that `to` was computed from, including itself.
fn between(trace: &Trace, reached: &[bool], to: usize) -> Vec<bool> {
    let mut leads = vec![false; reached.len()];
    leads[to] = true;
    for number in (0..=to).rev().filter(|&n| reached[n]) {
        if leads[number] {
            let inputs = trace.steps()[number].inputs();
            inputs.iter().for_each(|&i| leads[i] = true);
        }
    }
    let both = leads.iter().zip(reached);
    both.map(|(&leads, &reached)| leads && reached).collect()
}

/// The run up to `to` in which only the steps `between` are recomputed and the tensor `from` is an input. This keeps a
/// nudge cheap and gives constants a slope too.
fn cut(trace: &Trace, from: usize, to: usize, between: &[bool]) -> Trace {
    let keep = |(number, step): (usize, &Step)| {
        let mut step = step.clone();
        if number == from {
            (step.origin, step.nature) = (Origin::Input, Nature::Signed);
        } else if !between[number] {
            step.origin = Origin::Constant;
        }
        step
    };
    Trace::new(trace.steps()[..=to].iter().enumerate().map(keep))
}

/// Everything that stays the same while the cell is nudged.
struct NudgePath {
    path: Trace,
    of: CellRef,
    value: f32,
    tape: f64,
    /// For each ReLU on the path, the units that affect the number.
    units: Vec<(usize, Vec<usize>)>,
}

/// For each ReLU, the cells with a non-zero gradient; a kink in the others has no effect.
fn units(path: &Trace, grads: &[Option<Tensor>]) -> Vec<(usize, Vec<usize>)> {
    let relus = path.steps().iter().enumerate();
    let relus = relus.filter(|(_, step)| step.op() == "relu");
    let felt = |(number, _)| {
        let grad: &Tensor = grads.get(number).and_then(Option::as_ref)?;
        let cells = grad.data().iter().enumerate();
        let felt = cells.filter(|(_, slope)| **slope != 0.0);
        Some((number, felt.map(|(cell, _)| cell).collect()))
    };
    relus.filter_map(felt).collect()
}

/// 1, or for a larger cell the power of ten nearest to its magnitude.
fn scale(value: f32) -> f64 {
    let size = f64::from(value.abs());
    if size > 1.0 {
        10_f64.powf(size.log10().round())
    } else {
        1.0
    }
}

/// Difference between two slopes as a share of the larger; 0 if both are 0.
fn relative(one: f64, other: f64) -> f64 {
    let larger = one.abs().max(other.abs());
    if larger == 0.0 {
        0.0
    } else {
        (one - other).abs() / larger
    }
}

/// Distance from a number to the next larger f32.
pub(super) fn spacing(x: f32) -> f64 {
    let next = f32::from_bits(x.abs().to_bits() + 1);
    f64::from(next) - f64::from(x.abs())
}
