//! The classic mistakes of Xavier initialisation.

use super::reference::xavier_uniform;
use transformer_tutor::tensor::Tensor;

/// The signature of what is to be written.
pub type InitFn = fn(usize, usize, &mut dyn FnMut() -> f32) -> Tensor;

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, InitFn); 7] = [
    ("positive", |i, o, u| {
        let limit = (6.0 / (i + o) as f32).sqrt();
        Tensor::from_fn(&[o, i], |_| u() * limit)
    }),
    ("no-root", |i, o, u| {
        let limit = 6.0 / (i + o) as f32;
        Tensor::from_fn(&[o, i], |_| (2.0 * u() - 1.0) * limit)
    }),
    // The standard deviation taken for the limit.
    ("deviation", |i, o, u| {
        xavier_uniform(i, o, u).map(|x| x / 3.0_f32.sqrt())
    }),
    ("fan-in-alone", |i, o, u| {
        let limit = (6.0 / i as f32).sqrt();
        Tensor::from_fn(&[o, i], |_| (2.0 * u() - 1.0) * limit)
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
