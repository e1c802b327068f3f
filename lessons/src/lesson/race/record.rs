//! Curves of races trained in advance and written to a file by a test. With them the book draws every lane of a race,
//! and a prediction about one is answered at once. A race started on the screen really trains.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::smooth;

/// Number of steps averaged into one stored value.
const EACH: usize = 10;

/// Losses of training runs (or another quantity per step) as means over ten steps, by lane and seed.
///
/// A lane's name must spell out everything that determines its training except the seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Curves(BTreeMap<String, BTreeMap<String, Vec<f64>>>);

impl Curves {
    /// Parses the output of [`Curves::text`].
    pub fn read(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The curves as TOML.
    pub fn text(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// Stores the `losses` of a training run, one per step, rounded to six decimals.
    pub fn keep(&mut self, lane: &str, seed: u64, losses: &[f64]) {
        let seeds = self.0.entry(lane.to_owned()).or_default();
        seeds.insert(seed.to_string(), kept(losses).collect());
    }

    /// Losses of a training run, one per step, each replaced by the mean of its ten; `None` if it is not stored.
    pub fn losses(&self, lane: &str, seed: u64) -> Option<Vec<f64>> {
        let points = self.0.get(lane)?.get(&seed.to_string())?;
        let steps = points
            .iter()
            .flat_map(|&mean| std::iter::repeat_n(mean, EACH));
        Some(steps.collect())
    }
}

#[cfg(test)]
impl Curves {
    /// Fails unless there are so many lanes, each trained from five seeds.
    #[track_caller]
    pub fn assert_lanes(&self, lanes: usize) {
        assert_eq!(self.0.len(), lanes);
        for (words, seeds) in &self.0 {
            assert_eq!(seeds.len(), super::seeds::SEEDS, "{words}");
        }
    }

    /// Fails unless `losses` are those of the stored training: with different code or different rounding, a model's
    /// losses differ from the first steps on.
    #[track_caller]
    pub fn assert_is_of(&self, lane: &str, seed: u64, losses: &[f64]) {
        let same = self.is_of(lane, seed, losses);
        assert!(same, "{lane}: the_curves_are_made writes them anew");
    }

    /// True if `losses` are those of the stored training run.
    fn is_of(&self, lane: &str, seed: u64, losses: &[f64]) -> bool {
        let seeds = self.0.get(lane);
        let points = seeds.and_then(|seeds| seeds.get(&seed.to_string()));
        points.is_some_and(|points| kept(losses).eq(points.iter().copied()))
    }
}

fn kept(losses: &[f64]) -> impl Iterator<Item = f64> {
    let points = smooth(losses, EACH).into_iter();
    points.map(|(_, mean)| (mean * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::super::last;
    use super::*;

    fn falling() -> Vec<f64> {
        (0..200).map(|step| 2.5 * 0.98_f64.powi(step)).collect()
    }

    #[test]
    fn a_stored_curve_keeps_the_shape_and_end_of_the_trained_one() {
        let (trained, mut curves) = (falling(), Curves::default());
        curves.keep("pre-norm", 7, &trained);
        let again = Curves::read(&curves.text().unwrap()).unwrap();
        assert_eq!(again, curves);
        let losses = again.losses("pre-norm", 7).unwrap();
        assert_eq!(losses.len(), trained.len());
        assert!((last(&losses) - last(&trained)).abs() < 1e-6);
        let pairs = smooth(&losses, 10).into_iter().zip(smooth(&trained, 10));
        for ((step, kept), (at, was)) in pairs {
            assert_eq!(step, at);
            assert!((kept - was).abs() < 1e-6, "{step}: {kept} {was}");
        }
    }

    #[test]
    fn no_other_training_is_taken_for_the_one_that_is_kept() {
        let (mut trained, mut curves) = (falling(), Curves::default());
        curves.keep("pre-norm", 7, &trained);
        assert!(curves.is_of("pre-norm", 7, &trained));
        assert!(curves.losses("pre-norm", 8).is_none() && curves.losses("plain", 7).is_none());
        trained[42] += 1e-4;
        assert!(!curves.is_of("pre-norm", 7, &trained));
    }
}
