//! The open question at a lesson's end, which the learner answers in their own words.

/// A question, and the rubric that the learner compares their answer with.
#[derive(Clone, Copy, Debug)]
pub struct OwnWords {
    /// What to explain.
    pub ask: &'static str,
    /// What a good answer contains, each a full sentence.
    pub points: [&'static str; 3],
}

/// Maximum length of an answer, in characters.
pub const LONGEST: usize = 600;

/// Returns the score of an answer that contains these points: `Your answer has 2 of the 3 points.`
///
/// An answer whose points were never ticked has no score.
pub fn score(points: &[bool; 3]) -> String {
    match points.iter().filter(|has| **has).count() {
        0 => "Your answer is kept, but none of the 3 points is ticked yet.".to_owned(),
        has => format!("Your answer has {has} of the 3 points."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_ticks_is_not_judged() {
        assert_eq!(
            score(&[true, false, true]),
            "Your answer has 2 of the 3 points."
        );
        assert!(score(&[false; 3]).contains("none of the 3 points is ticked"));
    }
}
