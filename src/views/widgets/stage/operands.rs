//! The tensors from which a cell was computed, side by side, with the cells that contributed highlighted.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{heat_of, leading, plain_name, shape};
use crate::lesson::session::Session;
use crate::widgets::lines::{self, Chunk, put_line};
use crate::widgets::theme::Theme;

/// Minimum width of a tensor; operands that do not fit side by side are left out.
const LEAST: u16 = 30;

/// An operand and its cells that contributed.
struct Operand {
    step: usize,
    /// Cell of the chosen term, or else the first.
    at: Vec<usize>,
    cells: Vec<Vec<usize>>,
}

/// Operands of the cell being explained, in the order of the formula's roles, without the cell's own tensor.
fn operands(session: &Session) -> Vec<Operand> {
    let Some((at, cell)) = session.why() else {
        return Vec::new();
    };
    let terms = session.terms();
    let chosen = terms.get(session.term());
    let chosen = chosen.map_or(&[][..], |term| &term.factors);
    let mut all: Vec<Operand> = Vec::new();
    for (place, term) in cell.terms.iter().enumerate() {
        let Some(step) = term.step.filter(|step| *step != at.step) else {
            continue;
        };
        if !all.iter().any(|operand| operand.step == step) {
            all.push(Operand {
                step,
                at: term.index.clone(),
                cells: Vec::new(),
            });
        }
        let of_step = all.iter_mut().find(|operand| operand.step == step);
        if let Some(operand) = of_step {
            operand.cells.push(term.index.clone());
            if chosen.contains(&place) {
                operand.at.clone_from(&term.index);
            }
        }
    }
    all
}

/// Draws the operands' tensors side by side, as many as fit. Returns `false` if there are none, or no room.
pub fn draw(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) -> bool {
    let all = operands(session);
    let fit = usize::from(area.width / LEAST).min(all.len());
    if fit == 0 || area.height < 4 {
        return false;
    }
    let wide = area.width / fit as u16;
    for (i, operand) in all.iter().take(fit).enumerate() {
        let place = Rect {
            x: area.x + i as u16 * wide,
            width: wide - u16::from(i + 1 < fit) * 2,
            ..area
        };
        let (at, cells) = (&operand.at, operand.cells.clone());
        draw_tensor(session, operand.step, at, cells, place, buf, theme);
    }
    true
}

/// Draws step number `step` below its name, shape and leading indices. `at` is the cell under the cursor, and `cells`
/// are highlighted.
pub(super) fn draw_tensor(
    session: &Session,
    step: usize,
    at: &[usize],
    cells: Vec<Vec<usize>>,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let recorded = &session.trace().steps()[step];
    let title = vec![
        Chunk::new(9, plain_name(session.trace(), recorded), theme.title),
        Chunk::new(3, shape(&recorded.axes, &recorded.value), theme.dim),
        Chunk::new(6, leading(recorded, at), theme.note),
    ];
    put_line(buf, area, 0, &lines::fit(title, area.width.into()));
    let body = Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    };
    heat_of(session, session.trace(), step, at, cells, |heat| {
        heat.draw(body, buf, theme)
    });
}
