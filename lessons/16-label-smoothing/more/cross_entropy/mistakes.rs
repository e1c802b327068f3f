//! The classic mistakes in cross-entropy and its gradient.

use transformer_tutor::tensor::Tensor;

/// The signature of the function to write.
pub type CrossEntropyFn = fn(&Tensor, &[usize], usize) -> (f32, Tensor);

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, CrossEntropyFn); 9] = [
    ("padding-counts", |l, t, _| made(l, t, usize::MAX, &SOUND)),
    ("divided-by-all", |l, t, p| {
        let share = real(t, p) / t.len() as f32;
        scaled(l, t, p, share, share)
    }),
    ("sum", |l, t, p| scaled(l, t, p, real(t, p), real(t, p))),
    ("gradient-of-the-sum", |l, t, p| {
        scaled(l, t, p, 1.0, real(t, p))
    }),
    ("no-one-hot", |l, t, p| {
        made(
            l,
            t,
            p,
            &Deviations {
                one_hot: 0.0,
                ..SOUND
            },
        )
    }),
    ("ascent", |l, t, p| scaled(l, t, p, 1.0, -1.0)),
    ("overflows", |l, t, p| {
        made(
            l,
            t,
            p,
            &Deviations {
                taken_off: |_, _| 0.0,
                loss: log_of_softmax,
                ..SOUND
            },
        )
    }),
    ("log-of-zero", |l, t, p| {
        made(
            l,
            t,
            p,
            &Deviations {
                loss: log_of_softmax,
                ..SOUND
            },
        )
    }),
    ("base-2", |l, t, p| {
        scaled(l, t, p, std::f32::consts::LOG2_E, 1.0)
    }),
];

/// Deviations from the correct computation.
struct Deviations {
    one_hot: f32,
    /// The number subtracted from the logits of a row, computed from the row and the whole table.
    taken_off: fn(&[f32], &[f32]) -> f32,
    /// Loss of a position, from the target's logit, the number subtracted, and the sum of the exponentials.
    loss: fn(f32, f32, f32) -> f32,
    /// True if the padding token is among those over which softmax is taken.
    padding_token: bool,
}

const SOUND: Deviations = Deviations {
    one_hot: 1.0,
    taken_off: |row, _| largest(row),
    loss: |logit, off, sum| sum.ln() - (logit - off),
    padding_token: true,
};

fn largest(logits: &[f32]) -> f32 {
    logits.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

fn log_of_softmax(logit: f32, off: f32, sum: f32) -> f32 {
    -((logit - off).exp() / sum).ln()
}

/// Number of targets that are not padding, but at least 1.
fn real(targets: &[usize], padding: usize) -> f32 {
    targets.iter().filter(|&&t| t != padding).count().max(1) as f32
}

/// The correct loss and gradient, each multiplied by a factor.
fn scaled(l: &Tensor, t: &[usize], p: usize, loss: f32, slope: f32) -> (f32, Tensor) {
    let (sound, slopes) = made(l, t, p, &SOUND);
    (sound * loss, slopes.map(|x| x * slope))
}

/// The correct loss with a different gradient, computed by `slope` from the probability minus the target.
fn sloped(l: &Tensor, t: &[usize], p: usize, slope: fn(f32) -> f32) -> (f32, Tensor) {
    let (loss, slopes) = made(l, t, p, &SOUND);
    let count = real(t, p);
    (loss, slopes.map(|x| slope(x * count) / count))
}

fn made(logits: &Tensor, targets: &[usize], padding: usize, ways: &Deviations) -> (f32, Tensor) {
    let width = logits.last();
    let count = real(targets, padding);
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    let rows = logits.data().chunks(width).zip(gradient.chunks_mut(width));
    for ((row, slope), &target) in rows.zip(targets) {
        if target == padding {
            continue;
        }
        let off = (ways.taken_off)(row, logits.data());
        let exps: Vec<f32> = row.iter().map(|logit| (logit - off).exp()).collect();
        let summed = |token: usize| ways.padding_token || token != padding;
        let sum: f32 = (0..width)
            .filter(|&token| summed(token))
            .map(|token| exps[token])
            .sum();
        loss += (ways.loss)(row[target], off, sum) / count;
        for (slope, exp) in slope.iter_mut().zip(&exps) {
            *slope = exp / sum / count;
        }
        slope[target] -= ways.one_hot / count;
    }
    (loss, Tensor::new(logits.shape(), gradient))
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, CrossEntropyFn); 16] = [
    (
        "Exponentials of large logits overflow, and your loss becomes infinite. Subtract the row's largest logit before exp, and add it back to the logarithm.",
        |l, t, p| {
            let taken_off = |_: &[f32], _: &[f32]| 0.0;
            made(l, t, p, &Deviations { taken_off, ..SOUND })
        },
    ),
    (
        "You subtract the largest logit of the whole batch from every row. In other rows all exponentials can become 0, so subtract each row's own largest logit.",
        |l, t, p| {
            let taken_off = |_: &[f32], all: &[f32]| largest(all);
            made(l, t, p, &Deviations { taken_off, ..SOUND })
        },
    ),
    (
        "You subtract the largest logit before exp, but never add it back. Add it to the logarithm of the sum.",
        |l, t, p| {
            let loss = |logit: f32, _: f32, sum: f32| sum.ln() - logit;
            made(l, t, p, &Deviations { loss, ..SOUND })
        },
    ),
    (
        "You keep the probability above a small number, so a very wrong prediction costs too little. Use the logarithm of the sum, minus the logit of the target: it needs no such limit.",
        |l, t, p| {
            let loss = |logit: f32, off: f32, sum: f32| -((logit - off).exp() / sum).max(1e-9).ln();
            made(l, t, p, &Deviations { loss, ..SOUND })
        },
    ),
    (
        "Your loss leaves padding out, but its rows still have a gradient. Where the target is padding, the gradient must be 0 too.",
        |l, t, p| {
            let (_, slope) = made(l, t, usize::MAX, &SOUND);
            let share = t.len() as f32 / real(t, p);
            (made(l, t, p, &SOUND).0, slope.map(|x| x * share))
        },
    ),
    (
        "Your loss is the mean over real positions, but you divide the gradient by all positions. Divide both by the same number.",
        |l, t, p| scaled(l, t, p, 1.0, real(t, p) / t.len() as f32),
    ),
    (
        "Your gradient is that of the mean, but your loss is the sum. Divide the loss by the number of real positions too.",
        |l, t, p| scaled(l, t, p, real(t, p), 1.0),
    ),
    (
        "Your gradient is with respect to the probabilities: −1 / p at the target. With respect to the logits it is the probability, minus 1 at the target.",
        |l, t, p| sloped(l, t, p, |x| if x < 0.0 { -1.0 / (1.0 + x) } else { 0.0 }),
    ),
    (
        "You multiply the gradient by p · (1 − p). The probability, minus 1 at the target, is already the gradient with respect to the logits: it includes the softmax.",
        |l, t, p| sloped(l, t, p, |x| x * x.abs() * (1.0 - x.abs())),
    ),
    (
        "You remove padding from the targets before you pair them with the rows, so later targets get the wrong rows. Pair them first, then skip padding.",
        |l, t, p| {
            let mut targets: Vec<usize> = t.iter().copied().filter(|&t| t != p).collect();
            targets.resize(t.len(), p);
            made(l, &targets, p, &SOUND)
        },
    ),
    (
        "You take id 0 for padding. The last argument is the id of padding.",
        |l, t, _| made(l, t, 0, &SOUND),
    ),
    (
        "If every target is padding, you divide by 0. The loss should then be 0.",
        |l, t, p| {
            let (loss, slope) = made(l, t, p, &SOUND);
            let count = t.iter().filter(|&&target| target != p).count() as f32;
            (loss * count / count, slope)
        },
    ),
    (
        "Your gradient reaches only the target's logit. The other logits change the sum of the exponentials, so their gradient is their probability.",
        |l, t, p| {
            let (loss, gradient) = made(l, t, p, &SOUND);
            let target_only = |i: &[usize]| if i[1] == t[i[0]] { gradient.at(i) } else { 0.0 };
            (loss, Tensor::from_fn(gradient.shape(), target_only))
        },
    ),
    (
        "You divide by the number of cells. The mean is over positions that count, not over the vocabulary.",
        |l, t, p| {
            let share = 1.0 / l.last() as f32;
            scaled(l, t, p, share, share)
        },
    ),
    (
        "You leave the padding token out of the sum of the exponentials. Positions whose target is padding are left out; the softmax is over all tokens.",
        |l, t, p| {
            let ways = Deviations {
                padding_token: false,
                ..SOUND
            };
            made(l, t, p, &ways)
        },
    ),
    (
        "Your loss and your gradient have the wrong sign. The loss is minus the logarithm of the target's probability, so it is never negative.",
        |l, t, p| scaled(l, t, p, -1.0, -1.0),
    ),
];
