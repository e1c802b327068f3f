//! The classic mistakes in Xavier initialisation.

use super::reference::xavier_uniform;
use transformer_tutor::tensor::Tensor;

/// The signature of the function to write.
pub type InitFn = fn(usize, usize, &mut dyn FnMut() -> f32) -> Tensor;

/// Numbers between −limit and limit.
fn within(limit: f32, i: usize, o: usize, u: &mut dyn FnMut() -> f32) -> Tensor {
    Tensor::from_fn(&[o, i], |_| (2.0 * u() - 1.0) * limit)
}

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, InitFn); 7] = [
    ("positive", |i, o, u| {
        let limit = (6.0 / (i + o) as f32).sqrt();
        Tensor::from_fn(&[o, i], |_| u() * limit)
    }),
    ("no-root", |i, o, u| within(6.0 / (i + o) as f32, i, o, u)),
    // Takes the standard deviation for the limit.
    ("deviation", |i, o, u| {
        xavier_uniform(i, o, u).map(|x| x / 3.0_f32.sqrt())
    }),
    ("fan-in-alone", |i, o, u| {
        within((6.0 / i as f32).sqrt(), i, o, u)
    }),
    ("transposed", |i, o, u| xavier_uniform(o, i, u)),
    ("one-number", |i, o, u| {
        let limit = (6.0 / (i + o) as f32).sqrt();
        Tensor::full(&[o, i], (2.0 * u() - 1.0) * limit)
    }),
    ("half-the-range", |i, o, u| {
        xavier_uniform(i, o, u).map(|x| x / 2.0)
    }),
];

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, InitFn); 8] = [
    (
        "Your limit is 1 / sqrt(fan_in), PyTorch's default for a linear layer. Xavier's is sqrt(6 / (fan_in + fan_out)).",
        |i, o, u| within(1.0 / (i as f32).sqrt(), i, o, u),
    ),
    (
        "You take the root of 6 only. It must cover the whole quotient: sqrt(6 / (fan_in + fan_out)).",
        |i, o, u| within(6.0_f32.sqrt() / (i + o) as f32, i, o, u),
    ),
    (
        "You divide integers, so the remainder is lost. Convert the sum to f32 before you divide.",
        |i, o, u| within(((6 / (i + o)) as f32).sqrt(), i, o, u),
    ),
    (
        "You divide 6 by the mean of fan_in and fan_out. Divide it by their sum, or divide 3 by the mean.",
        |i, o, u| within((12.0 / (i + o) as f32).sqrt(), i, o, u),
    ),
    (
        "You divide 3 by fan_in + fan_out. Divide 6 by that sum, or divide 3 by the mean of the two.",
        |i, o, u| within((3.0 / (i + o) as f32).sqrt(), i, o, u),
    ),
    (
        "You divide 6 by the product of fan_in and fan_out. Divide it by their sum.",
        |i, o, u| within((6.0 / (i * o) as f32).sqrt(), i, o, u),
    ),
    (
        "You draw the numbers column by column. Draw them row by row.",
        |i, o, u| xavier_uniform(o, i, u).transpose(),
    ),
    (
        "You divide by twice fan_in. Divide 6 by fan_in + fan_out: both ends of the layer count.",
        |i, o, u| within((6.0 / (2 * i) as f32).sqrt(), i, o, u),
    ),
];
