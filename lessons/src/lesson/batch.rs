//! The batch that stages run at the standard sizes: thirty real sentence pairs, embedded as by an untrained model. The
//! words on the axes are the tokens whose vectors are shown.

use std::f32::consts::FRAC_1_SQRT_2;

use crate::autograd::{Tape, Trace, Var};
use crate::nn::masks;
use crate::nn::positional_encoding::positional_encoding;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, BATCH, Language};

/// Training tape if `dropout` is positive, evaluation tape otherwise.
pub fn tape(params: &Params, dropout: f32, seed: u64) -> Tape {
    if dropout > 0.0 {
        Tape::train(params, seed)
    } else {
        Tape::eval(params)
    }
}

/// Name of the axis over a language's tokens.
fn axis(language: Language) -> &'static str {
    match language {
        Language::German => "s",
        Language::English => "t",
    }
}

/// `[BATCH, length, width]`: the vectors in which an untrained model reads the sentences of `language`, cut or padded
/// to `length`.
///
/// Each vector is the token's row of a random embedding matrix plus the encoding of its position. The matrix has the
/// RMS of the position encoding, √½, so the sum has an RMS of about 1. `width` must be even.
pub fn embedded(language: Language, (length, width): (usize, usize), seed: u64) -> Tensor {
    let (ids, positions) = (
        sample::ids(length, language),
        positional_encoding(length, width),
    );
    let most = ids.data().iter().fold(0.0_f32, |most, id| most.max(*id)) as usize;
    let site = match language {
        Language::German => "src_embed",
        Language::English => "tgt_embed",
    };
    let table = random::normal(&[most + 1, width], FRAC_1_SQRT_2, seed, site);
    let mut data = Vec::with_capacity(BATCH * length * width);
    for (n, id) in ids.data().iter().enumerate() {
        let row = |at: usize| at * width..(at + 1) * width;
        let token = &table.data()[row(*id as usize)];
        let position = &positions.data()[row(n % length)];
        data.extend(token.iter().zip(position).map(|(a, b)| a + b));
    }
    Tensor::new(&[BATCH, length, width], data)
}

/// [`embedded`] recorded as the input `name` of a run.
pub fn vectors(
    tape: &Tape,
    (name, language): (&'static str, Language),
    sizes: (usize, usize),
    seed: u64,
) -> Var {
    let x = embedded(language, sizes, seed);
    tape.input(name, x, &["b", axis(language), "d"])
}

/// `[1, length, width]`: one sentence of `x [BATCH, length, width]`.
pub fn sentence(x: &Tensor, number: usize) -> Tensor {
    let [length, width] = [x.shape()[1], x.last()];
    let cells = number * length * width..(number + 1) * length * width;
    Tensor::new(&[1, length, width], x.data()[cells].to_vec())
}

/// `[BATCH, 1, length]`: padding mask of the German sentences, cut or padded to `length`; records their ids as `src`.
pub fn src_mask(tape: &Tape, length: usize) -> Var {
    masks::src_mask(&tape.ids("src", sample::ids(length, Language::German), &["b", "s"]))
}

/// `[BATCH, length, length]`: mask of the English sentences; records their ids as `tgt`.
pub fn tgt_mask(tape: &Tape, length: usize) -> Var {
    masks::tgt_mask(&tape.ids("tgt", sample::ids(length, Language::English), &["b", "t"]))
}

/// The source and target masks; records both sets of ids.
pub fn masks(tape: &Tape, target: usize, source: usize) -> (Var, Var) {
    let src = tape.ids("src", sample::ids(source, Language::German), &["b", "s"]);
    let tgt = tape.ids("tgt", sample::ids(target, Language::English), &["b", "t"]);
    (masks::src_mask(&src), masks::tgt_mask(&tgt))
}

/// The run with English words labelling its axis `t` and German words its axis `s`.
pub fn worded(trace: Trace, target: usize, source: usize) -> Trace {
    trace
        .label("t", sample::all_words(target, Language::English))
        .label("s", sample::all_words(source, Language::German))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Occurrences of `word`, as sentence and position.
    fn places(word: &str, length: usize) -> Vec<[usize; 2]> {
        let all = sample::all_words(length, Language::English);
        let rows = all.iter().enumerate();
        rows.flat_map(|(b, row)| (0..row.len()).map(move |t| (b, t, &row[t])))
            .filter(|(.., id)| *id == word)
            .map(|(b, t, _)| [b, t])
            .collect()
    }

    #[test]
    fn a_word_has_one_vector_wherever_it_stands_but_for_its_position() {
        let x = embedded(Language::English, (10, 512), 7);
        let positions = positional_encoding(10, 512);
        let token = |[b, t]: [usize; 2], d| x.at(&[b, t, d]) - positions.at(&[t, d]);
        let the = places("the", 10);
        assert!(the.len() > 10);
        for &place in &the {
            assert!((0..512).all(|d| (token(place, d) - token(the[0], d)).abs() < 1e-6));
        }
        let dog = places("dog", 10)[0];
        assert!((0..512).any(|d| (token(dog, d) - token(the[0], d)).abs() > 0.5));
    }

    #[test]
    fn a_cell_has_about_the_size_of_one_and_other_lengths_cut_the_same_sentences() {
        for language in [Language::German, Language::English] {
            let x = embedded(language, (11, 512), 7);
            assert!((x.rms() - 1.0).abs() < 0.02, "{}", x.rms());
            let cut = embedded(language, (5, 512), 7);
            let first = sentence(&x, 3);
            assert_eq!(sentence(&cut, 3).data(), &first.data()[..5 * 512]);
        }
    }
}
