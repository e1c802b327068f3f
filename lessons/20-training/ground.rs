//! The text that the lesson's runs learn from: short sentences of the phrasebook, or all of it.

use std::sync::OnceLock;

use transformer_tutor::data::corpus::Corpus;
use transformer_tutor::text::phrasebook::{self, Pair, Part};
use transformer_tutor::text::pipeline::{Learning, Pipeline};
use transformer_tutor::text::vocabulary::UNK;
use transformer_tutor::train::config::TrainConfig;

/// German tokens of the longest short sentence.
pub const SHORT: usize = 6;

/// Short pairs to learn from, and held-out pairs to measure on.
pub const PAIRS: usize = 4000;
pub const HELD_OUT: usize = 100;

/// What a run learns from and is measured on.
pub struct Ground {
    /// Text to ids and back, learned from the training lines.
    pub pipeline: Pipeline,
    /// To learn from.
    pub train: Corpus,
    /// To measure on: sentences that are in no training set.
    pub held_out: Corpus,
    /// The held-out sentences themselves, with their true alignments.
    pub pairs: Vec<Pair>,
}

fn lines(pairs: &[Pair]) -> (Vec<String>, Vec<String>) {
    let line = |p: &Pair| (p.german.join(" "), p.english.join(" "));
    pairs.iter().map(line).unzip()
}

/// The first `n` short pairs of a part.
fn short(part: Part, n: usize) -> Vec<Pair> {
    // Somewhat less than a third of the sentences are short.
    let all = phrasebook::pairs(part, 4 * n, 1);
    let short = all.into_iter().filter(|pair| pair.german.len() <= SHORT);
    short.take(n).collect()
}

/// Learns the vocabulary of `train`, and turns both parts into ids.
fn prepared(train: &[Pair], held_out: Vec<Pair>, learning: &Learning) -> Ground {
    let (german, english) = lines(train);
    let pipeline = Pipeline::learn(&german, &english, learning);
    with_pipeline(pipeline, train, held_out)
}

fn with_pipeline(pipeline: Pipeline, train: &[Pair], held_out: Vec<Pair>) -> Ground {
    let ready = |pairs: &[Pair]| {
        let (german, english) = lines(pairs);
        Corpus::new(&german, &english, &pipeline, 100)
    };
    let (train, measured) = (ready(train), ready(&held_out));
    Ground {
        train,
        held_out: measured,
        pairs: held_out,
        pipeline,
    }
}

/// The short sentences: small enough that a small model learns them in seconds. Made once.
pub fn ground() -> &'static Ground {
    static GROUND: OnceLock<Ground> = OnceLock::new();
    GROUND.get_or_init(|| {
        let learning = TrainConfig::default().learning();
        prepared(
            &short(Part::Train, PAIRS),
            short(Part::HeldOut, HELD_OUT),
            &learning,
        )
    })
}

/// What `config` trains on: `small` takes the short sentences, else the phrasebook as the command `train` draws it.
/// A run that goes on brings its own `pipeline`.
pub fn of(config: &TrainConfig, small: bool, pipeline: Option<Pipeline>) -> Ground {
    let (train, held_out) = if small {
        (short(Part::Train, PAIRS), short(Part::HeldOut, HELD_OUT))
    } else {
        let pairs = |part, n| phrasebook::pairs(part, n, 1);
        (
            pairs(Part::Train, config.pairs),
            pairs(Part::HeldOut, HELD_OUT),
        )
    };
    match pipeline {
        Some(pipeline) => with_pipeline(pipeline, &train, held_out),
        None => prepared(&train, held_out, &config.learning()),
    }
}

/// The three sentences that are translated again and again: held out, and each of another form.
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
