//! The stage in sentences and tables, for plain mode, pipes and screen readers: no box drawing, no braille, ASCII
//! numbers.

use super::beside;
use super::body::with_matrix;
use super::gist::{copied, gist};
use super::why::{leaf, movement, roles};
use super::{
    PictureView, axis_words, cell_name, charted, footer, last_name, plain_name, shape, sizes,
    with_heat,
};
use crate::autograd::{Nature, Step, Trace};
use crate::lesson::session::{Focus, Session, ranked};
use crate::lesson::{Bar, Body, FrontEnd, Range};
use crate::tensor::Tensor;
use crate::text::writing::capitalised;
use crate::typeset::number::{ascii, fixed, short};
use crate::widgets::curves::Chart;
use crate::widgets::heatmap::{Axis, Heat, meaning};
use crate::widgets::{diagram, map, plane, table};

/// Describes the session's current step or picture, in sentences and tables without box drawing.
pub fn describe(session: &Session) -> String {
    let mut sentences = broken(session);
    match session.focus() {
        Focus::Step(number) => step(session, number, &mut sentences),
        Focus::Picture(number) => {
            let picture = &session.run().pictures[number];
            sentences.push(format!("Picture {} ({}).", picture.title, picture.name));
            sentences.push(describe_body(
                &picture.body,
                &picture.says,
                PictureView {
                    cursor: session.cursor(),
                    view: session.view(),
                    written: None,
                },
            ));
        }
    }
    let knobs: Vec<String> = session
        .lesson()
        .knobs
        .iter()
        .filter(|knob| session.lesson().matters(session.settings(), knob.name))
        .map(|knob| {
            let value = session.settings().text(knob.name);
            match knob.range {
                Range::Text { .. } => format!("{} \"{value}\"", knob.name),
                _ => format!("{} {}", knob.name, session.settings().display(knob)),
            }
        })
        .collect();
    if !knobs.is_empty() {
        sentences.push(format!("Knobs: {}.", knobs.join(", ")));
    }
    sentences.extend(footer::note(session).map(str::to_owned));
    match session.leak() {
        Some(0.0) => sentences.push("Leak: none.".to_owned()),
        Some(leak) => sentences.push(format!("Leak: {}.", number(leak))),
        None => {}
    }
    if let Some(sentence) = session.refusal() {
        sentences.push(format!("Refused: {sentence}"));
    }
    if let Some(sentence) = session.remark() {
        sentences.push(sentence.to_owned());
    }
    sentences.join("\n")
}

/// A sentence for each mistake that is on, with where to look. They come first: what follows may look as before.
fn broken(session: &Session) -> Vec<String> {
    let (lesson, settings) = (session.lesson(), session.settings());
    let on = lesson
        .mistakes
        .iter()
        .filter(|mistake| settings.broken(mistake.name));
    let sentences = on.map(|mistake| {
        let broken = format!("Broken: {}.", mistake.title);
        if lesson.advises(settings, mistake) {
            let advice = lesson.advice(mistake, settings, FrontEnd::Plain);
            format!("{broken} {advice}")
        } else {
            broken
        }
    });
    sentences.collect()
}

fn step(session: &Session, at: usize, sentences: &mut Vec<String>) {
    let steps = session.trace().steps();
    let step = &steps[at];
    let inputs: Vec<String> = step
        .inputs()
        .iter()
        .map(|&i| format!("{} {}", steps[i].name, sizes(&steps[i].value)))
        .collect();
    let from = if inputs.is_empty() {
        String::new()
    } else {
        format!(" of {}", inputs.join(" and "))
    };
    let place = format!("Step {} of {}", at + 1, steps.len());
    let shape = spelled(&step.axes, &step.value);
    sentences.push(format!(
        "{place}: {} {shape}, by {}{from}.",
        step.name,
        step.op()
    ));
    let edits = session.edits_in_words();
    if !edits.is_empty() {
        sentences.push(edits);
    }
    if session.shows_difference() {
        sentences.push(if session.edits().is_empty() {
            "Showing the difference from the correct run.".to_owned()
        } else {
            "Showing the difference from the run before your changes.".to_owned()
        });
    }
    let described = |both: [&Heat; 2]| describe_both(both, session, &mut *sentences);
    let both = session
        .shows_both()
        .then(|| beside::with_both(session, described));
    if both.flatten().is_none() {
        with_heat(session, |heat| describe_heat(heat, &step.name, sentences));
    }
}

/// Describes the tensor of the correct run, then that of this one, and the cell that changed most.
fn describe_both(both: [&Heat; 2], session: &Session, sentences: &mut Vec<String>) {
    let name = session.step().map_or("", |step| &step.name);
    for (heat, run) in both.into_iter().zip(beside::names(session)) {
        sentences.push(format!("{}:", capitalised(run)));
        describe_heat(heat, name, sentences);
    }
    let place = |index: &[usize]| match *index {
        [.., row, column] => (row, column),
        [column] => (0, column),
        [] => (0, 0),
    };
    sentences.push(match both[1].operands.first() {
        Some(index) => {
            let (row, column) = place(index);
            let [from, to] = both.map(|heat| number(heat.cell(row, column).0));
            let cell = cell_name(name, index);
            format!("Of this slice, {cell} changed most: from {from} to {to}.")
        }
        None => "No cell of this slice has changed.".to_owned(),
    });
}

/// A shape with the full names of its axes, which the screen abbreviates to letters:
/// `(30 batch, 8 head, 10 target, 11 source)`.
fn spelled(axes: &[&str], value: &Tensor) -> String {
    let names: Vec<&str> = axes.iter().map(|axis| meaning(axis)).collect();
    shape(&names, value)
}

/// Describes a heat map in sentences (probabilities, masks) or as a table (everything else).
fn describe_heat(heat: &Heat, name: &str, sentences: &mut Vec<String>) {
    let Some((value, blocked)) = heat.value_at_cursor() else {
        sentences.push("It has no cells.".to_owned());
        return;
    };
    let range = heat.range();
    let mut about = Vec::new();
    if range.least <= range.most {
        about.push(format!(
            "range {} to {}",
            number(range.least),
            number(range.most)
        ));
    }
    if range.blocked > 0 {
        about.push(format!("{} blocked", count(range.blocked, "cell")));
    }
    if range.strange > 0 {
        about.push(format!("{} not finite", count(range.strange, "cell")));
    }
    sentences.push(format!("{}.", capitalised(&about.join(", "))));
    let leading = heat.leading();
    if !leading.is_empty() {
        sentences.push(format!("Seen at leading index {leading:?}."));
    }
    match heat.nature {
        Nature::Probability => describe_rows(heat, sentences, weights_of_row),
        Nature::Mask => describe_rows(heat, sentences, open_columns),
        Nature::Signed | Nature::Ids => sentences.push(numbers(heat)),
    }
    let words = heat.words_at_cursor(&crate::widgets::theme::Theme::mono().in_ascii());
    let words = if words.is_empty() {
        words
    } else {
        format!(" ({words})")
    };
    let blocked = if blocked { ", blocked" } else { "" };
    let cell = cell_name(name, heat.cursor);
    sentences.push(format!(
        "Cursor: {cell} = {}{blocked}{words}.",
        number(value)
    ));
}

const ROWS: usize = 12;

/// Maximum number of rows that are described although the cursor is only on one.
const ALL_ROWS: usize = 24;

/// One sentence for each row, or for those around the cursor if there are many.
fn describe_rows(heat: &Heat, sentences: &mut Vec<String>, sentence: fn(&Heat, usize) -> String) {
    let rows = heat.size().0;
    let shown = if rows <= ALL_ROWS {
        0..rows
    } else {
        around(heat.place().0, rows)
    };
    for row in shown.clone() {
        sentences.push(format!(
            "  {} {}.",
            row_name(&heat.rows, row),
            sentence(heat, row)
        ));
    }
    if shown.len() < rows {
        sentences.push(format!(
            "  (rows {} to {} of {rows})",
            shown.start,
            shown.end - 1
        ));
    }
}

fn row_name(axis: &Axis, row: usize) -> String {
    match axis.words(row) {
        Some(word) => format!("row {row} \"{word}\""),
        None => format!("row {row}"),
    }
}

fn column_name(axis: &Axis, column: usize) -> String {
    match axis.words(column) {
        Some(word) => format!("\"{word}\""),
        None => format!("column {column}"),
    }
}

/// Weights of a row, largest first: `gives 0.61 to "Hund", 0.22 to "der"; 3 columns are blocked`.
fn weights_of_row(heat: &Heat, row: usize) -> String {
    let columns = heat.size().1;
    let mut open: Vec<(usize, f32)> = Vec::new();
    let mut blocked = 0;
    for column in 0..columns {
        let (x, is_blocked) = heat.cell(row, column);
        if is_blocked {
            blocked += 1
        } else {
            open.push((column, x))
        }
    }
    open.sort_by(|a, b| b.1.total_cmp(&a.1));
    let top: Vec<String> = open
        .iter()
        .take(3)
        .map(|&(column, x)| {
            format!(
                "{} to {}",
                ascii(&fixed(x, 2)),
                column_name(&heat.columns, column)
            )
        })
        .collect();
    let gives = if top.is_empty() {
        "gives nothing".to_owned()
    } else {
        format!("gives {}", top.join(", "))
    };
    match blocked {
        0 => gives,
        1 => format!("{gives}; 1 column is blocked"),
        n => format!("{gives}; {n} columns are blocked"),
    }
}

/// Columns that a mask leaves open: `sees 0-4, 7`.
fn open_columns(heat: &Heat, row: usize) -> String {
    let columns = heat.size().1;
    let open: Vec<usize> = (0..columns).filter(|&c| !heat.cell(row, c).1).collect();
    if open.is_empty() {
        return "sees nothing".to_owned();
    }
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for column in open {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == column => *last = column,
            _ => spans.push((column, column)),
        }
    }
    let spans = spans.iter().map(|&(a, b)| {
        if a == b {
            a.to_string()
        } else {
            format!("{a}-{b}")
        }
    });
    format!("sees {}", spans.collect::<Vec<_>>().join(", "))
}

/// A table of the values around the cursor, up to twelve by twelve.
fn numbers(heat: &Heat) -> String {
    let (rows, columns) = heat.size();
    let (row, column) = heat.place();
    let (down, across) = (around(row, rows), around(column, columns));
    let label = |axis: &Axis, i: usize| axis.words(i).map_or(i.to_string(), |w| format!("{i}:{w}"));
    let header = [String::new()]
        .into_iter()
        .chain(across.clone().map(|c| label(&heat.columns, c)));
    let body = down.clone().map(|r| {
        let cells = across.clone().map(|c| {
            let (x, blocked) = heat.cell(r, c);
            if blocked {
                "x".to_owned()
            } else {
                ascii(&short(x, 6))
            }
        });
        [label(&heat.rows, r)].into_iter().chain(cells).collect()
    });
    let mut text = table::plain(&header.collect::<Vec<_>>(), &body.collect::<Vec<_>>());
    if down.len() < rows || across.len() < columns {
        text.push_str(&format!(
            "\n  (rows {} to {} of {rows}, columns {} to {} of {columns})",
            down.start,
            down.end - 1,
            across.start,
            across.end - 1
        ));
    }
    text
}

/// Range of at most twelve positions around `at`.
fn around(at: usize, all: usize) -> std::ops::Range<usize> {
    let first = at.saturating_sub(ROWS / 2).min(all.saturating_sub(ROWS));
    first..(first + ROWS).min(all)
}

/// Describes a picture's data and its sentence as [`describe`] does, including the progress of a job.
pub fn describe_body(body: &Body, says: &str, shown: PictureView<'_>) -> String {
    let mut sentences = Vec::new();
    if !says.is_empty() {
        sentences.push(says.to_owned());
    }
    match body {
        Body::Matrix {
            rows,
            columns,
            notes,
            ..
        } => {
            sentences.push(format!("Rows are {}, columns are {}.", rows.0, columns.0));
            let (row, column) = with_matrix(body, shown, |heat| {
                describe_heat(heat, "value", &mut sentences);
                heat.place()
            });
            if let Some(note) = notes
                .get(row)
                .and_then(|r| r.get(column))
                .filter(|n| !n.is_empty())
            {
                sentences.push(format!("That is: {note}."));
            }
        }
        Body::Bars { unit, bars, .. } => {
            // A note with a number in it replaces the value.
            let words = |bar: &Bar| {
                if bar.note.contains(|c: char| c.is_ascii_digit()) {
                    bar.note.clone()
                } else {
                    format!("{} {}", ascii(&short(bar.value as f32, 8)), bar.note)
                }
            };
            let row = |bar: &Bar| vec![bar.label.clone(), words(bar).trim_end().to_owned()];
            let rows: Vec<Vec<String>> = bars.iter().map(row).collect();
            sentences.push(table::plain(&[String::new(), unit.clone()], &rows));
        }
        Body::Curves {
            x,
            y,
            log,
            apart,
            series,
        } => {
            let chart = Chart {
                x,
                y,
                log: *log,
                apart: *apart,
                series,
                view: shown.view,
            };
            sentences.extend(charted::describe(&chart));
        }
        Body::Table { header, rows } => sentences.push(table::plain(header, rows)),
        Body::Map(map) => sentences.push(map::describe(map)),
        Body::Planes(planes) => sentences.push(plane::describe(planes, shown.cursor)),
        Body::Diagrams(all) => sentences.push(diagram::describe(all, shown.cursor)),
        Body::Job(job) => sentences.push(format!("Not started yet: {}", job.about)),
        Body::Live(live) => {
            let (says, _, parts) = live.work.shown();
            if parts.is_empty() {
                sentences.push(format!("Not begun yet: {}", live.about));
            }
            sentences.push(says);
            for part in parts {
                sentences.push(format!("{}:", part.title));
                sentences.push(describe_body(
                    &part.body,
                    "",
                    PictureView {
                        cursor: &[],
                        ..shown
                    },
                ));
            }
        }
    }
    sentences.join("\n")
}

/// Describes where the value of the cell in question came from.
pub fn describe_why(session: &Session) -> String {
    let Some((at, cell)) = session.why() else {
        return String::new();
    };
    let trace = session.trace();
    let steps = trace.steps();
    let step = &steps[at.step];
    let mut sentences = Vec::new();
    if session.path().len() > 1 {
        let path = session
            .path()
            .iter()
            .map(|at| cell_name(&steps[at.step].name, &at.index));
        sentences.push(format!(
            "The way: {}.",
            path.collect::<Vec<_>>().join(" -> ")
        ));
    }
    let words = axis_words(trace, step, &at.index);
    let words = if words.is_empty() {
        words
    } else {
        format!(" ({words})")
    };
    sentences.push(format!(
        "{} = {}{words}",
        cell_name(&step.name, &at.index),
        number(cell.value)
    ));
    sentences.extend(movement(session));
    sentences.extend(gist(trace, step, &at.index));
    if cell.terms.is_empty() {
        sentences.push(leaf(session, at));
        return sentences.join("\n");
    }
    let is: Vec<String> = roles(&cell)
        .iter()
        .map(|&(role, step)| match step {
            Some(step) => format!("{role} is {}", with_purpose(trace, &trace.steps()[step])),
            None => format!("{role} is a constant"),
        })
        .collect();
    sentences.push(match copied(trace, &cell) {
        Some(name) => format!("The same number as {name}: nothing was computed."),
        None => format!("= {}, where {}.", cell.formula, is.join(", ")),
    });
    let terms = ranked(&cell);
    let (first, shown) = (
        session.term().saturating_sub(ROWS - 1),
        ROWS.min(terms.len()),
    );
    for (i, row) in terms.iter().enumerate().skip(first).take(shown) {
        let term = |at: usize| {
            let term = &cell.terms[at];
            format!(
                "{} {}",
                cell_name(&term.tensor, &term.index),
                number(term.value)
            )
        };
        let text = match row.factors[..] {
            [a, b] => format!("{} * {} = {}", term(a), term(b), number(row.value)),
            _ => format!(
                "{}: {}",
                cell.terms[row.factors[0]].role,
                term(row.factors[0])
            ),
        };
        let mark = if i == session.term() { ">" } else { " " };
        sentences.push(format!("{mark} {}. {text}", i + 1));
    }
    if terms.len() > shown {
        sentences.push(format!("  and {} more.", terms.len() - shown));
    }
    sentences.join("\n")
}

/// A tensor's recorded name, followed by what it is for if the name does not tell.
fn with_purpose(trace: &Trace, step: &Step) -> String {
    let purpose = plain_name(trace, step);
    if purpose == last_name(&step.name) {
        step.name.clone()
    } else {
        format!("{} ({})", step.name, ascii(&purpose))
    }
}

fn number(x: f32) -> String {
    ascii(&short(x, 10))
}

fn count(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}
