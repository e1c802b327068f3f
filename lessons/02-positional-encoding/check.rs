//! The exercise: the position table, and sizes that distinguish it from its mistakes.

use transformer_tutor::nn::positional_encoding::positional_encoding as reference;
use transformer_tutor::tensor::Tensor;

use super::starter;

/// The signature of the position table.
pub type TableFn = fn(usize, usize) -> Tensor;

transformer_tutor::task! { positional_encoding: TableFn = reference;
    |f| TASK.compared(f, &CASES, 1e-4, |&(length, d_model), f| f(length, d_model))
}

/// Cases to try: length and d_model.
const CASES: [(&str, (usize, usize)); 6] = [
    ("length 5, d_model 8", (5, 8)),
    ("length 3, d_model 2", (3, 2)),
    ("length 12, d_model 30", (12, 30)),
    ("length 1, d_model 6", (1, 6)),
    ("length 200, d_model 64", (200, 64)),
    ("length 0, d_model 4", (0, 4)),
];
