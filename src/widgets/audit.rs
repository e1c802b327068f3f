//! What a drawing loses: text that is cut, broken or drawn over. Tests ask for it; otherwise nothing is noted.
//!
//! The functions of [`super::lines`] through which all text goes report here. They know the whole text, and a finished
//! buffer does not.

use std::cell::RefCell;

/// Something that a reader of the screen does not get to see, or sees twice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// A text whose end was left out, with a mark in its place.
    Cut(String),
    /// A text that ran out of its area, with the columns that it had.
    Beyond(String, usize),
    /// A word or number that was broken because a line is narrower, with the columns that it had.
    Broken(String, usize),
    /// A text that was drawn over another, with what stood there.
    Over(String, String),
}

thread_local! {
    static NOTED: RefCell<Option<Vec<Loss>>> = const { RefCell::new(None) };
}

/// Does `draw`, and says what it lost, in order.
pub fn losses(draw: impl FnOnce()) -> Vec<Loss> {
    let before = NOTED.replace(Some(Vec::new()));
    draw();
    NOTED.replace(before).unwrap_or_default()
}

/// Whether anybody asks.
pub(super) fn is_watched() -> bool {
    NOTED.with_borrow(Option::is_some)
}

/// Notes a loss where anybody asks for it.
pub(super) fn note(loss: impl FnOnce() -> Loss) {
    NOTED.with_borrow_mut(|noted| {
        if let Some(noted) = noted {
            noted.push(loss());
        }
    });
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;
    use crate::widgets::lines::{clip, clip_entry, put, wrap};

    #[test]
    fn what_is_cut_broken_or_drawn_over_is_noted_and_what_fits_is_not() {
        let area = Rect::new(0, 0, 8, 2);
        let mut buf = Buffer::empty(area);
        let mut write = |x, y, text: &str| {
            put(&mut buf, area, x, y, text, Style::new());
        };
        let fits = losses(|| {
            write(0, 0, "heads");
            write(0, 0, "heads   ");
            wrap("each query", 5);
            clip("query", 5, "…");
            clip_entry("vocabulary", 5, "…");
        });
        assert_eq!(fits, []);
        let lost = losses(|| {
            write(3, 0, "keys");
            write(4, 1, "values");
            write(0, 2, "below");
            wrap("1,050,624 cells", 5);
            clip("vocabulary", 5, "…");
        });
        let text = |text: &str| text.to_owned();
        assert_eq!(
            lost,
            [
                Loss::Over(text("keys"), text("ds")),
                Loss::Beyond(text("values"), 4),
                Loss::Beyond(text("below"), 0),
                Loss::Broken(text("1,050,624"), 5),
                Loss::Cut(text("vocabulary")),
            ]
        );
    }

    #[test]
    fn nothing_is_noted_when_nobody_asks() {
        clip("vocabulary", 5, "…");
        assert_eq!(losses(|| ()), []);
    }
}
