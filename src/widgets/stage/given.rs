//! What is known before a prediction: a tensor or picture drawn while the page's question hides its stage.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::body::{PictureView, draw_body};
use super::{heat_of, leading, plain_name, shape};
use crate::lesson::chart::View;
use crate::lesson::session::{Focus, Session};
use crate::widgets::lines::{self, Chunk, put_line};
use crate::widgets::theme::Theme;

/// Draws a tensor or picture of the session's run with its title, without a cursor's value, steps or knobs.
pub fn draw(session: &Session, given: Focus, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    if area.height < 3 {
        return;
    }
    let number = match given {
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
    let step = &session.trace().steps()[number];
    let first = vec![0; step.value.rank()];
    let title = vec![
        Chunk::new(9, plain_name(session.trace(), step), theme.title),
        Chunk::new(3, shape(&step.axes, &step.value), theme.dim),
        Chunk::new(6, leading(step, &first), theme.note),
    ];
    put_line(buf, area, 0, &lines::fit(title, area.width.into()));
    let body = Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    };
    heat_of(session, number, &first, Vec::new(), |heat| {
        heat.draw(body, buf, theme);
    });
}
