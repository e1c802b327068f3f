//! The check of the shift exercise: takes any implementation.

use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::masks::{Shifted, shift};
use transformer_tutor::tensor::Tensor;

use super::{mistakes, starter};

/// What is tried: a name, rows, ids.
const CASES: [(&str, usize, &[f32]); 4] = [
    (
        "three sentences, two of them padded",
        3,
        &[
            1.0, 5.0, 6.0, 7.0, 2.0, 0.0, 0.0, //
            1.0, 9.0, 4.0, 8.0, 6.0, 5.0, 2.0, //
            1.0, 4.0, 2.0, 0.0, 0.0, 0.0, 0.0,
        ],
    ),
    (
        "one sentence without padding",
        1,
        &[1.0, 7.0, 7.0, 4.0, 2.0],
    ),
    (
        "two sentences of three ids",
        2,
        &[1.0, 8.0, 2.0, 1.0, 2.0, 0.0],
    ),
    // Whoever counts by the size of an id, or knows the length of a row beforehand, is caught here.
    (
        "a long sentence with word 1 in it, and start 3",
        1,
        &[3.0, 1.0, 5.0, 1.0, 6.0, 7.0, 4.0, 8.0, 2.0, 0.0],
    ),
];

/// What there is to write.
pub static TASK: Task<mistakes::ShiftFn> = Task {
    reference: shift,
    starter: starter::shift,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Tensor) -> Shifted) -> Outcome {
    for (says, rows, ids) in CASES {
        let ids = Tensor::new(&[rows, ids.len() / rows], ids.to_vec());
        let expected = shift(&ids);
        let got = attempt(says, || implementation(&ids))?;
        let count = |s: &Shifted| Tensor::scalar(s.ntokens as f32);
        let part =
            |name: &str, e: &Tensor, g: &Tensor| compare(&format!("{says}, {name}"), e, g, 0.0);
        part("tgt", &expected.tgt, &got.tgt)
            .and_then(|()| part("tgt_y", &expected.tgt_y, &got.tgt_y))
            .and_then(|()| part("ntokens", &count(&expected), &count(&got)))
            .map_err(|failure| {
                let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                    Some((*name, packed(&attempt("", || mistake(&ids)).ok()?)))
                });
                diagnose(failure, &packed(&got), known)
            })?;
    }
    Ok(())
}

/// All of a result in one row, so that two results are equal if their rows are.
fn packed(s: &Shifted) -> Tensor {
    let sizes = s.tgt.shape().iter().chain(s.tgt_y.shape());
    let sizes = sizes.map(|&n| n as f32).chain([s.ntokens as f32]);
    let ids = s.tgt.data().iter().chain(s.tgt_y.data()).copied();
    let all: Vec<f32> = sizes.chain(ids).collect();
    Tensor::new(&[all.len()], all)
}
