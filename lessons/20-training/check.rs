//! The check of the exercise on batches: takes any implementation.

use transformer_tutor::data::batches::cut;
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Failure, Task, attempt, compare, diagnose};
use transformer_tutor::tensor::Tensor;

use super::{mistakes, starter};

/// What is tried: a name, lengths of source and target, cells allowed.
type Case = (&'static str, Vec<(usize, usize)>, usize);

fn cases() -> Vec<Case> {
    let drawn = |n: usize| (1 + (n * 7 + n / 3) % 9, 1 + (n * 5 + n / 2) % 8);
    let mut sorted: Vec<(usize, usize)> = (0..60).map(drawn).collect();
    sorted.sort_by_key(|&(source, target)| (target, source));
    vec![
        ("equal sentences", vec![(3, 3); 7], 9),
        (
            "a longer one comes last",
            vec![(2, 2), (2, 2), (3, 3), (2, 2), (9, 4), (1, 1), (1, 1)],
            8,
        ),
        (
            "sources longer than targets",
            vec![(6, 2), (5, 1), (2, 2), (7, 3), (1, 1), (4, 1)],
            12,
        ),
        (
            "targets longer than sources",
            vec![(1, 4), (2, 4), (1, 5), (1, 2), (1, 2), (2, 6), (1, 1)],
            10,
        ),
        ("one sentence", vec![(5, 4)], 20),
        ("no sentence", vec![], 20),
        (
            "one longer than allowed",
            vec![(2, 1), (30, 1), (1, 2), (1, 2)],
            6,
        ),
        ("many short sentences", vec![(1, 1); 90], 80),
        ("sixty sorted sentences", sorted, 24),
        ("sixty as they come", (0..60).map(drawn).collect(), 24),
    ]
}

/// What there is to write.
pub static TASK: Task<mistakes::Cut> = Task {
    reference: transformer_tutor::data::batches::cut,
    starter: starter::cut_batches,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` cuts as the reference does.
pub fn check(implementation: impl Fn(&[(usize, usize)], usize) -> Vec<Vec<usize>>) -> Outcome {
    for (says, lengths, tokens) in cases() {
        let expected = cut(&lengths, tokens);
        let got = attempt(says, || implementation(&lengths, tokens))?;
        let known = || {
            mistakes::ALL
                .iter()
                .filter_map(|(name, mistake)| Some((*name, written(&mistake(&lengths, tokens)))))
        };
        let mut seen = got.concat();
        seen.sort_unstable();
        if seen != (0..lengths.len()).collect::<Vec<_>>() {
            let failure = Failure::new(format!(
                "{says}: of {} sentences your batches hold {}; each must come once",
                lengths.len(),
                seen.len()
            ));
            return Err(diagnose(failure, &written(&got), known()));
        }
        compare(
            &format!("{says}, {tokens} cells: the sizes of the batches"),
            &sizes(&expected),
            &sizes(&got),
            0.0,
        )
        .and_then(|()| {
            compare(
                &format!("{says}, {tokens} cells: the sentences, batch by batch"),
                &written(&expected),
                &written(&got),
                0.0,
            )
        })
        .map_err(|failure| diagnose(failure, &written(&got), known()))?;
    }
    Ok(())
}

/// How many sentences each batch has.
fn sizes(batches: &[Vec<usize>]) -> Tensor {
    let sizes = batches.iter().map(|batch| batch.len() as f32);
    Tensor::new(&[batches.len()], sizes.collect())
}

/// The batches as one list: after each a −1.
fn written(batches: &[Vec<usize>]) -> Tensor {
    let cells = batches.iter().flat_map(|batch| {
        let numbers = batch.iter().map(|&n| n as f32);
        numbers.chain([-1.0]).collect::<Vec<_>>()
    });
    let cells: Vec<f32> = cells.collect();
    Tensor::new(&[cells.len()], cells)
}
