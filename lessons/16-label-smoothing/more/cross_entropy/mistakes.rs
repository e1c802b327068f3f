//! The classic mistakes of cross-entropy and its gradient.

use transformer_tutor::tensor::Tensor;

/// The signature of what is to be written.
pub type CrossEntropyFn = fn(&Tensor, &[usize], usize) -> (f32, Tensor);

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, CrossEntropyFn); 9] = [
    ("padding-counts", |l, t, _| made(l, t, usize::MAX, &SOUND)),
    ("divided-by-all", |l, t, p| {
        let real = t.iter().filter(|&&target| target != p).count().max(1) as f32;
        let (loss, slope) = made(l, t, p, &SOUND);
        let share = real / t.len() as f32;
        (loss * share, slope.map(|x| x * share))
    }),
    ("sum", |l, t, p| {
        let real = t.iter().filter(|&&target| target != p).count().max(1) as f32;
        let (loss, slope) = made(l, t, p, &SOUND);
        (loss * real, slope.map(|x| x * real))
    }),
    ("gradient-of-the-sum", |l, t, p| {
        let real = t.iter().filter(|&&target| target != p).count().max(1) as f32;
        let (loss, slope) = made(l, t, p, &SOUND);
        (loss, slope.map(|x| x * real))
    }),
    ("no-one-hot", |l, t, p| {
        made(
            l,
            t,
            p,
            &Ways {
                one_hot: 0.0,
                ..SOUND
            },
        )
    }),
    ("ascent", |l, t, p| {
        let (loss, slope) = made(l, t, p, &SOUND);
        (loss, slope.map(|x| -x))
    }),
    ("overflows", |l, t, p| {
        made(
            l,
            t,
            p,
            &Ways {
                stable: false,
                ..SOUND
            },
        )
    }),
    ("log-of-zero", |l, t, p| {
        made(
            l,
            t,
            p,
            &Ways {
                log_of_softmax: true,
                ..SOUND
            },
        )
    }),
    ("base-2", |l, t, p| {
        let (loss, slope) = made(l, t, p, &SOUND);
        (loss / std::f32::consts::LN_2, slope)
    }),
];

/// What is done otherwise.
struct Ways {
    one_hot: f32,
    stable: bool,
    log_of_softmax: bool,
}

const SOUND: Ways = Ways {
    one_hot: 1.0,
    stable: true,
    log_of_softmax: false,
};

fn made(logits: &Tensor, targets: &[usize], padding: usize, ways: &Ways) -> (f32, Tensor) {
    let width = logits.last();
    let count = targets.iter().filter(|&&t| t != padding).count().max(1) as f32;
    let mut loss = 0.0;
    let mut gradient = vec![0.0; logits.len()];
    let rows = logits.data().chunks(width).zip(gradient.chunks_mut(width));
    for ((row, slope), &target) in rows.zip(targets) {
        if target == padding {
            continue;
        }
        let largest = match ways.stable {
            true => row.iter().copied().fold(f32::NEG_INFINITY, f32::max),
            false => 0.0,
        };
        let exps: Vec<f32> = row.iter().map(|logit| (logit - largest).exp()).collect();
        let sum: f32 = exps.iter().sum();
        loss += match ways.log_of_softmax || !ways.stable {
            true => -(exps[target] / sum).ln(),
            false => sum.ln() - (row[target] - largest),
        } / count;
        for (slope, exp) in slope.iter_mut().zip(&exps) {
            *slope = exp / sum / count;
        }
        slope[target] -= ways.one_hot / count;
    }
    (loss, Tensor::new(logits.shape(), gradient))
}
