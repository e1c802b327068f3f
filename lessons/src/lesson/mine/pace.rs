//! Time per training step with the learner's functions, and the function that takes most of it.

use std::time::Duration;

use super::parts::{Mine, Parts};
use super::training::{SEED, State, TrainingRun};
use crate::clock::Instant;
use crate::lesson::exercise::attempt;

/// Number of steps that are timed, at the beginning of a training.
pub(super) const TIMED: usize = 5;

/// Ratio of the learner's time to the references' above which the slowest function is looked for.
const SLOW: f64 = 5.0;

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

impl Times {
    /// Sentences on how long each of [`TIMED`] steps took, and what that means for the `left` ones. If the learner's are
    /// slow, names the function to which `seconds_of` gives the longest step; that is `None` for one that panics.
    pub(super) fn sentences(
        self,
        left: usize,
        names: &[&str],
        seconds_of: impl Fn(&str) -> Option<f64>,
    ) -> Vec<String> {
        let per_step = |time: Duration| time.as_secs_f64() / TIMED as f64;
        let (own, reference) = (per_step(self.own), per_step(self.reference));
        let step = format!(
            "Your step takes {}, the reference's {}: the other {left} steps of both will take about {}.",
            duration(own),
            duration(reference),
            duration(left as f64 * (own + reference))
        );
        let slow = own > SLOW * reference;
        let costs = names
            .iter()
            .filter(|_| slow)
            .filter_map(|name| Some((name, seconds_of(name)? - reference)));
        let slowest = costs.max_by(|(_, a), (_, b)| a.total_cmp(b));
        let slowest = slowest.filter(|(_, more)| *more > 0.0).map(|(name, more)| {
            format!(
                "Your slowest function is {name}: it takes {} more per step than the reference, which --without {name} \
                 runs instead.",
                duration(more)
            )
        });
        [step].into_iter().chain(slowest).collect()
    }
}

/// Seconds of a step from `state` with one of the learner's functions, all others being references; `None` if it panics.
pub(super) fn seconds_of_step(name: &str, mine: &Mine, state: &State) -> Option<f64> {
    let run = || {
        let parts = Parts::default().with(name, &mine.parts);
        let mut training = TrainingRun::new(parts, 1, SEED).continued(state);
        let mut time = Duration::ZERO;
        timed(&mut time, || training.step());
        time.as_secs_f64()
    };
    attempt("", run).ok()
}

/// A duration with two digits or so: `40 ms`, `2.8 s`, `11 minutes`.
fn duration(seconds: f64) -> String {
    match seconds {
        0.0..0.1 => format!("{:.0} ms", 1000.0 * seconds),
        0.1..10.0 => format!("{seconds:.1} s"),
        10.0..90.0 => format!("{seconds:.0} s"),
        _ => format!("{:.0} minutes", seconds / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_steps_name_the_slowest_function_and_not_one_that_panics() {
        let mut times = Times {
            own: Duration::from_secs(14),
            reference: Duration::from_millis(200),
        };
        let mut mine = Mine::default();
        mine.parts.shift = |_| panic!("no");
        let state = TrainingRun::new(Parts::default(), 1, SEED).state();
        let seconds_of = |name: &str| match name {
            "linear" => Some(2.54),
            "attention" => Some(0.5),
            _ => seconds_of_step(name, &mine, &state),
        };
        let names = ["attention", "linear", "shift"];
        assert_eq!(
            times.sentences(235, &names, seconds_of),
            [
                "Your step takes 2.8 s, the reference's 40 ms: the other 235 steps of both will take about 11 minutes.",
                "Your slowest function is linear: it takes 2.5 s more per step than the reference, which --without \
                 linear runs instead."
            ]
        );
        assert_eq!(times.sentences(235, &["shift"], seconds_of).len(), 1);
        times.own = 5 * times.reference;
        assert_eq!(times.sentences(235, &names, seconds_of).len(), 1);
    }
}
