//! Recognises known mistakes by their results.

use std::cell::Cell;

use super::instruments::Bench;
use super::results::{Results, same};
use super::{Failure, Task, attempt};

thread_local! {
    /// True while only instruments may name a cause.
    static BARE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `check` without the known mistakes, so that only the instruments name causes.
pub fn only_measured<T>(check: impl FnOnce() -> T) -> T {
    BARE.set(true);
    let result = check();
    BARE.set(false);
    result
}

/// What a mistake gives, compared with the learner's function: one entry per result.
struct Comparison {
    /// Name of the mistake.
    cause: &'static str,
    /// Wrong results of the learner's function that the mistake explains.
    explained: Vec<bool>,
    /// Results that the mistake leaves as they should be.
    neutral: Vec<bool>,
    /// True if the mistake leaves everything as it should be that the learner's function gets right.
    fits: bool,
}

impl<F: Copy + 'static> Task<F> {
    /// Adds to a failure of `function` the cause of its results: a known mistake that explains all, else what the
    /// instruments find, else two known mistakes that explain all together, else one that explains those in `failed`, the
    /// results of the first case that failed, and changes nothing that is right, else what the result depends on. A mistake that would change a right result before that case is not
    /// considered; one that would change a later one comes last, because later cases are extremes, where the same mistake
    /// can be written in different ways.
    ///
    /// `results` gives the results on all cases, in the same number for every function.
    pub fn attributed(
        &self,
        failure: Box<Failure>,
        function: F,
        failed: std::ops::Range<usize>,
        results: impl Fn(F) -> Results,
    ) -> Box<Failure> {
        let (expected, got) = (results(self.reference), results(function));
        let right = same(&expected, &got);
        let all: Vec<Comparison> = self
            .mistakes
            .iter()
            .filter(|_| !BARE.get())
            .filter_map(|&(cause, mistake)| {
                let made = results(mistake);
                let (explained, neutral) = (same(&made, &got), same(&made, &expected));
                let fits = |to: usize| (0..to).all(|n| !right[n] || explained[n]);
                let (before, everywhere) = (fits(failed.end), fits(right.len()));
                before.then_some(Comparison {
                    cause,
                    fits: everywhere,
                    explained,
                    neutral,
                })
            })
            .collect();
        let alone = |c: &&Comparison| c.explained.iter().all(|&e| e);
        if let Some(one) = all.iter().find(alone) {
            return failure.caused_by(&[one.cause]);
        }
        let bench = Bench::new(self, function, [&expected, &got], &results);
        let wrong = !right.iter().all(|&r| r);
        let likely = |says: String, failure: Box<Failure>| {
            let (likely, relation) = (Some(says), None);
            Box::new(Failure {
                likely,
                relation,
                ..*failure
            })
        };
        if wrong && let Some(measured) = bench.cause() {
            return likely(measured, failure);
        }
        if let Some(causes) = two(&all) {
            return failure.caused_by(&causes);
        }
        let here = |c: &&Comparison| c.explained[failed.clone()].iter().all(|&e| e);
        let mut here = all.iter().filter(here);
        let first = here.clone().next();
        if let Some(one) = here.find(|c| c.fits) {
            return failure.caused_by(&[one.cause]);
        }
        if wrong && let Some(measured) = bench.dependence() {
            return likely(measured, failure);
        }
        match first {
            Some(one) => failure.caused_by(&[one.cause]),
            None => failure,
        }
    }
}

/// Two mistakes that explain all results together. Where only one of them does, the other must change nothing.
fn two(all: &[Comparison]) -> Option<[&'static str; 2]> {
    let fit = |a: &Comparison, b: &Comparison| {
        a.fits
            && b.fits
            && (0..a.explained.len()).all(|n| match (a.explained[n], b.explained[n]) {
                (true, true) => true,
                (true, false) => b.neutral[n],
                (false, true) => a.neutral[n],
                (false, false) => false,
            })
    };
    let mut pairs = all
        .iter()
        .enumerate()
        .flat_map(|(n, a)| all[n + 1..].iter().map(move |b| (a, b)));
    let (a, b) = pairs.find(|(a, b)| fit(a, b))?;
    Some([a.cause, b.cause])
}

impl Failure {
    /// The same failure with one or two causes, which replace words that hold in general.
    fn caused_by(self: Box<Self>, causes: &[&str]) -> Box<Self> {
        Box::new(Self {
            mistakes: causes.iter().map(|&name| name.to_owned()).collect(),
            likely: None,
            also: None,
            relation: None,
            ..*self
        })
    }
}

/// The result of `work`, or the message of its panic.
pub(super) fn survived<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    attempt("", work).map_err(|failure| failure.sentence)
}

#[cfg(test)]
mod tests {
    use super::super::{Mistakes, Outcome};
    use super::*;
    use crate::tensor::Tensor;

    /// Twice a number, and its sign.
    type Double = fn(f32) -> [f32; 2];

    static TASK: Task<Double> = Task {
        reference: |x| [2.0 * x, x.signum()],
        starter: |_| todo!("write it"),
        mistakes: Mistakes::listed(&[
            ("once", |x| [x, x.signum()]),
            ("no-sign", |x| [2.0 * x, 1.0]),
            ("positive-only", |x| {
                assert!(x > 0.0, "{x} is not positive");
                [2.0 * x, 1.0]
            }),
            ("magnitude", |x| [2.0 * x.abs(), x.signum()]),
        ]),
        check,
    };

    fn check(f: Double) -> Outcome {
        let cases = [("2", 2.0), ("-3", -3.0)];
        TASK.compared_in_parts(f, &cases, 1e-5, |x, f| {
            let [a, b] = f(*x).map(Tensor::scalar);
            [(", the double", a), (", the sign", b)]
        })
    }

    fn causes(f: Double) -> Vec<String> {
        check(f).expect_err("it is wrong").mistakes
    }

    #[test]
    fn one_mistake_that_explains_everything_is_named() {
        let failure = check(|x| [x, x.signum()]).expect_err("it is once");
        assert_eq!(failure.mistakes, ["once"]);
        assert_eq!(failure.finished, ["the sign"]);
    }

    #[test]
    fn two_mistakes_in_different_parts_are_both_named() {
        assert_eq!(causes(|x| [x, 1.0]), ["once", "no-sign"]);
        assert_eq!(causes(|x| [2.0 * x.abs(), 1.0]), ["no-sign", "magnitude"]);
    }

    #[test]
    fn a_mistake_that_stops_with_the_same_message_is_named() {
        let stops = |x: f32| {
            assert!(x.signum() == 1.0, "{x} is not positive");
            [x + x, x.signum()]
        };
        assert_eq!(causes(stops), ["positive-only"]);
        let differently = |x: f32| {
            assert!(x > 0.0, "what is {x}?");
            [2.0 * x, 1.0]
        };
        assert!(causes(differently).is_empty());
    }

    #[test]
    fn a_mistake_that_changes_a_right_result_is_not_named() {
        // −3 alone looks like `once`, which would return 2 for 2.
        assert!(causes(|x| [if x > 0.0 { 4.0 } else { -3.0 }, x.signum()]).is_empty());
    }
}
