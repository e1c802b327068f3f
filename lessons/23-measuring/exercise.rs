//! Score translations with BLEU. In the course, or under `exercise watch`, every save is checked.

/// BLEU of `hyps` against `refs`, line by line, 0 to 100 (Papineni et al. 2002): how many of the hypotheses' runs of
/// one to four words the references have too, and a penalty for hypotheses that are too short.
///
/// - Words are separated by white space; an empty line has none.
/// - The precision of a length is the proportion of the hypotheses' n-grams that match, over all lines together. In
///   each line an n-gram matches at most as often as the reference has it.
/// - The four precisions are averaged geometrically.
/// - The brevity penalty takes effect if all hypotheses together have fewer words than all references. With half of
///   their words it is 1/e, with two thirds the root of 1/e.
/// - The result is 0 if no n-gram of some length matches.
///
/// An example: `bleu(&["a b c d e"], &["a b c d x"])` is 66.87, with precisions of 4/5, 3/4, 2/3 and 1/2.
///
/// # Guidance
///
/// In the example the product of the four precisions is 0.2, whose fourth root is 0.6687, and there is no penalty,
/// because both lines have five words.
///
/// What you can use: `split_whitespace()`, `slice.windows(n)`, and a `HashMap` that counts.
pub fn bleu(hyps: &[&str], refs: &[&str]) -> f64 {
    let _ = (hyps, refs);
    todo!("write bleu")
}
