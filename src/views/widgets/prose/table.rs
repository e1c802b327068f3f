//! Tables with aligned columns and wrapped cells, or a list of rows where columns do not fit.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::writer::Writer;
use crate::lesson::page::{Align, Inline, Table, plain_text};
use crate::widgets::lines::width as columns;

/// Blank columns between two columns of a table.
const GAP: usize = 2;
/// Words longer than this may be broken by a column.
const LONG_WORD: usize = 24;

pub fn lines(writer: &Writer<'_>, table: &Table, width: usize) -> Vec<Line<'static>> {
    let count = table.header.len();
    let natural = natural(writer, table);
    let least: Vec<usize> = (0..count)
        .map(|column| {
            cells(table, column)
                .map(longest_word)
                .max()
                .unwrap_or(0)
                .clamp(1, LONG_WORD)
        })
        .collect();
    let free = width.saturating_sub(GAP * count.saturating_sub(1));
    if least.iter().sum::<usize>() > free {
        return as_list(writer, table, width);
    }
    let widths = fit(natural, &least, free);

    let header = row(
        writer,
        table,
        &table.header,
        &widths,
        writer.style.table_header,
    );
    let rows: Vec<_> = table
        .rows
        .iter()
        .map(|cells| row(writer, table, cells, &widths, writer.style.text))
        .collect();
    // Wrapped cells need an empty line between rows, unless every row begins with a one-line cell.
    let begins = |cells: &Vec<Vec<Inline>>| {
        let first = cells
            .first()
            .map(|cell| writer.text(cell, Style::default(), widths[0]));
        first.is_some_and(|lines| lines.len() == 1 && lines[0].width() > 0)
    };
    let apart = rows.iter().any(|lines| lines.len() > 1) && !table.rows.iter().all(begins);
    let line = if writer.speech { "-" } else { "─" };
    let rule = widths
        .iter()
        .map(|width| line.repeat(*width))
        .collect::<Vec<_>>()
        .join(&" ".repeat(GAP));
    let mut out = header;
    out.push(Line::styled(rule, writer.style.rule));
    for (at, lines) in rows.into_iter().enumerate() {
        if at > 0 && apart {
            out.push(Line::default());
        }
        out.extend(lines);
    }
    out
}

/// Number of columns in which no cell of a table is wrapped.
pub fn natural_width(writer: &Writer<'_>, table: &Table) -> usize {
    let widths = natural(writer, table);
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// Width of each column if no cell is wrapped.
fn natural(writer: &Writer<'_>, table: &Table) -> Vec<usize> {
    let widest = |column| {
        let widths = cells(table, column).map(|cell| one_line(writer, cell));
        widths.max().unwrap_or(0).max(1)
    };
    (0..table.header.len()).map(widest).collect()
}

fn cells(table: &Table, column: usize) -> impl Iterator<Item = &[Inline]> {
    std::iter::once(&table.header)
        .chain(&table.rows)
        .filter_map(move |row| row.get(column))
        .map(Vec::as_slice)
}

/// Width of a cell when it isn't wrapped.
fn one_line(writer: &Writer<'_>, cell: &[Inline]) -> usize {
    writer
        .text(cell, Style::default(), usize::MAX)
        .iter()
        .map(Line::width)
        .max()
        .unwrap_or(0)
}

fn longest_word(cell: &[Inline]) -> usize {
    plain_text(cell)
        .split_whitespace()
        .map(columns)
        .max()
        .unwrap_or(0)
}

/// Takes columns from the widest until all fit.
fn fit(mut widths: Vec<usize>, least: &[usize], free: usize) -> Vec<usize> {
    while widths.iter().sum::<usize>() > free {
        let widest = (0..widths.len())
            .filter(|at| widths[*at] > least[*at])
            .max_by_key(|at| widths[*at]);
        let Some(widest) = widest else { break };
        widths[widest] -= 1;
    }
    widths
}

fn row(
    writer: &Writer<'_>,
    table: &Table,
    cells: &[Vec<Inline>],
    widths: &[usize],
    style: Style,
) -> Vec<Line<'static>> {
    let cells: Vec<Vec<Line<'static>>> = widths
        .iter()
        .enumerate()
        .map(|(at, width)| writer.text(cells.get(at).map_or(&[], Vec::as_slice), style, *width))
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = Vec::new();
    for at in 0..height {
        let mut spans = Vec::new();
        for (column, width) in widths.iter().enumerate() {
            let line = cells[column].get(at).cloned().unwrap_or_default();
            let available =
                width.saturating_sub(line.spans.iter().map(|span| columns(&span.content)).sum());
            let left = match table.align.get(column) {
                Some(Align::Right) => available,
                Some(Align::Center) => available / 2,
                _ => 0,
            };
            let gap = if column > 0 { GAP } else { 0 };
            spans.push(Span::raw(" ".repeat(gap + left)));
            spans.extend(line.spans);
            spans.push(Span::raw(" ".repeat(available - left)));
        }
        out.push(Line::from(spans));
    }
    out
}

/// Lays out each row as lines of `header: cell`, for narrow panes.
fn as_list(writer: &Writer<'_>, table: &Table, width: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    for (at, cells) in table.rows.iter().enumerate() {
        if at > 0 {
            out.push(Line::default());
        }
        for (name, cell) in table.header.iter().zip(cells) {
            let mut text = name.clone();
            if !plain_text(name).trim().is_empty() {
                text.push(Inline::Text(crate::lesson::page::Text {
                    text: ": ".to_string(),
                    style: Default::default(),
                    line: 0,
                }));
            }
            for inline in &mut text {
                if let Inline::Text(text) = inline {
                    text.style.strong = true;
                }
            }
            text.extend(cell.iter().cloned());
            out.extend(writer.text(&text, writer.style.text, width));
        }
    }
    out
}
