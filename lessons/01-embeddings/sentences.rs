//! The sentences of this lesson, and their vocabulary.

use transformer_tutor::lesson::memo::Lazy;
use transformer_tutor::text::vocabulary::Vocabulary;

/// Sentences in the batch.
pub const BATCH: usize = 30;

const WHO: [&str; 6] = [
    "the dog",
    "a small child",
    "my old neighbour",
    "the teacher",
    "one of the boys",
    "she",
];
const DOES: [&str; 5] = [
    "runs through the park today .",
    "reads a very long book .",
    "sleeps .",
    "does not see the red ball .",
    "gives the woman a letter .",
];

/// Thirty sentences of 3 to 11 words.
pub fn all() -> Vec<String> {
    (0..BATCH)
        .map(|n| format!("{} {}", WHO[n % WHO.len()], DOES[n / WHO.len()]))
        .collect()
}

/// The sentences' vocabulary.
pub static VOCABULARY: Lazy<Vocabulary> = Lazy::new(|| {
    let sentences = all();
    Vocabulary::new(sentences.iter().map(String::as_str))
});
