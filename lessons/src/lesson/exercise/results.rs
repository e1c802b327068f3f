//! Results of a function on the cases of a check.

use super::same_result;
use crate::tensor::Tensor;

/// Results of a function on every case, in parts; the panic's message where there is none.
pub type Results = Vec<Result<Tensor, String>>;

/// Which results of two functions agree.
pub(super) fn same(a: &Results, b: &Results) -> Vec<bool> {
    let pairs = a.iter().zip(b);
    let same = pairs.map(|(a, b)| match (a, b) {
        (Ok(a), Ok(b)) => same_result(a, b),
        // The same mistake stops at the same step with the same numbers in its message.
        (Err(a), Err(b)) => a == b,
        _ => false,
    });
    same.collect()
}
