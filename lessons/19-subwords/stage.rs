//! Lesson 19: words as sequences of frequent pieces.

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::knob::both;
use crate::lesson::{Lesson, Picture, Run, Settings, Stage};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::text::bpe::{self, CONTINUED, END_OF_WORD};
use crate::text::vocabulary::UNK;
use std::sync::LazyLock;

pub mod check;
mod corpus;
#[path = "more/fast_byte_pairs/check.rs"]
pub mod fast_byte_pairs;
mod knobs;
mod pictures;
#[path = "exercise.rs"]
mod starter;
mod state;
#[cfg(test)]
mod tests;

use knobs::Knobs;
use state::State;

pub static LESSON: LazyLock<Lesson> =
    lesson!("19-subwords", SubwordStage, check::TASK; "fast_byte_pairs" => fast_byte_pairs::TASK);

struct SubwordStage;

/// Records the pair counts as a product of two tables, `[left, right] = Σ over places left · right · times`, and the
/// sentence's ids.
fn record(state: &State) -> Trace {
    let tape = Tape::eval(&Params::default());
    let symbols = state.corpus.symbols();
    let id = |symbol: &String| symbols.iter().position(|s| s == symbol).unwrap_or(0) as f32;
    let (mut word, mut left, mut right, mut places) = (vec![], vec![], vec![], vec![]);
    for (w, (pieces, _)) in state.corpus.words.iter().enumerate() {
        for pair in pieces.windows(2) {
            word.push(w as f32);
            left.push(id(&pair[0]));
            right.push(id(&pair[1]));
            places.push(format!("{}·{}", pair[0], pair[1]));
        }
    }
    let row =
        |name: &str, ids: Vec<f32>| tape.ids(name, Tensor::new(&[ids.len()], ids), &["place"]);
    let counts = state.corpus.words.iter().map(|(_, n)| *n as f32).collect();
    let counts = Tensor::new(&[state.corpus.words.len(), 1], counts);
    let counts = tape.input("counts", counts, &["word", "count"]);
    // When every word is one symbol, there are no pairs left to count.
    if !places.is_empty() {
        let n = symbols.len();
        let same = |i: &[usize]| f32::from(i[0] == i[1]);
        let one = tape.constant("one", Tensor::from_fn(&[n, n], same), &["symbol", "symbol"]);
        let times = counts.embedding(&row("word", word)).named("times");
        let left = one.embedding(&row("first", left));
        let left = left.with_axes(&["place", "left"]).named("is_first");
        let right = one.embedding(&row("second", right));
        let right = right.with_axes(&["place", "right"]).named("is_second");
        let weighted = right.mul(&times).named("weighted");
        let turned = left.transpose().named("first_turned");
        let _pairs = turned.matmul(&weighted).named("pairs");
    }
    let row = |name: &str, ids: Vec<usize>, axis| {
        let ids: Vec<f32> = ids.into_iter().map(|id| id as f32).collect();
        tape.ids(name, Tensor::new(&[ids.len()], ids), &[axis]);
    };
    let words = state.sentence.iter().map(|(w, _)| w.clone());
    let ids = words.clone().map(|w| state.word_id(&w)).collect();
    row("word_ids", ids, "t");
    row("piece_ids", state.piece_ids(), "p");
    let corpus_words = state.corpus.words.iter();
    let corpus_words = corpus_words.map(|(s, _)| s.concat().replace(END_OF_WORD, " "));
    let corpus_words = corpus_words.map(|w| w.trim().to_owned()).collect();
    tape.trace()
        .label("word", vec![corpus_words])
        .label("place", vec![places])
        .label("left", vec![symbols.clone()])
        .label("right", vec![symbols.clone()])
        .label("symbol", vec![symbols])
        .label("t", vec![words.collect()])
        .label("p", vec![state.pieces()])
}

impl Stage for SubwordStage {
    fn exclude(&self, one: &str, other: &str) -> bool {
        both::<corpus::Flaw>(one, other)
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        settings.mistake::<corpus::Flaw>()?;
        let state = State::of(&settings.knobs(), settings);
        let limit = Picture::drawn("limit", pictures::limits(&state));
        Ok(Run::new(record(&state), vec![limit]).telling(pictures::facts(&state)))
    }

    fn fact(&self, name: &str, _: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let state = State::of(&knobs, settings);
        let count = |n: usize| Some(n as f64);
        let pieces = state.pieces();
        match name {
            "vocabulary" => count(state.vocabulary()),
            "characters" => count(state.start.symbols().len()),
            "used" => count(state.corpus.symbols().len()),
            "learned" => count(state.merges.len()),
            "start_tokens" => count(state.start.tokens()),
            "tokens" => count(state.corpus.tokens()),
            "text_words" => count(state.words.iter().map(|(_, n)| n).sum()),
            "different_words" => count(state.words.len()),
            "once_only" => count(state.words.iter().filter(|(_, n)| *n == 1).count()),
            "kept" => count(state.kept.len()),
            "lost" => count(state.words.len() - state.kept.len()),
            "lost_tokens" => count(pictures::lost_tokens(&state)),
            "sentence_words" => count(state.sentence.len()),
            "pieces" => count(pieces.len()),
            "unknown_words" => {
                let words = state.sentence.iter();
                count(words.filter(|(w, _)| state.word_id(w) == UNK).count())
            }
            "unknown_pieces" => count(state.piece_ids().iter().filter(|id| **id == UNK).count()),
            "last_count" => count(state.merges.last()?.count),
            "next_count" => count(state.corpus.best().map_or(0, |(_, n)| n)),
            "first_is_es" => Some(f64::from(
                state.merges.first()?.pair == ("e".to_owned(), "s".to_owned()),
            )),
            "across" => {
                let over = |m: &&state::Merge| m.pair.0.ends_with(END_OF_WORD);
                count(state.merges.iter().filter(over).count())
            }
            "marked" => {
                let all = state.corpus.symbols();
                count(all.iter().filter(|s| s.ends_with(END_OF_WORD)).count())
            }
            "left_over" => {
                let counts = state.corpus.counts();
                let left = state.merges.iter().filter(|m| counts.contains_key(&m.pair));
                count(left.count())
            }
            "right_first" => {
                let doubled = |m: &state::Merge| m.pair.0 == "a" && m.pair.1.starts_with("aa");
                Some(f64::from(state.merges.iter().any(doubled)))
            }
            "as_learned" => {
                let same = |((_, a), b): (&(String, Vec<String>), &Vec<String>)| a == b;
                Some(f64::from(state.sentence.iter().zip(&state.sound).all(same)))
            }
            "undone" => Some(f64::from(bpe::join(&pieces.join(" ")) == knobs.sentence)),
            "continued" => count(pieces.iter().filter(|p| p.ends_with(CONTINUED)).count()),
            "joint_symbols" => count(pictures::joint().joint.len()),
            "apart_symbols" => count(pictures::joint().apart()),
            "german_symbols" => count(pictures::joint().german.len()),
            "english_symbols" => count(pictures::joint().english.len()),
            "unigram_size" => count(pictures::unigram().size),
            "unigram_tokens" => count(pictures::unigram().likeliest),
            "merged_tokens" => count(pictures::unigram().merged),
            "pieces_a_word" => {
                let words: usize = state.words.iter().map(|(_, n)| n).sum();
                Some(state.corpus.tokens() as f64 / words as f64)
            }
            _ => None,
        }
    }
}
