//! Folding of code lines wider than the pane: the rest continues below, indented, and nothing is cut.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use crate::widgets::lines::width as columns;

/// Extra indentation of continuation lines.
const FURTHER: usize = 4;

/// A letter of the line, and its style.
type Letter<'a> = (&'a str, Style);

/// Splits a line into pieces of at most `width` columns. It is broken between words or after a comma, else after an
/// opening bracket or before a method, and inside a name only if that is wider than a piece. A comment that continues
/// begins with its slashes again.
pub fn fold(spans: Vec<Span<'static>>, width: usize) -> Vec<Line<'static>> {
    let wide: usize = spans.iter().map(|span| columns(&span.content)).sum();
    if wide <= width {
        return vec![Line::from(spans)];
    }
    let letters: Vec<Letter<'_>> = spans
        .iter()
        .flat_map(|span| {
            let letters = span.content.graphemes(true);
            letters.map(|letter| (letter, span.style))
        })
        .collect();
    let comment = Comment::of(&letters);
    let indent = indent(&letters);
    let mut lines = Vec::new();
    let mut from = 0;
    while from < letters.len() {
        let before = match &comment {
            _ if from == 0 => Vec::new(),
            Some(comment) if comment.start < from => comment.again(indent, width),
            _ => vec![Span::raw(" ".repeat((indent + FURTHER).min(width / 2)))],
        };
        let taken: usize = before.iter().map(|span| columns(&span.content)).sum();
        let rest = &letters[from..];
        let end = line_end(rest, width.saturating_sub(taken).max(1));
        lines.push(joined(before, &rest[..end]));
        from += end + self::indent(&rest[end..]);
    }
    lines
}

/// Line of these spans and letters; letters of one style share a span.
fn joined(mut spans: Vec<Span<'static>>, letters: &[Letter<'_>]) -> Line<'static> {
    for (letter, style) in letters {
        match spans.last_mut() {
            Some(last) if last.style == *style => last.content.to_mut().push_str(letter),
            _ => spans.push(Span::styled((*letter).to_owned(), *style)),
        }
    }
    Line::from(spans)
}

/// Number of blanks that the letters begin with.
fn indent(letters: &[Letter<'_>]) -> usize {
    letters
        .iter()
        .take_while(|(letter, _)| *letter == " ")
        .count()
}

/// The comment that ends a line, or fills it.
struct Comment {
    /// Place of its first slash.
    start: usize,
    /// Its slashes, as in `//`, `///` or `//!`, and their style.
    mark: (String, Style),
    /// Whether nothing but blanks comes before it.
    is_alone: bool,
}

impl Comment {
    fn of(letters: &[Letter<'_>]) -> Option<Self> {
        let begins = |at: &usize| {
            let blank = *at == 0 || letters[at - 1].0 == " ";
            let slash = |place: usize| letters.get(place).is_some_and(|(letter, _)| *letter == "/");
            blank && slash(*at) && slash(at + 1)
        };
        let start = (0..letters.len()).find(begins)?;
        let marks = letters[start..].iter().map(|(letter, _)| *letter);
        Some(Self {
            start,
            mark: (
                marks
                    .take_while(|mark| matches!(*mark, "/" | "!"))
                    .collect(),
                letters[start].1,
            ),
            is_alone: start == indent(letters),
        })
    }

    /// What a line that continues the comment begins with.
    fn again(&self, indent: usize, width: usize) -> Vec<Span<'static>> {
        let further = if self.is_alone { 0 } else { FURTHER };
        let (mark, style) = &self.mark;
        vec![
            Span::raw(" ".repeat((indent + further).min(width / 4))),
            Span::styled(format!("{mark} "), *style),
        ]
    }
}

/// Number of letters that go on a line of `available` columns.
fn line_end(letters: &[Letter<'_>], available: usize) -> usize {
    let mut used = 0;
    let fits = letters.iter().take_while(|(letter, _)| {
        used += columns(letter);
        used <= available
    });
    let fits = fits.count().max(1);
    if fits == letters.len() {
        return fits;
    }
    let letter = |at: usize| letters[at].0;
    // A type stays with its name.
    let words = |end: usize| end > 1 && letter(end - 1) == " " && letter(end - 2) != ":";
    let space = |end: &usize| letter(end - 1) == "," || words(*end) || words(end + 1);
    let bracket = |end: &usize| {
        matches!(letter(end - 1), "(" | "[" | "{") && !matches!(letter(*end), ")" | "]" | "}")
    };
    let name = |at: usize| {
        let letter = letters
            .get(at)
            .and_then(|(letter, _)| letter.chars().next());
        letter.is_some_and(char::is_alphabetic)
    };
    let method = |end: &usize| letter(*end) == "." && name(end + 1);
    // Not in the indentation; and a piece much shorter than the line only where there is no better place.
    let code = indent(letters) + 1;
    let half = code.max(available / 2);
    let last = |least: usize, breaks: &dyn Fn(&usize) -> bool| (least..=fits).rev().find(breaks);
    last(half, &space)
        .or_else(|| last(half, &bracket))
        .or_else(|| last(half, &method))
        .or_else(|| last(code, &|end| space(end) || bracket(end) || method(end)))
        .unwrap_or(fits)
}
