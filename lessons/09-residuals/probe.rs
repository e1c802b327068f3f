//! A linear probe: can the position still be read from a layer's output?

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use transformer_tutor::autograd::Tape;
use transformer_tutor::ops::Layout;
use transformer_tutor::tensor::{Tensor, matmul, random};

use super::tower::{Tower, Wiring};

/// Words, words a sentence, sentences to learn from and as many to be tried on, width, layers.
const VOCABULARY: usize = 50;
pub const LENGTH: usize = 10;
const SENTENCES: usize = 64;
const WIDTH: usize = 64;
pub const DEPTH: usize = 6;

/// The share of right positions over sentences that the probe has not seen: of the words as they
/// enter, and after each layer. Computed once.
pub fn read(wiring: Wiring, seed: u64) -> Arc<Vec<f64>> {
    type Done = HashMap<(Wiring, u64), Arc<Vec<f64>>>;
    static DONE: Mutex<Option<Done>> = Mutex::new(None);
    let mut done = DONE.lock().unwrap_or_else(|e| e.into_inner());
    let done = done.get_or_insert_default();
    done.entry((wiring, seed))
        .or_insert_with(|| Arc::new(measure(wiring, seed)))
        .clone()
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
    let mut right = vec![accuracy(&x.value())];
    for layer in &tower.layers {
        x = wiring.layer(layer, &x);
        right.push(accuracy(&x.value()));
    }
    right
}

/// Learns from the first half of the sentences, and is tried on the second.
fn accuracy(x: &Tensor) -> f64 {
    let rows = SENTENCES * LENGTH;
    let half = |n: usize| {
        // Whatever size a layer's output has, the probe sees it at size one, with a 1 for its bias.
        let size = x.rms().max(1e-30) as f32;
        Tensor::from_fn(&[rows, WIDTH + 1], |i| {
            if i[1] == WIDTH {
                1.0
            } else {
                x.data()[(n * rows + i[0]) * WIDTH + i[1]] / size
            }
        })
    };
    let target = Tensor::from_fn(&[rows, LENGTH], |i| {
        f32::from(u8::from(i[0] % LENGTH == i[1]))
    });
    let guess = matmul::matmul(&half(1), &least_squares(&half(0), &target));
    let hits = guess.data().chunks(LENGTH).enumerate().filter(|(row, g)| {
        let best = (0..LENGTH).max_by(|&a, &b| g[a].total_cmp(&g[b]));
        best == Some(row % LENGTH)
    });
    hits.count() as f64 / rows as f64
}

/// The map that brings `x` nearest to `y`: (xᵀx + λ)⁻¹ xᵀy, by Cholesky's factors, in f64.
fn least_squares(x: &Tensor, y: &Tensor) -> Tensor {
    const LAMBDA: f64 = 1e-3;
    let (n, m) = (x.last(), y.last());
    let mut square = vec![0.0_f64; n * n];
    let mut right = vec![0.0_f64; n * m];
    for (x, y) in x.data().chunks(n).zip(y.data().chunks(m)) {
        for (i, &a) in x.iter().enumerate() {
            let a = f64::from(a);
            for (sum, &b) in square[i * n..(i + 1) * n].iter_mut().zip(x) {
                *sum += a * f64::from(b);
            }
            for (sum, &b) in right[i * m..(i + 1) * m].iter_mut().zip(y) {
                *sum += a * f64::from(b);
            }
        }
    }
    let mut l = vec![0.0_f64; n * n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            let a = square[i * n + j] + if i == j { LAMBDA } else { 0.0 };
            l[i * n + j] = if i == j {
                (a - sum).max(1e-12).sqrt()
            } else {
                (a - sum) / l[j * n + j]
            };
        }
    }
    let mut out = vec![0.0_f32; n * m];
    for c in 0..m {
        let mut z = vec![0.0_f64; n];
        for i in 0..n {
            let sum: f64 = (0..i).map(|k| l[i * n + k] * z[k]).sum();
            z[i] = (right[i * m + c] - sum) / l[i * n + i];
        }
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|k| l[k * n + i] * z[k]).sum();
            z[i] = (z[i] - sum) / l[i * n + i];
            out[i * m + c] = z[i] as f32;
        }
    }
    Tensor::new(&[n, m], out)
}
