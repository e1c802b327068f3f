//! Part two of the check: long chains, which finite differences, one walk per place and one walk per path do not get
//! through.

use std::time::Duration;

use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Failure, attempt, learner};

use transformer_tutor::lesson::tiny_tape::{Record, TapeFn};

/// Largest relative error of a gradient. Sums and products leave about 1e-14 after 60 steps.
const TOLERANCE: f64 = 1e-12;

/// Time for one chain. A single walk takes milliseconds.
pub const LIMIT: Duration = Duration::from_secs(4);

/// A computation to record; returns the place whose gradients are requested.
type Chain = fn(&mut dyn Record) -> usize;

/// The chains, each with the reason why a function gets stuck in it.
const CHAINS: [(&str, Chain, &str); 3] = [
    (
        "60 doublings, y = x + x",
        |tape| (0..60).fold(tape.input(1.1), |x, _| tape.add(x, x)),
        "You follow every path from the result to x, and there are 2^60 of them. Each place needs to be visited once: \
         add up its gradient first, then hand it on.",
    ),
    (
        "x to the power of 61, by 60 products",
        |tape| {
            let x = tape.input(1.01);
            (0..60).fold(x, |power, _| tape.mul(power, x))
        },
        "You follow every path from the result to x. Each place needs to be visited once.",
    ),
    (
        "the sum of 131,072 numbers, two by two",
        |tape| {
            let mut places: Vec<usize> = (0..1 << 17).map(|n| tape.input(f64::from(n))).collect();
            while places.len() > 1 {
                let pairs = places.chunks(2);
                places = pairs.map(|pair| tape.add(pair[0], pair[1])).collect();
            }
            places[0]
        },
        "You go through the tape once for every place. One walk from the result back to place 0 gives the gradients of \
         all places.",
    ),
];

/// Checks the gradients of every chain against those of `reference`, each within `limit`.
pub fn check(tape: TapeFn, reference: TapeFn, limit: Duration) -> Outcome {
    for (says, chain, stuck) in CHAINS {
        let gradients = move |new: TapeFn| {
            let mut tape = new();
            let of = chain(&mut *tape);
            tape.gradients(of)
        };
        let result = learner::within(limit, move || attempt(says, || gradients(tape)));
        let Some(result) = result else {
            let seconds = limit.as_secs_f64();
            let mut failure = Failure::new(format!(
                "Part two, {says}: your gradients were not there after {seconds} seconds."
            ));
            failure.likely = Some(stuck.to_owned());
            return Err(failure);
        };
        compare(says, &gradients(reference), &result.map_err(Failure::new)??)?;
    }
    Ok(())
}

fn compare(says: &str, expected: &[f64], got: &[f64]) -> Outcome {
    if expected.len() != got.len() {
        return Err(Failure::new(format!(
            "Part two, {says}: there are {} places, and your list has {} gradients.",
            expected.len(),
            got.len()
        )));
    }
    let error = |(e, g): (&f64, &f64)| (e - g).abs() / e.abs().max(1.0);
    let mut cells = expected.iter().zip(got).enumerate();
    // `is_nan`, because a comparison with NaN is false.
    let wrong = cells.find(|(_, cell)| error(*cell) > TOLERANCE || cell.1.is_nan());
    let Some((place, (e, g))) = wrong else {
        return Ok(());
    };
    let mut failure = Failure::new(format!(
        "Part two, {says}: the gradient of place {place} is {e:.15e}, yours is {g:.15e}."
    ));
    if got
        .iter()
        .all(|&gradient| f64::from(gradient as f32) == gradient)
    {
        failure.likely = Some(
            "You compute the gradients in f32, which has 7 digits. Use f64 on the whole way back."
                .to_owned(),
        );
    } else if error((e, g)) < 1e-3 {
        failure.likely = Some(
            "You nudge a number and divide by the nudge, or you round to f32 on the way. That is near the derivative and \
             never equal to it; the rules for sums and products are exact."
                .to_owned(),
        );
    }
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::*;

    /// Steps of a tape whose gradients are not backpropagated: `None` is an input.
    #[derive(Default)]
    struct Steps {
        made: Vec<Option<(char, usize, usize)>>,
        values: Vec<f64>,
    }

    impl Steps {
        fn record(&mut self, made: Option<(char, usize, usize)>, value: f64) -> usize {
            self.made.push(made);
            self.values.push(value);
            self.values.len() - 1
        }

        /// Value at `of` after the number at `place` has moved by `by`.
        fn nudged(&self, place: usize, by: f64, of: usize) -> f64 {
            let mut values = self.values.clone();
            for n in 0..values.len() {
                match self.made[n] {
                    Some(('+', a, b)) => values[n] = values[a] + values[b],
                    Some((_, a, b)) => values[n] = values[a] * values[b],
                    None => {}
                }
                values[n] += if n == place { by } else { 0.0 };
            }
            values[of]
        }
    }

    struct Differences(Steps);

    impl Record for Differences {
        fn input(&mut self, value: f64) -> usize {
            self.0.record(None, value)
        }
        fn add(&mut self, a: usize, b: usize) -> usize {
            self.0
                .record(Some(('+', a, b)), self.0.values[a] + self.0.values[b])
        }
        fn mul(&mut self, a: usize, b: usize) -> usize {
            self.0
                .record(Some(('*', a, b)), self.0.values[a] * self.0.values[b])
        }
        fn value(&self, place: usize) -> f64 {
            self.0.values[place]
        }
        fn gradients(&self, of: usize) -> Vec<f64> {
            let slope =
                |place| (self.0.nudged(place, 1e-5, of) - self.0.nudged(place, -1e-5, of)) / 2e-5;
            (0..self.0.values.len()).map(slope).collect()
        }
    }

    /// A tape whose gradients never come.
    struct Stuck(Differences);

    impl Record for Stuck {
        fn input(&mut self, value: f64) -> usize {
            self.0.input(value)
        }
        fn add(&mut self, a: usize, b: usize) -> usize {
            self.0.add(a, b)
        }
        fn mul(&mut self, a: usize, b: usize) -> usize {
            self.0.mul(a, b)
        }
        fn value(&self, place: usize) -> f64 {
            self.0.value(place)
        }
        fn gradients(&self, _: usize) -> Vec<f64> {
            loop {
                std::thread::park();
            }
        }
    }

    #[test]
    fn central_differences_are_not_exact_enough_and_are_named() {
        let tape: TapeFn = || Box::new(Differences(Steps::default()));
        let failure = check(tape, reference::tiny_tape, LIMIT).expect_err("a slope is not exact");
        let likely = failure.likely.expect("the cause is known");
        assert!(likely.starts_with("You nudge a number"), "{likely}");
    }

    #[test]
    fn a_function_that_follows_every_path_is_told_how_many_there_are() {
        let tape: TapeFn = || Box::new(Stuck(Differences(Steps::default())));
        let limit = Duration::from_millis(20);
        let failure = check(tape, reference::tiny_tape, limit).expect_err("nothing comes");
        assert!(failure.likely.is_some_and(|likely| likely.contains("2^60")));
    }

    #[test]
    fn backpropagation_passes() {
        assert_eq!(
            check(reference::tiny_tape, reference::tiny_tape, LIMIT),
            Ok(())
        );
    }
}
