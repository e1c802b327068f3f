//! What a look has found.

use crate::lesson::Body;

/// Result of a look.
#[derive(Clone)]
pub struct Finding {
    /// Full output.
    pub text: String,
    /// What is unusual, in a few words that a learner can read off the text; [`ORDINARY`] if nothing is. Looks
    /// distinguish two faults by differing readings.
    pub reading: String,
    /// The numbers of the text as a drawing, if they can be drawn.
    pub drawing: Option<Body>,
}

/// Reading of a look that shows nothing unusual.
pub const ORDINARY: &str = "as in the sound one";

impl Finding {
    /// A finding; nothing is unusual if `reading` is `None`.
    pub fn new(text: String, reading: Option<String>) -> Self {
        let reading = reading.unwrap_or_else(|| ORDINARY.to_owned());
        Self {
            text,
            reading,
            drawing: None,
        }
    }

    /// A finding whose reading is the first of `signs` that is true.
    pub fn judged(text: String, signs: &[(bool, &str)]) -> Self {
        let sign = signs.iter().find(|(shows, _)| *shows);
        Self::new(text, sign.map(|(_, reading)| (*reading).to_owned()))
    }

    /// The same finding with a drawing of its numbers.
    #[must_use]
    pub fn drawn(self, drawing: Body) -> Self {
        Self {
            drawing: Some(drawing),
            ..self
        }
    }
}
