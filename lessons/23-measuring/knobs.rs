//! The knobs of the lesson, and the scores of its two lines.

use serde::Deserialize;
use transformer_tutor::decode::bleu::{BleuOptions, Smooth, corpus_bleu};
use transformer_tutor::decode::chrf::{ChrfOptions, corpus_chrf};
use transformer_tutor::decode::tokenize::Tokenize;
use transformer_tutor::lesson::knob::parsed;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knobs {
    hyp: String,
    #[serde(rename = "ref")]
    reference: String,
    #[serde(deserialize_with = "parsed")]
    tokenize: Tokenize,
    case: Case,
    #[serde(deserialize_with = "parsed")]
    smooth: Smooth,
}

/// Whether case is significant.
#[derive(PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Case {
    Mixed,
    Lc,
}

/// The second line, which is fixed.
const SECOND: [&str; 2] = ["The dog bit the man.", "The dog had bit the man."];

impl Knobs {
    pub fn options(&self) -> BleuOptions {
        BleuOptions {
            tokenize: self.tokenize,
            smooth: self.smooth,
            lowercase: self.case == Case::Lc,
            ..BleuOptions::default()
        }
    }

    /// Hypothesis and reference of each line.
    pub fn lines(&self) -> [[&str; 2]; 2] {
        [[&self.hyp, &self.reference], SECOND]
    }

    /// Words of the first hypothesis under a tokenizer.
    pub fn first_words(&self, tokenize: Tokenize) -> Vec<String> {
        tokenize.words(&self.hyp)
    }

    /// BLEU of the two lines with `options`.
    pub fn whole(&self, options: &BleuOptions) -> f64 {
        let [[h1, r1], [h2, r2]] = self.lines();
        corpus_bleu(&[h1, h2], &[vec![r1, r2]], options).score
    }

    /// chrF of the two lines with `options`.
    pub fn chrf(&self, options: &ChrfOptions) -> f64 {
        let [[h1, r1], [h2, r2]] = self.lines();
        corpus_chrf(&[h1, h2], &[vec![r1, r2]], options).score
    }
}
