//! The exercise: a training batch, and cases that distinguish it from its mistakes.

use transformer_tutor::data::copy::{CopyBatch, START, copy_batch};
use transformer_tutor::nn::masks::{PAD, shift};
use transformer_tutor::tensor::Tensor;

use super::starter;

/// The signature of the function that makes a batch.
pub type BatchFn = fn(&Tensor) -> CopyBatch;

transformer_tutor::task! { copy_batch: BatchFn = copy_batch;
    |batch| TASK.compared_in_parts(batch, &CASES, 0.0, |case, batch| parts(case, batch))
}

/// Cases to try: number of rows, and ids. Rows and columns differ in number, and rows in length.
const CASES: [(&str, (usize, &[f32])); 3] = [
    (
        "three sentences, two of them padded",
        (
            3,
            &[
                4.0, 5.0, 6.0, 7.0, 2.0, 0.0, 0.0, //
                9.0, 9.0, 1.0, 8.0, 6.0, 5.0, 2.0, //
                3.0, 4.0, 2.0, 0.0, 0.0, 0.0, 0.0,
            ],
        ),
    ),
    (
        "one sentence without padding",
        (1, &[10.0, 7.0, 7.0, 4.0, 2.0]),
    ),
    (
        "two sentences of three ids",
        (2, &[8.0, 8.0, 2.0, 6.0, 2.0, 0.0]),
    ),
];

fn parts(&(rows, ids): &(usize, &[f32]), make: BatchFn) -> [(&'static str, Tensor); 6] {
    let batch: CopyBatch = make(&Tensor::new(&[rows, ids.len() / rows], ids.to_vec()));
    [
        (", src", batch.src),
        (", src_mask", batch.src_mask),
        (", tgt", batch.tgt),
        (", tgt_y", batch.tgt_y),
        (", tgt_mask", batch.tgt_mask),
        (", ntokens", Tensor::scalar(batch.ntokens as f32)),
    ]
}
