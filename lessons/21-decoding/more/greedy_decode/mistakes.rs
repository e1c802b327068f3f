//! The classic mistakes of greedy decoding.

use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

/// The signature of what is to be written.
pub type GreedyFn = fn(&dyn Fn(&[usize]) -> Vec<f32>, usize) -> Vec<usize>;

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, GreedyFn); 8] = [
    ("keeps-end", |next, limit| {
        written(
            next,
            limit,
            &Ways {
                keeps_end: true,
                ..SOUND
            },
        )
    }),
    ("goes-on", |next, limit| {
        written(
            next,
            limit,
            &Ways {
                goes_on: true,
                ..SOUND
            },
        )
    }),
    ("keeps-begin", |next, limit| {
        [vec![BOS], written(next, limit, &SOUND)].concat()
    }),
    ("one-too-many", |next, limit| {
        written(next, limit + 1, &SOUND)
    }),
    ("one-too-few", |next, limit| {
        written(next, limit.saturating_sub(1), &SOUND)
    }),
    ("writes-padding", |next, limit| {
        written(
            next,
            limit,
            &Ways {
                padding: true,
                ..SOUND
            },
        )
    }),
    ("last-of-equal", |next, limit| {
        written(
            next,
            limit,
            &Ways {
                last: true,
                ..SOUND
            },
        )
    }),
    ("forgets", |next, limit| {
        written(
            next,
            limit,
            &Ways {
                forgets: true,
                ..SOUND
            },
        )
    }),
];

/// What is done otherwise.
struct Ways {
    keeps_end: bool,
    goes_on: bool,
    padding: bool,
    last: bool,
    forgets: bool,
}

const SOUND: Ways = Ways {
    keeps_end: false,
    goes_on: false,
    padding: false,
    last: false,
    forgets: false,
};

fn written(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize, ways: &Ways) -> Vec<usize> {
    let mut tokens = vec![BOS];
    while tokens.len() <= limit {
        let log_probs = match ways.forgets {
            true => next(&[BOS]),
            false => next(&tokens),
        };
        let better = |best: usize, id: usize| {
            let (new, old) = (log_probs[id], log_probs[best]);
            if new > old || (ways.last && new == old) {
                id
            } else {
                best
            }
        };
        let ids = (0..log_probs.len()).filter(|&id| ways.padding || id != PAD);
        let best = ids.reduce(better).unwrap_or(EOS);
        if best == EOS && !ways.goes_on {
            if ways.keeps_end {
                tokens.push(EOS);
            }
            break;
        }
        tokens.push(best);
    }
    tokens.split_off(1)
}
