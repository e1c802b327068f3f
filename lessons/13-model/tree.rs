//! The parameter tree, with one part opened.

use serde::Deserialize;

use crate::lesson::{Fact, Facts};
use crate::transformer::count::Part;

/// The part that is opened.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opened {
    Model,
    Encoder,
    EncoderLayer,
    Decoder,
    DecoderLayer,
}

impl Opened {
    /// Finds the part in the tree of a model.
    pub fn of(self, model: &Part) -> Option<&Part> {
        model.find(match self {
            Self::Model => &[],
            Self::Encoder => &["encoder"],
            Self::EncoderLayer => &["encoder", "layer"],
            Self::Decoder => &["decoder"],
            Self::DecoderLayer => &["decoder", "layer"],
        })
    }
}

/// The components of the opened part: how often each occurs, its parameters, and their formula.
pub fn facts(opened: &Part, facts: Facts) -> Facts {
    let name = |part: &Part| match part.times {
        1 => part.name.clone(),
        times => format!("{} × {times}", part.name),
    };
    let parts = || opened.parts.iter();
    facts
        .with("opened", opened.name.clone())
        .with("opened_equation", opened.equation.clone())
        .with("inner", Fact::words(parts().map(name)))
        .with("inner_counts", Fact::numbers(parts().map(|p| p.count)))
        .with(
            "inner_equations",
            Fact::words(parts().map(|p| p.equation.clone())),
        )
}
