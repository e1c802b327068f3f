//! What the parts of a drawing have in common.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::lines::put;
use super::theme::Theme;

/// A place in a buffer, and the theme to draw with.
pub struct Painter<'a> {
    /// The place.
    pub area: Rect,
    /// The buffer.
    pub buf: &'a mut Buffer,
    /// The theme.
    pub theme: &'a Theme,
}

impl Painter<'_> {
    /// Writes text at a column and row of the place, as [`put`] does.
    pub fn put(&mut self, x: usize, y: usize, text: &str, style: Style) {
        put(self.buf, self.area, x, y, text, style);
    }
}
