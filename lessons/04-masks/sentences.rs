//! Sentence pairs for batches, German with English translations, assembled from parts so that their lengths vary as
//! those of real sentences do.

use serde::Deserialize;

use crate::nn::masks::{self, PAD};
use crate::tensor::{Tensor, random};

/// Sentences per batch.
pub const BATCH: usize = 30;
/// Sentences in the collection: ten batches.
pub const COLLECTION: usize = 300;

/// Lengths of the sentences: varied, one long one in a batch of short ones, or all of eleven tokens.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mix {
    Natural,
    Skewed,
    Alike,
}

/// How sentences are batched: in order of arrival, or by length.
#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Batching {
    Arrival,
    ByLength,
}

/// Input of the run: a batch, the ids of TensorFlow's tests, or one sentence.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Example {
    Standard,
    Tf,
    One,
}

const SPECIAL: [&str; 3] = ["<pad>", "<s>", "</s>"];
const SUBJECTS: &[&str] = &[
    "er|he",
    "sie|she",
    "der Hund|the dog",
    "ein Kind|a child",
    "die alte Frau|the old woman",
    "der kleine Vogel|the little bird",
    "der kleine Hund|the little dog",
];
const VERBS: &[&str] = &[
    "schläft|sleeps",
    "singt|sings",
    "wartet|waits",
    "läuft|runs",
];
const VERBS_WITH_OBJECT: &[&str] = &["sieht|sees", "malt|paints", "kennt|knows", "sucht|seeks"];
const TIMES: &[&str] = &["", "heute|today", "am frühen Morgen|early", "täglich|daily"];
const OBJECTS: &[&str] = &[
    "",
    "das rote Haus|the red house",
    "die Katze|the cat",
    "einen Baum|a tree",
];
const PLACES: &[&str] = &[
    "",
    "hier|here",
    "dort|there",
    "im Garten|in the garden",
    "am Fluss|by the river",
];

/// A sentence and its translation, split into tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub source: Vec<&'static str>,
    pub target: Vec<&'static str>,
}

impl Pair {
    /// Assembles a pair. German puts the time before the object, English at the end.
    fn new([subject, verb, time, object, place]: [&'static str; 5]) -> Self {
        let join = |parts: [&'static str; 5], side: usize| {
            let words = |part: &'static str| part.split('|').nth(side).unwrap_or("").split(' ');
            let all = parts.into_iter().flat_map(words).filter(|w| !w.is_empty());
            all.chain(["."]).collect()
        };
        Self {
            source: join([subject, verb, time, object, place], 0),
            target: join([subject, verb, object, place, time], 1),
        }
    }
}

/// Five tokens on each side.
const SHORT: [&str; 5] = [SUBJECTS[2], VERBS[3], TIMES[0], OBJECTS[0], PLACES[1]];
/// Eleven tokens in German and nine in English: the longest pair allowed.
const LONGEST: [&str; 5] = [
    SUBJECTS[4],
    VERBS_WITH_OBJECT[1],
    TIMES[2],
    OBJECTS[1],
    PLACES[0],
];
/// Ten tokens in German, nine in English.
const TEN: [&str; 5] = [SUBJECTS[6], VERBS[3], TIMES[2], OBJECTS[0], PLACES[3]];

/// Random choices from one seed, in order.
struct Draw {
    numbers: Tensor,
    next: usize,
}

impl Draw {
    fn pair(&mut self) -> Pair {
        let object = self.one(OBJECTS);
        let verbs = match object {
            "" => VERBS,
            _ => VERBS_WITH_OBJECT,
        };
        let (subject, verb, time) = (self.one(SUBJECTS), self.one(verbs), self.one(TIMES));
        Pair::new([subject, verb, time, object, self.one(PLACES)])
    }

    /// Draws pairs until one is short enough and `fits`.
    fn fitting(&mut self, fits: impl Fn(usize) -> bool) -> Pair {
        loop {
            let pair = self.pair();
            if pair.source.len() <= 11 && pair.target.len() <= 9 && fits(pair.source.len()) {
                return pair;
            }
        }
    }

    fn one(&mut self, from: &[&'static str]) -> &'static str {
        let x = self.numbers.data()[self.next % self.numbers.len()];
        self.next += 1;
        let at = (x + 1.0) / 2.0 * from.len() as f32;
        from[(at as usize).min(from.len() - 1)]
    }
}

/// The collection of sentence pairs, in the order in which batches are cut.
pub fn collection(mix: Mix, batching: Batching, seed: u64) -> Vec<Pair> {
    // The count is prime, so that a second pass through the numbers falls on different choices.
    let numbers = random::uniform(&[65_521], 1.0, seed, "sentences");
    let mut draw = Draw { numbers, next: 0 };
    let mut pairs: Vec<Pair> = (0..COLLECTION)
        .map(|n| match (mix, n % BATCH) {
            (Mix::Alike, 0) if n < BATCH => Pair::new(LONGEST),
            (Mix::Natural | Mix::Skewed, 1) if n < BATCH => Pair::new(LONGEST),
            (Mix::Natural | Mix::Skewed, 0) if n < BATCH => Pair::new(SHORT),
            (Mix::Alike, _) | (Mix::Skewed, 1) => draw.fitting(|words| words == 11),
            (Mix::Skewed, _) => draw.fitting(|words| words <= 5),
            (Mix::Natural, _) => draw.fitting(|_| true),
        })
        .collect();
    if batching == Batching::ByLength {
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.source.len()));
    }
    pairs
}

/// Proportion of source cells that hold padding when these sentences are batched.
pub fn pad_share(pairs: &[Pair]) -> f64 {
    let words: usize = pairs.iter().map(|pair| pair.source.len()).sum();
    let cells = |batch: &[Pair]| batch.len() * longest(batch);
    let cells: usize = pairs.chunks(BATCH).map(cells).sum();
    1.0 - words as f64 / cells.max(1) as f64
}

/// Length of the longest source sentence, in tokens.
pub fn longest(pairs: &[Pair]) -> usize {
    pairs
        .iter()
        .map(|pair| pair.source.len())
        .max()
        .unwrap_or(0)
}

/// Padded ids of one batch, with the token behind each.
pub struct Batch {
    /// `[batch, source]`.
    pub src: Tensor,
    /// `[batch, target]`: the decoder's input.
    pub tgt: Tensor,
    /// `[batch, target]`: what the decoder must predict, one position on.
    pub tgt_y: Tensor,
    pub src_words: Vec<Vec<String>>,
    pub tgt_words: Vec<Vec<String>>,
    pub tgt_y_words: Vec<Vec<String>>,
    /// Number of ids that have a vector.
    pub vocabulary: usize,
}

/// The batch that the stage runs.
pub fn batch(example: Example, pairs: &[Pair]) -> Batch {
    match example {
        Example::Tf => {
            // Ids from TensorFlow's own tests, with no words behind them.
            let ids = [[1, 0, 0, 0, 2], [3, 4, 0, 0, 0], [0, 5, 6, 0, 7]];
            let rows = ids.map(|row| row.to_vec());
            let longer = ids.map(|row| [&row[..], &[0]].concat());
            assemble(&rows, &longer, &|id| id.to_string(), 8)
        }
        Example::One => of_pairs(&[Pair::new(TEN)]),
        Example::Standard => of_pairs(&pairs[..BATCH]),
    }
}

fn of_pairs(pairs: &[Pair]) -> Batch {
    let all = vocabulary();
    let id = |word: &&str| {
        let index = all.iter().position(|w| w == word);
        index.expect("made from the same parts")
    };
    let ids = |words: &[&str]| words.iter().map(id).collect();
    let marked = |p: &Pair| ids(&[&["<s>"], &p.target[..], &["</s>"]].concat());
    let source: Vec<Vec<usize>> = pairs.iter().map(|p| ids(&p.source)).collect();
    let target: Vec<Vec<usize>> = pairs.iter().map(marked).collect();
    assemble(&source, &target, &|id| all[id].to_owned(), all.len())
}

/// Every word of the parts, after the three reserved tokens.
fn vocabulary() -> Vec<&'static str> {
    let mut all: Vec<&str> = SPECIAL.to_vec();
    let parts = [SUBJECTS, VERBS, VERBS_WITH_OBJECT, TIMES, OBJECTS, PLACES];
    let words = parts
        .into_iter()
        .flatten()
        .flat_map(|part| part.split(['|', ' ']));
    for word in words.chain(["."]).filter(|w| !w.is_empty()) {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    all
}

fn assemble(
    source: &[Vec<usize>],
    target: &[Vec<usize>],
    word: &dyn Fn(usize) -> String,
    vocabulary: usize,
) -> Batch {
    let src = pad(source);
    let shifted = masks::shift(&pad(target));
    let words = |ids: &Tensor| -> Vec<Vec<String>> {
        let name = |&id: &f32| match id {
            PAD => SPECIAL[0].to_owned(),
            id => word(id as usize),
        };
        let rows = ids.data().chunks(ids.last());
        rows.map(|row| row.iter().map(name).collect()).collect()
    };
    Batch {
        src_words: words(&src),
        tgt_words: words(&shifted.tgt),
        tgt_y_words: words(&shifted.tgt_y),
        src,
        tgt: shifted.tgt,
        tgt_y: shifted.tgt_y,
        vocabulary,
    }
}

// ANCHOR: pad
/// Pads sentences of different lengths with [`PAD`] to one table: `[sentences, longest]`.
fn pad(sentences: &[Vec<usize>]) -> Tensor {
    let longest = sentences.iter().map(Vec::len).max().unwrap_or(0);
    Tensor::from_fn(&[sentences.len(), longest], |i| {
        sentences[i[0]].get(i[1]).map_or(PAD, |&id| id as f32)
    })
}
// ANCHOR_END: pad
