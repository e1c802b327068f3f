//! A linear probe that tests whether the position can still be read from a layer's output.

use std::sync::Arc;

use transformer_tutor::autograd::Tape;
use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::lesson::probe::{least_squares, one_hot, right};
use transformer_tutor::ops::Layout;
use transformer_tutor::tensor::{Tensor, matmul, random};

use super::tower::{Tower, Wiring};

/// Vocabulary, tokens per sentence, sentences to fit on and as many to test on, width, layers.
const VOCABULARY: usize = 50;
pub const LENGTH: usize = 10;
const SENTENCES: usize = 64;
const WIDTH: usize = 64;
pub const DEPTH: usize = 6;

/// Proportion of positions read correctly in held-out sentences, from the input and from each layer's output. Computed
/// once.
pub fn read(wiring: Wiring, seed: u64) -> Arc<Vec<f64>> {
    static DONE: Memo<Vec<f64>> = Memo::new("residuals: probes");
    DONE.get(format!("{wiring:?} {seed}"), || measure(wiring, seed))
}

fn measure(wiring: Wiring, seed: u64) -> Vec<f64> {
    let tower = Tower::new(DEPTH, WIDTH, seed);
    let words = random::normal(&[VOCABULARY, WIDTH], 1.0, seed, "probe words");
    let draw = random::uniform(&[2 * SENTENCES, LENGTH], 0.5, seed, "probe sentences");
    let tape = Tape::eval(&tower.params);
    let pe = tape.sinusoid(LENGTH, WIDTH, Layout::Interleaved).value();
    let x = Tensor::from_fn(&[2 * SENTENCES, LENGTH, WIDTH], |i| {
        let word = (draw.at(&i[..2]) + 0.5) * VOCABULARY as f32;
        let word = (word as usize).min(VOCABULARY - 1);
        words.at(&[word, i[2]]) + pe.at(&i[1..])
    });
    let mut x = tape.input("x", x, &["b", "s", "d"]);
    let mut all = vec![accuracy(&x.value())];
    for layer in &tower.layers {
        x = wiring.layer(layer, &x);
        all.push(accuracy(&x.value()));
    }
    all
}

/// Fits on the first half of the sentences and tests on the second.
fn accuracy(x: &Tensor) -> f64 {
    let rows = SENTENCES * LENGTH;
    // Scale every output to RMS 1, and append a 1 for the bias.
    let size = x.rms().max(1e-30) as f32;
    let half = |n: usize| {
        Tensor::from_fn(&[rows, WIDTH + 1], |i| match i[1] {
            WIDTH => 1.0,
            channel => x.data()[(n * rows + i[0]) * WIDTH + channel] / size,
        })
    };
    let position = |row: usize| row % LENGTH;
    let target = one_hot(rows, LENGTH, position);
    let guess = matmul::matmul(&half(1), &least_squares(&half(0), &target, 1e-3));
    right(&guess, position)
}
