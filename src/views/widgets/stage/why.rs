//! Drawing of where a cell's value came from: the path to it, the formula, and the terms, largest first.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::gist::{copied, gist};
use super::shares::Shares;
use super::{axis_words, cell_name, plain_name};
use crate::autograd::{CellOrigin, Nature, Origin, Step};
use crate::lesson::session::{CellRef, Session, ranked};
use crate::typeset::number::short;
use crate::widgets::lines::{self, Chunk, put, put_line};
use crate::widgets::theme::Theme;

mod terms;

use terms::{are_comparable, draw_rows, draw_shares, fitting_rows, hidden_terms};

/// Draws where the value of the cell in question came from. Returns the screen rows that show terms, and the number of
/// the first term shown.
pub fn draw_why(
    session: &Session,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) -> (Range<u16>, usize) {
    let nothing = (area.y..area.y, 0);
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return nothing;
    }
    let (available, height) = (usize::from(area.width), usize::from(area.height));
    let Some((at, cell)) = session.why() else {
        let text = match session.step() {
            Some(step) => {
                let name = cell_name(&plain_name(session.trace(), step), session.cursor());
                format!("Ask where {name} came from.")
            }
            None => "A picture's cells are not recorded; ask a cell of a step.".to_owned(),
        };
        for (i, line) in lines::wrap(&text, available).iter().enumerate() {
            put(buf, area, 0, i, line, theme.dim);
        }
        return nothing;
    };
    let mut y = 0;
    let asked = Asked {
        session,
        at,
        cell: &cell,
        chosen: Some(session.term()),
    };
    let head = asked.heading(available, theme);
    // The chosen term matters more than the path to it.
    let most = height
        .saturating_sub(if cell.terms.is_empty() { 0 } else { 4 })
        .max(1);
    for line in head.iter().skip(head.len().saturating_sub(most)) {
        put_line(buf, area, y, line);
        y += 1;
    }
    let below = Rect::new(
        area.x,
        area.y + y as u16,
        area.width,
        area.height - y as u16,
    );
    let (first, shown) = asked.draw_terms(below, buf, theme);
    (below.y..below.y + shown as u16, first)
}

/// Draws where a cell came from that is not asked about yet. Returns `false` if there is nothing to tell: it is a leaf, or
/// was only copied.
pub(super) fn draw_cell(
    session: &Session,
    at: &CellRef,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) -> bool {
    let trace = session.trace();
    let step = &trace.steps()[at.step];
    if step.value.is_empty() || step.computed().is_none() {
        return false;
    }
    let cell = trace.explain(at.step, &at.index);
    if cell.terms.is_empty() || copied(trace, &cell).is_some() {
        return false;
    }
    let asked = Asked {
        session,
        at,
        cell: &cell,
        chosen: None,
    };
    let head = asked.heading(area.width.into(), theme);
    let rows = usize::from(area.height);
    if head.len() + 2 > rows {
        return false;
    }
    for (y, line) in head.iter().enumerate() {
        put_line(buf, area, y, line);
    }
    let below = Rect {
        y: area.y + head.len() as u16,
        height: (rows - head.len()) as u16,
        ..area
    };
    asked.draw_terms(below, buf, theme);
    true
}

/// A cell and where it came from.
struct Asked<'a> {
    session: &'a Session,
    at: &'a CellRef,
    cell: &'a CellOrigin,
    /// Number of the chosen term; `None` if the cell is not asked about.
    chosen: Option<usize>,
}

impl Asked<'_> {
    /// Lines with the path, the value, and the formula with its roles or, for a leaf, what it is.
    fn heading(&self, available: usize, theme: &Theme) -> Vec<lines::Line> {
        let Self {
            session, at, cell, ..
        } = *self;
        let trace = session.trace();
        let step = &trace.steps()[at.step];
        let name = cell_name(&plain_name(trace, step), &at.index);
        let value = theme.words(&short(cell.value, 11));
        let mut head = Vec::new();
        if self.chosen.is_some() && session.path().len() > 1 {
            head.push(path_line(session, available, theme));
        }
        let mut first = vec![
            Chunk::new(9, name, theme.title)
                .and(" = ", theme.dim)
                .and(value, theme.note),
        ];
        let axes = axis_words(trace, step, &at.index);
        first.push(Chunk::new(5, axes, theme.dim));
        head.extend(lines::flow(first, available));
        if let Some(words) = self.chosen.and_then(|_| movement(session)) {
            let words = lines::wrap(&theme.words(&words), available);
            head.extend(words.into_iter().map(|line| vec![(line, theme.dim)]));
        }
        if let Some(sentence) = gist(trace, step, &at.index) {
            let sentence = lines::wrap(&theme.words(&sentence), available);
            head.extend(sentence.into_iter().map(|line| vec![(line, theme.text)]));
        }
        if cell.terms.is_empty() {
            head.extend(
                lines::wrap(&leaf(session, at), available)
                    .into_iter()
                    .map(|l| vec![(l, theme.text)]),
            );
            return head;
        }
        if let Some(name) = copied(trace, cell) {
            let sentence = format!("The same number as {name}: nothing was computed.");
            let sentence = lines::wrap(&theme.words(&sentence), available);
            head.extend(sentence.into_iter().map(|line| vec![(line, theme.text)]));
            return head;
        }
        let formula = vec![Chunk::new(9, format!("= {}", cell.formula), theme.text)];
        head.extend(lines::flow(formula, available));
        // The symbols of the chosen term are highlighted and shown with their tensors' shapes.
        let terms = ranked(cell);
        let chosen = self.chosen.and_then(|chosen| terms.get(chosen));
        let chosen = chosen.map_or(&[][..], |term| &term.factors);
        let pointed: Vec<&str> = chosen.iter().map(|&at| cell.terms[at].role).collect();
        let named = roles(cell).into_iter().map(|(role, tensor)| {
            let (is, sizes) = match tensor.map(|number| &trace.steps()[number]) {
                Some(step) => (
                    format!(" is {}", plain_name(trace, step)),
                    format!(" {}", super::shape(&step.axes, &step.value)),
                ),
                None => (" is a constant".to_owned(), String::new()),
            };
            if pointed.contains(&role) {
                Chunk::new(5, role, theme.note)
                    .and(is, theme.text)
                    .and(sizes, theme.dim)
            } else {
                Chunk::new(5, role, theme.text).and(is, theme.dim)
            }
        });
        head.extend(lines::flow(named.collect(), available));
        head
    }

    /// Draws the terms around the chosen one, each with a bar for its share, and the total of the others. Returns the
    /// number of the first term shown, and how many are shown.
    fn draw_terms(&self, area: Rect, buf: &mut Buffer, theme: &Theme) -> (usize, usize) {
        let Self { session, cell, .. } = *self;
        let terms = ranked(cell);
        if terms.is_empty() || area.is_empty() {
            return (0, 0);
        }
        let (available, height) = (usize::from(area.width), usize::from(area.height));
        let more = height > 3 && terms.len() > height;
        let shown = terms.len().min(height - usize::from(more));
        let chosen = self.chosen.unwrap_or(0).min(terms.len() - 1);
        let first = chosen.saturating_sub(shown / 2).min(terms.len() - shown);
        let visible = first..first + shown;
        let listed = fitting_rows(
            session.trace(),
            cell,
            &terms[visible.clone()],
            available,
            theme,
        );
        let marked = self.chosen.map(|_| chosen - first);
        draw_rows(&listed, marked, area, buf, theme);
        if terms.len() > 1 && are_comparable(cell, &terms) {
            let shares = Shares::of(cell, &terms);
            draw_shares(&listed, &shares, area, buf, theme);
        }
        if more {
            let text = hidden_terms(cell, &terms, visible, theme);
            let line = lines::fit(vec![Chunk::new(1, text, theme.dim)], available);
            put_line(buf, area, shown, &line);
        }
        (first, shown)
    }
}

/// How the value was moved from this cell to the one that asked for it, if the operations between only moved it.
pub fn movement(session: &Session) -> Option<String> {
    let steps = session.trace().steps();
    let (now, _) = session.why()?;
    let mut from = &steps[now.step];
    let moves = session.moved_through().into_iter().map(|at| {
        let step = &steps[at.step];
        let index: Vec<String> = at.index.iter().map(ToString::to_string).collect();
        let has_heads = |step: &Step| step.axes.contains(&"h");
        let done = match (step.op(), has_heads(from), has_heads(step)) {
            ("reshape", false, true) => "the row was split into heads",
            ("reshape", true, false) => "the heads were joined into a row",
            ("reshape", ..) => "the tensor was reshaped",
            ("permute", ..) => "the axes changed places",
            _ => "it was repeated",
        };
        from = step;
        format!("{done}, to [{}]", index.join(","))
    });
    let moves: Vec<String> = moves.collect();
    (!moves.is_empty()).then(|| format!("From here it was only moved: {}.", moves.join("; ")))
}

/// Each role of the formula with the number of the step that fills it; `None` for a constant.
pub fn roles(cell: &CellOrigin) -> Vec<(&'static str, Option<usize>)> {
    let mut roles: Vec<(&'static str, Option<usize>)> = Vec::new();
    for term in &cell.terms {
        if !roles.iter().any(|(role, _)| *role == term.role) {
            roles.push((term.role, term.step));
        }
    }
    roles
}

/// The path `weights[…] › masked[…] › scores[…]`, shortened at the beginning if it is long.
fn path_line(session: &Session, available: usize, theme: &Theme) -> lines::Line {
    let steps = session.trace().steps();
    let all: Vec<String> = session
        .path()
        .iter()
        .map(|at| cell_name(&plain_name(session.trace(), &steps[at.step]), &at.index))
        .collect();
    let arrow = format!(" {} ", theme.glyphs().next);
    let mut first = 0;
    let text = |first: usize| {
        let more = if first > 0 {
            format!("{}{arrow}", theme.glyphs().more)
        } else {
            String::new()
        };
        more + &all[first..].join(&arrow)
    };
    while first + 1 < all.len() && lines::width(&text(first)) > available {
        first += 1;
    }
    vec![(
        lines::clip(&text(first), available, theme.glyphs().more),
        theme.dim,
    )]
}

/// Says what a cell without operands is, and that the path ends there.
pub fn leaf(session: &Session, at: &CellRef) -> String {
    let trace = session.trace();
    let step = &trace.steps()[at.step];
    let value = step.value.at(&at.index);
    let what = match (&step.origin, step.nature) {
        (Origin::Parameter(_), _) => {
            let runs = session.lesson().runs(session.settings());
            if runs.starts_with("untrained") {
                format!(
                    "A parameter: {} still has its random starting value.",
                    step.name
                )
            } else {
                format!("A parameter: training has given {} this value.", step.name)
            }
        }
        (_, Nature::Ids) => {
            let word = step.axes.last().and_then(|axis| {
                let batch = super::batch(&step.axes, &at.index);
                trace.word(axis, batch, *at.index.last()?)
            });
            word.map_or_else(
                || format!("A token id: {value}."),
                |word| format!("A token id: {value} is \"{word}\"."),
            )
        }
        (_, Nature::Mask) if value != 0.0 => {
            "A mask from outside: 1, this cell may be seen.".to_owned()
        }
        (_, Nature::Mask) => "A mask from outside: 0, this cell is blocked.".to_owned(),
        (Origin::Constant, _) => {
            "A constant: fixed by a formula or by hand, never trained.".to_owned()
        }
        _ => format!("An input: {} was given to the run from outside.", step.name),
    };
    format!("{what} The trail ends here.")
}
