//! Backend for ratatui: crossterm's, but every cell stays in place even if the terminal measures a character
//! differently from ratatui.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{Cell, CellWidth};
use ratatui::layout::{Position, Size};

/// Draws cells as [`CrosstermBackend`] does. Terminals disagree about the width of emoji, of letters with combining
/// marks and of wide characters that are new in Unicode. The columns of such a cell are therefore cleared first, and
/// the cursor is repositioned after it.
pub struct Surface<W: Write>(CrosstermBackend<W>);

impl<W: Write> Surface<W> {
    pub fn new(writer: W) -> Self {
        Self(CrosstermBackend::new(writer))
    }
}

/// True if every terminal gives the cell one column.
fn is_plain(cell: &Cell) -> bool {
    let mut chars = cell.symbol().chars();
    chars.next().is_some() && chars.next().is_none() && cell.cell_width() == 1
}

impl<W: Write> Backend for Surface<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut plain = Vec::new();
        let mut covered = (0..0, 0);
        for (x, y, cell) in content {
            // ratatui clears the cells that an emoji covers after drawing it, which makes some terminals drop its first
            // half.
            if covered.0.contains(&x) && covered.1 == y {
                continue;
            }
            if is_plain(cell) {
                plain.push((x, y, cell));
                continue;
            }
            // Each call of the backend begins by positioning the cursor.
            self.0.draw(plain.drain(..))?;
            let mut blank = cell.clone();
            blank.set_symbol(" ");
            covered = (x..x.saturating_add(cell.cell_width()), y);
            self.0.draw(covered.0.clone().map(|x| (x, y, &blank)))?;
            self.0.draw(std::iter::once((x, y, cell)))?;
        }
        self.0.draw(plain.into_iter())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, part: ClearType) -> io::Result<()> {
        self.0.clear_region(part)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.0.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    /// Bytes that turn a screen showing `before` into one showing `text`, without colours and modes.
    fn written(before: &str, text: &str) -> String {
        let showing = |text: &str| {
            let mut buf = Buffer::empty(Rect::new(0, 0, 12, 1));
            buf.set_string(0, 0, text, Style::new());
            buf
        };
        let mut bytes = Vec::new();
        let mut surface = Surface::new(&mut bytes);
        let (before, after) = (showing(before), showing(text));
        surface.draw(before.diff(&after).into_iter()).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let is_mode = |c: char| c.is_ascii_digit() || matches!(c, '[' | ';');
        let parts = text.split('\u{1b}').skip(1);
        let kept = parts.map(
            |part| match part.trim_start_matches(is_mode).strip_prefix('m') {
                Some(drawn) => drawn.to_owned(),
                None => format!("\u{1b}{part}"),
            },
        );
        kept.collect()
    }

    #[test]
    fn plain_characters_follow_one_another() {
        assert_eq!(written("", "ä─│"), "\u{1b}[1;1Hä─│");
    }

    #[test]
    fn after_a_character_of_disputed_width_the_cursor_is_placed_anew_on_cleared_columns() {
        for (symbol, wide) in [
            ("o\u{301}", 1),
            ("⚠\u{fe0f}", 2),
            ("👩\u{200d}👩", 2),
            ("漢", 2),
        ] {
            let all = written("model", &format!("─{symbol}│"));
            let at = |column: usize| format!("\u{1b}[1;{column}H");
            let cleared = format!("{}{}{}{symbol}", at(2), " ".repeat(wide), at(2));
            let (_, after) = all
                .split_once(&cleared)
                .unwrap_or_else(|| panic!("{all:?}"));
            assert!(after.starts_with(&at(2 + wide)), "{all:?}");
        }
    }
}
