//! Map of the model; each part leads to the lesson that teaches it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::super::app::{App, Target};
use super::state::{State, lesson_state};
use crate::curriculum::LESSONS;
use crate::widgets::lines::put;
use crate::widgets::map;

/// Width of the map in columns, with a gap.
pub const MAP: u16 = 47;

/// Height of the map in rows.
pub const HEIGHT: usize = 16;

/// Piece of a line of the map.
enum Piece {
    /// Part of the drawing.
    Line(&'static str),
    /// A lesson, by its name and by what the map calls it.
    Lesson(&'static str, &'static str),
}

use Piece::{Lesson as L, Line as T};

#[rustfmt::skip]
const MODEL: [&[Piece]; HEIGHT] = [
    &[T("                     ┌── "), L("generator", "generator"), T(" ─┐")],
    &[T("                     └────────▲────────┘")],
    &[T("┌── "), L("encoder", "encoder"), T(" ───┐  ┌── "), L("decoder", "decoder"), T(" ───┐")],
    &[T("│ "), L("residuals", "add"), T(", "), L("layer-norm", "norm"), T(" │  │ "), L("residuals", "add"), T(", "), L("layer-norm", "norm"), T(" │")],
    &[T("│ "), L("feed-forward", "feed-forward"), T(" │  │ "), L("feed-forward", "feed-forward"), T(" │")],
    &[T("│                 │  │ "), L("residuals", "add"), T(", "), L("layer-norm", "norm"), T(" │")],
    &[T("│        memory ──┼──▶ "), L("three-uses", "cross-attn."), T("  │")],
    &[T("│ "), L("residuals", "add"), T(", "), L("layer-norm", "norm"), T(" │  │ "), L("residuals", "add"), T(", "), L("layer-norm", "norm"), T(" │")],
    &[T("│ "), L("multi-head", "heads"), T(" of     │  │ "), L("multi-head", "heads"), T(" of     │")],
    &[T("│ "), L("attention", "attention"), T("    │  │ "), L("attention", "attention"), T(",   │")],
    &[T("│                 │  │ "), L("masks", "masked"), T("       │")],
    &[T("└────────▲────────┘  └────────▲────────┘")],
    &[T("  "), L("positional-encoding", "positions"), T("         "), L("positional-encoding", "positions")],
    &[T("  "), L("embeddings", "embeddings"), T("        "), L("embeddings", "embeddings")],
    &[T("  "), L("subwords", "subwords"), T("          "), L("teacher-forcing", "shifted")],
    &[T("  Der kleine Hund …    The little …")],
];

impl Piece {
    /// Place in [`LESSONS`] of the lesson that the piece names.
    fn lesson(&self) -> Option<usize> {
        match self {
            T(_) => None,
            L(name, _) => LESSONS.iter().position(|lesson| lesson.name == *name),
        }
    }

    /// What is drawn; a lesson begins with its number.
    fn words(&self) -> String {
        match (self, self.lesson()) {
            (L(_, title), Some(place)) => format!("{:02} {title}", LESSONS[place].number),
            (T(words) | L(_, words), _) => (*words).to_owned(),
        }
    }
}

pub fn model(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.display.theme;
    for (y, line) in MODEL.iter().enumerate() {
        let mut x = 0;
        for piece in line.iter() {
            let place = piece.lesson();
            let style = match place {
                Some(place) if app.list.chosen.takes(LESSONS[place]) => theme.cursor,
                Some(place) if lesson_state(app, LESSONS[place]) == State::Done => theme.good,
                Some(_) => theme.text,
                None => theme.dim,
            };
            let end = put(
                buf,
                area,
                x,
                y,
                &map::in_theme(&piece.words(), theme),
                style,
            );
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
    fn every_lesson_of_the_map_exists_and_every_line_fits() {
        for piece in MODEL.iter().copied().flatten() {
            if let L(name, _) = piece {
                assert!(piece.lesson().is_some(), "there is no lesson {name}");
            }
        }
        for line in MODEL {
            let drawn: usize = line.iter().map(|piece| width(&piece.words())).sum();
            assert!(drawn < usize::from(MAP) - 2);
        }
    }
}
