//! What a session shows, as HTML with the numbers as text.

use std::ops::ControlFlow;

use super::cells::{self, Grid};
use super::{bars, command, curves, diagram, drawn, heads, inline, map, plane, sentences, table};
use crate::autograd::{Nature, Step};
use crate::lesson::Body;
use crate::lesson::picture::{Job, Progress};
use crate::lesson::session::{CellRef, Focus, Session};
use crate::widgets::stage::{Titled, reference_tensor};
use crate::widgets::svg::escape;

/// Kind of drawing, which decides the figure's style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Coloured cells.
    #[default]
    Heat,
    Bars,
    /// Charts, and points in a plane.
    Curves,
    /// A table of text.
    Rows,
    /// The map of the model.
    Map,
    /// A diagram.
    Drawn,
    /// A drawing whose parts are moved.
    Moved,
    /// What a computation has found so far, in several parts.
    Live,
    /// Nothing: only the program can show it.
    Elsewhere,
    /// The message with which the run was refused.
    Refused,
}

impl Kind {
    /// Name of the kind in the figure's CSS class.
    pub fn class(self) -> &'static str {
        match self {
            Self::Heat => "heat",
            Self::Bars => "bars",
            Self::Curves => "curves",
            Self::Rows => "rows",
            Self::Map => "map",
            Self::Drawn => "drawn",
            Self::Moved => "moving",
            Self::Live => "live",
            Self::Elsewhere => "elsewhere",
            Self::Refused => "refused",
        }
    }
}

/// Tells readers that cells can be asked, before anyone tries.
const CAN_ASK: &str =
    "<span class=\"tt-can-ask\">Choose a number to see where it comes from.</span>";

/// What a session shows.
#[derive(Default)]
pub struct View {
    /// Title above the drawing, as HTML.
    pub title: String,
    /// Drawing, as HTML without empty lines.
    pub body: String,
    /// Description, in sentences of HTML.
    pub says: Vec<String>,
    pub kind: Kind,
}

impl View {
    /// View of a run that was refused with a message.
    pub fn refused(sentence: &str) -> Self {
        Self {
            body: format!(
                "<p class=\"tt-refused\">The run stops: {}</p>",
                written(sentence)
            ),
            kind: Kind::Refused,
            ..Self::default()
        }
    }
}

/// View of what the session shows; a wide tensor also shows the columns `named`.
pub fn of(session: &Session, named: &[usize]) -> View {
    let mut view = match session.focus() {
        Focus::Step(number) => tensor(session, number, named),
        Focus::Picture(number) => {
            let picture = &session.run().pictures[number];
            let (body, says) = match &picture.body {
                Body::Job(job) if !job.measures => {
                    let end = run_to_end(job);
                    (end.body, end.says)
                }
                body => (body.clone(), picture.says.clone()),
            };
            let mut view = drawing(session, &body);
            view.title = format!("<strong>{}</strong>", written(&picture.title));
            if view.kind != Kind::Elsewhere {
                view.says.insert(0, self::description(&says));
            }
            view
        }
    };
    // Only heat maps mention a leak of zero, because readers look for it at the weights or the mask.
    let of_cells = view.kind == Kind::Heat;
    if let Some(leak) = session.leak().filter(|leak| of_cells || *leak != 0.0) {
        view.says.push(format!(
            "Leak: {}.",
            match leak {
                0.0 => "none".to_owned(),
                leak => cells::text(leak),
            }
        ));
    }
    view.says.retain(|sentence| !sentence.is_empty());
    if let Some(drawn) = drawn::html(session) {
        // A diagram says no more than its drawing.
        let is_drawn = view.kind == Kind::Drawn;
        let numbers = if is_drawn {
            String::new()
        } else {
            format!(
                "<details class=\"tt-numbers\"><summary>The numbers</summary>{}<div class=\"tt-says\">{}</div></details>",
                view.body,
                view.says.join(" ")
            )
        };
        view.body = drawn + &numbers;
        view.says.clear();
        view.kind = Kind::Moved;
    }
    view
}

/// Name of the tensor or picture shown.
pub fn shown_name(session: &Session) -> String {
    let picture = session.picture().map(|picture| picture.name.to_owned());
    picture
        .or(session.step().map(|step| step.name.clone()))
        .unwrap_or_default()
}

/// View of a picture's data.
pub fn drawing(session: &Session, body: &Body) -> View {
    let measures = matches!(body, Body::Job(job) if job.measures);
    if measures || is_measured(body) {
        return elsewhere(
            session,
            "This picture measures the machine that it runs on, so the book has no numbers of it. To measure yours:",
        );
    }
    let (kind, body) = match body {
        Body::Matrix {
            values,
            nature,
            rows,
            columns,
            notes,
            ..
        } => {
            let cursor = match session.cursor() {
                [row, column] => (*row, *column),
                _ => (0, 0),
            };
            let mut grid = Grid::of_matrix(values, *nature, rows, columns, notes, cursor);
            // What an experiment has drawn is no picture in which the reader can move.
            let shown = session.picture().map(|picture| &picture.body);
            let is_own = matches!(shown, Some(Body::Matrix { .. }));
            grid = match (is_own, heads::shown(session, values)) {
                (true, Some(_)) => grid.asked(),
                (true, None) => grid,
                (false, _) => grid.unasked(),
            };
            let mut says = grid.says();
            if grid.can_be_asked() {
                says.insert(0, CAN_ASK.to_owned());
            }
            return View {
                kind: Kind::Heat,
                body: grid.html(),
                says,
                ..View::default()
            };
        }
        Body::Bars { unit, bars, log } => (Kind::Bars, bars::html(unit, bars, *log)),
        Body::Curves {
            x,
            y,
            log,
            apart,
            series,
        } => (Kind::Curves, curves::html(x, y, *log, *apart, series)),
        Body::Table { header, rows } => (Kind::Rows, table::html(header, rows)),
        Body::Map(map) => {
            let here = match session.cursor() {
                [row, column] => Some((*row, *column)),
                _ => None,
            };
            (Kind::Map, map::html(map, here))
        }
        Body::Planes(planes) => (Kind::Curves, plane::html(planes, session.cursor())),
        Body::Diagrams(all) => (Kind::Drawn, diagram::html(all, session.cursor())),
        Body::Live(live) => {
            let (says, _, parts) = live.work.shown();
            if parts.is_empty() {
                return elsewhere(session, &live.about);
            }
            let mut out = String::new();
            for part in &parts {
                let drawn = drawing(session, &part.body);
                out += &format!(
                    "<p><strong>{}</strong></p>{}",
                    written(&part.title),
                    drawn.body
                );
            }
            return View {
                kind: Kind::Live,
                body: out,
                says: vec![self::description(&says)],
                ..View::default()
            };
        }
        Body::Job(job) => return drawing(session, &run_to_end(job).body),
    };
    View {
        kind,
        body,
        ..View::default()
    }
}

/// Runs an experiment to its end, or until it is clear that it measures this machine; such results are not printed.
fn run_to_end(job: &Job) -> Progress {
    if job.last.is_some() {
        return job.end();
    }
    (job.run)(&mut |progress| {
        if is_measured(&progress.body) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
}

fn elsewhere(session: &Session, why: &str) -> View {
    View {
        kind: Kind::Elsewhere,
        body: format!(
            "<p>{} <code>{}</code></p>",
            escape(why),
            escape(&command::program(session))
        ),
        ..View::default()
    }
}

/// True if a drawing has times or speeds of this machine. Those are left out, because a rebuilt page must have the
/// same numbers.
fn is_measured(body: &Body) -> bool {
    let words: Vec<&str> = match body {
        Body::Bars { unit, bars, .. } => {
            let notes = bars.iter().map(|bar| bar.note.as_str());
            notes.chain([unit.as_str()]).collect()
        }
        Body::Table { header, rows } => header
            .iter()
            .chain(rows.iter().flatten())
            .map(String::as_str)
            .collect(),
        Body::Curves { x, y, .. } => vec![x, y],
        _ => Vec::new(),
    };
    words.into_iter().any(names_measure)
}

/// True if a text names a unit of time or speed.
fn names_measure(text: &str) -> bool {
    const UNITS: [&str; 10] = [
        "ms",
        "µs",
        "ns",
        "milliseconds",
        "microseconds",
        "nanoseconds",
        "seconds",
        "GFLOP/s",
        "GB/s",
        "words/s",
    ];
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '/'));
    words.any(|word| UNITS.contains(&word.trim_start_matches(|c: char| c.is_ascii_digit())))
}

/// Escapes a description, without the sentences that report times measured on this machine.
fn description(text: &str) -> String {
    let kept = sentences(text)
        .into_iter()
        .filter(|sentence| !states_duration(sentence));
    written(kept.collect::<String>().trim())
}

/// Plain text as HTML, with the quotes and signs of the prose.
fn written(text: &str) -> String {
    escape(&inline::typeset(text))
}

/// True if a sentence gives a measured time: a number followed by a unit.
fn states_duration(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let unit = pair[1].trim_end_matches(['.', ',', ';', ':', ')']);
        let number = pair[0].trim_start_matches('(').parse::<f64>().is_ok();
        number && (unit == "s" || names_measure(unit))
    })
}

fn tensor(session: &Session, number: usize, named: &[usize]) -> View {
    let trace = session.trace();
    let step = &trace.steps()[number];
    let cursor = session.cursor();
    let compared = (session.shows_difference() || session.shows_both())
        .then(|| reference_tensor(session, step))
        .flatten();
    let grid = match compared {
        Some(before) if session.shows_difference() => {
            let difference = step.value.zip(before, |now, before| now - before);
            Grid::of_values(trace, step, (&difference, Nature::Signed), cursor, named)
        }
        _ => Grid::of_step(trace, step, cursor, named),
    };
    let of = session.gradients_of().map(|of| steps_name(session, of));
    let mut says = vec![match (&of, session.shows_difference()) {
        (Some(of), _) => format!("Gradients of <code>{of}</code>."),
        (None, true) => "The difference: each number of this run minus the same number of the run before the change. \
                         Green cells grew, magenta cells shrank."
            .to_owned(),
        (None, false) => made_of(session, step),
    }];
    says.extend(grid.says());
    if grid.can_be_asked() {
        says.insert(0, CAN_ASK.to_owned());
    }
    let body = match compared.filter(|_| session.shows_both()) {
        Some(before) => format!(
            "<div class=\"tt-both\"><div><p>Before the change</p>{}</div><div><p>Now</p>{}</div></div>",
            Grid::of_values(trace, step, (before, step.nature), cursor, named).html(),
            grid.html()
        ),
        None => grid.html(),
    };
    let plain = session.plain_title().filter(|_| of.is_none());
    let plain = plain.map(|words| format!("{} ", escape(&words)));
    View {
        title: format!(
            "<strong>{}{}<code>{}</code></strong> {}",
            plain.unwrap_or_default(),
            if of.is_some() { "Gradients of " } else { "" },
            escape(&step.name),
            grid.shape_words(step)
        ),
        body,
        says,
        kind: Kind::Heat,
    }
}

/// Name of a cell: `log_probs[0,3,17]`.
pub(super) fn steps_name(session: &Session, at: &CellRef) -> String {
    let name = escape(&session.trace().steps()[at.step].name);
    let index: Vec<String> = at.index.iter().map(ToString::to_string).collect();
    if index.is_empty() {
        name
    } else {
        format!("{name}[{}]", index.join(","))
    }
}

fn made_of(session: &Session, step: &Step) -> String {
    let steps = session.trace().steps();
    let inputs: Vec<String> = step
        .inputs()
        .iter()
        .map(|&i| format!("<code>{}</code>", escape(&steps[i].name)))
        .collect();
    if inputs.is_empty() {
        match step.op() {
            "parameter" => "A parameter: training changes it.".to_owned(),
            "ids" => "Token ids, given from outside.".to_owned(),
            "mask" => "A mask, given from outside.".to_owned(),
            "constant" => "A constant: fixed, never trained.".to_owned(),
            _ => "An input of this run.".to_owned(),
        }
    } else {
        format!(
            "Made by the operation <code>{}</code> from {}.",
            step.op(),
            inputs.join(" and ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_this_machine_took_is_not_said() {
        let shown =
            description("90 parameters built and 865 steps recorded in 5.0 s. It took 10 steps.");
        assert_eq!(shown.trim(), "It took 10 steps.");
        assert!(states_duration("It took 3 seconds.") && states_duration("(0.7 ms in all)"));
        assert!(!states_duration("It takes some seconds.") && !states_duration("Range 0 to 4."));
        assert!(names_measure("milliseconds") && names_measure("7 GFLOP/s"));
        assert!(!names_measure("items"));
    }
}
