//! Lengths of the bars beside a cell's terms.

use crate::autograd::{CellOrigin, Combination};
use crate::lesson::session::RankedTerm;

/// What a term's bar is relative to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shares {
    /// Absolute value of the term, relative to the largest.
    OfTheLargest(f32),
    /// Probability that a softmax computes from the score.
    OfTheRow { most: f32, sum: f32 },
}

impl Shares {
    /// Scale of the bars for these terms of a cell.
    pub fn of(cell: &CellOrigin, terms: &[RankedTerm]) -> Self {
        let of_row = cell.terms.iter().any(|term| term.role == "row");
        if of_row && cell.combination == Combination::Exponentials {
            let row = || cell.terms.iter().filter(|term| term.role == "row");
            let most = row()
                .map(|term| term.value)
                .fold(f32::NEG_INFINITY, f32::max);
            let sum = row().map(|term| (term.value - most).exp()).sum();
            return Self::OfTheRow { most, sum };
        }
        let sizes = terms.iter().map(|term| term.value.abs());
        Self::OfTheLargest(
            sizes
                .filter(|v| v.is_finite() && *v < 1e8)
                .fold(0.0, f32::max),
        )
    }

    /// Length of a term's bar, from 0 to 1.
    pub fn of_term(self, value: f32) -> f32 {
        match self {
            Self::OfTheRow { most, sum } => (value - most).exp() / sum,
            Self::OfTheLargest(largest) if largest > 0.0 && value.abs() < 1e8 => {
                (value.abs() / largest).min(1.0)
            }
            Self::OfTheLargest(_) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blocked_score_has_no_share_of_a_softmax_and_the_others_sum_to_1() {
        let scores = [2.0_f32, 2.0, -1e9];
        let sum = scores.iter().map(|x| (x - 2.0).exp()).sum();
        let shares = Shares::OfTheRow { most: 2.0, sum };
        assert_eq!(scores.map(|x| shares.of_term(x)), [0.5, 0.5, 0.0]);
    }

    #[test]
    fn other_terms_are_measured_against_the_largest() {
        let shares = Shares::OfTheLargest(4.0);
        assert_eq!(
            [-4.0, 1.0, 1e9].map(|x| shares.of_term(x)),
            [1.0, 0.25, 0.0]
        );
    }
}
