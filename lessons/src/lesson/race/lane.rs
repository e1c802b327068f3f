//! Races of small models whose curves come with the program.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::record::Curves;
use super::seeds::{Spread, Watched, ends};
use super::{OnState, last};
use crate::lesson::Picture;
use crate::lesson::memo::Memo;

/// One training of such a race: a small model and everything that its losses (or another quantity per step) depend on.
pub trait Lane: Copy + Send + Sync + 'static {
    /// Number of steps.
    const STEPS: usize;
    /// Cache of trainings that do not come with the program.
    const DONE: Memo<Vec<f64>>;

    /// The trainings that come with the program.
    fn curves() -> &'static Curves;

    /// Name in the chart.
    fn name(&self) -> &'static str;

    /// Key of the training: everything that determines it except the seed.
    fn words(&self) -> String;

    /// The seed, and the first of the seeds of a race.
    fn seed(&self) -> u64;

    /// The same lane with a different seed.
    #[must_use]
    fn seeded(self, seed: u64) -> Self;

    /// Trains the model and returns its losses, step by step; `tell` may stop it.
    fn train(self, tell: OnState<'_, Vec<f64>>) -> Vec<f64>;

    /// Trains the model to the end and returns its losses.
    fn trained(self) -> Vec<f64> {
        self.train(&mut |_| ControlFlow::Continue(()))
    }

    /// Losses, step by step. A training that comes with the program gives the mean of each ten steps; any other is done
    /// once, when it is first needed.
    fn losses(self) -> Vec<f64> {
        let (words, seed) = (self.words(), self.seed());
        let key = format!("{words}, seed {seed}");
        let known = Self::curves().losses(&words, seed);
        known.unwrap_or_else(|| (*Self::DONE.get(key, || self.trained())).clone())
    }

    /// Mean loss of the last twenty steps, over five seeds.
    fn finish(self) -> Spread {
        let end = |_, seed| last(&self.seeded(seed).losses());
        Spread::of(&ends(1, self.seed(), end)[0])
    }
}

/// A race of models that predict tokens, from five seeds each.
pub struct Race<L> {
    /// Title on the screen.
    pub title: String,
    /// What to look for.
    pub says: &'static str,
    /// What starting the race will do.
    pub about: String,
    /// The lanes, all with the same seed.
    pub lanes: Vec<L>,
    /// Size of the vocabulary, which determines the loss of uniform guessing.
    pub vocabulary: usize,
}

impl<L: Lane> Race<L> {
    /// The race as a picture that runs when the learner starts it.
    pub fn picture(self) -> Picture {
        let (title, about) = (self.title.clone(), self.about.clone());
        let race = Arc::new(self);
        let watched = race.clone();
        let job = Picture::job("race", title, race.says, about, move |report| {
            watched.watched().run(report, |lane, seed, tell| {
                watched.lanes[lane].seeded(seed).train(tell);
            })
        });
        job.ending(move || {
            let losses = |lane: usize, seed| race.lanes[lane].seeded(seed).losses();
            race.watched().end(losses)
        })
    }

    fn watched(&self) -> Watched {
        let (vocabulary, loss) = (self.vocabulary, (self.vocabulary as f64).ln());
        Watched {
            lanes: self.lanes.iter().map(Lane::name).collect(),
            first: self.lanes[0].seed(),
            steps: L::STEPS,
            before: format!(
                "A model that guesses uniformly has a loss of log {vocabulary} = {loss:.3}."
            ),
        }
    }
}

/// Trains all `lanes` from five seeds each, and writes the curves that come with the program to `path`.
#[cfg(test)]
pub fn write_curves<L: Lane>(path: &str, lanes: &[L]) {
    let first = lanes[0].seed();
    let trained = ends(lanes.len(), first, |lane, seed| {
        lanes[lane].seeded(seed).trained()
    });
    let mut curves = Curves::default();
    for (lane, seeds) in lanes.iter().zip(trained) {
        for (seed, losses) in (first..).zip(seeds) {
            curves.keep(&lane.words(), seed, &losses);
        }
    }
    std::fs::write(path, curves.text().unwrap()).unwrap();
}

/// Fails unless the curves that come with the program are those of `lanes`, which is checked by training the first seed
/// of each.
#[cfg(test)]
#[track_caller]
pub fn assert_curves<L: Lane>(lanes: &[L]) {
    L::curves().assert_lanes(lanes.len());
    for lane in lanes {
        let losses = crate::tensor::alone(|| lane.trained());
        L::curves().assert_is_of(&lane.words(), lane.seed(), &losses);
    }
}
