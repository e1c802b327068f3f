//! Races that train each lane from five seeds, so that random variation shows as the range of a lane.

use std::sync::Mutex;

use super::{LAST, OnState, last, side_by_side, smooth};
use crate::lesson::picture::{Progress, Report};
use crate::lesson::{Body, Series};
use crate::tensor::threads::wait_for;
use crate::tensor::{alone, shared};

/// Number of seeds that each lane is trained from: the first and its successors.
pub const SEEDS: usize = 5;

/// Number of steps that a point of a curve averages.
const SMOOTHED: usize = 10;

/// Number of simultaneous training runs while a race is watched.
const AT_ONCE: usize = 4;

/// Mean and range of a quantity over a lane's seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub mean: f64,
    pub least: f64,
    pub most: f64,
}

impl Spread {
    /// Spread of some numbers; 0 if there are none.
    pub fn of(all: &[f64]) -> Self {
        Self {
            mean: all.iter().sum::<f64>() / all.len().max(1) as f64,
            least: all.iter().copied().reduce(f64::min).unwrap_or(0.0),
            most: all.iter().copied().reduce(f64::max).unwrap_or(0.0),
        }
    }

    /// The field called `what`: `mean`, `least` or `most`.
    pub fn get(self, what: &str) -> Option<f64> {
        match what {
            "mean" => Some(self.mean),
            "least" => Some(self.least),
            "most" => Some(self.most),
            _ => None,
        }
    }
}

crate::weigh!(Spread);

/// Trains every lane from every seed, starting with seed `first`, each on one thread. Returns each lane's results, one
/// per seed.
pub fn ends<T: Send>(
    lanes: usize,
    first: u64,
    train: impl Fn(usize, u64) -> T + Sync,
) -> Vec<Vec<T>> {
    let ended = Mutex::new((0..lanes * SEEDS).map(|_| None).collect::<Vec<_>>());
    shared((0..lanes * SEEDS).collect(), |n| {
        // Matrices this small are not worth a second thread.
        let end = alone(|| train(n / SEEDS, first + (n % SEEDS) as u64));
        wait_for(&ended)[n] = Some(end);
    });
    let ended = ended.into_inner().unwrap_or_else(|e| e.into_inner());
    let mut ended = ended.into_iter().flatten();
    let of_lane = |_| ended.by_ref().take(SEEDS).collect();
    (0..lanes).map(of_lane).collect()
}

/// A race of losses that the learner watches.
pub struct Watched {
    /// Name of each lane in the chart.
    pub lanes: Vec<&'static str>,
    /// First seed.
    pub first: u64,
    /// Number of steps of one training run.
    pub steps: usize,
    /// Message shown until every lane has finished.
    pub before: String,
}

impl Watched {
    /// Runs the race. `train` trains one lane from one seed and reports its losses so far.
    pub fn run(
        &self,
        report: Report<'_>,
        train: impl Fn(usize, u64, OnState<'_, Vec<f64>>) + Sync,
    ) -> Progress {
        let (lanes, all) = (self.lanes.len(), self.lanes.len() * SEEDS);
        // The first seed of every lane comes first, so that there is soon something to compare.
        let train = |n: usize, tell: OnState<'_, Vec<f64>>| {
            alone(|| train(n % lanes, self.first + (n / lanes) as u64, tell));
        };
        let whole = (self.steps * all) as f32;
        let losses = side_by_side(vec![Vec::new(); all], AT_ONCE, train, &mut |now, _| {
            let done: usize = now.iter().map(Vec::len).sum();
            let share = done as f32 / whole * 0.99;
            report(Progress::new(share, &*self.before, self.chart(now)))
        });
        self.last(&losses)
    }

    /// Final result for readers who do not watch. `losses` gives a lane's losses for a seed, which may be stored ones.
    pub fn end(&self, losses: impl Fn(usize, u64) -> Vec<f64> + Sync) -> Progress {
        let lanes = ends(self.lanes.len(), self.first, losses);
        // Seed by seed, in the order in which a race trains.
        let of_seed = |seed: usize| lanes.iter().map(move |lane| lane[seed].clone());
        self.last(&(0..SEEDS).flat_map(of_seed).collect::<Vec<_>>())
    }

    /// Final drawing and summary, once training has ended.
    fn last(&self, losses: &[Vec<f64>]) -> Progress {
        let says = if losses.iter().all(|seed| seed.len() == self.steps) {
            self.ended(losses)
        } else {
            self.before.clone()
        };
        Progress::new(1.0, says, self.chart(losses))
    }

    /// Losses of the lane's seeds.
    fn seeds<'b>(&self, lane: usize, losses: &'b [Vec<f64>]) -> impl Iterator<Item = &'b Vec<f64>> {
        losses.iter().skip(lane).step_by(self.lanes.len())
    }

    fn ended(&self, losses: &[Vec<f64>]) -> String {
        let lanes = self.lanes.iter().enumerate().map(|(lane, name)| {
            let ends: Vec<f64> = self.seeds(lane, losses).map(|seed| last(seed)).collect();
            let Spread { mean, least, most } = Spread::of(&ends);
            format!("{name} {mean:.3} ({least:.3} to {most:.3})")
        });
        format!(
            "Loss over the last {LAST} steps, the mean of {SEEDS} seeds (lowest to highest): {}. Each point of a curve is the mean of {SMOOTHED} steps.",
            lanes.collect::<Vec<_>>().join("; ")
        )
    }

    /// One curve per lane: the mean over the seeds that have got this far.
    fn chart(&self, losses: &[Vec<f64>]) -> Body {
        let series = self.lanes.iter().enumerate().map(|(lane, name)| {
            let seeds: Vec<_> = self
                .seeds(lane, losses)
                .map(|seed| smooth(seed, SMOOTHED))
                .collect();
            let longest = seeds.iter().max_by_key(|seed| seed.len());
            let steps = longest.into_iter().flatten().map(|(step, _)| *step);
            let points = steps.enumerate().map(|(n, step)| {
                let values: Vec<f64> = seeds.iter().filter_map(|s| Some(s.get(n)?.1)).collect();
                (step, Spread::of(&values).mean)
            });
            Series::new(*name, points.collect::<Vec<_>>())
        });
        Body::curves("step", "loss", series.collect::<Vec<_>>()).by_logarithm()
    }
}

/// Losses of a training of `count` steps: `step` takes one, from 0, and returns its loss. `tell` gets the losses after
/// every tenth step and the last one, and may stop the training.
pub fn steps(
    count: usize,
    tell: OnState<'_, Vec<f64>>,
    mut step: impl FnMut(usize) -> f64,
) -> Vec<f64> {
    let mut losses = Vec::new();
    for n in 1..=count {
        losses.push(step(n - 1));
        if (n.is_multiple_of(10) || n == count) && tell(losses.clone()).is_break() {
            break;
        }
    }
    losses
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// A lane's loss is 100 times its number plus the seed, at every step.
    fn losses(lane: usize, seed: u64) -> Vec<f64> {
        vec![(100 * lane) as f64 + seed as f64; 20]
    }

    #[test]
    fn every_lane_ends_with_its_own_seeds() {
        let ends = ends(2, 7, |lane, seed| losses(lane, seed)[0]);
        assert_eq!(ends[1], [107.0, 108.0, 109.0, 110.0, 111.0]);
        let spread = Spread::of(&ends[0]);
        assert_eq!((spread.mean, spread.least, spread.most), (9.0, 7.0, 11.0));
    }

    #[test]
    fn a_race_that_is_watched_says_mean_and_spread_of_each_lane() {
        let race = Watched {
            lanes: vec!["one", "other"],
            first: 1,
            steps: 20,
            before: "They train.".to_owned(),
        };
        let mut seen = 0;
        let end = race.run(
            &mut |progress| {
                seen += 1;
                assert_eq!(progress.says, "They train.");
                ControlFlow::Continue(())
            },
            |lane, seed, tell| {
                steps(20, tell, |step| losses(lane, seed)[step]);
            },
        );
        assert_eq!(seen, 20, "ten trainings tell twice");
        // Without watching, the result is the same.
        let unwatched = race.end(losses);
        let (Body::Curves { series: alone, .. }, Body::Curves { series, .. }) =
            (&unwatched.body, &end.body)
        else {
            panic!("both are charts");
        };
        let drawn = |series: &[Series]| -> Vec<_> {
            let lines = series.iter();
            lines
                .map(|line| (line.name.clone(), line.points.clone()))
                .collect()
        };
        assert_eq!(unwatched.says, end.says);
        assert_eq!(drawn(alone), drawn(series));
        let ends = "one 3.000 (1.000 to 5.000); other 103.000 (101.000 to 105.000).";
        assert!(end.says.contains(ends), "{}", end.says);
        let Body::Curves { series, .. } = &end.body else {
            panic!("it is a chart");
        };
        assert_eq!(series.len(), 2);
        assert_eq!(series[1].points, [(5.0, 103.0), (15.0, 103.0)]);
    }
}
