//! The classic mistakes in softmax.

use super::reference::softmax;

/// The signature of the function to write.
pub type SoftmaxFn = fn(&[f32]) -> Vec<f32>;

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, SoftmaxFn); 6] = [
    // Comes first, because several of the others also give NaN there and fail earlier.
    ("blocked-row", |scores| {
        if blocked(scores) {
            vec![f32::NAN; scores.len()]
        } else {
            softmax(scores)
        }
    }),
    ("overflows", |scores| {
        if blocked(scores) {
            vec![0.0; scores.len()]
        } else {
            divided(exps(scores))
        }
    }),
    ("not-divided", |scores| exps(&less(scores, largest(scores)))),
    ("no-exponential", |scores| divided(scores.to_vec())),
    ("divided-by-count", |scores| {
        let own = exps(&less(scores, largest(scores)));
        own.iter().map(|exp| exp / scores.len() as f32).collect()
    }),
    // Makes every row a distribution, even a blocked one.
    ("uniform-when-blocked", |scores| {
        if blocked(scores) {
            vec![1.0 / scores.len() as f32; scores.len()]
        } else {
            softmax(scores)
        }
    }),
];

fn blocked(scores: &[f32]) -> bool {
    scores.iter().all(|&score| score == f32::NEG_INFINITY)
}

fn exps(scores: &[f32]) -> Vec<f32> {
    scores.iter().map(|score| score.exp()).collect()
}

fn divided(row: Vec<f32>) -> Vec<f32> {
    let sum: f32 = row.iter().sum();
    row.iter().map(|x| x / sum).collect()
}

fn largest(scores: &[f32]) -> f32 {
    scores.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

fn less(scores: &[f32], number: f32) -> Vec<f32> {
    scores.iter().map(|score| score - number).collect()
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, SoftmaxFn); 14] = [
    (
        "Your search for the largest score begins at 0, so very negative scores all become 0. Begin at f32::NEG_INFINITY.",
        |scores| {
            let row = exps(&less(scores, largest(scores).max(0.0)));
            if row.iter().all(|&exp| exp == 0.0) {
                row
            } else {
                divided(row)
            }
        },
    ),
    (
        "You divide the scores by the largest one. Subtract it: only that leaves the weights as they are.",
        |scores| {
            let largest = largest(scores);
            divided(scores.iter().map(|s| (s / largest).exp()).collect())
        },
    ),
    (
        "You subtract the mean, so a score far above it still overflows. Subtract the largest score: no exponential is above 1 then.",
        |scores| {
            let mean = scores.iter().sum::<f32>() / scores.len() as f32;
            divided(exps(&less(scores, mean)))
        },
    ),
    (
        "You take the sigmoid of each score and divide by their sum. Softmax takes the exponential of each score.",
        |scores| divided(scores.iter().map(|s| 1.0 / (1.0 + (-s).exp())).collect()),
    ),
    (
        "Your results are the logarithms of the weights. Return the weights, which sum to 1.",
        |scores| softmax(scores).iter().map(|weight| weight.ln()).collect(),
    ),
    (
        "You subtract the largest score above the line only. Subtract it in the sum, too, and it cancels.",
        |scores| {
            let sum: f32 = exps(scores).iter().sum();
            let own = exps(&less(scores, largest(scores)));
            own.iter().map(|exp| exp / sum).collect()
        },
    ),
    (
        "You give the largest score the whole weight: that is a hard maximum. Softmax gives every score its part.",
        |scores| {
            let largest = largest(scores);
            let own = scores.iter().map(|&s| f32::from(u8::from(s == largest)));
            own.collect()
        },
    ),
    (
        "You take a blocked score for a score of 0, and e^0 is 1. The exponential of −∞ is 0: a blocked score has no weight.",
        |scores| {
            let open = |&s: &f32| if s.is_finite() { s } else { 0.0 };
            softmax(&scores.iter().map(open).collect::<Vec<_>>())
        },
    ),
    (
        "You divide by the length of the row of exponentials, the root of the sum of their squares. Divide by their sum.",
        |scores| {
            let row = exps(&less(scores, largest(scores)));
            let length = row.iter().map(|x| x * x).sum::<f32>().sqrt();
            if blocked(scores) {
                return vec![0.0; scores.len()];
            }
            row.iter().map(|x| x / length).collect()
        },
    ),
    (
        "You add 1 to the sum, so the row does not reach 1. Divide by the sum of the exponentials alone.",
        |scores| {
            if blocked(scores) {
                return vec![0.0; scores.len()];
            }
            let row = exps(&less(scores, largest(scores)));
            let sum = row.iter().sum::<f32>() + 1.0;
            row.iter().map(|x| x / sum).collect()
        },
    ),
    (
        "Your search for the largest score begins at 0, so in a row of very negative scores all exponentials are 0, and 0 / 0 is NaN. Begin at −∞.",
        |scores| divided(exps(&less(scores, largest(scores).max(0.0)))),
    ),
    (
        "You cap the scores, so all scores above the cap get the same weight. Subtract the largest score: nothing overflows, and the differences stay.",
        |scores| {
            if blocked(scores) {
                return vec![0.0; scores.len()];
            }
            divided(scores.iter().map(|score| score.min(80.0).exp()).collect())
        },
    ),
    (
        "You compute the sum again for each cell, when some are divided already. Compute it once, before the first division.",
        |scores| {
            if blocked(scores) {
                return vec![0.0; scores.len()];
            }
            let mut row = exps(&less(scores, largest(scores)));
            for i in 0..row.len() {
                row[i] /= row.iter().sum::<f32>();
            }
            row
        },
    ),
    (
        "You leave blocked scores out of the result. They keep their place, with the weight 0.",
        |scores| {
            let open: Vec<f32> = scores
                .iter()
                .copied()
                .filter(|score| score.is_finite())
                .collect();
            softmax(&open)
        },
    ),
];
