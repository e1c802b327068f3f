//! The classic mistakes of a step of beam search, each a function of the reference's signature.

use transformer_tutor::decode::beam::{Branch, Fate};
pub use transformer_tutor::decode::stepwise::StepFn;
use transformer_tutor::decode::stepwise::beam_step;
use transformer_tutor::tensor::Tensor;

/// Every mistake by the name of its switch.
pub static ALL: [(&str, StepFn); 5] = [
    // Ranks by the new word alone: what came before is forgotten.
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
        let rows = next.data().chunks(next.last());
        let mut branches = Vec::new();
        for (parent, (row, before)) in rows.zip(alive).enumerate() {
            let row = Tensor::new(&[1, row.len()], row.to_vec());
            let two = beam_step(&[*before], &row, 1, eos, length, alpha);
            branches.extend(two.into_iter().map(|b| Branch { parent, ..b }));
        }
        branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
        fates(&mut branches, beam, eos);
        branches
    }),
    // Lets a hypothesis that has ended live on.
    ("ended-live", |alive, next, beam, eos, length, alpha| {
        let mut branches = beam_step(alive, next, beam, eos, length, alpha);
        for (place, branch) in branches.iter_mut().enumerate() {
            branch.fate = match place < beam {
                true => Fate::Alive(place),
                false => Fate::Pruned,
            };
        }
        branches
    }),
    // Multiplies by the penalty instead of dividing.
    ("times-penalty", |alive, next, beam, eos, length, alpha| {
        beam_step(alive, next, beam, eos, length, -alpha)
    }),
];

fn fates(branches: &mut [Branch], beam: usize, eos: u32) {
    let mut places = 0..beam;
    for branch in branches {
        branch.fate = match branch.word == eos {
            true => Fate::Finished,
            false => places.next().map_or(Fate::Pruned, Fate::Alive),
        };
    }
}

/// What else is got wrong, with what the check says of it.
pub static CLASSICS: [(&str, StepFn); 3] = [
    (
        "You divide by length^α. The penalty is ((5 + length) / 6)^α.",
        |alive, next, beam, eos, length, alpha| {
            let mut branches = beam_step(alive, next, beam, eos, length, alpha);
            for branch in &mut branches {
                branch.score = branch.log_prob / (length as f64).powf(alpha);
            }
            branches
        },
    ),
    (
        "Your score is the log-probability itself: divide it by the penalty of the length.",
        |alive, next, beam, eos, length, _| beam_step(alive, next, beam, eos, length, 0.0),
    ),
    (
        "Of equally probable continuations you take the last first. Take that of the earlier hypothesis, then that of the earlier token.",
        |alive, next, beam, eos, length, alpha| {
            // All of them in order; then equal ones turned round.
            let all = alive.len() * next.last();
            let mut branches = beam_step(alive, next, all, eos, length, alpha);
            branches.reverse();
            branches.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
            branches.truncate(2 * beam);
            fates(&mut branches, beam, eos);
            branches
        },
    ),
];
