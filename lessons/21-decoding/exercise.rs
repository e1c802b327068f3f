//! Write a step of beam search. Save, and the check runs.

use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

/// The `2 · beam` likeliest of all continuations, likeliest first (of equal ones that of the earlier
/// hypothesis, then that of the earlier word), and what becomes of each.
///
/// `alive[i]` is the log-probability of living hypothesis `i`; row `i` of `next [hypotheses,
/// vocabulary]` holds those of its next word. A continuation's log-probability is the sum of the two.
/// One whose word is `eos` is `Fate::Finished`; of the others the first `beam` are `Fate::Alive(0)`,
/// `Fate::Alive(1)`, …, and the rest `Fate::Pruned`. Its `score` is its log-probability divided by
/// `((5 + length) / 6)^alpha`.
///
/// What you can use: `next.data().chunks(next.last())` gives the rows, `sort_by` with
/// `b.log_prob.total_cmp(&a.log_prob)` sorts, and of equal ones keeps the first before the second.
pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let _ = (alive, next, beam, eos, length, alpha, Fate::Finished);
    todo!("all continuations, the best of them, and their fates")
}
