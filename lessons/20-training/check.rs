//! The exercise: cutting batches, and cases that distinguish it from its mistakes.

use transformer_tutor::data::batches::cut;
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Failure, attempt, compare};
use transformer_tutor::tensor::Tensor;

use super::starter;

/// A case to try: name, lengths of source and target, maximum number of cells.
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
        ("the first longer than allowed", vec![(9, 3), (2, 2)], 6),
    ]
}

/// The signature of the cut: from lengths of source and target and the maximum number of cells, to the numbers of the
/// pairs in each batch.
pub type Cut = fn(&[(usize, usize)], usize) -> Vec<Vec<usize>>;

transformer_tutor::task! { cut_batches: Cut = cut; check }

/// Checks first that all pairs are there, then that the batches have the right sizes, then their contents.
fn check(function: Cut) -> Outcome {
    let cases = cases();
    for (n, (says, lengths, tokens)) in cases.iter().enumerate() {
        let tokens = *tokens;
        let expected = cut(lengths, tokens);
        let got = attempt(says, || function(lengths, tokens))?;
        let named = |failure| {
            TASK.attributed(failure, function, n..n + 1, |f| {
                let all = cases.iter().map(|(_, lengths, tokens)| {
                    let batches = attempt("", || written(&f(lengths, *tokens)));
                    batches.map_err(|failure| failure.sentence)
                });
                all.collect()
            })
        };
        let mut seen = got.concat();
        seen.sort_unstable();
        if seen != (0..lengths.len()).collect::<Vec<_>>() {
            let failure = Failure::new(format!(
                "{says}: of {} sentences your batches hold {}; each must come once",
                lengths.len(),
                seen.len()
            ));
            return Err(named(failure));
        }
        let same = |what: &str, of: fn(&[Vec<usize>]) -> Tensor| {
            let says = format!("{says}, {tokens} cells: {what}");
            compare(&says, &of(&expected), &of(&got), 0.0).map_err(named)
        };
        same("the sizes of the batches", sizes)?;
        same("the sentences, batch by batch", written)?;
    }
    Ok(())
}

/// Number of sentences in each batch.
fn sizes(batches: &[Vec<usize>]) -> Tensor {
    let sizes = batches.iter().map(|batch| batch.len() as f32);
    Tensor::new(&[batches.len()], sizes.collect())
}

/// The batches as one list, with a −1 after each.
fn written(batches: &[Vec<usize>]) -> Tensor {
    let ended = batches.iter().flat_map(|batch| {
        let numbers = batch.iter().map(|&n| n as f32);
        numbers.chain([-1.0])
    });
    let cells: Vec<f32> = ended.collect();
    Tensor::new(&[cells.len()], cells)
}
