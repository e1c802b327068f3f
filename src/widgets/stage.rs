//! A session's stage: the tensor or picture looked at, the step, the knobs, and why a cell is what
//! it is. Drawn into a buffer, or said in words.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::theme::Theme;
use crate::lesson::session::Session;

/// Draws what the session looks at, with its step, shape, range, knobs and refusal.
pub fn draw(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let name = session.step().map_or("", |step| &step.name);
    buf.set_stringn(area.x, area.y, name, area.width.into(), theme.title);
}

/// Draws where the cell asked about came from.
pub fn draw_why(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let formula = session
        .why()
        .map_or(String::new(), |(_, cell)| cell.formula);
    buf.set_stringn(area.x, area.y, formula, area.width.into(), theme.text);
}

/// Says what the session looks at, in sentences and tables without box drawing.
pub fn describe(session: &Session) -> String {
    session
        .step()
        .map_or(String::new(), |step| step.name.clone())
}

/// Says where the cell asked about came from.
pub fn describe_why(session: &Session) -> String {
    session
        .why()
        .map_or(String::new(), |(_, cell)| cell.formula)
}
