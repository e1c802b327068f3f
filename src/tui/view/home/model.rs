//! Map of the model; each part leads to the lesson that teaches it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::super::app::{App, Target};
use super::reached::{Reached, reached};
use crate::curriculum::LESSONS;
use crate::widgets::lines::put;
use crate::widgets::map;

/// Width of the map in columns, with a gap.
pub const MAP: u16 = 47;

/// Piece of a line of the map, and the number of the lesson that teaches it, if any.
type Piece = (&'static str, Option<usize>);

#[rustfmt::skip]
pub const MODEL: [&[Piece]; 16] = [
    &[("                     ┌── ", None), ("12 generator", Some(12)), (" ─┐", None)],
    &[("                     └────────▲────────┘", None)],
    &[("┌── ", None), ("10 encoder", Some(10)), (" ───┐  ┌── ", None), ("11 decoder", Some(11)), (" ───┐", None)],
    &[("│ ", None), ("09 add", Some(9)), (", ", None), ("08 norm", Some(8)), (" │  │ ", None), ("09 add", Some(9)), (", ", None), ("08 norm", Some(8)), (" │", None)],
    &[("│ ", None), ("07 feed-forward", Some(7)), (" │  │ ", None), ("07 feed-forward", Some(7)), (" │", None)],
    &[("│                 │  │ ", None), ("09 add", Some(9)), (", ", None), ("08 norm", Some(8)), (" │", None)],
    &[("│        memory ──┼──▶ ", None), ("06 cross-attn.", Some(6)), ("  │", None)],
    &[("│ ", None), ("09 add", Some(9)), (", ", None), ("08 norm", Some(8)), (" │  │ ", None), ("09 add", Some(9)), (", ", None), ("08 norm", Some(8)), (" │", None)],
    &[("│ ", None), ("05 heads", Some(5)), (" of     │  │ ", None), ("05 heads", Some(5)), (" of     │", None)],
    &[("│ ", None), ("04 attention", Some(4)), ("    │  │ ", None), ("04 attention", Some(4)), (",   │", None)],
    &[("│                 │  │ ", None), ("03 masked", Some(3)), ("       │", None)],
    &[("└────────▲────────┘  └────────▲────────┘", None)],
    &[("  ", None), ("02 positions", Some(2)), ("         ", None), ("02 positions", Some(2)), ("", None)],
    &[("  ", None), ("01 embeddings", Some(1)), ("        ", None), ("01 embeddings", Some(1)), ("", None)],
    &[("  ", None), ("19 subwords", Some(19)), ("          ", None), ("15 shifted", Some(15)), ("", None)],
    &[("  Der kleine Hund …    The little …", None)],
];

pub fn model(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let chosen = LESSONS[app.chosen].number;
    for (y, line) in MODEL.iter().enumerate() {
        let mut x = 0;
        for (words, lesson) in line.iter() {
            let style = match lesson {
                Some(number) if *number == chosen => theme.cursor,
                Some(number) => match LESSONS.iter().find(|l| l.number == *number) {
                    Some(lesson) if reached(app, lesson) == Reached::Done => theme.good,
                    _ => theme.text,
                },
                None => theme.dim,
            };
            let end = put(buf, area, x, y, &map::drawn(words, theme), style);
            let place = lesson.and_then(|n| LESSONS.iter().position(|l| l.number == n));
            if let Some(place) = place {
                let rect = Rect {
                    x: area.x + x as u16,
                    y: area.y + y as u16,
                    width: (end - x) as u16,
                    height: 1,
                };
                app.mark(rect, Target::Lesson(place));
            }
            x = end;
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::widgets::lines::width;

    #[test]
    fn the_map_names_only_lessons_that_there_are_by_their_numbers() {
        for (words, lesson) in MODEL.iter().flat_map(|line| line.iter()) {
            let Some(number) = lesson else { continue };
            assert!(words.starts_with(&format!("{number:02} ")), "{words}");
            assert!(LESSONS.iter().any(|l| l.number == *number));
        }
        let widths = MODEL
            .iter()
            .map(|line| line.iter().map(|(words, _)| width(words)).sum());
        assert!(widths.max().unwrap_or(0) < usize::from(MAP) - 2);
    }
}
