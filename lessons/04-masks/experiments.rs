//! Small experiments around the run, each computed on demand: what changes when pad rows are scrambled, what completely
//! blocked rows become, when a fill is not low enough, and what leaks.

use crate::autograd::{Tape, Var};
use crate::lesson::leak;
use crate::nn::masks;
use crate::params::Params;
use crate::tensor::{Tensor, broadcast, random};

use super::record::Recorded;

/// Width of the vectors: small, because the leak indicator needs one backward pass per number.
const WIDTH: usize = 16;
/// Heads of the small attention, each with its own scores.
const HEADS: usize = 4;

/// Self-attention over `x [b, t, WIDTH]` with random query and key maps, and with `x` itself as the values. It has the
/// run's score size and fill, and blocks as the run does.
fn self_attention(x: &Var, mask: &Tensor, made: &Recorded) -> Var {
    let (tape, shape) = (x.tape(), x.shape());
    let width = WIDTH / HEADS;
    let heads = |y: Var| {
        let apart = y.reshape(&[shape[0], shape[1], HEADS, width], &["b", "t", "h", "k"]);
        apart.permute(&[0, 2, 1, 3]) // [b, h, t, k]
    };
    let map = |name: &str| {
        let scale = 1.0 / (WIDTH as f32).sqrt();
        let matrix = random::normal(&[WIDTH, WIDTH], scale, made.knobs.seed, name);
        heads(x.matmul_t(&tape.constant(name, matrix, &["d", "d"])))
    };
    let size = made.knobs.logits / (width as f32).sqrt();
    let scores = map("query").matmul_t(&map("key")).scale(size);
    let mask = tape
        .mask("mask", mask.clone(), &["b", "t", "t"])
        .unsqueeze(1);
    let context = made
        .blocked(&scores, &mask)
        .softmax()
        .matmul(&heads(x.clone()))
        .permute(&[0, 2, 1, 3]);
    context.reshape(&shape, &["b", "t", "d"])
}

/// Random vector for every id of `ids [b, t]`: `[b, t, WIDTH]`.
fn vectors(ids: &Tensor, made: &Recorded) -> Tensor {
    let shape = [made.batch.vocabulary, WIDTH];
    let table = random::normal(&shape, 1.0, made.knobs.seed, "vectors");
    let row = |&id: &f32| table.data()[id as usize * WIDTH..][..WIDTH].to_vec();
    let rows = ids.data().iter().flat_map(row).collect();
    Tensor::new(&[ids.shape()[0], ids.last(), WIDTH], rows)
}

/// What each position of sentence `n` may depend on: what the rules allow, and itself, because its query is made from
/// its own vector even if its key is blocked.
pub fn allowed(made: &Recorded, n: usize) -> Tensor {
    let rules = plane(&made.rules, n);
    Tensor::from_fn(
        rules.shape(),
        |i| if i[0] == i[1] { 1.0 } else { rules.at(i) },
    )
}

/// Sentence `n` of a mask: `[rows, columns]`.
pub fn plane(mask: &Tensor, n: usize) -> Tensor {
    let (rows, columns) = (mask.shape()[1], mask.shape()[2]);
    Tensor::from_fn(&[rows, columns], |i| mask.at(&[n, i[0], i[1]]))
}

/// How strongly each token of sentence `n` moves each output of masked self-attention: `[t, t]`.
pub fn influence(made: &Recorded, n: usize) -> Tensor {
    let tape = Tape::eval(&Params::new(0));
    let (length, all) = (made.batch.tgt.last(), vectors(&made.batch.tgt, made));
    let x = Tensor::from_fn(&[1, length, WIDTH], |i| all.at(&[n, i[1], i[2]]));
    let x = tape.input("x", x, &["b", "t", "d"]);
    let mask = plane(&made.decoder, n).reshape(&[1, length, length]);
    leak::influence(&self_attention(&x, &mask, made), &x, 0)
}

/// Largest changes of the outputs when the vectors at all pad positions are replaced by large random ones.
pub struct Scrambled {
    /// In rows of real tokens, for encoder and decoder.
    pub encoder: f32,
    pub decoder: f32,
    /// In pad rows of either.
    pub pad: f32,
    /// Largest weight that the loss gives to a pad row.
    pub loss_weight: f32,
}

/// Scrambles the pad rows in the encoder's and the decoder's self-attention.
pub fn scramble(made: &Recorded) -> Scrambled {
    let (src, tgt) = (&made.batch.src, &made.batch.tgt);
    let encoder = scrambled(src, &made.encoder, made);
    let decoder = scrambled(tgt, &made.decoder, made);
    let rows = tgt.data().iter().zip(made.batch.tgt_y.data());
    let pad_rows = rows.filter(|(id, _)| **id == masks::PAD);
    let weights = pad_rows.map(|(_, y)| if *y == masks::PAD { 0.0 } else { 1.0 });
    Scrambled {
        encoder: encoder.0,
        decoder: decoder.0,
        pad: encoder.1.max(decoder.1),
        loss_weight: weights.fold(0.0, f32::max),
    }
}

/// Largest change in rows of real tokens, and in pad rows.
fn scrambled(ids: &Tensor, mask: &Tensor, made: &Recorded) -> (f32, f32) {
    let run = |x: Tensor| {
        let tape = Tape::eval(&Params::new(0));
        let x = tape.input("x", x, &["b", "t", "d"]);
        self_attention(&x, mask, made).value()
    };
    let plain = vectors(ids, made);
    let noise = random::normal(plain.shape(), 100.0, made.knobs.seed, "noise");
    let is_pad = |row: usize| ids.data()[row] == masks::PAD;
    let noisy = Tensor::from_fn(plain.shape(), |i| {
        let pad = is_pad(i[0] * ids.last() + i[1]);
        if pad { noise.at(i) } else { plain.at(i) }
    });
    let change = run(plain).zip(&run(noisy), |a, b| (a - b).abs());
    let largest = |pads: bool| {
        let rows = change.data().chunks(WIDTH).enumerate();
        let cells = rows.filter(|(row, _)| is_pad(*row) == pads);
        // A NaN counts as an infinite change.
        let size = |x: &f32| if x.is_nan() { f32::INFINITY } else { *x };
        cells.flat_map(|(_, row)| row).map(size).fold(0.0, f32::max)
    };
    (largest(false), largest(true))
}

/// Number of cells in which a real target token could see padding if only the future were blocked.
pub fn pads_in_the_past(made: &Recorded) -> usize {
    let is_pad = |id: &&f32| **id == masks::PAD;
    let seen = |ids: &[f32]| -> usize {
        let real = (0..ids.len()).filter(|&row| !is_pad(&&ids[row]));
        real.map(|row| ids[..row].iter().filter(is_pad).count())
            .sum()
    };
    let ids = &made.batch.tgt;
    ids.data().chunks(ids.last()).map(seen).sum()
}

/// Attention weights of one query over five keys, with those at 0 in `open` blocked by `fill`: by replacing scores, and
/// by adding to them. `size` is the scores' standard deviation.
pub fn five(open: [f32; 5], fill: f32, size: f32, seed: u64) -> (Tensor, Tensor) {
    let tape = Tape::eval(&Params::new(0));
    let scores = random::normal(&[1, 5], size, seed, "five");
    let scores = tape.input("scores", scores, &["", "i"]);
    let mask = tape.mask("mask", Tensor::new(&[1, 5], open.to_vec()), &["", "i"]);
    let replaced = scores.mask_fill(&mask, fill).softmax().value();
    let added = scores.add(&masks::bias(&mask, fill)).softmax().value();
    (replaced, added)
}

/// Share of the attention that goes to what the rules forbid, averaged over all rows of `weights [b, h, t, t]`.
pub fn blocked_share(weights: &Tensor, rules: &Tensor) -> f64 {
    let (b, h, t) = (weights.shape()[0], weights.shape()[1], weights.last());
    let wide = rules.reshape(&[b, 1, t, t]);
    let blocked = broadcast::zip(weights, &wide, |w, ok| if ok == 0.0 { w } else { 0.0 });
    blocked.sum() / (b * h * t) as f64
}

/// [`blocked_share`] of random scores of this size with this fill, for one head and the correct mask.
pub fn sunk(made: &Recorded, fill: f32, size: f32) -> f64 {
    let tape = Tape::eval(&Params::new(0));
    let (b, t) = (made.rules.shape()[0], made.rules.last());
    let scores = random::normal(&[b, 1, t, t], size, made.knobs.seed, "sunk");
    let scores = tape.input("scores", scores, &["b", "", "t", "t"]);
    let mask = tape.mask("mask", made.rules.clone(), &["b", "t", "t"]);
    let weights = scores.mask_fill(&mask.unsqueeze(1), fill).softmax();
    blocked_share(&weights.value(), &made.rules)
}
