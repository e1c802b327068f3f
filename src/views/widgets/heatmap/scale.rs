//! Mapping from values to the strength of a colour.

use super::Range;
use crate::autograd::Nature;

/// Range of values over which a map's colours extend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// From 0 to 1 whatever the values, so that the probabilities of two maps can be compared.
    Share,
    /// Outwards from 0 up to this absolute value, with one colour above 0 and one below.
    AroundZero(f32),
    /// From the smallest value to the largest, which have the same sign.
    Between(f32, f32),
}

impl Scale {
    /// The scale for values of this kind and range.
    pub fn of(nature: Nature, range: &Range) -> Self {
        if nature == Nature::Probability && range.least >= 0.0 && range.most <= 1.0 {
            Self::Share
        } else if range.least > range.most || (range.least < 0.0 && range.most > 0.0) {
            Self::AroundZero(range.bound())
        } else {
            Self::Between(range.least, range.most)
        }
    }

    /// Strength of a value's colour, from 0 to 1. If all values are equal, those other than 0 are in the middle.
    pub fn strength(self, x: f32) -> f32 {
        let share = match self {
            Self::Share => x,
            Self::AroundZero(bound) if bound > 0.0 => x.abs() / bound,
            Self::Between(least, most) if most > least => (x - least) / (most - least),
            _ if x == 0.0 => 0.0,
            _ => 0.5,
        };
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            1.0
        }
    }

    /// Width of the interval in which values have to be told apart.
    pub fn span(self, range: &Range) -> f32 {
        match self {
            Self::Share => range.most,
            Self::AroundZero(bound) => bound,
            Self::Between(least, most) if most > least => most - least,
            Self::Between(_, most) => most.abs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(nature: Nature, least: f32, most: f32) -> Scale {
        let range = Range {
            least,
            most,
            blocked: 0,
            strange: 0,
            whole: false,
        };
        Scale::of(nature, &range)
    }

    #[test]
    fn numbers_of_one_sign_span_the_whole_ramp() {
        let lengths = scale(Nature::Signed, 138.0, 256.0);
        assert_eq!(
            [138.0, 197.0, 256.0].map(|x| lengths.strength(x)),
            [0.0, 0.5, 1.0]
        );
        let below = scale(Nature::Signed, -3.0, -1.0);
        assert_eq!([-3.0, -1.0].map(|x| below.strength(x)), [0.0, 1.0]);
    }

    #[test]
    fn signed_numbers_are_as_strong_as_they_are_far_from_0() {
        let scores = scale(Nature::Signed, -2.0, 4.0);
        assert_eq!(
            [-2.0, 0.0, 2.0, 4.0].map(|x| scores.strength(x)),
            [0.5, 0.0, 0.5, 1.0]
        );
    }

    #[test]
    fn probabilities_keep_their_scale_whatever_is_there() {
        let weights = scale(Nature::Probability, 0.1, 0.2);
        assert_eq!([0.1, 0.2].map(|x| weights.strength(x)), [0.1, 0.2]);
        // A broken softmax leaves the range from 0 to 1, so the actual values count.
        assert_eq!(
            scale(Nature::Probability, 0.1, 1.5),
            Scale::Between(0.1, 1.5)
        );
    }

    #[test]
    fn equal_numbers_and_no_numbers_have_a_strength_too() {
        assert_eq!(scale(Nature::Signed, 0.0, 0.0).strength(0.0), 0.0);
        assert_eq!(scale(Nature::Signed, 7.0, 7.0).strength(7.0), 0.5);
        assert_eq!(scale(Nature::Signed, 7.0, 7.0).strength(f32::INFINITY), 0.5);
        let nothing = scale(Nature::Signed, f32::INFINITY, f32::NEG_INFINITY);
        assert_eq!(nothing.strength(f32::NAN), 0.5);
    }
}
