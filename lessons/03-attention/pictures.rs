//! The pictures of the lesson beyond the recorded run.

use transformer_tutor::autograd::Trace;
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::lesson::{Picture, leak};
use transformer_tutor::tensor::Tensor;

use super::race;
use super::record::{Leak, Recorded};

/// What the stage draws itself.
pub fn all(run: &Recorded) -> Vec<Picture> {
    let leak = run.leak.as_ref().map(meter);
    leak.into_iter().chain([race::picture()]).collect()
}

fn meter(of: &Leak) -> Picture {
    let words = (&of.words.rows[..], &of.words.columns[..]);
    let why = |row: usize, column: usize| {
        let pad = of.words.columns[column] == "<pad>";
        // A column can be in a row's future only if a sentence reads itself.
        let future = of.words.rows == of.words.columns && column > row;
        match (pad, future) {
            (true, true) => "both",
            (false, true) => "future",
            _ => "pad",
        }
        .to_owned()
    };
    leak::picture(&of.influence, &of.allowed, words, why)
}

/// Largest difference between the scores from two projections and from one bilinear form, and the largest score; `None`
/// if the run does not compute both.
pub fn form_difference(run: &Trace) -> Option<(f64, f64)> {
    let (two, one) = (run.tensor("scores")?, run.tensor("scores_by_form")?);
    let largest = largest_difference(two, &Tensor::zeros(two.shape()));
    (two.shape() == one.shape()).then(|| (largest_difference(two, one), largest))
}
