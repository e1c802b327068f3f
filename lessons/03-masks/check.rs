//! The check of the subsequent mask exercise: takes any implementation.

use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{attempt, compare, diagnose};
use transformer_tutor::nn::masks::subsequent_mask as reference;
use transformer_tutor::tensor::Tensor;

use super::mistakes::{self, Mask};
use super::switches::hint;

/// Lengths to try. At 4 all known mistakes differ; 1 has no future at all; the others catch a mask
/// that was made for one length.
const LENGTHS: [usize; 6] = [4, 1, 7, 2, 5, 20];

/// Whether `subsequent_mask` does what the reference does.
pub fn check(subsequent_mask: impl Fn(usize) -> Tensor) -> Outcome {
    for length in LENGTHS {
        let case = format!("subsequent_mask({length})");
        let got = attempt(&case, || subsequent_mask(length))?;
        compare(&case, &reference(length), &got, 0.0)
            .map_err(|failure| diagnose(failure, &got, known(length)))?;
    }
    Ok(())
}

/// What a mistake would have returned for this length, and what to say about it.
fn known(length: usize) -> impl Iterator<Item = (&'static str, Tensor)> {
    let switches: [(&str, Mask); 5] = [
        ("no-future", mistakes::no_future),
        ("reversed", mistakes::reversed),
        ("strict", mistakes::strict),
        ("upper", mistakes::upper),
        ("anti-diagonal", mistakes::anti_diagonal),
    ];
    let switches = switches.map(|(name, mask)| (hint(name), mask(length)));
    // These two do no harm on the stage, so they are no switches of it.
    let others = [
        (FLAT, mistakes::flat(length)),
        (AS_BIAS, mistakes::as_bias(length)),
    ];
    switches.into_iter().chain(others)
}

const FLAT: &str =
    "The values are right. The shape lacks the axis for the batch: [1, length, length].";
const AS_BIAS: &str = "These are numbers to be added to scores, 0 and −1e9. This function only says who may see whom: 1 may, 0 may not.";

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

    #[test]
    fn mistakes_without_a_switch_have_their_own_hints_too() {
        let likely = |mask: fn(usize) -> Tensor| check(mask).unwrap_err().likely;
        assert_eq!(likely(mistakes::flat).as_deref(), Some(FLAT));
        assert_eq!(likely(mistakes::as_bias).as_deref(), Some(AS_BIAS));
    }
}
