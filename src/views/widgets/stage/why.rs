//! Drawing of where a cell's value came from: the path to it, the formula, and the terms, largest first.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::gist::{copied, gist};
use super::shares::Shares;
use super::{axis_words, cell_name, cell_of, plain_name};
use crate::autograd::{CellOrigin, Nature, Origin, OriginTerm, Step, Trace};
use crate::lesson::session::{CellRef, RankedTerm, Session, ranked};
use crate::typeset::number::{alike, short};
use crate::widgets::lines::{self, Chunk, put, put_line};
use crate::widgets::theme::Theme;

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
    let head = heading(session, at, &cell, available, theme);
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
    let (first, shown) = draw_terms(session, &cell, below, buf, theme);
    (below.y..below.y + shown as u16, first)
}

/// Lines with the path, the value, and the formula with its roles or, for a leaf, what it is.
fn heading(
    session: &Session,
    at: &CellRef,
    cell: &CellOrigin,
    available: usize,
    theme: &Theme,
) -> Vec<lines::Line> {
    let trace = session.trace();
    let step = &trace.steps()[at.step];
    let name = cell_name(&plain_name(trace, step), &at.index);
    let value = theme.words(&short(cell.value, 11));
    let mut head = Vec::new();
    if session.path().len() > 1 {
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
    if let Some(words) = movement(session) {
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
    let terms = session.terms();
    let chosen = terms.get(session.term());
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

/// Index of a term without the leading part common to its role: `[…,12]`.
fn brief(cell: &CellOrigin, term: &OriginTerm) -> String {
    let same: Vec<&OriginTerm> = cell
        .terms
        .iter()
        .filter(|t| t.role == term.role)
        .take(2)
        .collect();
    let shared = match same[..] {
        [a, b] => a
            .index
            .iter()
            .zip(&b.index)
            .take_while(|(a, b)| a == b)
            .count(),
        _ => 0,
    };
    let rest: Vec<String> = term.index[shared..]
        .iter()
        .map(ToString::to_string)
        .collect();
    let front = if shared > 0 { "…," } else { "" };
    if term.index.is_empty() {
        String::new()
    } else {
        format!("[{front}{}]", rest.join(","))
    }
}

/// One row of the list: its columns, and the value that its bar shows.
struct Row {
    columns: Vec<String>,
    value: f32,
}

fn rows(
    trace: &Trace,
    cell: &CellOrigin,
    terms: &[RankedTerm],
    theme: &Theme,
    named: bool,
) -> Vec<Row> {
    let times = theme.glyphs().times;
    let products = has_products(terms);
    // A column of products uses one format, and so do cells of one tensor. An id beside the cell that it chose, or a
    // small constant, has its own.
    let kind = |row: &RankedTerm| {
        let term = &cell.terms[row.factors[0]];
        (!products).then_some((term.step, term.step.is_none().then_some(term.role)))
    };
    let column = |value: &dyn Fn(&RankedTerm) -> f32| {
        let texts = terms.iter().map(|row| {
            let same: Vec<&RankedTerm> = terms.iter().filter(|r| kind(r) == kind(row)).collect();
            let values: Vec<f32> = same.iter().map(|row| value(row)).collect();
            let at = same.iter().position(|same| std::ptr::eq(*same, row));
            theme.words(&alike(&values)[at.unwrap_or(0)])
        });
        texts.collect::<Vec<_>>()
    };
    let factor = |place: usize| {
        column(&|row| {
            let factor = row.factors.get(place);
            factor.map_or(row.value, |&at| cell.terms[at].value)
        })
    };
    let (first, second, result) = (factor(0), factor(1), column(&|row| row.value));
    let name = |term: &OriginTerm| {
        let name = match (term.step, named) {
            (None, _) => term.tensor.clone(),
            (Some(step), true) => {
                cell_of(&plain_name(trace, &trace.steps()[step]), &brief(cell, term))
            }
            (Some(_), false) => brief(cell, term),
        };
        theme.words(&name)
    };
    let row = |(at, row): (usize, &RankedTerm)| {
        let blank = String::new;
        let columns = match row.factors[..] {
            [a, b] => vec![
                name(&cell.terms[a]),
                first[at].clone(),
                times.to_owned(),
                name(&cell.terms[b]),
                second[at].clone(),
                "=".to_owned(),
                result[at].clone(),
            ],
            // A bias, below the columns of the products.
            [a, ..] if products => vec![
                name(&cell.terms[a]),
                blank(),
                blank(),
                blank(),
                blank(),
                blank(),
                result[at].clone(),
            ],
            [a, ..] => {
                let term = &cell.terms[a];
                vec![term.role.to_owned(), name(term), first[at].clone()]
            }
            [] => Vec::new(),
        };
        Row {
            columns,
            value: row.value,
        }
    };
    terms.iter().enumerate().map(row).collect()
}

/// Draws the terms around the chosen one, each with a bar for its share, and the total of the others. Returns the
/// number of the first term shown, and how many are shown.
fn draw_terms(
    session: &Session,
    cell: &CellOrigin,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) -> (usize, usize) {
    let terms = ranked(cell);
    if terms.is_empty() || area.is_empty() {
        return (0, 0);
    }
    let (available, height) = (usize::from(area.width), usize::from(area.height));
    let more = height > 3 && terms.len() > height;
    let shown = terms.len().min(height - usize::from(more));
    let chosen = session.term().min(terms.len() - 1);
    let first = chosen.saturating_sub(shown / 2).min(terms.len() - shown);
    let visible = first..first + shown;
    let listed = fitting_rows(
        session.trace(),
        cell,
        &terms[visible.clone()],
        available,
        theme,
    );
    draw_rows(&listed, chosen - first, area, buf, theme);
    if terms.len() > 1 && are_comparable(cell, &terms) {
        let shares = Shares::of(session, cell, &terms);
        draw_shares(&listed, &shares, area, buf, theme);
    }
    if more {
        let text = hidden_terms(cell, &terms, visible, theme);
        let line = lines::fit(vec![Chunk::new(1, text, theme.dim)], available);
        put_line(buf, area, shown, &line);
    }
    (first, shown)
}

/// Whether a term is a product of two factors.
fn has_products(terms: &[RankedTerm]) -> bool {
    terms.iter().any(RankedTerm::is_product)
}

/// Whether the terms have a common scale for bars: a factor and what it multiplies do not.
fn are_comparable(cell: &CellOrigin, terms: &[RankedTerm]) -> bool {
    let role = |term: &RankedTerm| cell.terms[term.factors[0]].role;
    let same_role = |term: &&RankedTerm| role(term) == cell.terms[0].role;
    has_products(terms) || terms.len() > 4 || terms.iter().filter(same_role).count() > 1
}

/// Rows of the visible terms. If space is short, names are dropped first, then everything but the number.
fn fitting_rows(
    trace: &Trace,
    cell: &CellOrigin,
    terms: &[RankedTerm],
    available: usize,
    theme: &Theme,
) -> Vec<Row> {
    let fits = |listed: &[Row]| full_width(listed) <= available;
    let products = has_products(terms);
    let mut listed = rows(trace, cell, terms, theme, true);
    if !fits(&listed) {
        listed = rows(trace, cell, terms, theme, false);
    }
    if !fits(&listed) && products {
        // Both factors have the same last index, so the second one's name can go first.
        for row in &mut listed {
            row.columns.remove(3);
            let place = row.columns[0]
                .trim_end_matches(']')
                .rsplit([',', '['])
                .next();
            row.columns[0] = place.unwrap_or("").to_owned();
        }
    }
    if !fits(&listed) && products {
        for row in &mut listed {
            row.columns.remove(0);
        }
    }
    if !fits(&listed) {
        let kept = if products { 1 } else { 2 };
        for row in &mut listed {
            row.columns.drain(..row.columns.len() - kept);
        }
    }
    listed
}

/// Draws the columns of each row, the chosen one marked.
fn draw_rows(rows: &[Row], chosen: usize, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let columns = widths(rows);
    for (i, row) in rows.iter().enumerate() {
        let here = i == chosen;
        let style = if here { theme.cursor } else { theme.text };
        if here {
            let bar = " ".repeat(full_width(rows).min(area.width.into()));
            put(buf, area, 0, i, &bar, style);
            put(buf, area, 0, i, theme.glyphs().turn.1, style);
        }
        let mut x = 1;
        for (at, (text, wide)) in row.columns.iter().zip(&columns).enumerate() {
            let is_number = text.starts_with(|c: char| c.is_ascii_digit() || "−-.N!∞".contains(c));
            let pad = if is_number {
                wide - lines::width(text)
            } else {
                0
            };
            let is_value = at + 1 == row.columns.len();
            let style = if here || !is_value {
                style
            } else if row.value < 0.0 {
                theme.negative.ink()
            } else {
                theme.positive.ink()
            };
            put(buf, area, x + pad, i, text, style);
            x += wide + 1;
        }
    }
}

/// Draws a bar for each row's share, if there is room beside the columns.
fn draw_shares(rows: &[Row], shares: &Shares, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let from = full_width(rows) + 1;
    let available = usize::from(area.width).saturating_sub(from).min(24);
    if available < 4 {
        return;
    }
    for (i, row) in rows.iter().enumerate() {
        let share = shares.of_term(row.value);
        if share > 0.0 {
            let ink = match shares {
                Shares::OfTheRow { .. } => &theme.share,
                _ if row.value < 0.0 => &theme.negative,
                _ => &theme.positive,
            };
            let bar = crate::widgets::bars::bar(f64::from(share), available, theme);
            put(buf, area, from, i, &bar, ink.ink());
        }
    }
}

/// Line for the terms that are not visible: how many and, if the cell is a sum, what they add to it.
fn hidden_terms(
    cell: &CellOrigin,
    terms: &[RankedTerm],
    visible: Range<usize>,
    theme: &Theme,
) -> String {
    let others = terms.len() - visible.len();
    let glyph = theme.glyphs().more;
    if !cell.combination.is_sum() {
        return format!("{glyph} {others} more");
    }
    let hidden = terms[..visible.start].iter().chain(&terms[visible.end..]);
    let rest: f32 = hidden.map(|term| term.value).sum();
    format!("{glyph} {others} more add {}", theme.words(&short(rest, 8)))
}

/// Width of the rows with a blank around each column.
fn full_width(rows: &[Row]) -> usize {
    let widths = widths(rows);
    widths.iter().sum::<usize>() + widths.len() + 1
}

fn widths(rows: &[Row]) -> Vec<usize> {
    let count = rows.iter().map(|row| row.columns.len()).max().unwrap_or(0);
    let column = |i: usize| rows.iter().filter_map(move |row| row.columns.get(i));
    (0..count)
        .map(|i| column(i).map(|text| lines::width(text)).max().unwrap_or(0))
        .collect()
}
