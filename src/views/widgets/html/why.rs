//! Where a number came from, as a panel: the way to it, the formula, and its terms, largest first.

use super::controls::{attribute, button};
use super::heads::{self, Heads};
use super::inline::typeset;
use crate::autograd::{CellOrigin, OriginTerm, Step, Trace};
use crate::lesson::Body;
use crate::lesson::session::cell_name::cell_name;
use crate::lesson::session::{GradientOf, Intent, RankedTerm, Session, ranked};
use crate::typeset::number::short;
use crate::widgets::stage::{
    Shares, axis_words, batch, copied, gist, leaf, movement, plain_name, roles,
};
use crate::widgets::svg::escape;

/// Number of terms listed.
const LISTED: usize = 10;

/// Longest number in a table, and as the value of the cell.
const BRIEF: usize = 9;
const FULL: usize = 11;

/// The panel for what the session is asked; empty if it is asked nothing.
pub fn html(session: &Session) -> String {
    match session.why() {
        Some(_) => of_cell(session),
        None => String::new(),
    }
}

/// The panel for a cell of a picture: its note, or the heads whose mean it is. `None` if there is nothing to say.
pub fn of_picture(session: &Session) -> Option<String> {
    let picture = session.picture()?;
    let (Body::Matrix { values, notes, .. }, &[row, column]) = (&picture.body, session.cursor())
    else {
        return None;
    };
    let note = notes.get(row).and_then(|notes| notes.get(column));
    if let Some(note) = note.filter(|note| !note.is_empty()) {
        let text = escape(&typeset(note));
        return Some(format!("<p>{text}</p>{}", close()));
    }
    let Heads { step, count, .. } = heads::shown(session, values)?;
    let mut out = format!(
        "<p class=\"tt-value\">{}</p><p>The mean over the {count} heads of <code>{}</code>:</p><table class=\"tt-terms\"><tbody>",
        short(values.at(&[row, column]), FULL),
        escape(&step.name)
    );
    for head in 0..count {
        let index = [0, head, row, column];
        let name = cell_name(&step.name, &index);
        let acts = attribute(&[&Intent::Cell(name), &Intent::Why]);
        out += &format!(
            "<tr><td>head {head}</td><td><button type=\"button\" data-acts=\"{acts}\">{}</button></td></tr>",
            short(step.value.at(&index), BRIEF)
        );
    }
    Some(out + "</tbody></table>" + &close())
}

fn close() -> String {
    "<p class=\"tt-steps\"><button type=\"button\" data-close>Close</button></p>".to_owned()
}

fn of_cell(session: &Session) -> String {
    let Some((at, cell)) = session.why() else {
        return String::new();
    };
    let trace = session.trace();
    let step = &trace.steps()[at.step];
    let mut out = way(session);
    let words = axis_words(trace, step, &at.index);
    out += &format!(
        "<p class=\"tt-value\" tabindex=\"-1\"><code>{}</code> = <strong>{}</strong> <span class=\"tt-shape\">{}</span></p>",
        escape(&cell_name(&step.name, &at.index)),
        short(cell.value, FULL),
        escape(&words)
    );
    for sentence in movement(session)
        .into_iter()
        .chain(gist(trace, step, &at.index))
    {
        out += &format!("<p>{}</p>", escape(&typeset(&sentence)));
    }
    if cell.terms.is_empty() {
        out += &format!("<p>{}</p>", escape(&typeset(&leaf(session, at))));
    } else if let Some(name) = copied(trace, &cell) {
        out += &format!(
            "<p>The same number as <code>{}</code>: nothing was computed.</p>",
            escape(&name)
        );
        out += &terms(session, &cell);
    } else {
        let named = roles(&cell).into_iter().map(|(role, step)| match step {
            Some(step) => format!(
                "{role} is <code>{}</code>",
                escape(&plain_name(trace, &trace.steps()[step]))
            ),
            None => format!("{role} is a constant"),
        });
        out += &format!(
            "<p class=\"tt-formula\">= {}</p><p class=\"tt-shape\">{}</p>",
            escape(&cell.formula),
            named.collect::<Vec<_>>().join(", ")
        );
        out += &terms(session, &cell);
    }
    out + &actions(session, cell.value)
}

/// The cells from the one that was asked first to this one; each leads back.
fn way(session: &Session) -> String {
    let path = session.path();
    if path.len() < 2 {
        return String::new();
    }
    let steps = session.trace().steps();
    let mut out = "<p class=\"tt-way\">".to_owned();
    for (at, cell) in path[..path.len() - 1].iter().enumerate() {
        let ups = vec![&Intent::Up; path.len() - 1 - at];
        let name = plain_name(session.trace(), &steps[cell.step]);
        out += &format!(
            "<button type=\"button\" data-acts=\"{}\">{}</button> › ",
            attribute(&ups),
            escape(&cell_name(&name, &cell.index))
        );
    }
    out + "</p>"
}

/// A cell by the words of its last axes, if they have any, and by its name.
fn named(trace: &Trace, step: &Step, index: &[usize]) -> String {
    let name = escape(&cell_name(&plain_name(trace, step), index));
    let name = name.replace('.', ".<wbr>").replace('[', "<wbr>[");
    let batch = batch(&step.axes, index);
    let last = step.axes.last().zip(index.last());
    match last.and_then(|(axis, &at)| trace.word(axis, batch, at)) {
        Some(word) => format!("<b>{}</b> <small>{name}</small>", escape(word)),
        None => name,
    }
}

/// The terms in rows; of a sum of products, both factors.
fn terms(session: &Session, cell: &CellOrigin) -> String {
    let trace = session.trace();
    let rows = ranked(cell);
    let shares = Shares::of(cell, &rows);
    let factor = |number: usize, place: usize, term: &OriginTerm| {
        let value = short(term.value, BRIEF);
        let name = match term.step {
            Some(step) => named(trace, &trace.steps()[step], &term.index),
            None => {
                return format!(
                    "<td>{}</td><td class=\"num\">{value}</td>",
                    escape(&term.tensor)
                );
            }
        };
        let intent = Intent::Term {
            number,
            partner: place == 1,
        };
        format!(
            "<td><button type=\"button\" data-acts=\"{}\">{}</button></td><td class=\"num\">{value}</td>",
            attribute(&[&intent]),
            name
        )
    };
    let mut out = "<div class=\"tt-scroll\"><table class=\"tt-terms\"><tbody>".to_owned();
    let place = |row: &RankedTerm| {
        let term = &cell.terms[row.factors[0]];
        (!row.is_product()).then_some((term.step?, &term.index))
    };
    for (at, row) in rows.iter().enumerate().take(LISTED) {
        // A number that has two roles is listed once.
        if place(row).is_some_and(|here| rows[..at].iter().any(|row| place(row) == Some(here))) {
            continue;
        }
        let all = row.factors.iter().enumerate();
        let cells: Vec<String> = all
            .map(|(place, &term)| factor(at + 1, place, &cell.terms[term]))
            .collect();
        let product = if row.is_product() {
            format!(
                "<td>=</td><td class=\"num\">{}</td>",
                short(row.value, BRIEF)
            )
        } else {
            String::new()
        };
        let length = 100.0 * shares.of_term(row.value);
        let sign = if row.value < 0.0 { "m" } else { "p" };
        out += &format!(
            "<tr><th scope=\"row\">{}</th>{}{product}<td class=\"tt-length\"><svg viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"{sign}\" width=\"{length:.1}\" height=\"8\"/></svg></td></tr>",
            cell.terms[row.factors[0]].role,
            cells.join("<td>·</td>"),
        );
    }
    out += "</tbody></table></div>";
    let left: &[RankedTerm] = rows.get(LISTED..).unwrap_or_default();
    if !left.is_empty() {
        let sum: f32 = left.iter().map(|row| row.value).sum();
        let adds_up = if cell.combination.is_sum() {
            format!(", which add up to {}", short(sum, BRIEF))
        } else {
            String::new()
        };
        out += &format!("<p class=\"tt-shape\">and {} more{adds_up}</p>", left.len());
    }
    out
}

/// What else can be done with the cell.
fn actions(session: &Session, value: f32) -> String {
    let mut out = String::new();
    if session.path().len() > 1 {
        out += &button(&Intent::Up, "Back", None);
    }
    if session.gradients_of().is_none() {
        out += &format!(
            "<label>Set it to <input type=\"text\" class=\"tt-edit\" data-edit size=\"8\" value=\"{}\"></label>",
            escape(&short(value, BRIEF))
        );
        out += &button(
            &Intent::ShowGradients(GradientOf::Cell),
            "Its gradients",
            None,
        );
    }
    format!("<p class=\"tt-steps\">{out}<button type=\"button\" data-close>Close</button></p>")
}
