//! Write fast learning of byte-pair merges. In the course, or under `exercise watch`, every save is checked.

/// The merges of `byte_pairs`, fast enough for real text: part two of the check has a megabyte with 20,000 different
/// words, and asks for 5,000 merges within a few seconds.
///
/// - A word begins as its characters, with `</w>` appended to the last: `low` is `l`, `o`, `w</w>`.
/// - A merge joins the pair of neighbouring symbols that occurs most often in the text, everywhere, from left to right.
///   Of equally frequent pairs it takes the last in the order of code points (that of `String`).
/// - Symbols with the same text are the same symbol, whichever merges made them.
/// - Learning ends after `merges` merges, or when no pair occurs twice.
///
/// An example: `fast_byte_pairs(&[("low", 2), ("slow", 1)], 9)` is `[("o", "w</w>"), ("l", "ow</w>")]`.
///
/// # Guidance
///
/// A merge changes only the words that have the pair, and in them only the pairs beside it. Keep the count of every pair,
/// and the words that have it, and bring both up to date at each merge. Comparing numbers is faster than comparing texts:
/// give each symbol a number.
///
/// What you can use: `HashMap` and `HashSet` of pairs of numbers; `map.entry(pair).or_default()`; `map.remove(&pair)`.
pub fn fast_byte_pairs(words: &[(&str, usize)], merges: usize) -> Vec<(String, String)> {
    let _ = (words, merges);
    todo!("write fast_byte_pairs")
}
