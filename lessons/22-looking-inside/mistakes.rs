//! The classic mistakes in reading an alignment off attention, each with the reference's signature.

use transformer_tutor::decode::align::alignment;
use transformer_tutor::tensor::Tensor;

/// Links and their error rate.
pub type Links = (Vec<(usize, usize)>, f64);
/// The signature of an alignment.
pub type AlignFn = fn(&Tensor, &[(usize, usize)]) -> Links;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, AlignFn); 7] = [
    ("row-that-reads", row_that_reads),
    ("with-end", with_end),
    ("first-head", first_head),
    ("by-source", by_source),
    ("swapped", swapped),
    ("found-only", found_only),
    ("counted-once", counted_once),
];

fn shared(links: &[(usize, usize)], truth: &[(usize, usize)]) -> f64 {
    links.iter().filter(|link| truth.contains(link)).count() as f64
}

fn error(links: Vec<(usize, usize)>, truth: &[(usize, usize)]) -> Links {
    let both = shared(&links, truth);
    let all = (links.len() + truth.len()) as f64;
    (links, 1.0 - 2.0 * both / all)
}

/// The correct links with a different error rate, computed from the numbers of links in both lists, found, and true.
fn measured(weights: &Tensor, truth: &[(usize, usize)], error: fn(f64, f64, f64) -> f64) -> Links {
    let (links, _) = alignment(weights, truth);
    let both = shared(&links, truth);
    let error = error(both, links.len() as f64, truth.len() as f64);
    (links, error)
}

/// Takes for each token the row of the position that reads it, which is one too late.
pub fn row_that_reads(weights: &Tensor, truth: &[(usize, usize)]) -> Links {
    let shape = weights.shape();
    let later = Tensor::from_fn(shape, |i| {
        weights.at(&[i[0], (i[1] + 1).min(shape[1] - 1), i[2]])
    });
    alignment(&later, truth)
}

/// Links the EOS as well.
pub fn with_end(weights: &Tensor, truth: &[(usize, usize)]) -> Links {
    let &[heads, positions, source] = weights.shape() else {
        return alignment(weights, truth);
    };
    let longer = Tensor::from_fn(&[heads, positions + 1, source], |i| {
        weights.at(&[i[0], i[1].min(positions - 1), i[2]])
    });
    alignment(&longer, truth)
}

/// Looks at one head instead of the mean of all.
pub fn first_head(weights: &Tensor, truth: &[(usize, usize)]) -> Links {
    let shape = weights.shape();
    let first = Tensor::from_fn(&[1, shape[1], shape[2]], |i| weights.at(&[0, i[1], i[2]]));
    alignment(&first, truth)
}

/// Looks for the best target token of each source token.
pub fn by_source(weights: &Tensor, truth: &[(usize, usize)]) -> Links {
    let &[heads, positions, source] = weights.shape() else {
        return alignment(weights, truth);
    };
    let mean = |t, s| (0..heads).map(|h| weights.at(&[h, t, s])).sum::<f32>();
    let best = |s| {
        let better = |best, t| if mean(t, s) > mean(best, s) { t } else { best };
        (s, (1..positions - 1).fold(0, better))
    };
    error((0..source).map(best).collect(), truth)
}

/// Swaps source and target in each pair.
pub fn swapped(weights: &Tensor, truth: &[(usize, usize)]) -> Links {
    let (links, _) = alignment(weights, truth);
    error(links.into_iter().map(|(s, t)| (t, s)).collect(), truth)
}

/// Returns the proportion of wrong links among those found, so that missing true links cost nothing.
pub fn found_only(weights: &Tensor, truth: &[(usize, usize)]) -> Links {
    measured(weights, truth, |both, found, _| 1.0 - both / found)
}

/// Forgets that a correct link is in both lists.
pub fn counted_once(weights: &Tensor, truth: &[(usize, usize)]) -> Links {
    measured(weights, truth, |both, found, truth| {
        1.0 - both / (found + truth)
    })
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, AlignFn); 10] = [
    (
        "You take the largest weight of any head. Take the largest mean over all heads.",
        |weights, truth| {
            let &[heads, positions, source] = weights.shape() else {
                return alignment(weights, truth);
            };
            let largest = Tensor::from_fn(&[1, positions, source], |i| {
                let of_heads = (0..heads).map(|h| weights.at(&[h, i[1], i[2]]));
                of_heads.fold(f32::NEG_INFINITY, f32::max)
            });
            alignment(&largest, truth)
        },
    ),
    (
        "Of equal weights you take the last source token. Take the first of them.",
        |weights, truth| {
            let last = weights.last() - 1;
            let mirrored = |i: &[usize]| weights.at(&[i[0], i[1], last - i[2]]);
            let (links, _) = alignment(&Tensor::from_fn(weights.shape(), mirrored), truth);
            error(
                links.into_iter().map(|(s, t)| (last - s, t)).collect(),
                truth,
            )
        },
    ),
    (
        "You divide by the number of links in the union. Divide twice the common links by the sum of both numbers, |found| + |truth|.",
        |weights, truth| {
            measured(weights, truth, |both, links, truth| {
                1.0 - both / (links + truth - both)
            })
        },
    ),
    (
        "You count only how many true links were found: that is 1 − recall. Wrong links must cost something, too: divide twice the common links by |found| + |truth|.",
        |weights, truth| measured(weights, truth, |both, _, truth| 1.0 - both / truth),
    ),
    (
        "You return the agreement. The error is 1 minus it.",
        |weights, truth| {
            measured(weights, truth, |both, links, truth| {
                2.0 * both / (links + truth)
            })
        },
    ),
    (
        "You divide whole numbers, so the quotient is 0 or 1. Convert both to f64 before you divide.",
        |weights, truth| {
            measured(weights, truth, |both, found, truth| {
                1.0 - (2.0 * both / (found + truth)).floor()
            })
        },
    ),
    (
        "Your links are in the order of the source tokens. Return them in the order of the target tokens.",
        |weights, truth| {
            let (mut links, error) = alignment(weights, truth);
            links.sort_unstable();
            (links, error)
        },
    ),
    (
        "You skip position 0. It reads BOS and predicts token 0, so it gives the first link.",
        |weights, truth| {
            let (mut links, _) = alignment(weights, truth);
            links.remove(0);
            error(links, truth)
        },
    ),
    (
        "You compare the two lists place by place. A link is right wherever it appears in the true links.",
        |weights, truth| {
            let (found, _) = alignment(weights, truth);
            let both = found.iter().zip(truth).filter(|(a, b)| a == b).count() as f64;
            let all = (found.len() + truth.len()) as f64;
            (found, 1.0 - 2.0 * both / all)
        },
    ),
    (
        "You never link the last source token. Only the last position of the target, which predicts EOS, is left out.",
        |weights, truth| {
            let shape = weights.shape();
            let shorter = Tensor::from_fn(&[shape[0], shape[1], shape[2] - 1], |i| weights.at(i));
            alignment(&shorter, truth)
        },
    ),
];
