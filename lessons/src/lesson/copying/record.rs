//! Results of a race's lanes over five seeds. Training takes minutes, so a test does it once and writes the results to
//! a file that comes with the program.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Lane, right, train_all};
use crate::lesson::Picture;
use crate::lesson::race::last;
use crate::lesson::race::seeds::{SEEDS, Spread};

/// First seed.
pub const FIRST: u64 = 7;

/// Results of each lane, by the word that stands for it in facts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Record(BTreeMap<String, Ends>);

/// Results of a lane's seeds, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ends {
    /// Mean loss over the last twenty steps, in nats per token.
    pub loss: Vec<f64>,
    /// Share of tokens that the model generates correctly.
    pub right: Vec<f64>,
}

impl Record {
    /// Parses the output of [`Record::text`].
    pub fn read(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// Trains `lanes`, given by their fact words, with one configuration per lane and seed from `seeded`.
    pub fn made<L: Lane>(lanes: &[&str], seeded: impl Fn(usize, u64) -> L) -> Self {
        let of = |(lane, word): (usize, &&str)| {
            let seeds: Vec<L> = (FIRST..).take(SEEDS).map(|s| seeded(lane, s)).collect();
            let trained = train_all(&seeds);
            let rounded = |x: f64| (x * 1e4).round() / 1e4;
            let ends = Ends {
                loss: trained.iter().map(|t| rounded(last(&t.losses))).collect(),
                right: seeds.iter().map(|l| rounded(right(*l, L::STEPS))).collect(),
            };
            ((*word).to_owned(), ends)
        };
        Self(lanes.iter().enumerate().map(of).collect())
    }

    /// The record as TOML.
    pub fn text(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// Results of the lane with this fact word.
    pub fn lane(&self, word: &str) -> Option<&Ends> {
        self.0.get(word)
    }

    /// Fails unless the results of the lane's first seed are approximately this loss and this share of correct tokens.
    /// Other chips round differently, and training amplifies the difference.
    #[cfg(test)]
    #[track_caller]
    pub fn assert_first(&self, (name, word): (&str, &str), loss: f64, right: f64) {
        let ends = self.lane(word).unwrap();
        assert_eq!((ends.loss.len(), ends.right.len()), (5, 5), "{name}");
        let near = (loss - ends.loss[0]).abs() < 0.15 * loss + 0.02;
        assert!(near, "{name}: {loss} {:?}", ends.loss);
        let near = (right - ends.right[0]).abs() < 0.1;
        assert!(near, "{name}: {right} {:?}", ends.right);
    }

    /// A fact: `what` is `loss` or `right`, and `rest` is `LANE_mean`, `LANE_least` or `LANE_most`.
    pub fn fact(&self, what: &str, rest: &str) -> Option<f64> {
        let (lane, which) = rest.rsplit_once('_')?;
        let ends = self.lane(lane)?;
        let all = match what {
            "loss" => &ends.loss,
            "right" => &ends.right,
            _ => return None,
        };
        Spread::of(all).get(which)
    }

    /// A table with one row per lane; `lanes` gives names and fact words.
    pub fn picture<'a>(&self, lanes: impl Iterator<Item = (&'a str, &'a str)>) -> Picture {
        let range = |all: &[f64], shown: fn(f64) -> String| {
            let Spread { mean, least, most } = Spread::of(all);
            [shown(mean), format!("{}–{}", shown(least), shown(most))]
        };
        let row = |(name, word): (&str, &str)| {
            let ends = self.lane(word)?;
            let loss = range(&ends.loss, |x| format!("{x:.2}"));
            let right = range(&ends.right, |x| format!("{:.0}", 100.0 * x));
            Some([&[name.to_owned()], &loss[..], &right[..]].concat())
        };
        Picture::table(
            "seeds",
            format!("The same race from {SEEDS} seeds"),
            "Trained beforehand. loss and % are means, seeds the lowest and the highest; % is how many tokens are right when the model writes alone.",
            &["model", "loss", "seeds", "%", "seeds"],
            lanes.filter_map(row).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_and_says_mean_and_range() {
        let ends = Ends {
            loss: vec![0.1, 0.2, 0.3, 0.4, 0.5],
            right: vec![1.0, 0.5, 1.0, 1.0, 1.0],
        };
        let record = Record(BTreeMap::from([("sound".to_owned(), ends)]));
        let again = Record::read(&record.text().unwrap()).unwrap();
        assert_eq!(again, record);
        assert_eq!(again.fact("right", "sound_least"), Some(0.5));
        assert_eq!(again.fact("right", "sound_mean"), Some(0.9));
        assert_eq!(again.fact("right", "other_mean"), None);
    }
}
