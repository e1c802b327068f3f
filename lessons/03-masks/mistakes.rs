//! The classic mistakes of the future mask, each a function of the reference's signature: switches of
//! the stage, and what the exercise recognises. All but `flat` return `[1, length, length]`.

use transformer_tutor::tensor::Tensor;

/// A function of the reference's signature.
pub type Mask = fn(usize) -> Tensor;

/// Every mistake by the name of its switch. The last two do no harm on the stage, so they are no switches of it.
pub static ALL: [(&str, Mask); 7] = [
    ("no-future", no_future),
    ("reversed", reversed),
    ("strict", strict),
    ("upper", upper),
    ("anti-diagonal", anti_diagonal),
    ("flat", flat),
    ("as-bias", as_bias),
];

fn cells(length: usize, open: impl Fn(usize, usize) -> bool) -> Tensor {
    let cell = |i: &[usize]| if open(i[1], i[2]) { 1.0 } else { 0.0 };
    Tensor::from_fn(&[1, length, length], cell)
}

/// Every word sees every word: there is no mask.
pub fn no_future(length: usize) -> Tensor {
    cells(length, |_, _| true)
}

/// 1 means "blocked", in code that reads 1 as "may be seen".
pub fn reversed(length: usize) -> Tensor {
    cells(length, |row, column| column > row)
}

/// A word may not see itself, so the first sees nothing at all.
pub fn strict(length: usize) -> Tensor {
    cells(length, |row, column| column < row)
}

/// Rows and columns exchanged: every word sees itself and what comes after it.
pub fn upper(length: usize) -> Tensor {
    cells(length, |row, column| column >= row)
}

/// The triangle of the other diagonal: the first word sees all, the last only the first.
pub fn anti_diagonal(length: usize) -> Tensor {
    cells(length, |row, column| row + column < length)
}

/// Right values as a matrix `[length, length]`, without the axis that stretches over the batch.
pub fn flat(length: usize) -> Tensor {
    cells(length, |row, column| column <= row).reshape(&[length, length])
}

/// The form that is added to scores: 0 where a word may be seen, −1e9 where not.
pub fn as_bias(length: usize) -> Tensor {
    cells(length, |row, column| column <= row).map(|open| if open == 1.0 { 0.0 } else { -1e9 })
}
