//! Folding of code lines wider than the pane: the rest continues below, indented, and nothing is cut.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use crate::widgets::lines::width as columns;

/// Extra indentation of continuation lines.
const FURTHER: usize = 4;

/// Splits a line into pieces of at most `width` columns, after a space, comma or opening bracket if there is one near
/// the end.
pub fn fold(spans: Vec<Span<'static>>, width: usize) -> Vec<Line<'static>> {
    let wide: usize = spans.iter().map(|span| columns(&span.content)).sum();
    if wide <= width {
        return vec![Line::from(spans)];
    }
    let cells: Vec<(&str, Style)> = spans
        .iter()
        .flat_map(|span| {
            let letters = span.content.graphemes(true);
            letters.map(|letter| (letter, span.style))
        })
        .collect();
    let indent = cells
        .iter()
        .take_while(|(letter, _)| *letter == " ")
        .count();
    let further = (indent + FURTHER).min(width / 2);
    let mut lines = Vec::new();
    let mut rest = &cells[..];
    while !rest.is_empty() {
        let before = if lines.is_empty() { 0 } else { further };
        let end = line_end(rest, width.saturating_sub(before).max(1));
        let mut spans = vec![Span::raw(" ".repeat(before))];
        for (letter, style) in &rest[..end] {
            match spans.last_mut() {
                Some(last) if last.style == *style => last.content.to_mut().push_str(letter),
                _ => spans.push(Span::styled((*letter).to_owned(), *style)),
            }
        }
        lines.push(Line::from(spans));
        rest = &rest[end..];
        let blanks = rest.iter().take_while(|(letter, _)| *letter == " ").count();
        rest = &rest[blanks..];
    }
    lines
}

/// Number of letters that go on a line of `available` columns.
fn line_end(letters: &[(&str, Style)], available: usize) -> usize {
    let mut used = 0;
    let fits = letters.iter().take_while(|(letter, _)| {
        used += columns(letter);
        used <= available
    });
    let fits = fits.count().max(1);
    if fits == letters.len() {
        return fits;
    }
    let breaks = |at: &usize| matches!(letters[*at].0, " " | "(" | "[" | ",");
    // Don't break inside the indentation.
    let code = letters.iter().position(|(letter, _)| *letter != " ");
    let least = code.unwrap_or(0).max(available / 2);
    match (least..fits).rev().find(breaks) {
        Some(at) => at + 1,
        None => fits,
    }
}
