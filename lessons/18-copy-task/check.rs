//! The check of the batch exercise: takes any implementation.

use transformer_tutor::data::copy::{CopyBatch, copy_batch};
use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::tensor::Tensor;

use super::{mistakes, starter};

/// What is tried: a name, rows, ids. Rows and columns differ in number, rows in length.
const CASES: [(&str, usize, &[f32]); 3] = [
    (
        "three sentences, two of them padded",
        3,
        &[
            4.0, 5.0, 6.0, 7.0, 2.0, 0.0, 0.0, //
            9.0, 9.0, 1.0, 8.0, 6.0, 5.0, 2.0, //
            3.0, 4.0, 2.0, 0.0, 0.0, 0.0, 0.0,
        ],
    ),
    (
        "one sentence without padding",
        1,
        &[10.0, 7.0, 7.0, 4.0, 2.0],
    ),
    (
        "two sentences of three ids",
        2,
        &[8.0, 8.0, 2.0, 6.0, 2.0, 0.0],
    ),
];

/// The tensors of a batch by name.
fn parts(batch: &CopyBatch) -> [(&'static str, Tensor); 6] {
    [
        ("src", batch.src.clone()),
        ("src_mask", batch.src_mask.clone()),
        ("tgt", batch.tgt.clone()),
        ("tgt_y", batch.tgt_y.clone()),
        ("tgt_mask", batch.tgt_mask.clone()),
        ("ntokens", Tensor::scalar(batch.ntokens as f32)),
    ]
}

/// What there is to write.
pub static TASK: Task<mistakes::BatchFn> = Task {
    reference: copy_batch,
    starter: starter::copy_batch,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` does what the reference does.
pub fn check(implementation: impl Fn(&Tensor) -> CopyBatch) -> Outcome {
    for (says, rows, ids) in CASES {
        let words = Tensor::new(&[rows, ids.len() / rows], ids.to_vec());
        let got = attempt(says, || implementation(&words))?;
        let pairs = parts(&copy_batch(&words)).into_iter().zip(parts(&got));
        for ((name, expected), (_, part)) in pairs {
            compare(&format!("{says}, {name}"), &expected, &part, 0.0).map_err(|failure| {
                let known = mistakes::ALL.iter().filter_map(|(name, mistake)| {
                    Some((*name, packed(&attempt("", || mistake(&words)).ok()?)))
                });
                diagnose(failure, &packed(&got), known)
            })?;
        }
    }
    Ok(())
}

/// All of a batch in one row, so that two batches are equal if their rows are.
fn packed(batch: &CopyBatch) -> Tensor {
    let parts = parts(batch);
    let sizes = parts
        .iter()
        .flat_map(|(_, t)| t.shape().iter().map(|&n| n as f32));
    let cells = parts.iter().flat_map(|(_, t)| t.data().iter().copied());
    let all: Vec<f32> = sizes.chain(cells).collect();
    Tensor::new(&[all.len()], all)
}
