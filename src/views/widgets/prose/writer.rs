//! Settings shared by the layout of blocks, tables and inline text.

use ratatui::style::Style;
use ratatui::text::Line;

use super::{ProseStyle, inline};
use crate::lesson::page::Inline;
use crate::widgets::wrap::wrap;

/// Settings for laying out text.
pub struct Writer<'a> {
    /// Styles by role.
    pub style: &'a ProseStyle,
    /// Whether to write words instead of drawing, for plain mode.
    pub speech: bool,
}

impl Writer<'_> {
    /// Wraps one paragraph to lines.
    pub fn text(&self, text: &[Inline], base: Style, width: usize) -> Vec<Line<'static>> {
        wrap(&inline::runs(text, base, self.style, self.speech), width)
    }
}
