//! The exercise: a step of beam search, and cases that distinguish it from its mistakes.

use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::decode::stepwise::beam_step;
use transformer_tutor::lesson::exercise::Task;
use transformer_tutor::tensor::{Tensor, random};

use super::mistakes::{self, StepFn};
use super::starter;

/// The exercise, with its reference, its starter and the mistakes that the check recognises.
pub static TASK: Task<StepFn> = Task {
    reference: beam_step,
    starter: starter::beam_step,
    mistakes: &mistakes::ALL,
    classics: &mistakes::CLASSICS,
    check: |step| TASK.compared_together(step, &CASES, 1e-5, says, run),
};

/// A case: log-probabilities of the living hypotheses, vocabulary size, beam, EOS, length, α, and the rows, which are
/// drawn from a name with EOS made likelier by a given amount, or all equal.
type Case = (&'static [f64], usize, usize, u32, usize, f64, Rows);

enum Rows {
    Drawn(&'static str, f32),
    /// Equal rows, because the exercise specifies the order of equally likely continuations.
    Equal,
}
use Rows::{Drawn, Equal};

const FIRST: &str = "the first step: one hypothesis, a beam of 3";
const THREE: &str = "three hypotheses of different log-probability";
const ENDS: &str = "an EOS that is likely in every row";
const BEHIND: &str = "two hypotheses, of which one is far behind";
const FEW: &str = "more continuations asked for than there are";

const CASES: [(&str, Case); 6] = [
    (FIRST, (&[0.0], 9, 3, 2, 1, 0.6, Drawn(FIRST, 0.0))),
    (
        THREE,
        (&[-0.4, -1.3, -2.9], 7, 3, 2, 4, 0.6, Drawn(THREE, 0.0)),
    ),
    (
        ENDS,
        (
            &[-1.0, -1.2, -1.5, -6.0],
            11,
            4,
            5,
            9,
            1.0,
            Drawn(ENDS, 4.0),
        ),
    ),
    (
        BEHIND,
        (&[-0.5, -9.0], 8, 2, 0, 13, 2.0, Drawn(BEHIND, 1.0)),
    ),
    (FEW, (&[-0.7, -0.9], 3, 4, 1, 2, 0.3, Drawn(FEW, 0.0))),
    (
        "continuations that are all equally likely",
        (&[-1.0, -1.0], 5, 3, 1, 3, 0.6, Equal),
    ),
];

fn says(says: &str, _: &Case) -> String {
    format!(
        "{says} (columns: parent, word, log-probability, score, fate: 0, 1, … the place of one alive, 100 ended, 101 pruned)"
    )
}

/// One row per branch.
fn run((alive, words, beam, eos, length, alpha, rows): &Case, step: StepFn) -> Tensor {
    let shape = [alive.len(), *words];
    let (logits, ending) = match rows {
        Drawn(says, ending) => (random::normal(&shape, 1.5, 11, says), *ending),
        Equal => (Tensor::zeros(&shape), 0.0),
    };
    // The rows need not be distributions, because only sums are compared.
    let next = Tensor::from_fn(&shape, |i| {
        let boost = if i[1] == *eos as usize { ending } else { 0.0 };
        logits.at(i) + boost - 4.0
    });
    let branches = step(alive, &next, *beam, *eos, *length, *alpha);
    let row = |b: &Branch| {
        let fate = match b.fate {
            Fate::Alive(place) => place as f32,
            Fate::Finished => 100.0,
            Fate::Pruned => 101.0,
        };
        [
            b.parent as f32,
            b.word as f32,
            b.log_prob as f32,
            b.score as f32,
            fate,
        ]
    };
    Tensor::new(
        &[branches.len(), 5],
        branches.iter().flat_map(row).collect(),
    )
}
