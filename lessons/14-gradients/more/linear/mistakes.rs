//! The classic mistakes in a linear layer and its gradients.

use super::reference::linear;
use transformer_tutor::tensor::Tensor;

/// The signature of the function to write.
pub type LinearFn = fn(&Tensor, &Tensor, &Tensor, &Tensor) -> (Tensor, [Tensor; 3]);

/// Reads W as [in, out].
fn turned(w: &Tensor) -> Tensor {
    w.reshape(&[w.shape()[1], w.shape()[0]]).transpose()
}

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, LinearFn); 8] = [
    ("no-bias", |x, w, b, dy| {
        linear(x, w, &Tensor::zeros(b.shape()), dy)
    }),
    ("not-transposed", |x, w, b, dy| {
        let (_, gradients) = linear(x, w, b, dy);
        (linear(x, &turned(w), b, dy).0, gradients)
    }),
    ("dx-not-transposed", |x, w, b, dy| {
        let (y, [_, dw, db]) = linear(x, w, b, dy);
        (y, [linear(x, &turned(w), b, dy).1[0].clone(), dw, db])
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
    // Returns the gradient of the sum of y, whatever the upstream gradient.
    ("no-upstream", |x, w, b, dy| {
        let (y, _) = linear(x, w, b, dy);
        (y, linear(x, w, b, &Tensor::ones(dy.shape())).1)
    }),
];

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, LinearFn); 14] = [
    (
        "You read W as [in, out] everywhere. It is [out, in], as PyTorch keeps it, and so is its gradient.",
        |x, w, b, dy| {
            let (y, [dx, dw, db]) = linear(x, &turned(w), b, dy);
            (y, [dx, dw.transpose(), db])
        },
    ),
    (
        "You add the bias to every product. Add it once, to their sum.",
        |x, w, b, dy| linear(x, w, &b.map(|b| b * x.last() as f32), dy),
    ),
    (
        "Your gradient by the bias is dy itself. The bias enters every row: sum dy over the rows.",
        |x, w, b, dy| {
            let (y, [dx, dw, _]) = linear(x, w, b, dy);
            (y, [dx, dw, dy.clone()])
        },
    ),
    (
        "Your gradient by the bias sums over the outputs. Each output has a bias of its own: sum over the rows.",
        |x, w, b, dy| {
            let (y, [dx, dw, _]) = linear(x, w, b, dy);
            let sums = dy.data().chunks(dy.last()).map(|row| row.iter().sum());
            (y, [dx, dw, Tensor::new(&[dy.shape()[0]], sums.collect())])
        },
    ),
    (
        "You return the gradients by x and W in the wrong order: dx, dweight, dbias.",
        |x, w, b, dy| {
            let (y, [dx, dw, db]) = linear(x, w, b, dy);
            (y, [dw, dx, db])
        },
    ),
    (
        "Your gradient by W is a mean over the rows. It is their sum: if the loss is a mean, dy says so already.",
        |x, w, b, dy| {
            let (y, [dx, dw, db]) = linear(x, w, b, dy);
            let share = 1.0 / x.shape()[0] as f32;
            (y, [dx, dw.map(|d| d * share), db])
        },
    ),
    (
        "Your gradients have the wrong sign. A gradient points uphill; the optimiser subtracts it.",
        |x, w, b, dy| (linear(x, w, b, dy).0, linear(x, w, b, &dy.map(|d| -d)).1),
    ),
    (
        "Your dx ignores dy. The chain rule multiplies by it: dx = dy W.",
        |x, w, b, dy| {
            let (y, [dx, dw, db]) = linear(x, w, b, dy);
            let ones = Tensor::ones(dy.shape());
            let (_, [of_ones, ..]) = linear(x, w, b, &ones);
            let _ = dx;
            (y, [of_ones, dw, db])
        },
    ),
    (
        "Your dW ignores dy. The chain rule multiplies by it: dW = dyᵀ x.",
        |x, w, b, dy| {
            let (y, [dx, dw, db]) = linear(x, w, b, dy);
            let ones = Tensor::ones(dy.shape());
            let (_, [_, of_ones, _]) = linear(x, w, b, &ones);
            let _ = dw;
            (y, [dx, of_ones, db])
        },
    ),
    (
        "The gradient of your bias ignores dy. It is the sum of dy over all rows.",
        |x, w, b, dy| {
            let (y, [dx, dw, db]) = linear(x, w, b, dy);
            let ones = Tensor::ones(db.shape());
            (y, [dx, dw, ones])
        },
    ),
    (
        "Your dW has only the last row's part. Each row adds its own: sum over all rows.",
        |x, w, b, dy| {
            let (y, [dx, dw, db]) = linear(x, w, b, dy);
            let last = x.shape()[0] - 1;
            let of_last = |i: &[usize]| dy.at(&[last, i[0]]) * x.at(&[last, i[1]]);
            let dw = Tensor::from_fn(dw.shape(), of_last);
            (y, [dx, dw, db])
        },
    ),
    (
        "Your dW has only the first row's part. Each row adds its own: sum over all rows.",
        |x, w, b, dy| {
            let (y, [dx, dw, db]) = linear(x, w, b, dy);
            let of_first = |i: &[usize]| dy.at(&[0, i[0]]) * x.at(&[0, i[1]]);
            let dw = Tensor::from_fn(dw.shape(), of_first);
            (y, [dx, dw, db])
        },
    ),
    (
        "You use y where dy belongs. The gradients carry what comes from above: dy.",
        |x, w, b, dy| {
            let (y, [_, _, db]) = linear(x, w, b, dy);
            let (_, [dx, dw, _]) = linear(x, w, b, &y);
            (y, [dx, dw, db])
        },
    ),
    (
        "Your dW multiplies two sums over the rows. Multiply first, row by row, and sum the products.",
        |x, w, b, dy| {
            let (y, [dx, dw, db]) = linear(x, w, b, dy);
            let rows = x.shape()[0];
            let sum = |of: &Tensor, column| (0..rows).map(|r| of.at(&[r, column])).sum::<f32>();
            let dw = Tensor::from_fn(dw.shape(), |i| sum(dy, i[0]) * sum(x, i[1]));
            (y, [dx, dw, db])
        },
    ),
];
