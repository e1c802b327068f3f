//! The reference solution of the challenge: a linear layer, forward and backward.

use transformer_tutor::tensor::Tensor;

transformer_tutor::reference! { "linear";
// ANCHOR: forward
/// `y = x Wᵀ + b`, so `dx = dy W`, `dW = dyᵀ x` and `db = Σ dy` over the rows.
pub fn linear(x: &Tensor, weight: &Tensor, bias: &Tensor, dy: &Tensor) -> (Tensor, [Tensor; 3]) {
    let (n, inputs) = (x.shape()[0], x.last());
    let outputs = bias.len();
    let y = Tensor::from_fn(&[n, outputs], |i| {
        let (row, out) = (i[0], i[1]);
        let products = (0..inputs).map(|k| x.at(&[row, k]) * weight.at(&[out, k]));
        products.sum::<f32>() + bias.at(&[out])
    });
    let dx = Tensor::from_fn(x.shape(), |i| {
        let (row, k) = (i[0], i[1]);
        (0..outputs)
            .map(|out| dy.at(&[row, out]) * weight.at(&[out, k]))
            .sum()
    });
    let dweight = Tensor::from_fn(weight.shape(), |i| {
        let (out, k) = (i[0], i[1]);
        (0..n).map(|row| dy.at(&[row, out]) * x.at(&[row, k])).sum()
    });
    let dbias = Tensor::from_fn(bias.shape(), |i| {
        (0..n).map(|row| dy.at(&[row, i[0]])).sum()
    });
    (y, [dx, dweight, dbias])
}
// ANCHOR_END: forward
}
