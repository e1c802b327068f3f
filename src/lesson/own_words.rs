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
pub fn score(points: &[bool; 3]) -> String {
    let has = points.iter().filter(|has| **has).count();
    format!("Your answer has {has} of the 3 points.")
}
