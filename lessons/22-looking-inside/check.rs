//! The check of the exercise on alignment: takes any implementation.

use transformer_tutor::decode::align::alignment;
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::tensor::{Tensor, random};

use super::mistakes::{self, Links};
use super::starter;

/// What is tried: a name, heads, positions (a word less than there are), source words, the true links.
type Case = (&'static str, usize, usize, usize, &'static [(usize, usize)]);

const CASES: [Case; 4] = [
    ("one head, 5 words", 1, 6, 4, &[(0, 0), (2, 1), (1, 3)]),
    (
        "three heads, more source words than target words",
        3,
        5,
        8,
        &[(0, 0), (4, 1), (4, 2), (7, 3), (5, 0), (6, 1), (1, 1)],
    ),
    (
        "two heads, words that translate to several",
        2,
        9,
        6,
        &[(0, 0), (0, 1), (3, 2), (2, 5), (5, 7)],
    ),
    ("equal weights", 2, 4, 3, &[(0, 0), (1, 1), (0, 2)]),
];

/// What there is to write.
pub static TASK: Task<mistakes::AlignFn> = Task {
    reference: alignment,
    starter: starter::alignment,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Tensor, &[(usize, usize)]) -> Links) -> Outcome {
    let mut all = Vec::new();
    for case in &CASES {
        all.push(attempt(case.0, || run(case, &implementation))?);
    }
    let got = joined(&all);
    for (case, links) in CASES.iter().zip(&all) {
        let says = format!(
            "{} (first the error, then source and target of each link)",
            case.0
        );
        let expected = flat(&run(case, alignment));
        compare(&says, &expected, &flat(links), 1e-5).map_err(|failure| {
            let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                let results: Vec<Links> = CASES.iter().map(|case| run(case, mistake)).collect();
                Some((*name, joined(&results)))
            });
            diagnose(failure, &got, known)
        })?;
    }
    Ok(())
}

fn run(case: &Case, align: impl Fn(&Tensor, &[(usize, usize)]) -> Links) -> Links {
    let &(says, heads, positions, source, truth) = case;
    let weights = if says == "equal weights" {
        Tensor::full(&[heads, positions, source], 1.0 / source as f32)
    } else {
        random::normal(&[heads, positions, source], 1.0, 21, says).map(|x| x.exp() / 9.0)
    };
    align(&weights, truth)
}

fn flat((found, error): &Links) -> Tensor {
    let links = found.iter().flat_map(|&(s, t)| [s as f32, t as f32]);
    let cells: Vec<f32> = [*error as f32].into_iter().chain(links).collect();
    Tensor::new(&[cells.len()], cells)
}

fn joined(all: &[Links]) -> Tensor {
    let cells: Vec<f32> = all
        .iter()
        .flat_map(|links| flat(links).data().to_vec())
        .collect();
    Tensor::new(&[cells.len()], cells)
}
