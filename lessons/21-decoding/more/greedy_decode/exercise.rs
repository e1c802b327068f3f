//! Write greedy decoding. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

/// Writes the most probable token, again and again.
///
/// - `next(&tokens)` is the model: it reads tokens, `BOS` first, and returns the log-probability of every id in the
///   vocabulary as the next token
/// - `limit`: the maximum number of tokens to write; with 0 the model is not called at all
///
/// Padding is never written, whatever its probability. Of equally probable tokens the one with the smallest id is taken.
///
/// What the model reads, what ends the loop and what is returned is for you to decide. A model predicts 5 after `BOS`,
/// then 6, 7, `EOS` and 4, each when it has read one token more. With it, six functions, each with one mistake, returned:
///
/// - with limit 5: `[5, 5, 5, 5, 5]`, `[5, 6, 7, 2, 4]`, `[5, 6, 7, 2]` and `[1, 5, 6, 7]`
/// - with limit 2: `[5, 6, 7]` and `[5]`
///
/// `BOS` is 1, `EOS` is 2 and `PAD` is 0, ids of type `usize`.
///
/// An example: a model that always gives `[-0.1, -3, -2, -1, -1]` lets `limit` 2 write `[3, 3]`.
///
/// # Guidance
///
/// What must the model not have read if it predicts 5 again and again? Which of the ids that it reads or predicts are
/// not part of a translation? `max_by` takes the last of equals, so it finds the wrong one here.
pub fn greedy_decode(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize) -> Vec<usize> {
    let _ = (next, limit, BOS, EOS, PAD);
    todo!("write greedy_decode")
}
