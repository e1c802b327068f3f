//! Translation of plain mode's commands into intents of the stage.

use crate::lesson::chart::ViewChange;
use crate::lesson::session::chart::has_chart;
use crate::lesson::session::{GradientOf, Intent, Session, parse_index};

/// Intents for `word` with `argument`, in order; none if it is not a command for the stage. The error explains the
/// command's syntax.
pub(super) fn intents(
    word: &str,
    argument: &str,
    session: &Session,
) -> Result<Vec<Intent>, String> {
    let owned = argument.to_owned();
    let chart = session
        .picture()
        .is_some_and(|picture| has_chart(&picture.body));
    let one = match word {
        "step" => Intent::Step(1),
        "unstep" => Intent::Step(-1),
        "look" => Intent::Look(owned),
        "at" if chart => Intent::Read(place(argument)?),
        "at" => Intent::At(parse_index(argument)?),
        "why" => return why(argument, session),
        "up" => Intent::Up,
        "set" => {
            let (knob, value) = argument
                .split_once([' ', '='])
                .ok_or_else(|| format!("write a knob and a value, not '{argument}'"))?;
            let value = value.trim().trim_start_matches('=').trim();
            Intent::Set(knob.trim().to_owned(), value.to_owned())
        }
        "break" => match argument.parse() {
            Ok(n) => Intent::Break(n),
            Err(_) => Intent::BreakNamed(owned),
        },
        "difference" => Intent::Difference,
        "edit" => Intent::Edit(owned),
        "undo" => Intent::Undo,
        "redo" => Intent::Redo,
        "backward" if argument == "cell" => Intent::ShowGradients(GradientOf::Cell),
        "backward" => Intent::ShowGradients(GradientOf::Loss),
        "log" => Intent::Chart(ViewChange::Log),
        "zoom" => match argument {
            "" => Intent::Chart(ViewChange::Whole),
            "in" => Intent::Chart(ViewChange::Zoom(1)),
            "out" => Intent::Chart(ViewChange::Zoom(-1)),
            "newest" => Intent::Chart(ViewChange::Newest),
            _ => {
                let (from, to) = argument
                    .split_once([' ', ','])
                    .ok_or("zoom takes two places: zoom 100 200")?;
                Intent::Window(place(from)?, place(to)?)
            }
        },
        _ => return Ok(Vec::new()),
    };
    Ok(vec![one])
}

/// Intents that explain a named cell, the cell under the cursor, or a numbered term of the current explanation.
fn why(argument: &str, session: &Session) -> Result<Vec<Intent>, String> {
    if argument.contains('[') {
        return Ok(vec![Intent::Cell(argument.to_owned()), Intent::Why]);
    }
    if let Ok(number) = argument.trim_end_matches('b').parse() {
        let partner = argument.ends_with('b');
        return Ok(vec![Intent::Term { number, partner }]);
    }
    if !argument.is_empty() {
        return Err(format!(
            "'{argument}' is neither a cell, NAME[I,J,…], nor a term's number"
        ));
    }
    if session.step().is_none() {
        return Err(no_origin(session));
    }
    Ok(vec![Intent::Why])
}

/// Why a picture's cell cannot be asked about, and what to do instead.
fn no_origin(session: &Session) -> String {
    let steps = session.trace().steps();
    let name = steps.last().map_or("NAME", |step| step.name.as_str());
    format!(
        "this is a picture, whose cells have no single origin: type look {name} for a tensor of the run, or look for all names, and then why"
    )
}

/// Parses a position on a chart's axis.
fn place(text: &str) -> Result<f64, String> {
    let parsed = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    parsed.ok_or_else(|| format!("'{text}' is not a number on the chart's axis"))
}
