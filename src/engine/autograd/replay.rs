//! Replays a recorded run from an edited cell onwards.

use super::trace::{Step, Trace};
use super::{Computed, Origin, backward};
use crate::tensor::Tensor;

/// A new value for one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The number of the step that holds it.
    pub step: usize,
    /// The index of the cell.
    pub index: Vec<usize>,
    /// The new value. In a computed step, it replaces the cell after the computation.
    pub value: f32,
}

impl Trace {
    /// This run with `edits`. Everything that depends on an edited cell is recomputed by the same
    /// operations, with the same dropout; everything else is shared with this run.
    ///
    /// Panics, as the operation itself would, if an edit makes one impossible (an id without a row).
    #[track_caller]
    pub fn replay(&self, edits: &[Edit]) -> Trace {
        let mut again = self.clone();
        let mut changed = vec![false; self.steps().len()];
        for number in 0..changed.len() {
            let step = &self.steps()[number];
            let stale = step.inputs().iter().any(|&i| changed[i]);
            if let (Origin::Computed(made), true) = (&step.origin, stale) {
                let value_of = |&i: &usize| again.steps()[i].value.clone();
                let inputs: Vec<Tensor> = made.inputs.iter().map(value_of).collect();
                let (value, saved) = made.op.forward_saving(&inputs);
                let step = again.step_mut(number);
                step.value = value;
                step.origin = Origin::Computed(Computed {
                    saved,
                    ..made.clone()
                });
                changed[number] = true;
            }
            for edit in edits.iter().filter(|edit| edit.step == number) {
                let value = &mut again.step_mut(number).value;
                let at = value.offset(&edit.index);
                value.data_mut()[at] = edit.value;
                changed[number] = true;
            }
        }
        again
    }

    /// The gradients of the cell of `step` at `index` with respect to every step; `None` for steps without influence.
    #[track_caller]
    pub fn gradients(&self, step: usize, index: &[usize]) -> Vec<Option<Tensor>> {
        let mut upstream = Tensor::zeros(self.steps()[step].value.shape());
        let at = upstream.offset(index);
        upstream.data_mut()[at] = 1.0;
        self.gradients_from(step, &upstream)
    }

    /// The gradients of `Σ step · upstream` with respect to every step; `None` for steps without influence.
    #[track_caller]
    pub fn gradients_from(&self, step: usize, upstream: &Tensor) -> Vec<Option<Tensor>> {
        let mut through: Vec<bool> = Vec::with_capacity(self.steps().len());
        for step in self.steps() {
            let passes = backward::is_differentiable(&step.origin, step.nature, |i| through[i]);
            through.push(passes);
        }
        let walked = |(step, &differentiable)| {
            let step: &Step = step;
            backward::WalkedStep {
                value: &step.value,
                origin: &step.origin,
                differentiable,
            }
        };
        let steps: Vec<_> = self.steps().iter().zip(&through).map(walked).collect();
        backward::backpropagate(&steps, step, upstream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::nn::attention::attention;
    use crate::ops::check;
    use crate::params::Params;

    fn run(query: Tensor) -> Trace {
        let tape = Tape::train(&Params::default(), 3);
        let q = tape.input("query", query, &["b", "t", "k"]);
        let k = tape.input("key", check::normal(&[1, 4, 6]), &["b", "s", "k"]);
        let mask = Tensor::new(&[1, 1, 4], vec![1.0, 1.0, 1.0, 0.0]);
        let mask = tape.mask("mask", mask, &["b", "", "s"]);
        attention(&q, &k, &k, Some(&mask), 0.3);
        tape.trace()
    }

    fn same(a: &Trace, b: &Trace) -> bool {
        a.steps()
            .iter()
            .zip(b.steps())
            .all(|(a, b)| a.value == b.value && a.name == b.name)
    }

    #[test]
    fn without_edits_nothing_changes() {
        let trace = run(check::normal(&[1, 3, 6]));
        assert!(same(&trace, &trace.replay(&[])));
    }

    #[test]
    fn an_edited_input_gives_what_a_fresh_run_with_it_gives() {
        let mut query = check::normal(&[1, 3, 6]);
        let trace = run(query.clone());
        query.data_mut()[7] = 5.0;
        let edit = Edit {
            step: 0,
            index: vec![0, 1, 1],
            value: 5.0,
        };
        let again = trace.replay(&[edit]);
        assert!(same(&again, &run(query)));
        assert_eq!(again.tensor("key"), trace.tensor("key"));
        assert_ne!(again.tensor("context"), trace.tensor("context"));
    }

    #[test]
    fn only_what_lies_downstream_changes_and_a_later_edit_holds() {
        let trace = run(check::normal(&[1, 3, 6]));
        let step = trace.find("scaled").unwrap();
        let edit = |value| Edit {
            step,
            index: vec![0, 2, 0],
            value,
        };
        let again = trace.replay(&[edit(1.0), edit(9.0)]);
        assert_eq!(again.steps()[step].value.at(&[0, 2, 0]), 9.0);
        assert_eq!(again.tensor("scores"), trace.tensor("scores"));
        let weights = (
            again.tensor("weights").unwrap(),
            trace.tensor("weights").unwrap(),
        );
        assert_eq!(
            weights.0.data()[..8],
            weights.1.data()[..8],
            "other rows stay"
        );
        assert!(weights.0.at(&[0, 2, 0]) > 0.9);
    }

    #[test]
    fn gradients_of_a_cell_are_those_of_the_tape() {
        let tape = Tape::eval(&Params::default());
        let x = tape.input("x", check::normal(&[2, 3]), &["t", "d"]);
        let y = x.softmax();
        let one = Tensor::new(&[2, 3], vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let expected = y.backward_from(&one).get(&x).cloned();
        let trace = tape.trace();
        assert_eq!(trace.gradients(1, &[1, 1])[0], expected);
    }
}
