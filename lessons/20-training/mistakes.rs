//! The classic mistakes of cutting batches, each a function of the reference's signature.

use transformer_tutor::data::batches::cut;

/// The signature of the cut: lengths of source and target, and the most cells of a batch; numbers of pairs out.
pub type Cut = fn(&[(usize, usize)], usize) -> Vec<Vec<usize>>;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, Cut); 4] = [
    ("words-not-cells", words_not_cells),
    ("length-before", length_before),
    ("target-alone", target_alone),
    ("last-lost", last_lost),
];

/// Puts each pair into the batch before it while it `fits`, else into one of its own.
fn filled(count: usize, fits: impl Fn(&[usize], usize) -> bool) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for i in 0..count {
        match batches.last_mut() {
            Some(batch) if fits(batch, i) => batch.push(i),
            _ => batches.push(vec![i]),
        }
    }
    batches
}

/// Adds up the words of the longer side, as if there were no padding.
pub fn words_not_cells(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let long = |i: &usize| lengths[*i].0.max(lengths[*i].1);
    filled(lengths.len(), |batch, i| {
        batch.iter().map(long).sum::<usize>() + long(&i) <= tokens
    })
}

/// Multiplies by the longest of those that are already in, not counting the one that comes.
pub fn length_before(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let long = |i: &usize| lengths[*i].0.max(lengths[*i].1);
    filled(lengths.len(), |batch, _| {
        batch.iter().map(long).max().unwrap_or(0) * (batch.len() + 1) <= tokens
    })
}

/// Counts the target and forgets that the source is padded too.
pub fn target_alone(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let targets: Vec<(usize, usize)> = lengths.iter().map(|&(_, target)| (0, target)).collect();
    cut(&targets, tokens)
}

/// Keeps a batch only when the next one begins: the last never comes.
pub fn last_lost(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches = cut(lengths, tokens);
    batches.pop();
    batches
}
