//! Recording of functions on `Var` for comparison: their results on a tape, and the gradients of everything they read.

use super::recognition::survived;
use super::{Outcome, Task, attempt, compare};
use crate::autograd::{Origin, Tape, Trace, Var};
use crate::params::Param;
use crate::tensor::{Tensor, random};

/// Largest deviation of a gradient from the reference's, relative to the gradient or to 1: summing in a different order
/// is not a mistake.
const TOLERANCE: f32 = 3e-4;

/// What a function produced on one case.
pub struct Recorded {
    /// Results, each with a suffix for the case's name: `, the weights`.
    results: Vec<(&'static str, Tensor)>,
    gradients: Vec<Gradient>,
    /// Number of constants and inputs of more than one cell. A function that takes numbers off the tape adds some.
    constants: usize,
}

/// Gradient of one leaf of the run.
struct Gradient {
    leaf: Leaf,
    name: String,
    value: Tensor,
}

/// Identifies a leaf. Inputs are recorded before the function runs, so their numbers don't depend on how it is written.
/// Their names may, because a step can be renamed.
#[derive(Clone, Copy, PartialEq)]
enum Leaf {
    Input(usize),
    Parameter(Param),
}

impl Recorded {
    /// Takes `results` off the tape, together with the gradients of all inputs and parameters for a random upstream
    /// gradient of each result.
    #[track_caller]
    pub fn new(tape: &Tape, results: &[(&'static str, &Var)]) -> Self {
        let trace = tape.trace();
        let mut gradients = leaves(&trace);
        for (number, (_, result)) in results.iter().enumerate() {
            let upstream = format!("upstream {number}");
            let upstream = random::normal(&result.shape(), 1.0, 17, &upstream);
            let leaf_gradients = trace.gradients_from(result.id(), &upstream);
            for (step, gradient) in &mut gradients {
                if let Some(more) = &leaf_gradients[*step] {
                    gradient.value = gradient.value.zip(more, |a, b| a + b);
                }
            }
        }
        let results = results.iter().map(|(says, var)| (*says, var.value()));
        let given = trace.steps().iter().filter(|step| {
            let is_constant = matches!(step.origin, Origin::Input | Origin::Constant);
            is_constant && step.value.len() > 1
        });
        Self {
            results: results.collect(),
            gradients: gradients
                .into_iter()
                .map(|(_, gradient)| gradient)
                .collect(),
            constants: given.count(),
        }
    }

    /// Checks that `got` has the same results within `tolerance`.
    pub fn results_are(&self, case: &str, got: &Self, tolerance: f32) -> Outcome {
        for ((says, expected), (_, got)) in self.results.iter().zip(&got.results) {
            compare(&format!("{case}{says}"), expected, got, tolerance)?;
        }
        Ok(())
    }

    /// Checks that `got` has the same gradients. A leaf without a gradient was cut off, and so was a part of its
    /// gradient if it is wrong and `got` has more constants.
    pub fn gradients_are(&self, case: &str, got: &Self) -> Outcome {
        for expected in &self.gradients {
            let value = &expected.value;
            let hit = got.gradients.iter().find(|g| g.leaf == expected.leaf);
            let nothing = Tensor::zeros(value.shape());
            let actual = hit.map_or(&nothing, |gradient| &gradient.value);
            let says = format!("{case}, the gradient by {}", expected.name);
            compare(&says, value, actual, TOLERANCE).map_err(|mut failure| {
                let nothing = actual.data().iter().all(|&x| x == 0.0);
                let cut = if nothing && value.data().iter().any(|&x| x.abs() > TOLERANCE) {
                    Some(format!("no gradient reaches {}", expected.name))
                } else if got.constants > self.constants {
                    Some(format!("part of the gradient of {} is missing", expected.name))
                } else {
                    None
                };
                failure.likely = cut.map(|cut| {
                    format!(
                        "The results are right, but {cut}. Did you take numbers out with value() and put them on the \
                         tape again? Compute with the Var itself."
                    )
                });
                failure
            })?;
        }
        Ok(())
    }

    /// The results.
    fn values(&self) -> Vec<Tensor> {
        self.results
            .iter()
            .map(|(_, value)| value.clone())
            .collect()
    }

    /// The results, and all gradients as one tensor, because functions can differ in their number. A mistake that changes
    /// gradients only must leave the results as they are.
    fn values_and_gradients(&self) -> Vec<Tensor> {
        let gradients = self.gradients.iter().map(|gradient| &gradient.value);
        let mut all = self.values();
        all.push(packed(gradients));
        all
    }
}

/// All tensors and their shapes flattened into one row, so that equal rows mean equal tensors.
fn packed<'a>(tensors: impl IntoIterator<Item = &'a Tensor>) -> Tensor {
    let row = tensors.into_iter().flat_map(|t| {
        let shape = t.shape().iter().map(|&n| n as f32);
        shape.chain(t.data().iter().copied())
    });
    let row: Vec<f32> = row.collect();
    Tensor::new(&[row.len()], row)
}

/// Leaves of a run that can have a gradient, each with its step and a gradient of 0.
fn leaves(trace: &Trace) -> Vec<(usize, Gradient)> {
    let steps = trace.steps().iter().enumerate();
    let leaves = steps.filter_map(|(number, step)| {
        let leaf = match (&step.origin, step.op()) {
            (Origin::Parameter(param), _) => Leaf::Parameter(*param),
            (Origin::Input, "input") => Leaf::Input(number),
            _ => return None,
        };
        let gradient = Gradient {
            leaf,
            name: step.name.clone(),
            value: Tensor::zeros(step.value.shape()),
        };
        Some((number, gradient))
    });
    leaves.collect()
}

impl<F: Copy + 'static> Task<F> {
    /// Like [`Task::compared`] for a function on `Var`: compares its results first, then the gradients of all inputs
    /// and parameters. Names a known mistake if it gives the same results, or gradients, as those that failed.
    pub fn compared_recorded<C>(
        &self,
        function: F,
        cases: &[(&str, C)],
        tolerance: f32,
        run: impl Fn(&C, F) -> Recorded,
    ) -> Outcome {
        for (number, (says, case)) in cases.iter().enumerate() {
            let expected = run(case, self.reference);
            let attributed = |failure, taken: fn(&Recorded) -> Vec<Tensor>| {
                let parts = taken(&expected).len();
                let failed = parts * number..parts * (number + 1);
                self.attributed(failure, function, failed, |f| {
                    let all = cases
                        .iter()
                        .flat_map(|(_, case)| match survived(|| run(case, f)) {
                            Ok(run) => taken(&run).into_iter().map(Ok).collect(),
                            Err(message) => vec![Err(message); parts],
                        });
                    all.collect()
                })
            };
            let got = attempt(says, || run(case, function))
                .map_err(|failure| attributed(failure, Recorded::values))?;
            expected
                .results_are(says, &got, tolerance)
                .map_err(|failure| attributed(failure, Recorded::values))?;
            expected
                .gradients_are(says, &got)
                .map_err(|failure| attributed(failure, Recorded::values_and_gradients))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Mistakes;
    use super::*;
    use crate::params::{Init, Params};

    type Double = fn(&Var, &Var) -> Var;

    static TASK: Task<Double> = Task {
        reference: |x, w| x.mul(w).scale(2.0),
        starter: |_, _| todo!("write it"),
        mistakes: Mistakes::listed(&[("half", |x, w| x.mul(w).scale(0.5))]),
        check: |f| TASK.compared_recorded(f, &[("three numbers", 3)], 1e-5, run),
    };

    fn run(n: &usize, f: Double) -> Recorded {
        let mut params = Params::new(1);
        let weight = params.add("weight", &[*n], &["d"], Init::Normal(1.0));
        let tape = Tape::eval(&params);
        let x = tape.input("x", random::normal(&[*n], 1.0, 2, "x"), &["d"]);
        let y = f(&x, &tape.param(weight));
        Recorded::new(&tape, &[("", &y)])
    }

    #[test]
    fn results_that_are_cut_off_fail_and_say_so() {
        let cut: Double = |x, w| {
            let numbers = x.mul(w).scale(2.0).value();
            x.tape().input("again", numbers, &["d"])
        };
        let failure = (TASK.check)(cut).expect_err("no gradient comes back");
        assert!(
            failure.sentence.contains("the gradient by x"),
            "{failure:?}"
        );
        assert!(failure.likely.expect("it says why").contains("value()"));
    }

    #[test]
    fn a_parameter_that_is_cut_off_alone_is_named() {
        let cut: Double = |x, w| {
            let w = x.tape().constant("w", w.value(), &["d"]);
            x.mul(&w).scale(2.0)
        };
        let failure = (TASK.check)(cut).expect_err("the weight gets nothing back");
        assert!(
            failure.sentence.contains("the gradient by weight"),
            "{failure:?}"
        );
    }

    #[test]
    fn a_part_of_the_gradient_that_is_cut_off_is_reported() {
        // x · w twice, once with a constant in place of x.
        let cut: Double = |x, w| {
            let constant = x.tape().constant("again", x.value(), &["d"]);
            x.mul(w).add(&constant.mul(w))
        };
        let failure = (TASK.check)(cut).expect_err("half of the gradient is missing");
        let likely = failure.likely.expect("it says why");
        assert!(likely.contains("part of the gradient of x"), "{likely}");
    }

    #[test]
    fn other_names_and_another_order_are_no_mistake() {
        let renamed: Double = |x, w| {
            let x = x.clone().named("other");
            w.scale(2.0).mul(&x)
        };
        assert_eq!((TASK.check)(renamed), Ok(()));
    }

    #[test]
    fn a_known_mistake_is_named() {
        let failure = (TASK.check)(|x, w| w.scale(0.5).mul(x)).expect_err("it is half");
        assert_eq!(failure.mistakes, ["half"]);
    }
}
