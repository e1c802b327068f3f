//! Learn byte-pair merges. Save, and the check runs.

/// The merges that byte-pair encoding learns from `words`, each with how often it occurs.
///
/// A word begins as its characters, the last with `</w>` behind it: `low` is `l`, `o`, `w</w>`. Again and again the
/// pair of neighbours that occurs most often in the text becomes one symbol, wherever it stands, from left to right.
/// Of equally frequent pairs take the last in the order of code points (that of `String`). End after `merges` of
/// them, or before a pair that occurs only once.
///
/// What you can use: `slice.windows(2)` for neighbours; a `BTreeMap` counts and keeps its keys in order;
/// `max_by_key` takes the last of equals.
pub fn byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let _ = (words, merges);
    todo!("count the pairs, merge the most frequent, and again")
}
