//! Write the cutting of sentences into batches. Save, and the check runs.

/// Cuts pairs, given as lengths of source and target, into batches: runs of their numbers (0, 1, 2, …), in order.
///
/// Each batch is as long as it can be while its cells are at most `tokens`. Cells: every sentence is padded to the
/// longest side of all pairs of the batch, so their number is that length times the number of pairs. A pair that is
/// longer than `tokens` is a batch of its own.
///
/// `cut_batches(&[(2, 2), (2, 2), (3, 2)], 6)` is `[[0, 1], [2]]`: three pairs would need 3 · 3 = 9 cells.
pub fn cut_batches(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let _ = (lengths, tokens);
    todo!("keep a current batch, and start another when the next pair would make it too large")
}
