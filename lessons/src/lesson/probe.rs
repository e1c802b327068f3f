//! A linear probe: what one matrix can read out of vectors.

use crate::tensor::Tensor;

/// Ridge regression: the matrix `[n, m]` that maps `x [rows, n]` closest to `y [rows, m]`, (xᵀx + λ)⁻¹ xᵀy, by Cholesky
/// decomposition in f64. `lambda` keeps xᵀx invertible if columns of `x` are linearly dependent.
pub fn least_squares(x: &Tensor, y: &Tensor, lambda: f64) -> Tensor {
    let (n, m) = (x.last(), y.last());
    let mut square = vec![0.0_f64; n * n];
    let mut right = vec![0.0_f64; n * m];
    for (x, y) in x.data().chunks(n).zip(y.data().chunks(m)) {
        // In a one-hot row only one cell is non-zero.
        let nonzero: Vec<(usize, f64)> = (y.iter().enumerate())
            .filter(|(_, b)| **b != 0.0)
            .map(|(at, &b)| (at, f64::from(b)))
            .collect();
        for (i, &a) in x.iter().enumerate() {
            let a = f64::from(a);
            // Only the lower triangle, because the matrix is symmetric.
            for (sum, &b) in square[i * n..=i * n + i].iter_mut().zip(x) {
                *sum += a * f64::from(b);
            }
            for &(at, b) in &nonzero {
                right[i * m + at] += a * b;
            }
        }
    }
    let mut l = vec![0.0_f64; n * n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            let a = square[i * n + j] + if i == j { lambda } else { 0.0 };
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

/// Targets of a probe: `[rows, classes]`, 1 at each row's class and 0 elsewhere.
pub fn one_hot(rows: usize, classes: usize, class: impl Fn(usize) -> usize) -> Tensor {
    let cell = |i: &[usize]| f32::from(u8::from(class(i[0]) == i[1]));
    Tensor::from_fn(&[rows, classes], cell)
}

/// Accuracy: share of rows of `guess [rows, classes]` whose largest cell is at their class.
pub fn right(guess: &Tensor, class: impl Fn(usize) -> usize) -> f64 {
    let rows = guess.data().chunks(guess.last());
    let count = rows.len() as f64;
    let hit = |(row, scores): &(usize, &[f32])| {
        let best = (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        best == Some(class(*row))
    };
    rows.enumerate().filter(hit).count() as f64 / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::{matmul, random};

    #[test]
    fn it_finds_the_map_that_made_the_answers() {
        let x = random::normal(&[50, 4], 1.0, 1, "x");
        let map = random::normal(&[4, 3], 1.0, 2, "map");
        let fitted = least_squares(&x, &matmul::matmul(&x, &map), 1e-9);
        for (a, b) in fitted.data().iter().zip(map.data()) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }

    #[test]
    fn a_row_is_right_where_its_class_has_the_largest_cell() {
        let class = |row: usize| row % 3;
        assert_eq!(right(&one_hot(6, 3, class), class), 1.0);
        let guess = Tensor::new(&[2, 2], vec![0.9, 0.1, 0.6, 0.4]);
        assert_eq!(right(&guess, |row| row), 0.5);
    }
}
