//! A broken tensor or picture beside that of the correct run, on one scale, with the cells that changed most marked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::body::{PictureView, draw_body};
use super::{heat_of, reference_step, room, with_heat};
use crate::lesson::session::Session;
use crate::lesson::{Body, Picture};
use crate::widgets::heatmap::{Axis, Heat, Values};
use crate::widgets::lines::{put, wrap};
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

/// True if a mistake is on and nothing else is compared: then the correct run is worth some room.
fn is_broken(session: &Session) -> bool {
    let broken = session.settings().mistakes().next().is_some();
    let plain = !session.shows_difference() && session.gradients_of().is_none();
    broken && plain && session.edits().is_empty()
}

/// True if a mistake is on that changes the tensor in focus.
fn is_changed(session: &Session) -> bool {
    let differs = || {
        let (step, correct) = (session.step()?, reference_step(session)?.1);
        let same = step.value.shape() == correct.value.shape()
            && step.value.data() == correct.value.data();
        Some(!same)
    };
    is_broken(session) && differs().unwrap_or(false)
}

/// The number at the cursor in the correct run, if that is compared with.
pub(super) fn correct_value(session: &Session) -> Option<f32> {
    let (step, (_, correct)) = (session.step()?, reference_step(session)?);
    let compares = session.shows_both() || is_changed(session);
    let same = step.value.shape() == correct.value.shape() && !session.asks_why();
    (compares && same).then(|| correct.value.at(session.cursor()))
}

/// True if the tensor in focus is shown beside that of the correct run: because the learner asked for it, or because a
/// mistake changes it and `area` has room for both.
pub(super) fn is_shown(session: &Session, area: Rect, theme: &Theme) -> bool {
    if session.asks_why() {
        return false;
    }
    if session.shows_both() {
        return reference_step(session).is_some();
    }
    !session.shows_multiples()
        && is_changed(session)
        && with_both(session, |both| {
            let panels = panels(both, area, theme).map(below_name);
            let fits = |(heat, panel): (&Heat, Rect)| {
                heat.has_numbers(panel, theme) && heat.whole_height(panel, theme).is_some()
            };
            both.into_iter().zip(panels).all(fits)
        })
        .unwrap_or(false)
}

/// Calls `then` with the heat maps of the correct run and of this one; `None` if the correct run has no such tensor.
pub(super) fn with_both<T>(session: &Session, then: impl FnOnce([&Heat; 2]) -> T) -> Option<T> {
    let (number, step) = reference_step(session).filter(|_| !session.asks_why())?;
    // A broken model may have written more tokens or fewer.
    let sizes = step.value.shape().iter();
    let cursor = sizes.zip(session.cursor());
    let cursor: Vec<usize> = cursor.map(|(n, at)| *at.min(&(n - 1))).collect();
    let trace = &session.reference().trace;
    with_heat(session, |heat| {
        heat_of(session, trace, number, &cursor, Vec::new(), |correct| {
            let words = |heat: &Heat| {
                let (rows, columns) = heat.size();
                [words(&heat.rows, rows), words(&heat.columns, columns)]
            };
            let (sound, broken) = (words(correct), words(heat));
            let [sound, broken] = [&sound, &broken].map(|[rows, columns]| {
                [rows, columns].map(|all| move |i: usize| all.get(i).map(String::as_str))
            });
            let changed = changed_most(correct, heat);
            let panel = |values: &Values, other: &Values, [row, column]: [_; 2], cursor| Heat {
                values: values.clone().on_scale_of(other),
                nature: heat.nature,
                rows: Axis {
                    name: heat.rows.name.clone(),
                    word: Some(row),
                },
                columns: Axis {
                    name: heat.columns.name.clone(),
                    word: Some(column),
                },
                cursor,
                operands: changed.clone(),
                written: None,
                weights: heat.weights,
                asked: false,
            };
            let both = [
                panel(
                    &correct.values,
                    &heat.values,
                    [&sound[0], &sound[1]],
                    &cursor,
                ),
                panel(
                    &heat.values,
                    &correct.values,
                    [&broken[0], &broken[1]],
                    heat.cursor,
                ),
            ];
            Some(then([&both[0], &both[1]]))
        })
    })
}

/// The words along an axis of a slice.
fn words(axis: &Axis<'_>, count: usize) -> Vec<String> {
    let word = |i| axis.words(i).unwrap_or_default().to_owned();
    (0..count).map(word).collect()
}

/// Indices of the slice's cells that changed by at least half of the largest change.
fn changed_most(correct: &Heat, broken: &Heat) -> Vec<Vec<usize>> {
    let (rows, columns) = broken.size();
    if rows * columns > MOST_CELLS || correct.values.shape() != broken.values.shape() {
        return Vec::new();
    }
    let at = |row: usize, column: usize| broken.position(row, column);
    let change = |at: usize| {
        let change = (broken.values.at(at) - correct.values.at(at)).abs();
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
fn panels(both: [&Heat; 2], area: Rect, theme: &Theme) -> [Rect; 2] {
    let [left, upper] = [halves(area), stacked(area)];
    let fits = |heat: &Heat| {
        !heat.has_numbers(left[0], theme)
            && heat.has_numbers(upper[0], theme)
            && heat.whole_height(below_name(upper[0]), theme).is_some()
    };
    if both.into_iter().all(fits) {
        upper
    } else {
        left
    }
}

/// The left and the right half of an area.
fn halves(area: Rect) -> [Rect; 2] {
    let width = area.width.saturating_sub(GAP) / 2;
    let x = area.x + width + GAP;
    let left = Rect { width, ..area };
    [left, Rect { x, ..left }]
}

/// The upper and the lower half of an area.
fn stacked(area: Rect) -> [Rect; 2] {
    let height = area.height / 2;
    let y = area.y + height;
    let upper = Rect { height, ..area };
    [upper, Rect { y, ..upper }]
}

/// Room for a drawing below its name.
pub(super) fn below_name(panel: Rect) -> Rect {
    Rect {
        y: panel.y + 1,
        height: panel.height.saturating_sub(1),
        ..panel
    }
}

/// Names a drawing: what is correct in green, what is broken in red.
fn draw_name(session: &Session, which: usize, panel: Rect, buf: &mut Buffer, theme: &Theme) {
    let style = match (which, session.edits().is_empty()) {
        (0, true) => theme.good,
        (1, true) => theme.bad,
        _ => theme.note,
    };
    put(buf, panel, 0, 0, names(session)[which], style);
}

/// Draws both tensors; `false` if they are not shown side by side.
pub(super) fn draw(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) -> bool {
    if !is_shown(session, area, theme) {
        return false;
    }
    let drawn = with_both(session, |both| {
        let areas = panels(both, area, theme).into_iter().enumerate();
        for (heat, (which, panel)) in both.into_iter().zip(areas) {
            draw_name(session, which, panel, buf, theme);
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
        let areas = panels(both, area, theme);
        let panel = areas
            .into_iter()
            .find(|panel| panel.contains((x, y).into()))?;
        both[1].index_at(below_name(panel), x, y, theme)
    })?
}

/// The pictures of the correct run and of this one, with their places, if a mistake changes the picture in focus and
/// `area` has room for both.
pub(super) fn pictures<'a>(
    session: &'a Session,
    area: Rect,
    theme: &Theme,
) -> Option<[(&'a Picture, Rect); 2]> {
    let broken = session.picture().filter(|_| is_broken(session))?;
    let mut all = session.sound().pictures.iter();
    let correct = all.find(|picture| picture.name == broken.name)?;
    let differs = match (&correct.body, &broken.body) {
        (Body::Matrix { values: a, .. }, Body::Matrix { values: b, .. }) => {
            a.shape() != b.shape() || a.data() != b.data()
        }
        (Body::Bars { bars: a, .. }, Body::Bars { bars: b, .. }) => a != b,
        _ => false,
    };
    // The sentence is needed once, below the broken one.
    let needs = [
        (correct, 0),
        (broken, wrap(&broken.says, area.width.into()).len()),
    ];
    let needs = needs.map(|(picture, says)| {
        let room = room::of_body(&picture.body, theme);
        (room.least.0, room.usual.1 + 2 + says)
    });
    let fits = |places: &[Rect; 2]| {
        let mut needs = needs.into_iter().zip(places);
        needs.all(|((columns, rows), place)| {
            columns <= place.width.into() && rows <= place.height.into()
        })
    };
    let places = [halves(area), stacked(area)].into_iter().find(fits);
    let places = places.filter(|_| differs)?;
    Some([(correct, places[0]), (broken, places[1])])
}

/// Draws both pictures; `false` if they are not shown side by side.
pub(super) fn draw_pictures(
    session: &Session,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) -> bool {
    let Some(both) = pictures(session, area, theme) else {
        return false;
    };
    for (which, (picture, panel)) in both.into_iter().enumerate() {
        draw_name(session, which, panel, buf, theme);
        let shown = PictureView {
            cursor: session.cursor(),
            view: session.view(),
            written: None,
        };
        let (title, says) = (&picture.title, &picture.says);
        draw_body(
            &picture.body,
            says,
            title,
            shown,
            below_name(panel),
            buf,
            theme,
        );
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::tests::{drawn, session};
    use super::*;
    use crate::testing::assert_contains;

    const ROOM: Rect = Rect::new(0, 0, 120, 20);

    fn is_shown(session: &Session) -> bool {
        super::is_shown(session, ROOM, &Theme::mono())
    }

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
        assert!(!session.shows_both() && !session.shows_difference());
        // A mistake brings the correct run by itself where both have room.
        assert!(is_shown(&session));
        let narrow = Rect::new(0, 0, 30, 6);
        assert!(!super::is_shown(&session, narrow, &Theme::mono()));
    }
}
