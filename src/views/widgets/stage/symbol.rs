//! Description of a formula's symbol in a sentence.

use super::{readable, shape};
use crate::lesson::glossary;
use crate::lesson::session::Session;
use crate::lesson::symbols::Meaning;

/// Describes a symbol: `q is the tensor query (30 b, 8 h, 10 t, 64 k), step 1`. Unless `explained` the shape is left out,
/// because a prediction may ask for it.
pub fn describe_symbol(
    session: &Session,
    symbol: &str,
    meaning: Meaning,
    explained: bool,
) -> String {
    match meaning {
        Meaning::Step(n) => {
            let step = &session.trace().steps()[n];
            let sizes = if explained {
                format!(" {}", shape(&step.axes, &step.value))
            } else {
                String::new()
            };
            let name = readable(&step.name);
            format!("{symbol} is the tensor {name}{sizes}, step {}", n + 1)
        }
        Meaning::Term(n) => {
            let term = &glossary::terms()[n];
            let means = term.means.trim_end_matches('.');
            format!("{symbol}, a term of the glossary ({}): {means}", term.name)
        }
        Meaning::Knob(n) => {
            let knob = &session.lesson().knobs[n];
            let value = session.requested().text(knob.name);
            format!(
                "{symbol} is the knob {} = {value}: {}",
                knob.name, knob.about
            )
        }
    }
}
