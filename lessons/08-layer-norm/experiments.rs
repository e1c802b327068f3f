//! Layer normalisation compared with batch normalisation, and what it erases.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::measure::distance;
use transformer_tutor::ops::Deviation;
use transformer_tutor::params::Params;
use transformer_tutor::tensor::{Tensor, random};

/// Channels of the comparison: enough to see an effect, few enough to be quick.
const CHANNELS: usize = 64;

/// Tokens of each of the eight sentences.
pub const WORDS: usize = 10;

const SENTENCES: usize = 8;

/// Batch normalisation as in training: each channel over all tokens of all sentences.
fn batch_norm(x: &Var) -> Var {
    let shape = x.shape();
    let rows = shape[0] * shape[1];
    let by_channel = x.reshape(&[rows, shape[2]], &["t", "d"]).transpose();
    let normal = by_channel
        .normalize(Deviation::Population, 1e-5)
        .transpose();
    normal.reshape(&shape, &["b", "t", "d"])
}

fn layer_norm(x: &Var) -> Var {
    x.normalize(Deviation::Unbiased, 1e-6)
}

/// The batch, with sentence 1 multiplied by `edit`, and with the last `pads` tokens of every sentence except sentence 0
/// replaced by zeros, like padding.
fn batch(edit: f32, pads: usize, seed: u64) -> Tensor {
    let x = random::normal(&[SENTENCES, WORDS, CHANNELS], 1.0, seed, "batch");
    Tensor::from_fn(x.shape(), |i| {
        let padding = i[0] > 0 && i[1] >= WORDS - pads;
        match (padding, i[0]) {
            (true, _) => 0.0,
            (_, 1) => x.at(i) * edit,
            _ => x.at(i),
        }
    })
}

fn normalised(norm: fn(&Var) -> Var, x: Tensor) -> Tensor {
    let tape = Tape::eval(&Params::default());
    norm(&tape.input("x", x, &["b", "t", "d"])).value()
}

/// Layer normalisation and batch normalisation.
const BOTH: [fn(&Var) -> Var; 2] = [layer_norm, batch_norm];

/// How far (RMS) each sentence's result moves when sentence 1 is multiplied by `edit`, under each of [`BOTH`].
pub fn edited(edit: f32, seed: u64) -> [Vec<f64>; 2] {
    BOTH.map(|norm| moves(norm, batch(1.0, 0, seed), batch(edit, 0, seed)))
}

/// How far sentence 0, which has no padding, moves when the others get three pads each.
pub fn padded(seed: u64) -> [f64; 2] {
    BOTH.map(|norm| moves(norm, batch(1.0, 0, seed), batch(1.0, 3, seed))[0])
}

/// How far sentence 0 moves when it is normalised alone instead of in its batch, which is the difference between
/// training and use.
pub fn alone(seed: u64) -> [f64; 2] {
    let whole = batch(1.0, 0, seed);
    let first = whole.data()[..WORDS * CHANNELS].to_vec();
    let first = Tensor::new(&[1, WORDS, CHANNELS], first);
    BOTH.map(|norm| moves(norm, whole.clone(), first.clone())[0])
}

/// How far each sentence that is in both batches moves.
fn moves(norm: fn(&Var) -> Var, before: Tensor, after: Tensor) -> Vec<f64> {
    let results = [before, after].map(|x| normalised(norm, x));
    let [was, is] = results
        .each_ref()
        .map(|x| x.data().chunks(WORDS * CHANNELS));
    was.zip(is).map(|(a, b)| distance(a, b)).collect()
}

/// Changes of a vector by name: two that layer normalisation erases, and three that it does not.
pub const CHANGES: [(&str, fn(&mut [f32])); 5] = [
    ("shift", |x| x.iter_mut().for_each(|x| *x += 3.0)),
    ("factor", |x| x.iter_mut().for_each(|x| *x *= 5.0)),
    ("sign", |x| x.iter_mut().for_each(|x| *x = -*x)),
    ("channel", |x| x[0] += 3.0),
    ("exchange", |x| x.swap(0, 1)),
];

/// How far (RMS) the normalised form of a random vector moves when the vector is changed.
pub fn moved_by(change: fn(&mut [f32]), seed: u64) -> f64 {
    let x = random::normal(&[1, 1, CHANNELS], 1.0, seed, "changed");
    let mut changed = x.data().to_vec();
    change(&mut changed);
    let changed = Tensor::new(x.shape(), changed);
    let [was, is] = [x, changed].map(|x| normalised(layer_norm, x));
    distance(was.data(), is.data())
}
