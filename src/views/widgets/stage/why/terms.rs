//! The list of a cell's terms: its columns, its bars, and what is left out.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::shares::Shares;
use super::super::{cell_of, plain_name};
use crate::autograd::{CellOrigin, OriginTerm, Trace};
use crate::lesson::session::RankedTerm;
use crate::typeset::number::{alike, short};
use crate::widgets::lines::{self, put};
use crate::widgets::theme::Theme;

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
pub(super) struct Row {
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

/// Whether a term is a product of two factors.
fn has_products(terms: &[RankedTerm]) -> bool {
    terms.iter().any(RankedTerm::is_product)
}

/// Whether the terms have a common scale for bars: a factor and what it multiplies do not.
pub(super) fn are_comparable(cell: &CellOrigin, terms: &[RankedTerm]) -> bool {
    let role = |term: &RankedTerm| cell.terms[term.factors[0]].role;
    let same_role = |term: &&RankedTerm| role(term) == cell.terms[0].role;
    has_products(terms) || terms.len() > 4 || terms.iter().filter(same_role).count() > 1
}

/// Rows of the visible terms. If space is short, names are dropped first, then everything but the number.
pub(super) fn fitting_rows(
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

/// Draws the columns of each row, the chosen one marked, if any.
pub(super) fn draw_rows(
    rows: &[Row],
    chosen: Option<usize>,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let columns = widths(rows);
    for (i, row) in rows.iter().enumerate() {
        let here = Some(i) == chosen;
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
pub(super) fn draw_shares(
    rows: &[Row],
    shares: &Shares,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
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
pub(super) fn hidden_terms(
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
