//! Write the cutting of sentences into batches. In the course, or under `exercise watch`, every save is checked.

/// Cuts pairs, given as lengths of source and target, into batches of consecutive numbers (0, 1, 2, …).
///
/// - All sentences in a batch, sources and targets, are padded to one length. Padding fills cells, too.
/// - Each batch is as long as it can be with at most `tokens` cells.
/// - A pair that is longer than `tokens` is its own batch.
///
/// How many cells a batch has is for you to decide. Five functions, each with one mistake, cut these pairs with `tokens` 8:
///
/// - `[(2, 2), (2, 2), (3, 3)]` into 1 batch, which has 9 cells
/// - `[(1, 4), (1, 4), (1, 4)]` into 1 batch, which has 12 cells
/// - `[(4, 1), (4, 1), (4, 1)]` into 1 batch, which has 12 cells
/// - `[(4, 4), (4, 4)]` into 2 batches, though 1 batch has 8 cells
/// - `[(1, 4), (4, 1)]` into 2 batches, though 1 batch has 8 cells
///
/// An example: `cut_batches(&[(2, 2), (2, 2), (3, 2)], 6)` is `[[0, 1], [2]]`.
///
/// # Guidance
///
/// From which two numbers of a batch do 9, 12 and 8 come, and what happens to them when one more pair is added?
///
/// What you can use: `lengths.iter().enumerate()`, `batches.last_mut() -> Option<&mut Vec<usize>>`.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let _ = (lengths, tokens);
    todo!("write cut_batches")
}
