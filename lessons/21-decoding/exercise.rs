//! Write a step of beam search. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::tensor::Tensor;

/// The `2 · beam` most probable continuations (all of them, if there are fewer), the most probable first. Among equal
/// ones, that of the earlier hypothesis comes first, then that of the earlier token.
///
/// - `alive[i]`: the log-probability of living hypothesis `i`
/// - `next [hypotheses, vocabulary]`: in row `i` the log-probabilities of its next token
/// - `length`: number of tokens in a continuation
///
/// You return each continuation as a `Branch { parent, word, log_prob, score, fate }`:
///
/// - `parent: usize`, the hypothesis; `word: u32`, the token
/// - `log_prob: f64`: that of the whole continuation
/// - `score: f64`: `log_prob`, divided by the length penalty of Wu et al. (2016): a sixth of five more than the length,
///   to the power of `alpha`
/// - `fate: Fate`: `Fate::Finished` if the token is `eos`; the first `beam` of the others are `Fate::Alive(0)`,
///   `Fate::Alive(1)`, …, and the rest `Fate::Pruned`
///
/// An example: `alive` `[-1]`, `next` `[[-0.5, -1.5, -2]]`, beam 1, eos 0, length 7, alpha 1 give token 0 with
/// log_prob −1.5 and score −0.75, finished, and token 1 with −2.5 and −1.25, alive in place 0.
///
/// # Guidance
///
/// In the example, token 0 has −0.5 after a hypothesis of −1, which makes −1.5. At length 7 the penalty is 12 / 6 = 2,
/// so the score is −0.75.
///
/// What you can use:
///
/// - `next.data() -> &[f32]`, all cells row by row; `next.last() -> usize`, the size of the last axis;
///   `slice.chunks(n)`
/// - `sort_by`, which keeps the order of equals, with `a.total_cmp(&b)`
pub fn beam_step(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
) -> Vec<Branch> {
    let _ = (alive, next, beam, eos, length, alpha, Fate::Finished);
    todo!("write beam_step")
}
