//! A linear probe: what can be read off vectors by one matrix.

use crate::tensor::Tensor;

/// The map `[n, m]` that brings `x [rows, n]` nearest to `y [rows, m]`: (xᵀx + λ)⁻¹ xᵀy, by Cholesky's
/// factors, in f64. `lambda` keeps it whole where columns of `x` depend on one another.
pub fn least_squares(x: &Tensor, y: &Tensor, lambda: f64) -> Tensor {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::{matmul, random};

    #[test]
    fn it_finds_the_map_that_made_the_answers() {
        let x = random::normal(&[50, 4], 1.0, 1, "x");
        let map = random::normal(&[4, 3], 1.0, 2, "map");
        let found = least_squares(&x, &matmul::matmul(&x, &map), 1e-9);
        for (a, b) in found.data().iter().zip(map.data()) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }
}
