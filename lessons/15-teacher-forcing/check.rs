//! The exercise: the shift, and cases that distinguish it from its mistakes.

use transformer_tutor::nn::masks::{PAD, Shifted, shift};
use transformer_tutor::tensor::Tensor;

use super::starter;

/// The signature of the shift.
pub type ShiftFn = fn(&Tensor) -> Shifted;

transformer_tutor::task! { shift: ShiftFn = shift;
    |shift| TASK.compared_in_parts(shift, &CASES, 0.0, |case, shift| parts(case, shift))
}

/// Cases to try: number of rows, and ids.
const CASES: [(&str, (usize, &[f32])); 4] = [
    (
        "three sentences, two of them padded",
        (
            3,
            &[
                1.0, 5.0, 6.0, 7.0, 2.0, 0.0, 0.0, //
                1.0, 9.0, 4.0, 8.0, 6.0, 5.0, 2.0, //
                1.0, 4.0, 8.0, 2.0, 0.0, 0.0, 0.0,
            ],
        ),
    ),
    (
        "one sentence without padding",
        (1, &[1.0, 7.0, 7.0, 4.0, 2.0]),
    ),
    (
        "two sentences of three ids",
        (2, &[1.0, 8.0, 2.0, 1.0, 2.0, 0.0]),
    ),
    // Fails answers that count by the size of an id, or assume the length of a row.
    (
        "a long sentence with token 1 in it, and start 3",
        (1, &[3.0, 1.0, 5.0, 1.0, 6.0, 7.0, 4.0, 8.0, 2.0, 0.0]),
    ),
];

fn parts(&(rows, ids): &(usize, &[f32]), shift: ShiftFn) -> [(&'static str, Tensor); 3] {
    let made = shift(&Tensor::new(&[rows, ids.len() / rows], ids.to_vec()));
    let ntokens = Tensor::scalar(made.ntokens as f32);
    [
        (", tgt", made.tgt),
        (", tgt_y", made.tgt_y),
        (", ntokens", ntokens),
    ]
}
