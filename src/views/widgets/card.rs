//! The result of a check, laid out for the screen.

use ratatui::style::Style;
use unicode_width::UnicodeWidthChar;

use super::theme::Theme;
use super::wrap;
use crate::lesson::exercise::report::{Card, Role};

/// The card's lines for a screen of `width` columns: sentences wrap at words, code and columns break only where they
/// must.
pub fn styled(card: &Card, width: usize, theme: &Theme) -> Vec<(String, Style)> {
    let mut out = Vec::new();
    if !card.state.is_empty() {
        let state = wrap::wrap_plain(&card.state, width).into_iter();
        out.extend(state.map(|line| (line, theme.note)));
        out.push((String::new(), theme.text));
    }
    for (role, text) in &card.lines {
        let style = match role {
            Role::Good => theme.good,
            Role::Bad => theme.bad,
            Role::Note => theme.note,
            Role::Title => theme.title,
            Role::Text | Role::Code => theme.text,
            Role::Dim => theme.dim,
        };
        let lines = match role {
            _ if text.is_empty() => vec![String::new()],
            Role::Code => broken(text, width),
            _ => wrap::wrap_plain(text, width),
        };
        out.extend(lines.into_iter().map(|line| (line, style)));
    }
    out
}

/// Splits a line into pieces of at most `width` columns, keeping every space.
fn broken(line: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut column = 0;
    for c in line.chars() {
        let columns = c.width().unwrap_or(0);
        if column + columns > width && column > 0 {
            pieces.push(String::new());
            column = 0;
        }
        column += columns;
        pieces.last_mut().expect("there is one").push(c);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_wrapped_and_code_is_kept() {
        let mut card = Card::default();
        card.text("one two three four");
        card.code("fn main() { one two three four }");
        let lines = styled(&card, 10, &Theme::ansi());
        let lines: Vec<_> = lines.iter().map(|(line, _)| line.as_str()).collect();
        let code = ["fn main() ", "{ one two ", "three four", " }"];
        assert_eq!(lines, [&["one two", "three four"][..], &code].concat());
    }
}
