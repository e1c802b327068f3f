//! Training data of the lesson's runs: short sentences of the phrasebook, or all of it.

use std::sync::{Arc, OnceLock};

use transformer_tutor::data::corpus::{self, Corpus};
use transformer_tutor::text::phrasebook::{self, Pair, Part};
use transformer_tutor::text::pipeline::Pipeline;
use transformer_tutor::text::vocabulary::UNK;
use transformer_tutor::train::config::TrainConfig;

use super::plan::{FEWEST, Lines, Plan, Text};

/// Maximum length of a short sentence, in German tokens.
pub const SHORT: usize = 6;

/// Short pairs for training, and held-out pairs.
pub const PAIRS: usize = 4000;
pub const HELD_OUT: usize = 100;

/// Number of different words per side above which the learner's own text is split into subwords, and number of merges
/// then.
const WORDS: usize = 8000;

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

fn lines(pairs: &[Pair]) -> Lines {
    pairs.iter().map(line).unzip()
}

/// The first `n` short pairs of a part.
fn short(part: Part, n: usize) -> Vec<Pair> {
    // Somewhat fewer than a third of the sentences are short.
    let all = phrasebook::pairs(part, 4 * n);
    let short = all.into_iter().filter(|pair| pair.german.len() <= SHORT);
    short.take(n).collect()
}

/// Converts both parts to ids, with a vocabulary learned from `train` if none is given.
fn prepared(
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

/// Training data for `plan`: the short sentences if it is `small`, else the phrasebook as the command `train` takes it,
/// or the learner's own text. A continued run brings its own `pipeline`.
pub fn of(plan: &Plan, config: &TrainConfig, pipeline: Option<Pipeline>) -> Result<Ground, String> {
    if let Text::Own(..) = plan.text {
        return own(&plan.text, config, pipeline);
    }
    let (train, held_out) = if plan.small {
        (short(Part::Train, PAIRS), short(Part::Valid, HELD_OUT))
    } else {
        let [train, held_out] = [(Part::Train, config.pairs), (Part::Valid, HELD_OUT)]
            .map(|(part, n)| phrasebook::pairs(part, n));
        (train, held_out)
    };
    let watched = sentences().iter().map(Watched::from).collect();
    Ok(Ground {
        pairs: held_out.clone(),
        watched,
        ..prepared(&lines(&train), &lines(&held_out), pipeline, config)
    })
}

/// The learner's own text. Every 50th pair is held out, or more of a small text, so that there are three to translate.
fn own(text: &Text, config: &TrainConfig, pipeline: Option<Pipeline>) -> Result<Ground, String> {
    let all = text.lines()?;
    let whole = |(a, b): &(&String, &String)| !a.trim().is_empty() && !b.trim().is_empty();
    let pairs = all.0.iter().zip(&all.1).filter(whole);
    let all: Lines = pairs.map(|(a, b)| (a.clone(), b.clone())).unzip();
    let every = (all.0.len() / 3).clamp(FEWEST / 3, 50);
    let [train, mut held_out] = corpus::held_back(all, every);
    held_out.0.truncate(HELD_OUT);
    held_out.1.truncate(HELD_OUT);
    let different = |lines: &[String]| {
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        words.collect::<std::collections::HashSet<_>>().len()
    };
    let mut config = config.clone();
    if different(&train.0).max(different(&train.1)) > WORDS {
        config.merges = WORDS;
    }
    let ground = prepared(&train, &held_out, pipeline, &config);
    if ground.train.pairs.is_empty() || ground.held_out.pairs.is_empty() {
        return Err(format!(
            "no line of this text has at most {} tokens; put one sentence on a line",
            config.max_length
        ));
    }
    let Pipeline { source, target, .. } = &ground.pipeline;
    let with_tokens = held_out.0.iter().zip(&held_out.1).map(|(a, b)| Watched {
        lines: (source.words(a), target.words(b)),
        pair: Pair {
            german: source.tokens(a),
            english: target.tokens(b),
            alignment: Vec::new(),
        },
    });
    let mut watched: Vec<Watched> = with_tokens.collect();
    // Prefer sentences that fit on a screen, in the order of the text.
    watched.sort_by_key(|w| w.pair.german.len().max(w.pair.english.len()) > 12);
    watched.truncate(3);
    Ok(Ground { watched, ..ground })
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
