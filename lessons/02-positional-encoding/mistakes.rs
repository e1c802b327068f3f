//! The classic mistakes of the position table, each a function of the reference's signature.

use transformer_tutor::tensor::Tensor;

/// The signature of the position table.
pub type TableFn = fn(usize, usize) -> Tensor;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, TableFn); 5] = [
    ("own-frequency", own_frequency),
    ("from-one", from_one),
    ("small-base", small_base),
    ("swapped", swapped),
    ("half-exponent", half_exponent),
];

/// A table `[length, d_model]` of waves: `angle` of a position and a column, `cosine` in odd columns.
fn table(
    length: usize,
    d_model: usize,
    angle: impl Fn(usize, usize) -> f64,
    odd_is_cosine: bool,
) -> Tensor {
    Tensor::from_fn(&[length, d_model], |i| {
        let cosine = (i[1] % 2 == 1) == odd_is_cosine;
        let angle = angle(i[0], i[1]);
        if cosine {
            angle.cos() as f32
        } else {
            angle.sin() as f32
        }
    })
}

fn rate(base: f64, exponent: f64) -> f64 {
    base.powf(-exponent)
}

/// Every column has its own frequency: the exponent is 2·column/d_model, not 2·(column/2)/d_model.
pub fn own_frequency(length: usize, d_model: usize) -> Tensor {
    table(
        length,
        d_model,
        |p, c| p as f64 * rate(10_000.0, 2.0 * c as f64 / d_model as f64),
        true,
    )
}

/// Positions begin at 1.
pub fn from_one(length: usize, d_model: usize) -> Tensor {
    table(
        length,
        d_model,
        |p, c| (p + 1) as f64 * rate(10_000.0, (c / 2 * 2) as f64 / d_model as f64),
        true,
    )
}

/// The base is 1000 instead of 10000. (Base 100 would be the same as half the exponent.)
pub fn small_base(length: usize, d_model: usize) -> Tensor {
    table(
        length,
        d_model,
        |p, c| p as f64 * rate(1000.0, (c / 2 * 2) as f64 / d_model as f64),
        true,
    )
}

/// Cosines stand in the even columns.
pub fn swapped(length: usize, d_model: usize) -> Tensor {
    table(
        length,
        d_model,
        |p, c| p as f64 * rate(10_000.0, (c / 2 * 2) as f64 / d_model as f64),
        false,
    )
}

/// The exponent is i/d_model instead of 2i/d_model.
pub fn half_exponent(length: usize, d_model: usize) -> Tensor {
    table(
        length,
        d_model,
        |p, c| p as f64 * rate(10_000.0, (c / 2) as f64 / d_model as f64),
        true,
    )
}
