//! The map of a model: boxes in two columns, each labelled with its contents.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::lines::{Chunk, Line, clip, fit, put, put_line, width};
use super::theme::Theme;
use crate::curriculum;
use crate::lesson::picture::{BoxState, Map, MapBox};

mod boxes;

use boxes::Boxes;

/// Number of rows that the map takes if there is room for all.
pub fn height(map: &Map, available: usize) -> usize {
    let all = Rect::new(0, 0, available.min(512) as u16, 256);
    match Boxes::new(map, all) {
        Some(boxes) => boxes.height(all).into(),
        None => map.rows.len() + 1,
    }
}

/// Number of lines of boxes in `height` lines. One line below them tells more about the chosen box, unless the boxes
/// need them all.
fn lines_of_boxes(map: &Map, height: usize) -> usize {
    if height == map.rows.len() || height < 4 {
        height
    } else {
        height - 1
    }
}

/// Replaces lines and arrows by ASCII where the terminal needs it.
pub fn in_theme(words: &str, theme: &Theme) -> String {
    if !theme.ascii {
        return words.to_owned();
    }
    let ascii = |c: char| match c {
        '─' => "-".to_owned(),
        '│' => "|".to_owned(),
        '▲' => "^".to_owned(),
        '▶' => ">".to_owned(),
        '…' => "...".to_owned(),
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┼' => "+".to_owned(),
        _ => c.to_string(),
    };
    words.chars().map(ascii).collect()
}

/// Draws the map, as boxes if they fit, or else one line per row, scrolled so that the cursor `[row, column]` is
/// visible.
pub fn draw(map: &Map, cursor: &[usize], area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    if area.width < 8 || area.is_empty() {
        return;
    }
    if let Some(boxes) = Boxes::new(map, area) {
        return boxes.draw(map, cursor, area, buf, theme);
    }
    let half = usize::from(area.width) / 2;
    let height = lines_of_boxes(map, area.height.into());
    let first = first_row(map, cursor, height);
    if height < usize::from(area.height) {
        let shown = height.min(map.rows.len());
        put_line(
            buf,
            area,
            shown,
            &below(map, cursor, first..first + shown, area.width.into(), theme),
        );
    }
    for (y, (number, row)) in map
        .rows
        .iter()
        .enumerate()
        .skip(first)
        .take(height)
        .enumerate()
    {
        for (column, place) in row.iter().enumerate() {
            let Some(place) = place else { continue };
            let chosen = cursor == [number, column];
            let text = line(place, half.saturating_sub(1), theme);
            let style = match place.state {
                _ if chosen => theme.cursor,
                BoxState::Ahead => theme.dim,
                BoxState::Here => theme.note,
                BoxState::Passed => theme.text,
            };
            put(buf, area, column * half, y, &text, style);
        }
    }
}

/// Line below the boxes: how many rows are out of sight, and the chosen box with its note.
fn below(
    map: &Map,
    cursor: &[usize],
    shown: Range<usize>,
    available: usize,
    theme: &Theme,
) -> Line {
    let glyphs = theme.glyphs();
    let more = |sign: &str, rows: usize| match rows {
        0 => Chunk::default(),
        rows => Chunk::new(9, format!("{sign} {rows} more"), theme.note),
    };
    let chosen = match *cursor {
        [row, column] => map.rows.get(row).and_then(|row| row.get(column)?.as_ref()),
        _ => None,
    };
    let chosen = chosen.filter(|place| !place.note.is_empty());
    let chosen = chosen.map(|place| {
        let name = Chunk::new(5, format!("{}: ", place.name()), theme.dim);
        name.and(place.note.clone(), theme.text)
    });
    let chunks = vec![
        more(glyphs.up, shown.start),
        more(glyphs.down, map.rows.len().saturating_sub(shown.end)),
        chosen.unwrap_or_default(),
    ];
    fit(chunks, available)
}

/// First row to show, so that the active box is visible, or else the cursor.
fn first_row(map: &Map, cursor: &[usize], height: usize) -> usize {
    let at = cursor.first().copied().unwrap_or(0);
    let busy = map.rows.iter().position(|row| {
        row.iter()
            .flatten()
            .any(|place| place.state == BoxState::Here)
    });
    busy.unwrap_or(at)
        .saturating_sub(height / 2)
        .min(map.rows.len().saturating_sub(height))
}

/// `[row, column]` of the box that [`draw`] puts at a position of `area`, for the mouse.
pub fn index_at(map: &Map, cursor: &[usize], area: Rect, (x, y): (u16, u16)) -> Option<Vec<usize>> {
    if !area.contains((x, y).into()) {
        return None;
    }
    if let Some(boxes) = Boxes::new(map, area) {
        let hit = |spot: &&boxes::BoxPosition| spot.rect.contains((x, y).into());
        return boxes.spots.iter().find(hit).map(|spot| spot.index.to_vec());
    }
    let height = lines_of_boxes(map, area.height.into());
    let row = first_row(map, cursor, height) + usize::from(y - area.y);
    let column = usize::from(x - area.x >= area.width / 2);
    let place = map.rows.get(row)?.get(column)?;
    place.as_ref().map(|_| vec![row, column])
}

/// Number of the lesson that teaches what is in a box.
fn lesson_number(place: &MapBox) -> usize {
    let lesson = curriculum::find(place.lesson);
    lesson.expect("a box names a lesson that exists").number
}

fn line(place: &MapBox, available: usize, theme: &Theme) -> String {
    let mark = match (place.state, theme.ascii) {
        (BoxState::Ahead, false) => "·",
        (BoxState::Ahead, true) => ".",
        (BoxState::Here, false) => "▶",
        (BoxState::Here, true) => ">",
        (BoxState::Passed, false) => "│",
        (BoxState::Passed, true) => "|",
    };
    let (lesson, title) = (lesson_number(place), place.name());
    let whole = format!("{mark} {lesson:02} {title}");
    // On narrow screens titles are abbreviated, and only the style shows how far a pass has come.
    let (title, whole) = if width(&whole) <= available {
        (title, whole)
    } else {
        let title = title.replace("attention", "attn");
        (title.clone(), format!("{mark} {lesson:02} {title}"))
    };
    let left = if width(&whole) <= available {
        whole
    } else {
        clip(
            &format!("{lesson:02} {title}"),
            available,
            theme.glyphs().more,
        )
    };
    let rest = available.saturating_sub(width(&left) + 1);
    if width(&place.note) <= rest {
        let gap = " ".repeat(rest - width(&place.note) + 1);
        format!("{left}{gap}{}", place.note)
    } else {
        left
    }
}

/// The map in words: how far a pass has come, box by box from below.
pub fn describe(map: &Map) -> String {
    let name = |column: usize| if column == 0 { "left" } else { "right" };
    let says = |place: &MapBox, column: usize| {
        let state = match place.state {
            BoxState::Ahead => "not yet reached",
            BoxState::Here => "at work",
            BoxState::Passed => "passed",
        };
        format!(
            "{}: {} (lesson {:02}), {state}{}; it opens {}.",
            name(column),
            place.name(),
            lesson_number(place),
            if place.note.is_empty() {
                String::new()
            } else {
                format!(", {}", place.note)
            },
            place.opens
        )
    };
    let rows = map.rows.iter().rev().flat_map(|row| row.iter().enumerate());
    let lines: Vec<String> = rows
        .filter_map(|(column, place)| Some(says(place.as_ref()?, column)))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_ends_with;

    fn place(title: &str, state: BoxState) -> Option<MapBox> {
        Some(MapBox {
            title: title.to_owned(),
            layer: None,
            opens: format!("{title}.step"),
            lesson: "multi-head",
            note: "(2, 3)".to_owned(),
            state,
        })
    }

    #[test]
    fn the_chosen_boxs_shape_and_the_rows_out_of_sight_are_named_below() {
        let rows = (0..6).map(|n| [place(&format!("box{n}"), BoxState::Passed), None]);
        let map = Map {
            rows: rows.collect(),
            ..Map::default()
        };
        let drawn = |height: u16, cursor: [usize; 2]| {
            let mut buf = Buffer::empty(Rect::new(0, 0, 38, height));
            draw(&map, &cursor, buf.area, &mut buf, &Theme::mono());
            crate::widgets::lines::text(&buf)
        };
        assert_ends_with(&drawn(7, [1, 0]), "box5   (2, 3)\nbox1: (2, 3)");
        assert_ends_with(&drawn(5, [4, 0]), "box5   (2, 3)\n↑ 2 more  box4: (2, 3)");
    }

    #[test]
    fn boxes_stand_in_two_columns_and_the_cursor_is_seen() {
        let map = Map {
            rows: vec![
                [None, place("top", BoxState::Ahead)],
                [
                    place("left", BoxState::Passed),
                    place("right", BoxState::Here),
                ],
            ],
            ..Map::default()
        };
        let area = Rect::new(0, 0, 60, 2);
        let mut buf = Buffer::empty(area);
        draw(&map, &[1, 0], area, &mut buf, &Theme::mono());
        let row = |y| {
            (0..60)
                .map(|x| buf[(x, y)].symbol().to_owned())
                .collect::<String>()
        };
        assert!(row(0).starts_with("          ") && row(0).contains("· 05 top"));
        assert!(row(1).contains("│ 05 left") && row(1).contains("▶ 05 right"));
        assert!(
            describe(&map)
                .starts_with("left: left (lesson 05), passed, (2, 3); it opens left.step.")
        );
    }
}
