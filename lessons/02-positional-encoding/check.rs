//! The check of the positional-encoding exercise: takes any implementation.

use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{attempt, compare, diagnose};
use transformer_tutor::nn::positional_encoding::positional_encoding as reference;
use transformer_tutor::tensor::Tensor;

use super::MISTAKES;
use super::mistakes::{from_one, half_exponent, own_frequency, small_base, swapped};

type Table<'a> = &'a dyn Fn(usize, usize) -> Tensor;

/// Whether `positional_encoding` does what the reference does.
pub fn check(positional_encoding: impl Fn(usize, usize) -> Tensor) -> Outcome {
    let known: [(&str, Table); 5] = [
        ("own-frequency", &own_frequency),
        ("from-one", &from_one),
        ("small-base", &small_base),
        ("swapped", &swapped),
        ("half-exponent", &half_exponent),
    ];
    for (length, d_model) in [(5, 8), (3, 2), (12, 30), (1, 6), (200, 64), (0, 4)] {
        let case = format!("length {length}, d_model {d_model}");
        let expected = reference(length, d_model);
        let got = attempt(&case, || positional_encoding(length, d_model))?;
        compare(&case, &expected, &got, 1e-4).map_err(|failure| {
            let hints = known.iter().filter_map(|(name, f)| {
                Some((
                    MISTAKES.iter().find(|m| m.name == *name)?.hint,
                    f(length, d_model),
                ))
            });
            diagnose(failure, &got, hints)
        })?;
    }
    Ok(())
}
