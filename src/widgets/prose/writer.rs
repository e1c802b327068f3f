//! What blocks, tables and inline text are set with.

use ratatui::style::Style;
use ratatui::text::Line;

use super::{ProseStyle, inline};
use crate::lesson::page::Inline;
use crate::widgets::wrap::wrap;

/// How text is set.
pub struct Writer<'a> {
    /// The styles.
    pub style: &'a ProseStyle,
    /// For plain mode: words instead of drawing.
    pub speech: bool,
}

impl Writer<'_> {
    /// One paragraph.
    pub fn text(&self, text: &[Inline], base: Style, width: usize) -> Vec<Line<'static>> {
        wrap(&inline::runs(text, base, self.style, self.speech), width)
    }
}
