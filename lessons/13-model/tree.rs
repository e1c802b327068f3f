//! The parameter tree, with one part opened.

use serde::Deserialize;

use crate::lesson::Picture;
use crate::transformer::count::Part;
use crate::typeset::number::grouped;

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
pub fn picture(opened: &Part) -> Picture {
    let row = |part: &Part| {
        let name = match part.times {
            1 => part.name.clone(),
            times => format!("{} × {times}", part.name),
        };
        vec![name, grouped(part.count as u64), part.equation.clone()]
    };
    let says = format!(
        "The {} has {} parameters: {}. Turn part to open another.",
        opened.name,
        grouped(opened.count as u64),
        opened.equation
    );
    let header = ["part", "each", "equation of one"];
    let rows = opened.parts.iter().map(row).collect();
    Picture::table(
        "tree",
        "Where the parameters sit, part by part",
        says,
        &header,
        rows,
    )
    .turned_by("part")
}
