//! Training data of the short runs: short sentences of the phrasebook.

use std::sync::{Arc, OnceLock};

use crate::data::corpus::Corpus;
use crate::text::phrasebook::{self, Pair, Part};
use crate::text::pipeline::Pipeline;
use crate::text::vocabulary::UNK;
use crate::train::config::TrainConfig;

/// The lines of both sides of some pairs.
pub type Lines = (Vec<String>, Vec<String>);

/// Maximum length of a short sentence, in German tokens.
pub const SHORT: usize = 6;

/// Short pairs for training, and held-out pairs.
pub const PAIRS: usize = 4000;
pub const HELD_OUT: usize = 100;

/// Training data of a run, and the data it is measured on.
pub struct Ground {
    /// Conversion of text to ids and back, learned from the training lines.
    pub pipeline: Pipeline,
    /// Training data.
    pub train: Arc<Corpus>,
    /// Held-out sentences, which are in no training set.
    pub held_out: Corpus,
    /// The held-out sentences with their true alignments; empty for the learner's own text.
    pub pairs: Vec<Pair>,
    /// Held-out sentences that are translated repeatedly.
    pub watched: Vec<Watched>,
}

impl Ground {
    /// Sizes of both vocabularies.
    pub fn words(&self) -> (usize, usize) {
        let Pipeline { source, target, .. } = &self.pipeline;
        (source.vocabulary.len(), target.vocabulary.len())
    }
}

/// A held-out sentence that is translated repeatedly.
#[derive(Clone)]
pub struct Watched {
    /// Source and target line.
    pub lines: (String, String),
    /// Their words or subwords, with the true alignment if it is known.
    pub pair: Pair,
}

impl From<&Pair> for Watched {
    fn from(pair: &Pair) -> Self {
        Self {
            lines: line(pair),
            pair: pair.clone(),
        }
    }
}

fn line(pair: &Pair) -> (String, String) {
    (pair.german.join(" "), pair.english.join(" "))
}

pub fn lines(pairs: &[Pair]) -> Lines {
    pairs.iter().map(line).unzip()
}

/// The first `n` short pairs of a part.
pub fn short(part: Part, n: usize) -> Vec<Pair> {
    // Somewhat fewer than a third of the sentences are short.
    let all = phrasebook::pairs(part, 4 * n);
    let short = all.into_iter().filter(|pair| pair.german.len() <= SHORT);
    short.take(n).collect()
}

/// Converts both parts to ids, with a vocabulary learned from `train` if none is given.
pub fn prepared(
    train: &Lines,
    held_out: &Lines,
    pipeline: Option<Pipeline>,
    config: &TrainConfig,
) -> Ground {
    let pipeline =
        pipeline.unwrap_or_else(|| Pipeline::learn(&train.0, &train.1, &config.learning()));
    let ready = |lines: &Lines| Corpus::new(&lines.0, &lines.1, &pipeline, config.max_length);
    Ground {
        train: ready(train).into(),
        held_out: ready(held_out),
        pairs: Vec::new(),
        watched: Vec::new(),
        pipeline,
    }
}

/// The short sentences: few enough that a small model learns them in seconds. Made once.
pub fn ground() -> &'static Ground {
    static GROUND: OnceLock<Ground> = OnceLock::new();
    GROUND.get_or_init(|| {
        let pairs = short(Part::Valid, HELD_OUT);
        let train = lines(&short(Part::Train, PAIRS));
        Ground {
            pairs: pairs.clone(),
            ..prepared(&train, &lines(&pairs), None, &TrainConfig::default())
        }
    })
}

/// Three sentences that are translated repeatedly: held out, and each of a different form.
pub fn sentences() -> &'static [Pair; 3] {
    static SENTENCES: OnceLock<[Pair; 3]> = OnceLock::new();
    SENTENCES.get_or_init(|| {
        let ground = ground();
        let source = &ground.pipeline.source;
        let known = |pair: &&Pair| {
            let ids = source.ids(&pair.german.join(" "));
            pair.german.len() == SHORT && ids.iter().all(|&id| id as usize != UNK)
        };
        let mut chosen: Vec<Pair> = Vec::new();
        for pair in ground.pairs.iter().filter(known) {
            let other = chosen.iter().all(|c| {
                c.german.first() != pair.german.first() && c.german.last() == pair.german.last()
                    || c.german.last() != pair.german.last()
            });
            if other && chosen.len() < 3 {
                chosen.push(pair.clone());
            }
        }
        chosen
            .try_into()
            .expect("there are three among the held-out sentences")
    })
}

/// Source ids of [`sentences`].
pub fn sources() -> Vec<Vec<u32>> {
    let line = |pair: &Pair| ground().pipeline.source_ids(&pair.german.join(" "));
    sentences().iter().map(line).collect()
}
