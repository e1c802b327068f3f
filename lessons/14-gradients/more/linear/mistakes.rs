//! The classic mistakes of a linear layer and its gradients.

use super::reference::linear;
use transformer_tutor::tensor::Tensor;

/// The signature of what is to be written.
pub type LinearFn = fn(&Tensor, &Tensor, &Tensor, &Tensor) -> (Tensor, [Tensor; 3]);

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, LinearFn); 8] = [
    ("no-bias", |x, w, b, dy| {
        linear(x, w, &Tensor::zeros(b.shape()), dy)
    }),
    // W is read as [in, out].
    ("not-transposed", |x, w, b, dy| {
        let (_, gradients) = linear(x, w, b, dy);
        let turned = w.reshape(&[w.shape()[1], w.shape()[0]]).transpose();
        (linear(x, &turned, b, dy).0, gradients)
    }),
    ("dx-not-transposed", |x, w, b, dy| {
        let (y, [_, dw, db]) = linear(x, w, b, dy);
        let turned = w.reshape(&[w.shape()[1], w.shape()[0]]).transpose();
        (y, [linear(x, &turned, b, dy).1[0].clone(), dw, db])
    }),
    ("dweight-transposed", |x, w, b, dy| {
        let (y, [dx, dw, db]) = linear(x, w, b, dy);
        (y, [dx, dw.transpose(), db])
    }),
    ("mean-over-rows", |x, w, b, dy| {
        let (y, [dx, dw, db]) = linear(x, w, b, dy);
        let share = 1.0 / x.shape()[0] as f32;
        (y, [dx, dw.map(|d| d * share), db.map(|d| d * share)])
    }),
    ("dbias-mean", |x, w, b, dy| {
        let (y, [dx, dw, db]) = linear(x, w, b, dy);
        let share = 1.0 / x.shape()[0] as f32;
        (y, [dx, dw, db.map(|d| d * share)])
    }),
    ("dbias-first-row", |x, w, b, dy| {
        let (y, [dx, dw, _]) = linear(x, w, b, dy);
        (
            y,
            [dx, dw, Tensor::from_fn(b.shape(), |i| dy.at(&[0, i[0]]))],
        )
    }),
    // The gradient of the sum of y, whatever comes from above.
    ("no-upstream", |x, w, b, dy| {
        let (y, _) = linear(x, w, b, dy);
        (y, linear(x, w, b, &Tensor::ones(dy.shape())).1)
    }),
];
