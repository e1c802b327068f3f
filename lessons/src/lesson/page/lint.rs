//! A lint for numbers that look computed but have no claim.

use std::ops::Range;

use super::claim::each_text;
use super::number::{is_number, trailing};
use super::{Inline, Page};

/// Numbers without a claim that look computed, with their lines: every decimal number, and every number from 1,000 up,
/// in prose and table cells.
///
/// Exempt are code, formulas, links, the years 1900–2099, the numbers of sections and figures, and versions. Code that
/// consists of a single number counts as prose.
pub fn unclaimed_numbers(pages: &[Page]) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    each_text(pages, &mut |inlines| unclaimed(inlines, &mut out));
    out
}

fn unclaimed(inlines: &[Inline], out: &mut Vec<(usize, String)>) {
    let mut flat = String::new();
    let mut lines = Vec::new();
    let mut claimed: Vec<Range<usize>> = Vec::new();
    for inline in inlines {
        match inline {
            Inline::Text(text) => {
                lines.push((flat.len(), text.line));
                flat.push_str(&text.text);
            }
            Inline::Code(code) => {
                lines.push((flat.len(), code.line));
                let number = trailing(&code.text) == Some(code.text.as_str());
                flat.push_str(&if number {
                    code.text.clone()
                } else {
                    "_".repeat(code.text.len())
                });
            }
            Inline::Claim(claim) => {
                claimed.push(flat.len().saturating_sub(claim.printed.len())..flat.len())
            }
            _ => flat.push('\n'),
        }
    }
    for range in numbers(&flat) {
        let number = &flat[range.clone()];
        let covered = claimed
            .iter()
            .any(|claim| claim.start <= range.start && range.end <= claim.end);
        if !covered && promises(number) && !is_label(&flat[..range.start]) {
            let line = lines
                .iter()
                .rfind(|(start, _)| *start <= range.start)
                .map_or(0, |(_, line)| *line);
            out.push((line, number.to_string()));
        }
    }
}

fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut hits = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..]
        .find(|c: char| c.is_ascii_digit())
        .map(|start| at + start)
    {
        let in_shape = in_shape(text, start);
        let part = |c: char| c.is_ascii_digit() || c == '.' || (c == ',' && !in_shape);
        let begin = if text[..start].ends_with('.') {
            start - 1
        } else {
            start
        };
        let end = text[start..]
            .find(|c| !part(c))
            .map_or(text.len(), |end| start + end);
        let run = text[begin..end].trim_end_matches(['.', ',']);
        at = end;
        let before = &text[..begin];
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            || run.matches('.').count() > 1
        {
            continue;
        }
        // A list such as 4,16,64 is not a single number.
        let mut from = begin;
        for piece in if is_number(run) {
            vec![run]
        } else {
            run.split(',').collect()
        } {
            hits.push(from..from + piece.len());
            from += piece.len() + 1;
        }
    }
    hits
}

/// True if the position is inside brackets that hold only digits and commas, where a comma separates entries.
fn in_shape(text: &str, at: usize) -> bool {
    let inside = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ');
    let before = text[..at].trim_end_matches(inside);
    let after = text[at..].trim_start_matches(inside);
    before.ends_with(['(', '[']) && after.starts_with([')', ']'])
}

fn promises(number: &str) -> bool {
    if number.contains('.') {
        return true;
    }
    let plain: String = number.chars().filter(char::is_ascii_digit).collect();
    let value: u64 = plain.parse().unwrap_or(u64::MAX);
    let year = !number.contains(',') && (1900..2100).contains(&value);
    value >= 1000 && !year
}

/// True if the preceding word makes the number a label.
fn is_label(before: &str) -> bool {
    let word = before
        .trim_end()
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next()
        .unwrap_or("");
    matches!(
        word.trim_end_matches('.').to_lowercase().as_str(),
        "section"
            | "sections"
            | "§"
            | "figure"
            | "fig"
            | "table"
            | "equation"
            | "eq"
            | "chapter"
            | "lesson"
            | "version"
    )
}
