//! Finite differences under the cursor: a cell is nudged both ways by several steps, everything between it
//! and one number of the run is computed again, and the slope that comes out stands beside the tape's.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::{At, Focus, Run, Session};
use crate::autograd::{Edit, Nature, Origin, Step, Trace};
use crate::lesson::exercise::quietly;
use crate::tensor::Tensor;
use crate::tensor::threads::message;

/// The steps, for a cell of size up to 1; a larger cell takes them larger.
const STEPS: [f64; 7] = [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

/// Of so many cells between the two every second step size is enough: at the size of the paper's model a nudge
/// takes about a second.
const MANY: usize = 20_000_000;

/// How the number was chosen whose slope is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The learner flipped the lens to it.
    Learner,
    /// It is the single number that the run computes last: the loss.
    Loss,
    /// The run computes no single number: it is the cell of the last tensor that the nudged cell moves most.
    Moved,
}

/// A cell whose slope is asked for: all that is needed to work it out on any thread.
#[derive(Clone)]
pub struct Question {
    run: Arc<Run>,
    cell: At,
    of: Option<(At, Chosen)>,
    /// What the learner changed in the run: nudging must not take it back.
    edits: Vec<Edit>,
}

/// One step size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// How far the cell is nudged, both ways.
    pub step: f64,
    /// The number after the nudge down, and after the nudge up.
    pub ends: (f32, f32),
    /// Their difference over the way between them.
    pub slope: f64,
    /// Its distance from the tape's slope as a share of the larger of the two; 0 where both are 0.
    pub relative: f64,
    /// Units of a ReLU that have a say in the number, and are open at one end and shut at the other.
    pub bends: usize,
}

impl Row {
    /// How many steps of the last digit of an f32 lie between the two ends.
    pub fn digits(&self) -> f64 {
        let (down, up) = (f64::from(self.ends.0), f64::from(self.ends.1));
        (up - down).abs() / spacing(self.ends.0.abs().max(self.ends.1.abs()))
    }
}

/// The slope of one number by one cell, by differences and by the tape.
#[derive(Clone, Debug)]
pub struct Differences {
    /// The cell: `bias[0]`, its place, and its value.
    pub cell: String,
    pub at: At,
    pub value: f32,
    /// The number whose slope it is, how it was chosen, and its value.
    pub of: String,
    pub of_at: At,
    pub chosen: Chosen,
    pub of_value: f32,
    /// The tape's slope.
    pub tape: f64,
    /// Whether the number was computed from the cell at all.
    pub depends: bool,
    /// Whether a cell that the learner set by hand lies between the two.
    pub held: bool,
    /// What the step sizes gave, the largest first.
    pub rows: Vec<Row>,
    /// Whether all step sizes are there.
    pub done: bool,
    /// Why a step could not be.
    pub trouble: Option<String>,
}

impl Session {
    /// The question after the slope by the cell under the cursor. `Err` says why it has none.
    ///
    /// The number is the lens's while gradients are shown, else the cell that it was last flipped to on
    /// purpose, else the last single number of the run, else the cell of the last tensor that moves most.
    pub fn question(&self) -> Result<Question, String> {
        let run = self.poked.lens.as_ref().map_or(&self.run, |(_, run)| run);
        let steps = run.trace.steps();
        let Focus::Step(step) = self.focus else {
            return Err("only a tensor's cells can be nudged: step to one".to_owned());
        };
        let at = &steps[step];
        if at.value.is_empty() {
            return Err(format!("{} has no cells", at.name));
        }
        let value = at.value.at(&self.cursor);
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
                    "{} is a mask: a cell is seen or blocked, with nothing between. It has no slope; e turns it over",
                    at.name
                ));
            }
            _ if !value.is_finite() => {
                return Err(format!("{value} has nothing beside it to be nudged to"));
            }
            _ => {}
        }
        let lens = self.poked.lens.as_ref().map(|(of, _)| of);
        let loss = || {
            let single = |s: &Step| s.value.rank() == 0 && s.computed().is_some() && numeric(s);
            let step = steps.iter().rposition(single)?;
            let index = Vec::new();
            Some((At { step, index }, Chosen::Loss))
        };
        let picked = lens.or(self.poked.picked.as_ref()).map(|of| {
            let single = steps[of.step].value.rank() == 0;
            let how = if single {
                Chosen::Loss
            } else {
                Chosen::Learner
            };
            (of.clone(), how)
        });
        Ok(Question {
            run: run.clone(),
            cell: At {
                step,
                index: self.cursor.clone(),
            },
            of: picked.or_else(loss),
            edits: self.edits().to_vec(),
        })
    }

    /// As [`Session::question`], answered at once.
    pub fn differences(&self) -> Result<Differences, String> {
        Ok(self.question()?.answer(&mut |_| ControlFlow::Continue(())))
    }
}

impl Question {
    /// Whether it asks the same of the same run.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.run, &other.run) && self.cell == other.cell && self.of == other.of
    }

    /// Whether `found` is of the cell that is asked about.
    pub fn is_of(&self, found: &Differences) -> bool {
        self.cell == found.at
    }

    /// Works it out, one step size after the other, and calls back after each.
    pub fn answer(&self, tell: &mut dyn FnMut(&Differences) -> ControlFlow<()>) -> Differences {
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
        let mut found = Differences {
            cell: named(&at.name, &self.cell.index),
            at: self.cell.clone(),
            value: at.value.at(&self.cell.index),
            of: named(&goal.name, &of.index),
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
            return found;
        }
        found.done = false;
        if tell(&found).is_break() {
            return found;
        }
        let grads = path.gradients(of.step, &of.index);
        let slope = grads[self.cell.step].as_ref();
        found.tape = slope.map_or(0.0, |grad| f64::from(grad.at(&self.cell.index)));
        let way = Way {
            units: units(&path, &grads),
            path,
            of,
            value: found.value,
            tape: found.tape,
        };
        let size = scale(found.value);
        let lens = trace.steps().iter().zip(&between);
        let cells: usize = lens
            .filter(|(_, on)| **on)
            .map(|(s, _)| s.value.len())
            .sum();
        for step in STEPS.into_iter().step_by(if cells > MANY { 2 } else { 1 }) {
            if tell(&found).is_break() {
                return found;
            }
            let row = || self.row(&way, step * size);
            match quietly(|| catch_unwind(AssertUnwindSafe(row))) {
                Ok(row) => found.rows.push(row),
                Err(panic) => {
                    found.trouble = message(panic);
                    break;
                }
            }
        }
        found.done = true;
        found
    }

    fn nudged(&self, path: &Trace, value: f32) -> Trace {
        // Cells that were set by hand stay as they were set, but for the one that is nudged.
        let mut edits = self.edits.clone();
        edits.retain(|edit| edit.step > self.cell.step && edit.step < path.steps().len());
        edits.push(Edit {
            step: self.cell.step,
            index: self.cell.index.clone(),
            value,
        });
        path.replay(&edits)
    }

    fn row(&self, way: &Way, step: f64) -> Row {
        // In 32 bits value + step is not exactly that far away: the way between the two ends counts.
        let value = f64::from(way.value);
        let ends = ((value - step) as f32, (value + step) as f32);
        let run = |value| {
            let trace = self.nudged(&way.path, value);
            let number = trace.steps()[way.of.step].value.at(&way.of.index);
            let open = |(step, cells): &(usize, Vec<usize>)| {
                let value = trace.steps()[*step].value.data();
                cells.iter().map(|&cell| value[cell] > 0.0).collect()
            };
            let open: Vec<Vec<bool>> = way.units.iter().map(open).collect();
            (number, open)
        };
        let ((down, shut), (up, open)) = (run(ends.0), run(ends.1));
        let apart = f64::from(ends.1) - f64::from(ends.0);
        let slope = (f64::from(up) - f64::from(down)) / apart;
        let sides = shut.iter().zip(&open).flat_map(|(a, b)| a.iter().zip(b));
        Row {
            step,
            ends: (down, up),
            slope,
            relative: relative(slope, way.tape),
            bends: sides.filter(|(a, b)| a != b).count(),
        }
    }

    /// The cell of the last tensor computed from this one that a nudge moves most; the cell itself where
    /// nothing is computed from it.
    fn most_moved(&self, reached: &[bool]) -> At {
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
        let after = match quietly(|| catch_unwind(AssertUnwindSafe(nudge))) {
            Ok(after) => after,
            Err(panic) => {
                message(panic);
                return self.cell.clone();
            }
        };
        let after = &after.steps()[last].value;
        let moved = |index: &Vec<usize>| {
            let by = (after.at(index) - before.at(index)).abs();
            if by.is_finite() { by } else { 0.0 }
        };
        // Of equals the first: a cell that nothing moves still has a place.
        let mut most: Option<(f32, Vec<usize>)> = None;
        for index in before.indices() {
            let by = moved(&index);
            if most.as_ref().is_none_or(|(so_far, _)| by > *so_far) {
                most = Some((by, index));
            }
        }
        At {
            step: last,
            index: most.map_or_else(Vec::new, |(_, index)| index),
        }
    }
}

/// Whether a step's cells are quantities, not choices.
fn numeric(step: &Step) -> bool {
    !matches!(step.nature, Nature::Ids | Nature::Mask) && !step.value.is_empty()
}

/// The steps computed from `from`, with itself.
fn downstream(trace: &Trace, from: usize) -> Vec<bool> {
    let mut reached = vec![false; trace.steps().len()];
    reached[from] = true;
    for (number, step) in trace.steps().iter().enumerate().skip(from + 1) {
        reached[number] = step.inputs().iter().any(|&i| reached[i]);
    }
    reached
}

/// Of the steps that were `reached`, those that `to` was computed from, with itself.
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

/// The run up to `to` in which only what lies between is computed, from a cell's tensor `from` that counts as
/// given: so a nudge costs no more than it must, and a constant has a slope too.
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

/// What stays the same while the cell is nudged.
struct Way {
    path: Trace,
    of: At,
    value: f32,
    tape: f64,
    /// The units of each ReLU on the way that have a say in the number.
    units: Vec<(usize, Vec<usize>)>,
}

/// The cells of each computed ReLU by which the number has a slope: of the others no bend is felt.
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

/// 1, or for a larger cell the power of ten nearest to its size.
fn scale(value: f32) -> f64 {
    let size = f64::from(value.abs());
    if size > 1.0 {
        10_f64.powf(size.log10().round())
    } else {
        1.0
    }
}

/// The distance of two slopes as a share of the larger; 0 where both are 0.
fn relative(one: f64, other: f64) -> f64 {
    let larger = one.abs().max(other.abs());
    if larger == 0.0 {
        0.0
    } else {
        (one - other).abs() / larger
    }
}

/// From a number to the next that an f32 can be.
pub(super) fn spacing(x: f32) -> f64 {
    let next = f32::from_bits(x.abs().to_bits() + 1);
    f64::from(next) - f64::from(x.abs())
}

/// `bias[0]`: a cell by its tensor's full name.
fn named(name: &str, index: &[usize]) -> String {
    if index.is_empty() {
        return name.to_owned();
    }
    let index: Vec<String> = index.iter().map(ToString::to_string).collect();
    format!("{name}[{}]", index.join(","))
}
