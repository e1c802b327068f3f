//! The check of the subsequent mask exercise: takes any implementation.

use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::nn::masks::subsequent_mask as reference;
use transformer_tutor::tensor::Tensor;

use super::{mistakes, starter};

/// Lengths to try. At 4 all known mistakes differ; 1 has no future at all; the others catch a mask
/// that was made for one length.
const LENGTHS: [usize; 6] = [4, 1, 7, 2, 5, 20];

/// What there is to write.
pub static TASK: Task<mistakes::Mask> = Task {
    reference,
    starter: starter::subsequent_mask,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `subsequent_mask` does what the reference does.
pub fn check(subsequent_mask: impl Fn(usize) -> Tensor) -> Outcome {
    for length in LENGTHS {
        let case = format!("subsequent_mask({length})");
        let got = attempt(&case, || subsequent_mask(length))?;
        compare(&case, &reference(length), &got, 0.0).map_err(|failure| {
            let made = mistakes::ALL
                .iter()
                .map(|(name, mask)| (*name, mask(length)));
            diagnose(failure, &got, made)
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_changes_of_the_right_answer_fail() {
        let changed = |cell: fn(usize, usize, usize) -> f32| {
            check(move |n| Tensor::from_fn(&[1, n, n], |i| cell(n, i[1], i[2])))
        };
        assert!(changed(|_, r, c| if c <= r { 1.0 } else { 0.0 }).is_ok());
        let wrong: [fn(usize, usize, usize) -> f32; 9] = [
            |_, r, c| f32::from(u8::from(c <= r + 1)),
            |_, r, c| f32::from(u8::from(c < r || r == 0)),
            |_, r, c| if c <= r { 1.0 } else { -1e9 },
            |_, r, c| if c <= r { 2.0 } else { 0.0 },
            |_, r, c| if c <= r { 1.0 } else { f32::NAN },
            |n, r, c| f32::from(u8::from(c <= r && n <= 7)),
            |_, r, c| f32::from(u8::from(c <= r && r < 10)),
            |_, r, c| f32::from(u8::from(c <= r && r - c < 5)),
            |n, r, c| f32::from(u8::from(r + c + 1 >= n)),
        ];
        for (number, cell) in wrong.into_iter().enumerate() {
            assert!(changed(cell).is_err(), "change {number} passes");
        }
        assert!(check(|n| reference(n).reshape(&[n, n, 1])).is_err());
        assert!(check(|n| reference(n).reshape(&[1, 1, n, n])).is_err());
        assert!(check(|_| reference(4)).is_err());
    }
}
