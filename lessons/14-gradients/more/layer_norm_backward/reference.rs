//! The reference solution of the challenge: the backward pass of layer normalisation.

use transformer_tutor::tensor::Tensor;

transformer_tutor::reference! { "layer_norm_backward";
// ANCHOR: forward
/// `dx = (g − mean(g) − x̂ mean(g ⊙ x̂)) / sqrt(variance + ε)` with `g = scale ⊙ dy`, row by row;
/// `dscale = Σ dy ⊙ x̂` and `dbias = Σ dy` over the rows.
pub fn layer_norm_backward(x: &Tensor, scale: &Tensor, epsilon: f32, dy: &Tensor) -> [Tensor; 3] {
    let d = x.last();
    let mean = |row: &[f32]| row.iter().sum::<f32>() / d as f32;
    let mut dx = Vec::with_capacity(x.len());
    let mut dscale = vec![0.0; d];
    let mut dbias = vec![0.0; d];
    for (row, dy) in x.data().chunks(d).zip(dy.data().chunks(d)) {
        let centre = mean(row);
        let squares: Vec<f32> = row.iter().map(|x| (x - centre) * (x - centre)).collect();
        let deviation = (mean(&squares) + epsilon).sqrt();
        let normal: Vec<f32> = row.iter().map(|x| (x - centre) / deviation).collect();
        let g: Vec<f32> = scale.data().iter().zip(dy).map(|(s, dy)| s * dy).collect();
        // Mean and standard deviation depend on every number of the row, which removes two
        // directions from g.
        let along: Vec<f32> = g.iter().zip(&normal).map(|(g, x)| g * x).collect();
        let (shift, stretch) = (mean(&g), mean(&along));
        dx.extend(
            g.iter()
                .zip(&normal)
                .map(|(g, x)| (g - shift - x * stretch) / deviation),
        );
        for (sum, (dy, x)) in dscale.iter_mut().zip(dy.iter().zip(&normal)) {
            *sum += dy * x;
        }
        for (sum, dy) in dbias.iter_mut().zip(dy) {
            *sum += dy;
        }
    }
    let vector = |cells: Vec<f32>| Tensor::new(&[d], cells);
    [Tensor::new(x.shape(), dx), vector(dscale), vector(dbias)]
}
// ANCHOR_END: forward
}
