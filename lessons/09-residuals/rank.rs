//! How many directions survive the way up: singular values of the product of the layers' Jacobians.

use std::sync::Arc;

use transformer_tutor::autograd::Tape;
use transformer_tutor::lesson::memo::Memo;
use transformer_tutor::tensor::{Tensor, random};

use super::tower::{Tower, Wiring};

/// Tokens, and channels per token: the Jacobian has a row and a column for each of their products.
const LENGTH: usize = 4;
const WIDTH: usize = 16;
pub const SIZE: usize = LENGTH * WIDTH;

/// Number of layers measured.
pub const DEPTH: usize = 24;

/// Smallest singular value, relative to the largest, whose direction counts.
pub const SHARE: f64 = 1e-3;

/// Singular values of the product of the Jacobians of layers 1 to n, for n from 1. Each list is in descending order,
/// relative to the largest.
pub type Spectra = Arc<Vec<Vec<f64>>>;

/// The spectra of a tower with this wiring. Computed once.
pub fn spectra(wiring: Wiring, seed: u64) -> Spectra {
    static DONE: Memo<Vec<Vec<f64>>> = Memo::new("residuals: spectra");
    DONE.get(format!("{wiring:?} {seed}"), || measure(wiring, seed))
}

/// Number of singular values that are at least [`SHARE`] of the largest, layer by layer.
pub fn ranks(wiring: Wiring, seed: u64) -> Vec<usize> {
    let counted = |values: &Vec<f64>| values.iter().filter(|v| **v >= SHARE).count();
    spectra(wiring, seed).iter().map(counted).collect()
}

fn measure(wiring: Wiring, seed: u64) -> Vec<Vec<f64>> {
    let tower = Tower::new(DEPTH, WIDTH, seed);
    let words = random::normal(&[LENGTH, WIDTH], 1.0, seed, "jacobian words");
    // Copy the sentence once for each cell of the output: a single backward pass, seeded with a different cell in each
    // copy, gives the whole Jacobian, one row per copy.
    let mut x = Tensor::from_fn(&[SIZE, LENGTH, WIDTH], |i| words.at(&i[1..]));
    let seeds = Tensor::from_fn(&[SIZE, LENGTH, WIDTH], |i| {
        f32::from(u8::from(i[0] == i[1] * WIDTH + i[2]))
    });
    let mut product: Option<Vec<f64>> = None;
    let mut spectra = Vec::new();
    for layer in &tower.layers {
        let tape = Tape::eval(&tower.params);
        let below = tape.input("x", x, &["b", "s", "d"]);
        let above = wiring.layer(layer, &below);
        let grads = above.backward_from(&seeds);
        let jacobian = grads.get(&below).expect("the layer reads its input");
        let jacobian: Vec<f64> = jacobian.data().iter().map(|&x| f64::from(x)).collect();
        let next = match product {
            Some(product) => multiply(&jacobian, &product),
            None => jacobian,
        };
        let values = singular_values(&next);
        let largest = values[0].max(f64::MIN_POSITIVE);
        // Only the ratios matter; dividing prevents a long product from overflowing.
        product = Some(next.iter().map(|x| x / largest).collect());
        spectra.push(values.iter().map(|v| v / largest).collect());
        x = above.value();
    }
    spectra
}

fn multiply(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; SIZE * SIZE];
    for (row, out) in a.chunks(SIZE).zip(out.chunks_mut(SIZE)) {
        for (factor, line) in row.iter().zip(b.chunks(SIZE)) {
            for (sum, x) in out.iter_mut().zip(line) {
                *sum += factor * x;
            }
        }
    }
    out
}

/// Singular values of a square matrix in descending order, by one-sided Jacobi rotations (Hestenes 1958): pairs of rows
/// are rotated until all are orthogonal, and their lengths are the values.
pub fn singular_values(matrix: &[f64]) -> Vec<f64> {
    let n = (matrix.len() as f64).sqrt() as usize;
    let mut rows: Vec<Vec<f64>> = matrix.chunks(n).map(<[f64]>::to_vec).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    for _ in 0..40 {
        let mut turned = false;
        for i in 0..n {
            for j in i + 1..n {
                let (a, b, c) = (
                    dot(&rows[i], &rows[i]),
                    dot(&rows[j], &rows[j]),
                    dot(&rows[i], &rows[j]),
                );
                if c.abs() <= 1e-12 * (a * b).sqrt() || c == 0.0 {
                    continue;
                }
                turned = true;
                let zeta = (b - a) / (2.0 * c);
                let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cos = 1.0 / (1.0 + t * t).sqrt();
                let sin = cos * t;
                let (head, tail) = rows.split_at_mut(j);
                for (x, y) in head[i].iter_mut().zip(&mut tail[0]) {
                    (*x, *y) = (cos * *x - sin * *y, sin * *x + cos * *y);
                }
            }
        }
        if !turned {
            break;
        }
    }
    let mut values: Vec<f64> = rows.iter().map(|row| dot(row, row).sqrt()).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singular_values_of_a_matrix_by_hand() {
        // [[3, 0], [4, 5]] has the singular values √45 and √5.
        let values = singular_values(&[3.0, 0.0, 4.0, 5.0]);
        assert!((values[0] - 45_f64.sqrt()).abs() < 1e-12, "{values:?}");
        assert!((values[1] - 5_f64.sqrt()).abs() < 1e-12, "{values:?}");
        // The matrix has rank one, so the second value is 0.
        let values = singular_values(&[1.0, 2.0, 2.0, 4.0]);
        assert!(
            (values[0] - 5.0).abs() < 1e-12 && values[1] < 1e-12,
            "{values:?}"
        );
    }
}
