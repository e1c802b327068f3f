//! Numbers in large digits, for drawings with hardly more than one number to show.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::lines::put;
use super::theme::Theme;

/// Height of a number, in lines.
pub fn height(theme: &Theme) -> usize {
    if theme.ascii { 5 } else { 3 }
}

/// Width of a number, in columns.
pub fn width(text: &str) -> usize {
    text.chars()
        .map(|c| pixels(c)[0].len() + 1)
        .sum::<usize>()
        .saturating_sub(1)
}

/// Draws a number whose top left corner is at column `x` and row `y` of `area`.
pub fn draw(
    text: &str,
    (mut x, y): (usize, usize),
    style: Style,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    for c in text.chars() {
        let rows = pixels(c);
        let wide = rows[0].len();
        for column in 0..wide {
            let lit = |row: usize| {
                rows.get(row)
                    .is_some_and(|row| row.as_bytes()[column] == b'#')
            };
            for line in 0..height(theme) {
                let symbol = if theme.ascii {
                    if lit(line) { "#" } else { " " }
                } else {
                    match (lit(2 * line), lit(2 * line + 1)) {
                        (true, true) => "█",
                        (true, false) => "▀",
                        (false, true) => "▄",
                        (false, false) => " ",
                    }
                };
                put(buf, area, x + column, y + line, symbol, style);
            }
        }
        x += wide + 1;
    }
}

/// The five rows of a character's pixels.
#[rustfmt::skip]
fn pixels(c: char) -> [&'static str; 5] {
    match c {
        '0' => ["###", "# #", "# #", "# #", "###"],
        '1' => [" # ", "## ", " # ", " # ", "###"],
        '2' => ["###", "  #", "###", "#  ", "###"],
        '3' => ["###", "  #", "###", "  #", "###"],
        '4' => ["# #", "# #", "###", "  #", "  #"],
        '5' => ["###", "#  ", "###", "  #", "###"],
        '6' => ["###", "#  ", "###", "# #", "###"],
        '7' => ["###", "  #", "  #", "  #", "  #"],
        '8' => ["###", "# #", "###", "# #", "###"],
        '9' => ["###", "# #", "###", "  #", "###"],
        '−' | '-' => ["   ", "   ", "###", "   ", "   "],
        '.' => [" ", " ", " ", " ", "#"],
        ',' => [" ", " ", " ", "#", "#"],
        'e' => ["   ", "###", "###", "#  ", "###"],
        'N' => ["# #", "###", "###", "###", "# #"],
        'a' => ["   ", "###", "  #", "###", "###"],
        '×' | 'x' => ["   ", "# #", " # ", "# #", "   "],
        '∞' | 'i' => ["   ", "###", "# #", "###", "   "],
        _ => ["   ", "   ", "   ", "   ", "   "],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::lines::text;

    #[test]
    fn a_number_is_three_lines_high_and_its_digits_stand_apart() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 16, 3));
        draw(
            "−0.7",
            (0, 0),
            Style::new(),
            buf.area,
            &mut buf,
            &Theme::mono(),
        );
        assert_eq!(text(&buf), "    █▀█   ▀▀█\n▀▀▀ █ █     █\n    ▀▀▀ ▀   ▀");
        assert_eq!(width("−0.7"), 13);
    }

    #[test]
    fn every_character_of_a_number_is_known() {
        for c in "0123456789−-.,e".chars() {
            let rows = pixels(c);
            assert!(rows.iter().any(|row| row.contains('#')), "{c}");
            assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{c}");
        }
    }
}
