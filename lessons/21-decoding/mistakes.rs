//! The classic mistakes in a step of beam search, each with the reference's signature.

use transformer_tutor::decode::beam::{Branch, Fate};
pub use transformer_tutor::decode::stepwise::StepFn;
use transformer_tutor::decode::stepwise::beam_step;
use transformer_tutor::tensor::Tensor;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, StepFn); 5] = [
    // Ranks only by the new token, forgetting what came before.
    ("last-word", |alive, next, beam, eos, length, alpha| {
        beam_step(&vec![0.0; alive.len()], next, beam, eos, length, alpha)
    }),
    // Takes `beam` continuations instead of twice as many.
    ("only-beam", |alive, next, beam, eos, length, alpha| {
        let mut branches = beam_step(alive, next, beam, eos, length, alpha);
        branches.truncate(beam);
        branches
    }),
    // Gives every hypothesis two continuations, however unlikely it is.
    ("two-each", |alive, next, beam, eos, length, alpha| {
        each(alive, next, beam, eos, (length, alpha), 2)
    }),
    // Lets a hypothesis that has ended live on.
    ("ended-live", |alive, next, beam, eos, length, alpha| {
        let mut branches = beam_step(alive, next, beam, eos, length, alpha);
        for (place, branch) in branches.iter_mut().enumerate() {
            branch.fate = if place < beam {
                Fate::Alive(place)
            } else {
                Fate::Pruned
            };
        }
        branches
    }),
    // Multiplies by the penalty instead of dividing.
    ("times-penalty", |alive, next, beam, eos, length, alpha| {
        beam_step(alive, next, beam, eos, length, -alpha)
    }),
];

/// The `most` best continuations of every hypothesis, and the best of those.
fn each(
    alive: &[f64],
    next: &Tensor,
    beam: usize,
    eos: u32,
    (length, alpha): (usize, f64),
    most: usize,
) -> Vec<Branch> {
    let rows = next.data().chunks(next.last());
    let mut branches = Vec::new();
    for (parent, (row, before)) in rows.zip(alive).enumerate() {
        let row = Tensor::new(&[1, row.len()], row.to_vec());
        let best = beam_step(&[*before], &row, most, eos, length, alpha);
        branches.extend(best.into_iter().take(most).map(|b| Branch { parent, ..b }));
    }
    branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    branches.truncate(2 * beam);
    fates(&mut branches, beam, eos);
    branches
}

/// The first of all continuations, in the order that `sort` gives them.
fn resorted(
    mut branches: Vec<Branch>,
    beam: usize,
    eos: u32,
    sort: impl FnOnce(&mut [Branch]),
) -> Vec<Branch> {
    branches.sort_by_key(|b| (b.parent, b.word));
    sort(&mut branches);
    branches.truncate(2 * beam);
    fates(&mut branches, beam, eos);
    branches
}

fn fates(branches: &mut [Branch], beam: usize, eos: u32) {
    let mut places = 0..beam;
    for branch in branches {
        branch.fate = if branch.word == eos {
            Fate::Finished
        } else {
            places.next().map_or(Fate::Pruned, Fate::Alive)
        };
    }
}

/// The branches with scores recomputed from the log-probability and whether the hypothesis has ended.
fn scored(mut branches: Vec<Branch>, score: impl Fn(f64, bool) -> f64) -> Vec<Branch> {
    for branch in &mut branches {
        branch.score = score(branch.log_prob, branch.fate == Fate::Finished);
    }
    branches
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, StepFn); 26] = [
    (
        "You divide by length^α. The penalty is ((5 + length) / 6)^α.",
        |alive, next, beam, eos, length, alpha| {
            let branches = beam_step(alive, next, beam, eos, length, alpha);
            scored(branches, |log_prob, _| {
                log_prob / (length as f64).powf(alpha)
            })
        },
    ),
    (
        "Your score is the log-probability itself: divide it by the penalty of the length.",
        |alive, next, beam, eos, length, _| beam_step(alive, next, beam, eos, length, 0.0),
    ),
    (
        "Of equally probable continuations you take the last first. Take that of the earlier hypothesis, then that of the earlier token.",
        |alive, next, beam, eos, length, alpha| {
            // Take all in order, then reverse equal ones.
            let all = alive.len() * next.last();
            let mut branches = beam_step(alive, next, all, eos, length, alpha);
            branches.reverse();
            branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
            branches.truncate(2 * beam);
            fates(&mut branches, beam, eos);
            branches
        },
    ),
    (
        "You multiply log-probabilities. The logarithm of a product is a sum: add that of the token to that of the hypothesis.",
        |alive, next, beam, eos, length, alpha| {
            let added = Tensor::from_fn(next.shape(), |i| {
                let before = alive[i[0]];
                (before * f64::from(next.at(i)) - before) as f32
            });
            beam_step(alive, &added, beam, eos, length, alpha)
        },
    ),
    (
        "You divide 5 + length by 6 as whole numbers, which cuts the result. Make them f64 first.",
        |alive, next, beam, eos, length, alpha| {
            let branches = beam_step(alive, next, beam, eos, length, alpha);
            let longer = 5 + length;
            let penalty = (longer / 6) as f64;
            scored(branches, |log_prob, _| log_prob / penalty.powf(alpha))
        },
    ),
    (
        "You raise 5 + length alone to the power α. The penalty is ((5 + length) / 6)^α.",
        |alive, next, beam, eos, length, alpha| {
            let branches = beam_step(alive, next, beam, eos, length, alpha);
            let penalty = (5.0 + length as f64).powf(alpha) / 6.0;
            scored(branches, |log_prob, _| log_prob / penalty)
        },
    ),
    (
        "You add 1 to length. It counts the new token already.",
        |alive, next, beam, eos, length, alpha| {
            beam_step(alive, next, beam, eos, length + 1, alpha)
        },
    ),
    (
        "You divide by the penalty only where a hypothesis ends. The score of every continuation is divided by it.",
        |alive, next, beam, eos, length, alpha| {
            let branches = beam_step(alive, next, beam, eos, length, alpha);
            let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
            scored(
                branches,
                |log_prob, ended| if ended { log_prob / penalty } else { log_prob },
            )
        },
    ),
    (
        "Continuations that have ended take places of your beam. The places are for the others: the first beam of those live on.",
        |alive, next, beam, eos, length, alpha| {
            let mut branches = beam_step(alive, next, beam, eos, length, alpha);
            let places = branches.iter_mut().enumerate();
            for (place, branch) in places.filter(|(_, b)| b.fate != Fate::Finished) {
                let lives = place < beam;
                branch.fate = if lives {
                    Fate::Alive(place)
                } else {
                    Fate::Pruned
                };
            }
            branches
        },
    ),
    (
        "You finish a continuation only among the first beam ones, as fairseq does. Here each of the 2 · beam that writes EOS is finished.",
        |alive, next, beam, eos, length, alpha| {
            let mut branches = beam_step(alive, next, beam, eos, length, alpha);
            for branch in branches.iter_mut().skip(beam) {
                if branch.fate == Fate::Finished {
                    branch.fate = Fate::Pruned;
                }
            }
            branches
        },
    ),
    (
        "You take as many continuations of each hypothesis as the beam is wide. One hypothesis can have more of the best: take the 2 · beam best of all.",
        |alive, next, beam, eos, length, alpha| each(alive, next, beam, eos, (length, alpha), beam),
    ),
    (
        "You sort from the least probable up, so you take the worst continuations. Compare b with a: `b.log_prob.total_cmp(&a.log_prob)`.",
        |alive, next, beam, eos, length, alpha| {
            let all = alive.len() * next.last();
            let branches = beam_step(alive, next, all, eos, length, alpha);
            resorted(branches, beam, eos, |all| {
                all.sort_by(|a, b| a.log_prob.total_cmp(&b.log_prob));
            })
        },
    ),
    (
        "The number in Alive is the place among all continuations. Count only those that live: Alive(0), Alive(1), … without a gap.",
        |alive, next, beam, eos, length, alpha| {
            let mut branches = beam_step(alive, next, beam, eos, length, alpha);
            for (rank, branch) in branches.iter_mut().enumerate() {
                if let Fate::Alive(place) = &mut branch.fate {
                    *place = rank;
                }
            }
            branches
        },
    ),
    (
        "Your penalty is (length / 6)^α. It is ((5 + length) / 6)^α.",
        |alive, next, beam, eos, length, alpha| {
            let branches = beam_step(alive, next, beam, eos, length, alpha);
            let penalty = (length as f64 / 6.0).powf(alpha);
            scored(branches, |log_prob, _| log_prob / penalty)
        },
    ),
    (
        "You take twice as many continuations as there are hypotheses alive. Take 2 · beam: in the first step one hypothesis fills the whole beam.",
        |alive, next, beam, eos, length, alpha| {
            let all = alive.len() * next.last();
            let mut branches = beam_step(alive, next, all, eos, length, alpha);
            branches.truncate(2 * alive.len());
            fates(&mut branches, beam, eos);
            branches
        },
    ),
    (
        "You prune nothing: all continuations without EOS live on. Only the first `beam` of them have a place; the rest are Fate::Pruned.",
        |alive, next, beam, eos, length, alpha| {
            let mut branches = beam_step(alive, next, beam, eos, length, alpha);
            fates(&mut branches, usize::MAX, eos);
            branches
        },
    ),
    (
        "You return an empty list. Are the continuations collected into the list that you return?",
        |_, _, _, _, _, _| Vec::new(),
    ),
    (
        "The number in Alive is the parent's. It is the continuation's own place in the new beam: Alive(0), Alive(1), …",
        |alive, next, beam, eos, length, alpha| {
            let mut branches = beam_step(alive, next, beam, eos, length, alpha);
            for branch in &mut branches {
                if let Fate::Alive(place) = &mut branch.fate {
                    *place = branch.parent;
                }
            }
            branches
        },
    ),
    (
        "You rank by the log-probability of the token, and add that of the hypothesis only afterwards. Add first, then sort.",
        |alive, next, beam, eos, length, alpha| {
            let penalty = ((5.0 + length as f64) / 6.0).powf(alpha);
            let level = vec![0.0; alive.len()];
            let mut branches = beam_step(&level, next, beam, eos, length, alpha);
            for branch in &mut branches {
                branch.log_prob += alive[branch.parent];
                branch.score = branch.log_prob / penalty;
            }
            branches
        },
    ),
    (
        "You read `next` column by column. Its rows are the hypotheses: cell number n is token n % vocabulary of hypothesis n / vocabulary.",
        |alive, next, beam, eos, length, alpha| {
            let (rows, data) = (alive.len(), next.data());
            let turned = Tensor::from_fn(next.shape(), |i| data[i[1] * rows + i[0]]);
            let all = rows * next.last();
            let mut branches = beam_step(alive, &turned, all, eos, length, alpha);
            branches.sort_by_key(|b| b.word as usize * rows + b.parent);
            branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
            branches.truncate(2 * beam);
            fates(&mut branches, beam, eos);
            branches
        },
    ),
    (
        "Two mistakes at once: you take `beam` continuations instead of twice as many, and you multiply by the penalty instead of dividing.",
        |alive, next, beam, eos, length, alpha| {
            let mut branches = beam_step(alive, next, beam, eos, length, -alpha);
            branches.truncate(beam);
            branches
        },
    ),
    (
        "Two mistakes at once: you take `beam` continuations instead of twice as many, and you divide by length^α instead of ((5 + length) / 6)^α.",
        |alive, next, beam, eos, length, alpha| {
            let mut branches = beam_step(alive, next, beam, eos, length, alpha);
            branches.truncate(beam);
            scored(branches, |log_prob, _| {
                log_prob / (length as f64).powf(alpha)
            })
        },
    ),
    (
        "You take EOS out of the competition and append it afterwards. It is a continuation like any other: the 2 · beam best of all, with EOS among them only if it is probable enough.",
        |alive, next, beam, eos, length, alpha| {
            let all = alive.len() * next.last();
            let branches = beam_step(alive, next, all, eos, length, alpha);
            let is_end = |b: &Branch| b.word == eos;
            let (mut ends, mut others): (Vec<_>, Vec<_>) = branches.into_iter().partition(is_end);
            others.truncate(2 * beam);
            others.append(&mut ends);
            fates(&mut others, beam, eos);
            others
        },
    ),
    (
        "You divide by the penalty without its power. The penalty is ((5 + length) / 6)^α.",
        |alive, next, beam, eos, length, alpha| {
            let branches = beam_step(alive, next, beam, eos, length, alpha);
            scored(branches, |log_prob, _| {
                log_prob / ((5.0 + length as f64) / 6.0)
            })
        },
    ),
    (
        "Your length is one too small: `length` counts the new token already.",
        |alive, next, beam, eos, length, alpha| {
            beam_step(alive, next, beam, eos, length - 1, alpha)
        },
    ),
    (
        "Your sort does not keep the order of equally probable continuations, as with sort_unstable_by. sort_by keeps it.",
        |alive, next, beam, eos, length, alpha| {
            let all = alive.len() * next.last();
            let branches = beam_step(alive, next, all, eos, length, alpha);
            resorted(branches, beam, eos, |all| {
                all.sort_unstable_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
            })
        },
    ),
];
