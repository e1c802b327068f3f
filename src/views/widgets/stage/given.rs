//! What is known before a prediction: a tensor or picture drawn while the page's question hides its stage.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::body::{PictureView, draw_body};
use super::operands::draw_tensor;
use crate::lesson::chart::View;
use crate::lesson::session::{Focus, Session};
use crate::widgets::theme::Theme;

/// Draws a tensor or picture of the session's run with its title, without a cursor's value, steps or knobs.
pub fn draw(session: &Session, focus: Focus, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    if area.height < 3 {
        return;
    }
    let number = match focus {
        Focus::Step(number) => number,
        Focus::Picture(number) => {
            let picture = &session.run().pictures[number];
            let shown = PictureView {
                cursor: &[],
                view: View::default(),
                written: None,
            };
            let (body, says) = (&picture.body, &picture.says);
            return draw_body(body, says, &picture.title, shown, area, buf, theme);
        }
    };
    let first = vec![0; session.trace().steps()[number].value.rank()];
    draw_tensor(session, number, &first, Vec::new(), area, buf, theme);
}
