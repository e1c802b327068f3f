//! Write the cutting of sentences into batches. In the course, or under `exercise watch`, every save is checked.

/// Cuts pairs, given as lengths of source and target, into batches of consecutive numbers (0, 1, 2, …).
///
/// - Every sentence in a batch is padded to the longest side of all its pairs. The batch has that length times the
///   number of its pairs as cells.
/// - Each batch is as long as it can be with at most `tokens` cells.
/// - A pair that is longer than `tokens` is its own batch.
///
/// An example: `cut_batches(&[(2, 2), (2, 2), (3, 2)], 6)` is `[[0, 1], [2]]`, because three pairs would need
/// 3 · 3 = 9 cells.
///
/// # Guidance
///
/// What you can use: `lengths.iter().enumerate()`, `batches.last_mut() -> Option<&mut Vec<usize>>`.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let _ = (lengths, tokens);
    todo!("write cut_batches")
}
