//! The batch that stages run at the standard sizes: random vectors under the masks and words of the sample sentences.

use crate::autograd::{Tape, Trace, Var};
use crate::nn::masks;
use crate::params::Params;
use crate::tensor::random;
use crate::text::sample::{self, BATCH, Language};

/// A tape that trains where something is to be dropped, and evaluates where nothing is.
pub fn tape(params: &Params, dropout: f32, seed: u64) -> Tape {
    if dropout > 0.0 {
        Tape::train(params, seed)
    } else {
        Tape::eval(params)
    }
}

/// `[BATCH, length, width]`: normal numbers, another draw for each name; `axis` is the name of the words' axis.
pub fn vectors(
    tape: &Tape,
    (name, axis): (&'static str, &'static str),
    (length, width): (usize, usize),
    seed: u64,
) -> Var {
    let x = random::normal(&[BATCH, length, width], 1.0, seed, name);
    tape.input(name, x, &["b", axis, "d"])
}

/// `[BATCH, 1, length]`: the mask of the German sentences, cut or padded to `length`, recorded from their ids `src`.
pub fn src_mask(tape: &Tape, length: usize) -> Var {
    masks::src_mask(&tape.ids("src", sample::ids(length, Language::German), &["b", "s"]))
}

/// `[BATCH, length, length]`: the mask of the English sentences, recorded from their ids `tgt`.
pub fn tgt_mask(tape: &Tape, length: usize) -> Var {
    masks::tgt_mask(&tape.ids("tgt", sample::ids(length, Language::English), &["b", "t"]))
}

/// Both masks, recorded from both ids.
pub fn masks(tape: &Tape, target: usize, source: usize) -> (Var, Var) {
    let src = tape.ids("src", sample::ids(source, Language::German), &["b", "s"]);
    let tgt = tape.ids("tgt", sample::ids(target, Language::English), &["b", "t"]);
    (masks::src_mask(&src), masks::tgt_mask(&tgt))
}

/// The run with the English words on its axis `t` and the German ones on `s`.
pub fn worded(trace: Trace, target: usize, source: usize) -> Trace {
    trace
        .label("t", sample::all_words(target, Language::English))
        .label("s", sample::all_words(source, Language::German))
}
