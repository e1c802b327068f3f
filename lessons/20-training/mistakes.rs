//! The classic mistakes in cutting batches, each with the reference's signature.

use transformer_tutor::data::batches::cut;

/// The signature of the cut: from lengths of source and target and the maximum number of cells, to the numbers of the
/// pairs in each batch.
pub type Cut = fn(&[(usize, usize)], usize) -> Vec<Vec<usize>>;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, Cut); 4] = [
    ("words-not-cells", words_not_cells),
    ("length-before", length_before),
    ("target-alone", target_alone),
    ("last-lost", last_lost),
];

/// Adds each pair to the previous batch while it `fits`, else starts a new one.
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

/// Length of a pair's longer side.
fn long((source, target): (usize, usize)) -> usize {
    source.max(target)
}

/// Longest side of the pairs with these numbers.
fn longest(lengths: &[(usize, usize)], numbers: &[usize]) -> usize {
    let sides = numbers.iter().map(|&i| long(lengths[i]));
    sides.max().unwrap_or(0)
}

/// Cuts the pairs with these numbers, in this order.
fn picked(lengths: &[(usize, usize)], numbers: &[usize], tokens: usize) -> Vec<Vec<usize>> {
    let taken: Vec<(usize, usize)> = numbers.iter().map(|&i| lengths[i]).collect();
    let mut batches = cut(&taken, tokens);
    batches.iter_mut().flatten().for_each(|i| *i = numbers[*i]);
    batches
}

/// Adds up the tokens of the longer sides, as if there were no padding.
pub fn words_not_cells(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let long = |i: &usize| long(lengths[*i]);
    filled(lengths.len(), |batch, i| {
        batch.iter().map(long).sum::<usize>() + long(&i) <= tokens
    })
}

/// Multiplies by the longest pair already in the batch, ignoring the new one.
pub fn length_before(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    filled(lengths.len(), |batch, _| {
        longest(lengths, batch) * (batch.len() + 1) <= tokens
    })
}

/// Counts only the target, forgetting that the source is padded too.
pub fn target_alone(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let targets: Vec<(usize, usize)> = lengths.iter().map(|&(_, target)| (0, target)).collect();
    cut(&targets, tokens)
}

/// Keeps a batch only when the next one begins, so the last is lost.
pub fn last_lost(lengths: &[(usize, usize)], tokens: usize) -> Vec<Vec<usize>> {
    let mut batches = cut(lengths, tokens);
    batches.pop();
    batches
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, Cut); 12] = [
    (
        "You count the source alone. Both sides are padded to the longest side of all pairs of the batch.",
        |lengths, tokens| {
            let sources: Vec<_> = lengths.iter().map(|&(source, _)| (source, 0)).collect();
            cut(&sources, tokens)
        },
    ),
    (
        "You take source and target together as the length of a pair. Its length is that of the longer side.",
        |lengths, tokens| {
            let sums: Vec<_> = lengths.iter().map(|&(s, t)| (s + t, 0)).collect();
            cut(&sums, tokens)
        },
    ),
    (
        "Your longest side is that of all pairs so far. With each batch it begins anew: only the pairs of the batch count.",
        |lengths, tokens| {
            let so_far = |i: usize| lengths[..=i].iter().copied().map(long).max();
            filled(lengths.len(), |batch, i| {
                so_far(i).unwrap_or(0) * (batch.len() + 1) <= tokens
            })
        },
    ),
    (
        "You cut before a batch has as many cells as are allowed. Exactly as many are allowed, too.",
        |lengths, tokens| cut(lengths, tokens.saturating_sub(1)),
    ),
    (
        "You multiply by the length of the new pair alone. All pairs are padded to the longest of the batch, which may be an earlier one.",
        |lengths, tokens| {
            filled(lengths.len(), |batch, i| {
                long(lengths[i]) * (batch.len() + 1) <= tokens
            })
        },
    ),
    (
        "You count the pairs of the batch without the one that is to be added. With it there is one more.",
        |lengths, tokens| {
            filled(lengths.len(), |batch, i| {
                longest(lengths, batch).max(long(lengths[i])) * batch.len() <= tokens
            })
        },
    ),
    (
        "You limit the number of sentences of a batch. Limit its cells: the longest side times the number of pairs.",
        |lengths, tokens| filled(lengths.len(), |batch, _| batch.len() < tokens),
    ),
    (
        "You drop pairs that are longer than allowed. Such a pair is a batch of its own.",
        |lengths, tokens| {
            let kept: Vec<usize> = (0..lengths.len())
                .filter(|&i| long(lengths[i]) <= tokens)
                .collect();
            picked(lengths, &kept, tokens)
        },
    ),
    (
        "You sort the pairs by length. They are cut in the order in which they come.",
        |lengths, tokens| {
            let mut order: Vec<usize> = (0..lengths.len()).collect();
            order.sort_by_key(|&i| long(lengths[i]));
            picked(lengths, &order, tokens)
        },
    ),
    (
        "Your first batch is empty where the first pair is longer than allowed. Close a batch only if a pair is in it.",
        |lengths, tokens| {
            let mut batches = cut(lengths, tokens);
            if lengths.first().is_some_and(|&pair| long(pair) > tokens) {
                batches.insert(0, Vec::new());
            }
            batches
        },
    ),
    (
        "You return an empty batch where there is no pair. Close the last batch only if a pair is in it.",
        |lengths, tokens| {
            if lengths.is_empty() {
                vec![Vec::new()]
            } else {
                cut(lengths, tokens)
            }
        },
    ),
    (
        "You put a pair into an earlier batch that still has room. A batch holds pairs that follow one another: only the last one can grow.",
        |lengths, tokens| {
            let mut batches: Vec<Vec<usize>> = Vec::new();
            for (i, &pair) in lengths.iter().enumerate() {
                let fits = |batch: &&mut Vec<usize>| {
                    longest(lengths, batch).max(long(pair)) * (batch.len() + 1) <= tokens
                };
                match batches.iter_mut().find(fits) {
                    Some(batch) => batch.push(i),
                    None => batches.push(vec![i]),
                }
            }
            batches
        },
    ),
];
