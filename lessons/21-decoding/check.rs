//! The check of the exercise on a step of beam search: takes any implementation.

use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::decode::stepwise::beam_step;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::lesson::{Failure, Outcome};
use transformer_tutor::tensor::{Tensor, random};

use super::{mistakes, starter};

struct Case {
    says: &'static str,
    alive: &'static [f64],
    words: usize,
    beam: usize,
    eos: u32,
    length: usize,
    alpha: f64,
    /// Makes the EOS likely in every row.
    ending: f32,
}

const CASES: [Case; 6] = [
    Case {
        says: "the first step: one hypothesis, a beam of 3",
        alive: &[0.0],
        words: 9,
        beam: 3,
        eos: 2,
        length: 1,
        alpha: 0.6,
        ending: 0.0,
    },
    Case {
        says: "three hypotheses of different log-probability",
        alive: &[-0.4, -1.3, -2.9],
        words: 7,
        beam: 3,
        eos: 2,
        length: 4,
        alpha: 0.6,
        ending: 0.0,
    },
    Case {
        says: "an EOS that is likely in every row",
        alive: &[-1.0, -1.2, -1.5, -6.0],
        words: 11,
        beam: 4,
        eos: 5,
        length: 9,
        alpha: 1.0,
        ending: 4.0,
    },
    Case {
        says: "two hypotheses, of which one is far behind",
        alive: &[-0.5, -9.0],
        words: 8,
        beam: 2,
        eos: 0,
        length: 13,
        alpha: 2.0,
        ending: 1.0,
    },
    Case {
        says: "more continuations asked for than there are",
        alive: &[-0.7, -0.9],
        words: 3,
        beam: 4,
        eos: 1,
        length: 2,
        alpha: 0.3,
        ending: 0.0,
    },
    Case {
        says: EQUAL,
        alive: &[-1.0, -1.0],
        words: 5,
        beam: 3,
        eos: 1,
        length: 3,
        alpha: 0.6,
        ending: 0.0,
    },
];

/// The case whose continuations are all as likely: the order of equal ones is stated, so it is asked for.
const EQUAL: &str = "continuations that are all equally likely";

type Step<'a> = dyn Fn(&[f64], &Tensor, usize, u32, usize, f64) -> Vec<Branch> + 'a;

/// What there is to write.
pub static TASK: Task<mistakes::StepFn> = Task {
    reference: beam_step,
    starter: starter::beam_step,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(
    implementation: impl Fn(&[f64], &Tensor, usize, u32, usize, f64) -> Vec<Branch>,
) -> Outcome {
    let expected = flat(&|case| run(case, &beam_step));
    let mut found = Vec::new();
    for case in &CASES {
        found.push(attempt(case.says, || run(case, &implementation))?);
    }
    let got = joined(&found);
    for (case, branches) in CASES.iter().zip(&found) {
        let says = format!(
            "{} (columns: parent, word, log-probability, score, fate: 0, 1, … the place of one alive, 100 ended, 101 pruned)",
            case.says
        );
        compare(&says, &rows(&run(case, &beam_step)), &rows(branches), 1e-5).map_err(
            |failure| {
                let known = mistakes::ALL
                    .iter()
                    .filter_map(|(name, mistake)| Some((*name, flat(&|case| run(case, mistake)))));
                diagnose(failure, &got, known)
            },
        )?;
    }
    if got.shape() == expected.shape() {
        return Ok(());
    }
    Err(Failure::new("the number of continuations differs"))
}

fn run(case: &Case, step: &Step<'_>) -> Vec<Branch> {
    let rows = case.alive.len();
    let logits = random::normal(&[rows, case.words], 1.5, 11, case.says);
    let logits = if case.says == EQUAL {
        Tensor::full(&[rows, case.words], 0.0)
    } else {
        logits
    };
    // Rows that are no whole distribution would do as well: only sums are compared.
    let next = Tensor::from_fn(&[rows, case.words], |i| {
        let boost = if i[1] == case.eos as usize {
            case.ending
        } else {
            0.0
        };
        logits.at(i) + boost - 4.0
    });
    step(
        case.alive,
        &next,
        case.beam,
        case.eos,
        case.length,
        case.alpha,
    )
}

/// A row a branch.
fn rows(branches: &[Branch]) -> Tensor {
    let cells = branches.iter().flat_map(|b| {
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
    });
    Tensor::new(&[branches.len(), 5], cells.collect())
}

fn joined(all: &[Vec<Branch>]) -> Tensor {
    rows(&all.concat())
}

fn flat(run: &dyn Fn(&Case) -> Vec<Branch>) -> Tensor {
    joined(&CASES.iter().map(run).collect::<Vec<_>>())
}
