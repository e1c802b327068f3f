//! The classic mistakes of softmax.

use super::reference::softmax;

/// The signature of what is to be written.
pub type SoftmaxFn = fn(&[f32]) -> Vec<f32>;

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, SoftmaxFn); 6] = [
    ("overflows", |scores| divided(exps(scores))),
    ("not-divided", |scores| {
        let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        exps(&scores.iter().map(|s| s - largest).collect::<Vec<_>>())
    }),
    ("no-exponential", |scores| divided(scores.to_vec())),
    ("divided-by-count", |scores| {
        let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let own = exps(&scores.iter().map(|s| s - largest).collect::<Vec<_>>());
        own.iter().map(|exp| exp / scores.len() as f32).collect()
    }),
    ("blocked-row", |scores| {
        let blocked = scores.iter().all(|&s| s == f32::NEG_INFINITY);
        match blocked {
            true => vec![f32::NAN; scores.len()],
            false => softmax(scores),
        }
    }),
    // Every row a distribution, the blocked one too.
    ("uniform-when-blocked", |scores| {
        let blocked = scores.iter().all(|&s| s == f32::NEG_INFINITY);
        match blocked {
            true => vec![1.0 / scores.len() as f32; scores.len()],
            false => softmax(scores),
        }
    }),
];

fn exps(scores: &[f32]) -> Vec<f32> {
    scores.iter().map(|score| score.exp()).collect()
}

fn divided(row: Vec<f32>) -> Vec<f32> {
    let sum: f32 = row.iter().sum();
    row.iter().map(|x| x / sum).collect()
}
