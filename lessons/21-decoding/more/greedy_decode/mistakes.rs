//! The classic mistakes in greedy decoding.

use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

/// The signature of the function to write.
pub type GreedyFn = fn(&dyn Fn(&[usize]) -> Vec<f32>, usize) -> Vec<usize>;

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, GreedyFn); 8] = [
    ("keeps-end", |next, limit| {
        written(
            next,
            limit,
            &Deviations {
                keeps_end: true,
                ..SOUND
            },
        )
    }),
    ("goes-on", |next, limit| {
        written(
            next,
            limit,
            &Deviations {
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
            &Deviations {
                padding: true,
                ..SOUND
            },
        )
    }),
    ("last-of-equal", |next, limit| {
        written(
            next,
            limit,
            &Deviations {
                last: true,
                ..SOUND
            },
        )
    }),
    ("forgets", |next, limit| {
        written(
            next,
            limit,
            &Deviations {
                forgets: true,
                ..SOUND
            },
        )
    }),
];

/// Deviations from the correct loop.
struct Deviations {
    keeps_end: bool,
    goes_on: bool,
    padding: bool,
    last: bool,
    forgets: bool,
}

const SOUND: Deviations = Deviations {
    keeps_end: false,
    goes_on: false,
    padding: false,
    last: false,
    forgets: false,
};

fn written(next: &dyn Fn(&[usize]) -> Vec<f32>, limit: usize, ways: &Deviations) -> Vec<usize> {
    let mut tokens = vec![BOS];
    while tokens.len() <= limit {
        let log_probs = if ways.forgets {
            next(&[BOS])
        } else {
            next(&tokens)
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

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, GreedyFn); 8] = [
    (
        "You stop only where EOS has more than half of the probability. Stop where no token is more probable than it.",
        |next, limit| {
            let next = |tokens: &[usize]| {
                let mut row = next(tokens);
                if row[EOS].exp() <= 0.5 {
                    row[EOS] = f32::NEG_INFINITY;
                }
                row
            };
            written(&next, limit, &SOUND)
        },
    ),
    (
        "You stop where padding is the most probable token. Padding is not an end: take the most probable of the others.",
        |next, limit| {
            let next = |tokens: &[usize]| {
                let mut row = next(tokens);
                if row.iter().all(|&p| p <= row[PAD]) {
                    row[EOS] = f32::INFINITY;
                }
                row
            };
            written(&next, limit, &SOUND)
        },
    ),
    (
        "You write a token before you look at the limit. With the limit 0 nothing is written, and the model is not asked.",
        |next, limit| written(next, limit.max(1), &SOUND),
    ),
    (
        "You leave the cell of padding out, so every id moves by one. Pass over it, and keep the ids of the others.",
        |next, limit| {
            let next = |tokens: &[usize]| next(tokens).split_off(PAD + 1);
            let ways = Deviations {
                padding: true,
                ..SOUND
            };
            written(&next, limit, &ways)
        },
    ),
    (
        "You give padding the log-probability 0. That is the probability 1: −∞ is none.",
        |next, limit| {
            let next = |tokens: &[usize]| {
                let mut row = next(tokens);
                row[PAD] = 0.0;
                row
            };
            let ways = Deviations {
                padding: true,
                ..SOUND
            };
            written(&next, limit, &ways)
        },
    ),
    (
        "Your search for the largest begins at 0, and no log-probability is larger, so nothing is written. Begin at −∞.",
        |next, limit| {
            // With no tokens to choose from, there is no best one.
            let next = |tokens: &[usize]| {
                next(tokens);
                Vec::new()
            };
            written(&next, limit, &SOUND)
        },
    ),
    (
        "You take a BOS out of the result that the model has written. Only the one that it reads first is left out.",
        |next, limit| {
            let mut tokens = written(next, limit, &SOUND);
            tokens.retain(|&id| id != BOS);
            tokens
        },
    ),
    (
        "You show the model only the last token. It reads the whole sentence so far, from BOS on.",
        |next, limit| {
            let next = |tokens: &[usize]| next(&tokens[tokens.len() - 1..]);
            written(&next, limit, &SOUND)
        },
    ),
];
