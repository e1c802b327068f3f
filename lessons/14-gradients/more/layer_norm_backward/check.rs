//! The challenge: the backward pass of layer normalisation, and rows that distinguish it from its mistakes.

use transformer_tutor::tensor::{Tensor, random};

mod reference;
#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type NormBackwardFn = fn(&Tensor, &Tensor, f32, &Tensor) -> [Tensor; 3];

transformer_tutor::task! { layer_norm_backward: NormBackwardFn = reference::layer_norm_backward;
    |backward| TASK.compared_in_parts(backward, &CASES, 3e-5, run)
}

/// Cases to try: rows, numbers per row, ε.
const CASES: [(&str, (usize, usize, f32)); 5] = [
    ("3 rows of 5 numbers", (3, 5, 1e-5)),
    ("a large ε", (2, 4, 0.5)),
    ("one row of 2 numbers", (1, 2, 0.1)),
    ("rows of 200 numbers", (2, 200, 0.01)),
    ("rows of one number, whose variance is 0", (3, 1, 0.25)),
];

fn inputs(n: usize, d: usize) -> [Tensor; 3] {
    let drawn = |shape: &[usize], name: &str| random::normal(shape, 1.0, 19, name);
    // Means far from 0, and a different standard deviation in every row.
    let x = drawn(&[n, d], "x");
    let x = Tensor::from_fn(&[n, d], |i| x.at(i) * (1 + i[0]) as f32 + 2.0 - i[0] as f32);
    let dy = drawn(&[n, d], "dy").map(|dy| dy + 0.5);
    [x, drawn(&[d], "scale").map(|s| s + 1.5), dy]
}

fn run(
    &(n, d, epsilon): &(usize, usize, f32),
    backward: NormBackwardFn,
) -> [(&'static str, Tensor); 3] {
    let [x, scale, dy] = inputs(n, d);
    let [dx, dscale, dbias] = backward(&x, &scale, epsilon, &dy);
    [
        (", the gradient by x", dx),
        (", the gradient by the scale", dscale),
        (", the gradient by the bias", dbias),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Σ y ⊙ dy` of the forward pass, in f64.
    fn weighted(x: &Tensor, scale: &Tensor, bias: f64, epsilon: f32, dy: &Tensor) -> f64 {
        let d = x.last();
        let rows = x.data().chunks(d).zip(dy.data().chunks(d));
        let row = |(x, dy): (&[f32], &[f32])| {
            let x: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
            let mean = x.iter().sum::<f64>() / d as f64;
            let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / d as f64;
            let deviation = (variance + f64::from(epsilon)).sqrt();
            let cells = x.iter().zip(scale.data()).zip(dy);
            cells
                .map(|((x, s), dy)| {
                    ((x - mean) / deviation * f64::from(*s) + bias) * f64::from(*dy)
                })
                .sum::<f64>()
        };
        rows.map(row).sum()
    }

    #[test]
    fn the_references_gradients_are_the_slopes_of_finite_differences() {
        for (says, (n, d, epsilon)) in &CASES[..3] {
            let [x, scale, dy] = inputs(*n, *d);
            let [dx, dscale, _] = reference::layer_norm_backward(&x, &scale, *epsilon, &dy);
            let nudged = |t: &Tensor, cell: usize, by: f32| {
                let mut t = t.clone();
                t.data_mut()[cell] += by;
                t
            };
            let h = 1.0 / 256.0;
            for cell in 0..x.len() {
                let at = |by| weighted(&nudged(&x, cell, by), &scale, 0.0, *epsilon, &dy);
                let slope = (at(h) - at(-h)) / (2.0 * f64::from(h));
                let actual = f64::from(dx.data()[cell]);
                assert!(
                    (actual - slope).abs() < 2e-3 * slope.abs().max(1.0),
                    "{says}: {actual} {slope}"
                );
            }
            for cell in 0..scale.len() {
                let at = |by| weighted(&x, &nudged(&scale, cell, by), 0.0, *epsilon, &dy);
                let slope = (at(h) - at(-h)) / (2.0 * f64::from(h));
                let actual = f64::from(dscale.data()[cell]);
                assert!(
                    (actual - slope).abs() < 1e-4 * slope.abs().max(1.0),
                    "{says}: {actual} {slope}"
                );
            }
        }
    }

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("give dx `[[0, 0]]`, dscale `[-1, 3]`"));
        let row = |cells: &[f32]| Tensor::new(&[1, 2], cells.to_vec());
        let scale = Tensor::new(&[2], vec![2.0, 2.0]);
        let [dx, dscale, dbias] =
            reference::layer_norm_backward(&row(&[-1.0, 1.0]), &scale, 0.0, &row(&[1.0, 3.0]));
        assert_eq!(dx.data(), [0.0, 0.0]);
        assert_eq!(
            (dscale.data(), dbias.data()),
            (&[-1.0, 3.0][..], &[1.0, 3.0][..])
        );
    }
}
