//! A broken tensor beside that of the correct run, on one scale, with the cells that changed most marked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{reference_tensor, values_in, with_heat};
use crate::lesson::session::Session;
use crate::widgets::heatmap::{Heat, Values};
use crate::widgets::lines::put;
use crate::widgets::theme::Theme;

/// Most cells that are marked.
const MOST_MARKS: usize = 64;

/// Largest slice whose cells are compared; larger ones show far fewer cells than they have.
const MOST_CELLS: usize = 1 << 16;

/// Columns between the two drawings.
const GAP: u16 = 2;

/// Names of the two drawings.
pub(super) fn names(session: &Session) -> [&'static str; 2] {
    if session.edits().is_empty() {
        ["correct", "broken"]
    } else {
        ["before your changes", "now"]
    }
}

/// True if the tensor in focus is shown beside that of the correct run.
pub(super) fn is_shown(session: &Session) -> bool {
    let exists = || reference_tensor(session, session.step()?);
    session.shows_both() && !session.asks_why() && exists().is_some()
}

/// Calls `then` with the heat maps of the correct run and of this one; `None` if they are not shown side by side.
pub(super) fn with_both<T>(session: &Session, then: impl FnOnce([&Heat; 2]) -> T) -> Option<T> {
    if !is_shown(session) {
        return None;
    }
    let reference = &session.reference().trace;
    let number = reference.find(&session.step()?.name)?;
    let correct = values_in(reference, number);
    with_heat(session, |heat| {
        let changed = changed_most(&correct, heat);
        let panel = |values: &Values, other: &Values| Heat {
            values: values.clone().on_scale_of(other),
            nature: heat.nature,
            rows: heat.rows.clone(),
            columns: heat.columns.clone(),
            cursor: heat.cursor,
            operands: changed.clone(),
            written: None,
            weights: heat.weights,
            asked: false,
        };
        let both = [panel(&correct, &heat.values), panel(&heat.values, &correct)];
        Some(then([&both[0], &both[1]]))
    })
}

/// Indices of the slice's cells that changed by at least half of the largest change.
fn changed_most(correct: &Values, broken: &Heat) -> Vec<Vec<usize>> {
    let (rows, columns) = broken.size();
    if rows * columns > MOST_CELLS {
        return Vec::new();
    }
    let at = |row: usize, column: usize| broken.position(row, column);
    let change = |at: usize| {
        let change = (broken.values.at(at) - correct.at(at)).abs();
        if change.is_finite() { change } else { 0.0 }
    };
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let mut changed: Vec<(f32, usize, usize)> = cells
        .map(|(row, column)| (change(at(row, column)), row, column))
        .filter(|(change, ..)| *change > 0.0)
        .collect();
    changed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let most = changed.first().map_or(0.0, |(change, ..)| *change);
    let marked = changed
        .iter()
        .take_while(|(change, ..)| *change >= most / 2.0);
    marked
        .take(MOST_MARKS)
        .map(|&(_, row, column)| broken.index(row, column))
        .collect()
}

/// Areas of the two drawings: side by side, or one above the other if only that leaves room for numbers.
fn panels(heat: &Heat, area: Rect, theme: &Theme) -> [Rect; 2] {
    let wide = area.width.saturating_sub(GAP) / 2;
    let high = area.height / 2;
    let left = Rect {
        width: wide,
        ..area
    };
    let upper = Rect {
        height: high,
        ..area
    };
    let stacked = !heat.has_numbers(left, theme)
        && heat.has_numbers(upper, theme)
        && heat.whole_height(below_name(upper), theme).is_some();
    if stacked {
        let y = area.y + high;
        [upper, Rect { y, ..upper }]
    } else {
        let x = area.x + wide + GAP;
        [left, Rect { x, ..left }]
    }
}

/// Room for a drawing below its name.
fn below_name(panel: Rect) -> Rect {
    Rect {
        y: panel.y + 1,
        height: panel.height.saturating_sub(1),
        ..panel
    }
}

/// Draws both tensors; `false` if they are not shown side by side.
pub(super) fn draw(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) -> bool {
    let drawn = with_both(session, |both| {
        let areas = panels(both[1], area, theme);
        for ((heat, panel), name) in both.into_iter().zip(areas).zip(names(session)) {
            put(buf, panel, 0, 0, name, theme.note);
            heat.draw(below_name(panel), buf, theme);
        }
    });
    drawn.is_some()
}

/// Index of the cell drawn at a position of the `area` given to [`draw`].
pub(super) fn index_at(
    session: &Session,
    area: Rect,
    (x, y): (u16, u16),
    theme: &Theme,
) -> Option<Vec<usize>> {
    with_both(session, |both| {
        let areas = panels(both[1], area, theme);
        let panel = areas
            .into_iter()
            .find(|panel| panel.contains((x, y).into()))?;
        both[1].index_at(below_name(panel), x, y, theme)
    })?
}

#[cfg(test)]
mod tests {
    use super::super::tests::{drawn, session};
    use super::*;
    use crate::testing::assert_contains;

    #[test]
    fn both_tensors_are_drawn_and_the_cells_that_changed_most_are_marked() {
        let mut session = session("scaled", &[0, 0, 0]);
        session.switch("double", true).unwrap();
        session.compare().unwrap();
        assert!(session.shows_difference() && !is_shown(&session));
        session.compare().unwrap();
        let most = with_both(&session, |both| {
            let change = |index: &[usize]| {
                let (row, column) = (index[index.len() - 2], index[index.len() - 1]);
                (both[0].cell(row, column).0 - both[1].cell(row, column).0).abs()
            };
            let marked: Vec<f32> = both[0].operands.iter().map(|at| change(at)).collect();
            assert_eq!(both[0].range(), both[1].range(), "they share a scale");
            marked
        });
        let most = most.unwrap();
        assert!(most[0] > 0.0 && most.iter().all(|change| *change >= most[0] / 2.0));
        for width in [60, 120] {
            let screen = drawn(&session, width, 20, &Theme::mono());
            assert_contains(&screen, "correct");
            assert_contains(&screen, "broken");
            assert_eq!(screen.matches("dog").count(), 2, "{screen}");
        }
        session.compare().unwrap();
        assert!(!is_shown(&session) && !session.shows_difference());
    }
}
