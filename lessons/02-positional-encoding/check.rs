//! The check of the positional-encoding exercise: takes any implementation.

use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::positional_encoding::positional_encoding as reference;
use transformer_tutor::tensor::Tensor;

use super::{mistakes, starter};

/// What there is to write.
pub static TASK: Task<mistakes::TableFn> = Task {
    reference,
    starter: starter::positional_encoding,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `positional_encoding` does what the reference does.
pub fn check(positional_encoding: impl Fn(usize, usize) -> Tensor) -> Outcome {
    for (length, d_model) in [(5, 8), (3, 2), (12, 30), (1, 6), (200, 64), (0, 4)] {
        let case = format!("length {length}, d_model {d_model}");
        let expected = reference(length, d_model);
        let got = attempt(&case, || positional_encoding(length, d_model))?;
        compare(&case, &expected, &got, 1e-4).map_err(|failure| {
            let made = mistakes::ALL.iter();
            let made = made.map(|(name, mistake)| (*name, mistake(length, d_model)));
            diagnose(failure, &got, made)
        })?;
    }
    Ok(())
}
