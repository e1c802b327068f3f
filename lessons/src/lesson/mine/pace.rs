//! Time per training step with the learner's functions, and the function that takes most of it.

use std::time::Duration;

use super::parts::{Mine, Parts};
use super::training::{SEED, State, TrainingRun};
use crate::clock::Instant;
use crate::lesson::exercise::attempt;

/// Number of steps that are timed, at the beginning of a training.
pub const TIMED: usize = 5;

/// Ratio of the learner's time to the references' above which the slowest function is looked for.
const SLOW: f64 = 5.0;

/// Seconds per training step.
#[derive(Clone, Debug, PartialEq)]
pub struct Pace {
    /// With the learner's functions.
    pub own: f64,
    /// With the references.
    pub reference: f64,
    /// The slowest of the learner's functions, if they are much slower than the references.
    pub slowest: Option<Slowest>,
}

/// The slowest of the learner's functions.
#[derive(Clone, Debug, PartialEq)]
pub struct Slowest {
    /// Its name.
    pub name: String,
    /// Seconds per training step that it takes longer than the reference.
    pub extra: f64,
}

/// Time that the first steps took.
#[derive(Clone, Copy, Default)]
pub(super) struct Times {
    /// With the learner's functions.
    pub own: Duration,
    /// With the references.
    pub reference: Duration,
}

/// Adds the time that `work` takes to `total`.
pub(super) fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}

impl Pace {
    /// The pace of [`TIMED`] steps. If it is slow, runs one more step from `state` with each of the learner's
    /// functions, all others being references.
    pub(super) fn measure(times: Times, mine: &Mine, state: &State) -> Self {
        let per_step = |time: Duration| time.as_secs_f64() / TIMED as f64;
        let (own, reference) = (per_step(times.own), per_step(times.reference));
        Self::new(own, reference, &mine.own, |name| {
            let parts = Parts::default().with(name, &mine.parts);
            seconds_of_step(parts, state)
        })
    }

    /// `seconds_with` gives the seconds of a step with one of the learner's functions; `None` if it panics.
    fn new(
        own: f64,
        reference: f64,
        names: &[&str],
        seconds_with: impl Fn(&str) -> Option<f64>,
    ) -> Self {
        let slow = own > SLOW * reference;
        let costs = names.iter().filter(|_| slow).filter_map(|name| {
            let extra = seconds_with(name)? - reference;
            let name = (*name).to_owned();
            (extra > 0.0).then_some(Slowest { name, extra })
        });
        Self {
            own,
            reference,
            slowest: costs.max_by(|a, b| a.extra.total_cmp(&b.extra)),
        }
    }
}

fn seconds_of_step(parts: Parts, state: &State) -> Option<f64> {
    let run = || {
        let mut training = TrainingRun::new(parts, 1, SEED).continued(state);
        let mut time = Duration::ZERO;
        timed(&mut time, || training.step());
        time.as_secs_f64()
    };
    attempt("", run).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds_with(name: &str) -> Option<f64> {
        match name {
            "linear" => Some(2.5),
            "shift" => Some(0.5),
            _ => None,
        }
    }

    #[test]
    fn the_slowest_function_is_named_only_if_the_learners_take_more_than_five_times_as_long() {
        let names = ["shift", "linear", "attention"];
        let slow = Pace::new(3.0, 0.5, &names, seconds_with);
        let linear = Slowest {
            name: "linear".to_owned(),
            extra: 2.0,
        };
        assert_eq!(slow.slowest, Some(linear));
        let fast = Pace::new(2.5, 0.5, &names, seconds_with);
        assert_eq!(fast.slowest, None);
    }

    #[test]
    fn a_function_that_panics_alone_is_not_the_slowest() {
        assert_eq!(
            Pace::new(3.0, 0.5, &["attention"], seconds_with).slowest,
            None
        );
        let mut mine = Mine::default();
        mine.parts.shift = |_| panic!("no");
        let state = TrainingRun::new(Parts::default(), 1, SEED).state();
        assert_eq!(seconds_of_step(mine.parts, &state), None);
    }
}
