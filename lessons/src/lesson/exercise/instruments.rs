//! Instruments that tell the cause of a wrong result by measuring, without a list of mistakes: they run the reference with
//! other inputs, or with one of its steps changed, until it gives what the learner's function gives, and they change
//! inputs to see what the result depends on.
//!
//! A sentence is certain: the numbers agree in all cases of the check.

use std::time::Duration;

use super::Task;
use super::inputs::{Call, Value, with};
use super::results::{Results, same};
use crate::autograd::Altered;
use crate::clock::Instant;
use crate::tensor::Tensor;
use crate::typeset::number::short;

mod candidates;
mod dependence;
mod steps;
#[cfg(test)]
mod tests;

use candidates::{Candidate, candidates};
use dependence::{Changes, Influence, dependence};
use steps::{alterations, altered_step};

/// Time after which no further change is tried.
const LIMIT: Duration = Duration::from_secs(1);

/// Number of steps of a reference up to which each of them is changed.
const STEPS: usize = 60;

/// A learner's function beside the reference, and `results`, which runs a function on all cases of the check.
pub(super) struct Bench<'a, F: 'static, R> {
    reference: F,
    function: F,
    expected: &'a Results,
    got: &'a Results,
    results: &'a R,
    /// The function that hands changed inputs on, what it is called with, and the steps of the reference. `None` if no
    /// instrument can change its inputs.
    inputs: Option<(F, Vec<Call>, Vec<Altered>)>,
}

impl<'a, F: Copy + 'static, R: Fn(F) -> Results> Bench<'a, F, R> {
    pub(super) fn new(
        task: &Task<F>,
        function: F,
        [expected, got]: [&'a Results; 2],
        results: &'a R,
    ) -> Self {
        let reference = task.reference;
        let inputs = task.mistakes.second.and_then(|second| {
            let (right, calls, steps) = with(reference, |_| (), None, || results(second));
            let fits = same(&right, expected).iter().all(|&s| s) && !calls.is_empty();
            fits.then_some((second, calls, steps))
        });
        Self {
            reference,
            function,
            expected,
            got,
            results,
            inputs,
        }
    }

    /// The cause as a sentence, if one of the instruments finds it.
    pub(super) fn cause(&self) -> Option<String> {
        let start = Instant::now();
        let again = (self.results)(self.function);
        if !same(&again, self.got).iter().all(|&s| s) {
            return Some(
                "The same call gives something else the second time. Your function must not keep anything from one \
                 call to the next."
                    .to_owned(),
            );
        }
        let (second, calls, steps) = self.inputs.as_ref()?;
        let run = |change: Box<dyn Fn(&mut [Value])>, step| {
            with(self.reference, change, step, || (self.results)(*second)).0
        };
        // Zeros come out of many changes.
        let numbers = || self.got.iter().flatten().flat_map(Tensor::data);
        let says = numbers().count() == 0 || numbers().any(|&x| x != 0.0);
        let explains = |results: &Results| says && same(results, self.got).iter().all(|&s| s);
        for Candidate { says, change } in candidates(&calls[0], calls) {
            if start.elapsed() > LIMIT {
                return None;
            }
            if explains(&run(change, None)) {
                return Some(says);
            }
        }
        if steps.len() <= STEPS {
            for (at, step) in steps.iter().enumerate() {
                for how in alterations(step) {
                    if start.elapsed() > LIMIT {
                        return None;
                    }
                    if explains(&run(Box::new(|_| ()), Some((at, how)))) {
                        return Some(altered_step(step, how));
                    }
                }
            }
        }
        self.right_where(calls)
            .or_else(|| self.factor(calls))
            .or_else(|| self.with_input(calls))
    }

    /// What the result depends on, though it should not, or does not depend on, though it should. It describes a result
    /// and does not name a cause.
    pub(super) fn dependence(&self) -> Option<String> {
        let (second, calls, _) = self.inputs.as_ref()?;
        let changed = |change: Changes, axis| {
            let run = |function| with(function, change(), None, || (self.results)(*second)).0;
            let [right, own] = [self.reference, self.function].map(run);
            Influence::of([self.expected, &right], [self.got, &own], axis)
        };
        dependence(&calls[0], &changed)
    }

    /// Whether each call's results are right, if every call belongs to one case.
    fn right(&self, calls: &[Call]) -> Option<Vec<bool>> {
        let parts = self.expected.len() / calls.len().max(1);
        if parts * calls.len() != self.expected.len() {
            return None;
        }
        let all = same(self.expected, self.got);
        Some(
            all.chunks(parts)
                .map(|case| case.iter().all(|&r| r))
                .collect(),
        )
    }

    /// The one size or number that all cases have in which the function is right, and no other case.
    fn right_where(&self, calls: &[Call]) -> Option<String> {
        let right = self.right(calls)?;
        let wrong = right.iter().filter(|r| !**r).count();
        // A single case may be right because it is degenerate.
        if wrong < 2 || wrong + 2 > right.len() {
            return None;
        }
        let fits = |of: &dyn Fn(&Call) -> Option<f64>| {
            let all: Option<Vec<f64>> = calls.iter().map(of).collect();
            let all = all?;
            let first = all[right.iter().position(|&r| r)?];
            let pairs = || all.iter().zip(&right);
            let others: Vec<f64> = pairs().filter(|(_, r)| !**r).map(|(x, _)| *x).collect();
            let apart = others.iter().any(|x| *x != others[0]);
            let agree = pairs().all(|(x, right)| (*x == first) == *right);
            // Nobody writes for lists of one.
            (agree && apart && first >= 2.0).then_some(first)
        };
        let mut found = Vec::new();
        for quantity in quantities(calls) {
            if let Some(n) = fits(&|call| quantity.of(call)) {
                // One case may be right for another reason.
                let asks = if wrong + 2 < right.len() {
                    format!(" Is {n} written in your code?")
                } else {
                    String::new()
                };
                found.push(format!(
                    "Your result is right where {} is {n}, and wrong everywhere else.{asks}",
                    quantity.name
                ));
            }
        }
        // With only one right case, its other numbers fit as well.
        (found.len() == 1).then(|| found.remove(0))
    }

    /// The input that is added to all wrong results, or that they are multiplied by, cell by cell.
    fn with_input(&self, calls: &[Call]) -> Option<String> {
        self.right(calls)?;
        let right = same(self.expected, self.got);
        let parts = self.expected.len() / calls.len();
        for (n, (name, _)) in calls[0].iter().enumerate() {
            let holds = |change: fn(f32, f32) -> f32| {
                let mut wrong = (0..right.len()).filter(|&at| !right[at]);
                wrong.try_fold(0, |cells, at| {
                    let (Ok(expected), Ok(got)) = (&self.expected[at], &self.got[at]) else {
                        return None;
                    };
                    let x = calls.get(at / parts)?.get(n)?.1.tensor()?;
                    let end = expected.shape().ends_with(x.shape());
                    let made = |i: usize| change(expected.data()[i], x.data()[i % x.len()]);
                    let all = || {
                        (0..expected.len()).all(|i| super::relation::same(made(i), got.data()[i]))
                    };
                    let agree = end && !x.is_empty() && got.shape() == expected.shape() && all();
                    agree.then_some(cells + x.len())
                })
            };
            // Few numbers agree by chance.
            let fits = |(change, _): &&ByInput| holds(*change).is_some_and(|cells| cells > 2);
            if let Some((_, says)) = BY_INPUT.iter().find(fits) {
                let says = says.replace("{}", &format!("`{name}`"));
                return Some(format!(
                    "Where your numbers are wrong, they are the right ones {says}."
                ));
            }
        }
        None
    }

    /// The quantity by a power of which all results are too large, a different one in each case.
    fn factor(&self, calls: &[Call]) -> Option<String> {
        let right = self.right(calls)?;
        let parts = self.expected.len() / calls.len();
        let mut factors = Vec::new();
        for (n, pair) in self.expected.iter().zip(self.got).enumerate() {
            let (Ok(expected), Ok(got)) = pair else {
                return None;
            };
            let factor = super::relation::factor(expected, got);
            match factor {
                Some(factor) => factors.push((n / parts, f64::from(factor))),
                None if right[n / parts] => {}
                None => return None,
            }
        }
        let distinct = factors
            .iter()
            .any(|(_, f)| (f / factors[0].1 - 1.0).abs() > 1e-3);
        if !distinct {
            return None;
        }
        const POWERS: [(f64, &str); 6] = [
            (1.0, "times {}"),
            (-1.0, "divided by {}"),
            (0.5, "times the square root of {}"),
            (-0.5, "divided by the square root of {}"),
            (2.0, "times the square of {}"),
            (-2.0, "divided by the square of {}"),
        ];
        // What is left if a power of a quantity is taken out, if that is one number in all cases.
        let left = |quantity: &Quantity, power: f64| {
            let each = factors.iter().map(|(case, factor)| {
                let n = quantity.of(&calls[*case])?;
                Some(factor / n.powf(power))
            });
            let each = each.collect::<Option<Vec<f64>>>()?;
            let same = each.iter().all(|x| (x / each[0] - 1.0).abs() < 1e-3);
            same.then_some(each[0])
        };
        let quantities = quantities(calls);
        let mut found = Vec::new();
        for quantity in &quantities {
            for (power, says) in POWERS {
                if let Some(number) = left(quantity, power) {
                    let says = says.replace("{}", &quantity.name);
                    found.push(((number - 1.0).abs() < 1e-3, !quantity.size, number, says));
                }
            }
        }
        // A pure power says more than one with a number, and an input more than a size.
        let (pure, _, number, says) = found.into_iter().max_by_key(|of| (of.0, of.1))?;
        // Two cases have some number in common with many powers.
        let times = match pure {
            true => String::new(),
            false if factors.len() > 2 => format!("{} times ", short(number as f32, 9)),
            false => return None,
        };
        Some(format!(
            "In every case, your result is {times}the right one {says}."
        ))
    }
}

/// A change by an input: what it does to a right number and the input's number there, and how a sentence calls it.
type ByInput = (fn(f32, f32) -> f32, &'static str);

/// The changes by an input that are tried.
const BY_INPUT: [ByInput; 4] = [
    (|right, x| right + x, "plus {}"),
    (|right, x| right - x, "minus {}"),
    (|right, x| right * x, "times {}"),
    (|right, x| right / x, "divided by {}"),
];

/// A number that a call is given, or a size of one of its tensors.
struct Quantity {
    name: String,
    value: usize,
    axis: Option<usize>,
    size: bool,
}

impl Quantity {
    fn of(&self, call: &Call) -> Option<f64> {
        let value = &call.get(self.value)?.1;
        match self.axis {
            None => value.number(),
            Some(axis) => Some(*value.tensor()?.shape().get(axis)? as f64),
        }
    }
}

/// The quantities that all calls have.
fn quantities(calls: &[Call]) -> Vec<Quantity> {
    let mut all: Vec<Quantity> = Vec::new();
    for (value, (name, of)) in calls[0].iter().enumerate() {
        if of.number().is_some() {
            all.push(Quantity {
                name: format!("`{name}`"),
                value,
                axis: None,
                size: false,
            });
        }
        for axis in 0..of.tensor().map_or(0, |t| t.rank()) {
            all.push(Quantity {
                name: format!("the size of axis {axis} of `{name}`"),
                value,
                axis: Some(axis),
                size: true,
            });
        }
    }
    // Two sizes that agree in every case are one.
    let mut kept: Vec<Quantity> = Vec::new();
    for quantity in all {
        let same = |other: &Quantity| calls.iter().all(|call| other.of(call) == quantity.of(call));
        if !kept.iter().any(same) {
            kept.push(quantity);
        }
    }
    kept
}

/// How a sentence calls an input.
fn name(call: &Call, n: usize) -> String {
    let name = &call[n].0;
    match name.split_once('.') {
        Some((list, "0")) => format!("the first number of each pair in `{list}`"),
        Some((list, _)) => format!("the second number of each pair in `{list}`"),
        None => format!("`{name}`"),
    }
}
