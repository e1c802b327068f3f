//! Room that the stage asks for, and what fills the room that a tensor leaves.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::body::{PictureView, with_matrix};
use super::{Detail, multiples, why, with_heat};
use crate::lesson::session::{CellRef, Focus, Session};
use crate::lesson::{Body, Picture};
use crate::widgets::lines::{put, wrap};
use crate::widgets::room::Room;
use crate::widgets::theme::Theme;
use crate::widgets::{bars, diagram, map, table};

/// Fewest rows and columns for the explanation of a cell, or for the other heads.
const LEAST: (u16, u16) = (40, 7);

/// Fewest columns of a stage, for its title.
const LEAST_WIDE: usize = 28;

/// Blank columns or rows between a tensor and what stands beside or below it.
const GAP: u16 = 3;

/// Room that the tensor or picture of a session asks for, with the lines around it.
pub fn room(session: &Session, theme: &Theme) -> Room {
    match session.picture() {
        Some(picture) => of_picture(picture, theme),
        None => {
            let map = with_heat(session, |heat| {
                Some(match multiples(session) {
                    Some(_) => heat.multiples_room(theme),
                    None => heat.room(theme),
                })
            });
            let map = map.unwrap_or_else(|| Room::of((40, 10), (60, 20), (80, 30)));
            // The title, the number at the cursor and a line of knobs; and beside or below it, where it came from.
            let map = map.with_lines(2);
            let most = (map.most.0.max(84), map.most.1.max(map.usual.1 + 12));
            let usual = (map.usual.0, map.usual.1 + 2);
            Room::of((map.least.0.max(LEAST_WIDE), map.least.1), usual, most)
        }
    }
}

fn of_picture(picture: &Picture, theme: &Theme) -> Room {
    let says = |columns: usize| wrap(&picture.says, columns.clamp(20, 96)).len();
    let body = of_body(&picture.body, theme);
    // A title, a blank and the sentence, of which a small picture shows the beginning; the help has all of it.
    let least = 1 + says(body.least.0).min(1);
    let usual = 2 + says(body.usual.0);
    let more = |(columns, rows): (usize, usize), lines: usize| (columns, rows + lines);
    let (columns, rows) = more(body.least, least);
    Room::of(
        (columns.max(LEAST_WIDE), rows),
        more(body.usual, usual),
        more(body.most, usual),
    )
}

/// Room that a picture's data ask for, without title and sentence.
pub(super) fn of_body(body: &Body, theme: &Theme) -> Room {
    let nothing = PictureView::default();
    match body {
        body @ Body::Matrix { .. } => with_matrix(body, nothing, |heat| Some(heat.room(theme)))
            .unwrap_or_else(|| Room::of((40, 10), (60, 20), (80, 30)))
            .with_lines(1),
        Body::Bars { unit, bars, log } => {
            let log = *log;
            let chart = bars::Chart { unit, bars, log };
            let rows = bars.len() + 1 + 2 * usize::from(log);
            Room::of(
                (36, rows.min(14)),
                (64, rows.max(2 * bars.len())),
                (110, chart.height()),
            )
        }
        Body::Table { header, rows } => {
            let widths = table::widths(header, rows);
            let wide = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
            let usual = wide.clamp(30, 110);
            let high = |columns| table::height(header, rows, columns);
            let least = (usual * 2 / 3).max(34).min(usual);
            Room::of(
                (least, high(least).min(9)),
                (usual, high(usual)),
                (wide + 4 * widths.len(), high(usual) + rows.len()),
            )
        }
        Body::Map(all) => Room::of(
            (44, map::height(all, 74)),
            (72, map::height(all, 72)),
            (110, map::height(all, 110)),
        ),
        Body::Diagrams(all) => {
            let [least, most] = diagram::heights(all);
            Room::of((40, least.min(15)), (72, most), (120, most))
        }
        Body::Curves { .. } | Body::Planes(_) => Room::of((44, 12), (72, 26), (150, 50)),
        Body::Job(_) => Room::of((44, 13), (74, 28), (120, 44)),
        // Its curves, and below them its translations.
        Body::Live(_) => Room::of((44, 27), (74, 34), (120, 44)),
    }
}

/// Draws beside or below a tensor what helps to read it: all of its heads, or where the number at the cursor came from.
/// `drawn` is what the tensor takes of `free`, from which the rest is taken.
pub(super) fn fill(
    session: &Session,
    drawn: Rect,
    free: Rect,
    buf: &mut Buffer,
    theme: &Theme,
    detail: &Detail,
) {
    let reads = matches!(detail, Detail::Page(_));
    let plain = !session.asks_why() && session.gradients_of().is_none();
    if !reads || !plain || session.shows_both() || multiples(session).is_some() {
        return;
    }
    let right = Rect {
        x: (drawn.right() + GAP).min(free.right()),
        width: free.width.saturating_sub(drawn.width + GAP),
        height: drawn.height,
        y: drawn.y,
    };
    let below = Rect {
        y: (drawn.bottom() + 1).min(free.bottom()),
        height: free.height.saturating_sub(drawn.height + 1),
        ..free
    };
    let fits = |place: &Rect| place.width >= LEAST.0 && place.height >= LEAST.1;
    let mut places: Vec<Rect> = [below, right].into_iter().filter(fits).collect();
    places.sort_by_key(|place| std::cmp::Reverse(place.area()));
    let mut heads = true;
    for mut place in places {
        if std::mem::take(&mut heads) {
            let used = draw_heads(session, place, buf, theme);
            place.y += used;
            place.height -= used;
        }
        if fits(&place) && draw_cell(session, place, buf, theme) {
            return;
        }
    }
}

/// Draws all heads of the tensor side by side, if all of them fit. Returns the number of rows that they take.
fn draw_heads(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) -> u16 {
    let Some(step) = session.step() else {
        return 0;
    };
    let head = step.axes.iter().position(|axis| *axis == "h");
    if head.is_none_or(|head| head + 3 != step.axes.len() || step.value.shape()[head] < 2) {
        return 0;
    }
    with_heat(session, |heat| {
        let place = Rect {
            y: area.y + 1,
            height: area.height - 1,
            ..area
        };
        let rows = heat.weights.then(|| heat.multiples_height(place, theme));
        let Some(rows) = rows.flatten() else {
            return 0;
        };
        put(buf, area, 0, 0, "The same for every head", theme.title);
        heat.draw_multiples("h", place, buf, theme);
        rows as u16 + 2
    })
    .min(area.height)
}

/// Draws where the number at the cursor came from.
fn draw_cell(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) -> bool {
    let Focus::Step(step) = session.focus() else {
        return false;
    };
    let at = CellRef {
        step,
        index: session.cursor().to_vec(),
    };
    why::draw_cell(session, &at, area, buf, theme)
}
