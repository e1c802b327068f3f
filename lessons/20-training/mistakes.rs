//! The classic mistakes of cutting batches, each a function of the reference's signature.

/// The signature of the cut: lengths of source and target, and the most cells of a batch; numbers of pairs out.
pub type Cut = fn(&[(usize, usize)], usize) -> Vec<Vec<usize>>;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, Cut); 4] = [
    ("words-not-cells", words_not_cells),
    ("length-before", length_before),
    ("target-alone", target_alone),
    ("last-lost", last_lost),
];

/// Adds up the words of the longer side, as if there were no padding.
pub fn words_not_cells(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut words = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        let long = source.max(target);
        match batches.last_mut() {
            Some(batch) if words + long <= tokens => {
                batch.push(i);
                words += long;
            }
            _ => {
                batches.push(vec![i]);
                words = long;
            }
        }
    }
    batches
}

/// Multiplies by the longest of those that are already in, not counting the one that comes.
pub fn length_before(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (i, &(source, target)) in lengths.iter().enumerate() {
        match batches.last_mut() {
            Some(batch) if longest * (batch.len() + 1) <= tokens => {
                batch.push(i);
                longest = longest.max(source).max(target);
            }
            _ => {
                batches.push(vec![i]);
                longest = source.max(target);
            }
        }
    }
    batches
}

/// Counts the target and forgets that the source is padded too.
pub fn target_alone(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let targets: Vec<(usize, usize)> = lengths.iter().map(|&(_, target)| (0, target)).collect();
    transformer_tutor::data::batches::cut(&targets, tokens)
}

/// Keeps a batch only when the next one begins: the last never comes.
pub fn last_lost(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches = transformer_tutor::data::batches::cut(lengths, tokens);
    batches.pop();
    batches
}
