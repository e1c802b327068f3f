//! Records what a drawing loses: text that is cut, broken or drawn over. Only tests ask for it; otherwise nothing is
//! recorded.
//!
//! The functions of [`super::lines`], through which all text goes, report here, because they know the whole text and a
//! finished buffer does not.

use std::cell::RefCell;

/// Something that a reader of the screen does not see, or sees twice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Text whose end was replaced by a mark.
    Cut(String),
    /// Text that ran out of its area, with the number of columns it had.
    Beyond(String, usize),
    /// A word or number broken because the line was too narrow, with the number of columns it had.
    Broken(String, usize),
    /// Text drawn over other text, with the text it covered.
    Over(String, String),
}

thread_local! {
    static NOTED: RefCell<Option<Vec<Loss>>> = const { RefCell::new(None) };
}

/// Runs `draw` and returns what it lost, in order.
pub fn losses(draw: impl FnOnce()) -> Vec<Loss> {
    let before = NOTED.replace(Some(Vec::new()));
    draw();
    NOTED.replace(before).unwrap_or_default()
}

/// True while [`losses`] is recording.
pub(super) fn is_watched() -> bool {
    NOTED.with_borrow(Option::is_some)
}

/// Records a loss if [`losses`] is running.
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
    fn cut_broken_and_overdrawn_text_is_noted_and_fitting_text_is_not() {
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
    fn losses_outside_an_audit_are_not_noted() {
        clip("vocabulary", 5, "…");
        assert_eq!(losses(|| ()), []);
    }
}
