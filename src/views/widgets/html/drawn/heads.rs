//! Rows that split into heads, and join again.

use super::Drawn;
use crate::autograd::Step;
use crate::lesson::session::Session;
use crate::widgets::html::cells;
use crate::widgets::scene::{Ink, Scene, Shape};

/// Columns and rows of a cell, the first column, and the most cells that are drawn of a row.
const CELL: [f64; 2] = [5.0, 1.75];
const LEFT: f64 = 9.0;
const CHANNELS: usize = 12;

pub fn drawn(session: &Session, step: &Step) -> Option<Drawn> {
    let &[_, heads, rows, channels] = step.value.shape() else {
        return None;
    };
    if heads < 2 || heads * channels > CHANNELS || rows > 6 {
        return None;
    }
    let word = |n| {
        let word = session.trace().row_word(step.axes[2], 0, n);
        word.map_or_else(|| format!("row {n}"), str::to_owned)
    };
    let high = rows as f64 * CELL[1] + 2.5;
    let wide = channels as f64 * CELL[0];
    let mut scene = Scene::sized(LEFT + heads as f64 * wide, heads as f64 * high);
    for head in 0..heads {
        // Joined, a head stands to the right of the one before it; apart, below it.
        let by = [0.0 - head as f64 * wide, head as f64 * high];
        let from = LEFT + head as f64 * wide;
        let y = |row: usize| 0.9 + (row as f64 + 0.5) * CELL[1];
        let ink = if head % 2 == 0 {
            Ink::Attend
        } else {
            Ink::Faint
        };
        let mut shapes = Scene::parts(|scene| {
            for (row, channel) in (0..rows * channels).map(|n| (n / channels, n % channels)) {
                let x = from + channel as f64 * CELL[0];
                let at = [x, y(row) + 0.5 - CELL[1] / 2.0];
                scene.area(at, CELL.map(|size| size - 0.15), ink, 0.45);
                let text = cells::text(step.value.at(&[0, head, row, channel]));
                scene.label([x + CELL[0] / 2.0 - 0.5, y(row)], text, Ink::Text);
            }
        });
        let title = |scene: &mut Scene| scene.text([from, 0.0], format!("head {head}"), Ink::Title);
        shapes.push(Shape::Group {
            class: "apart",
            shapes: Scene::parts(title),
        });
        scene.shapes.push(Shape::Slide { by, shapes });
        let words = Scene::parts(|scene| {
            (0..rows).for_each(|row| scene.text([0.0, y(row) + by[1]], word(row), Ink::Text));
        });
        scene.shapes.push(Shape::Group {
            class: if head == 0 { "" } else { "apart" },
            shapes: words,
        });
    }
    let drawn = Drawn::new(
        "Where do the numbers of a row go?",
        scene,
        format!("{heads} heads of {channels} numbers each, for every token."),
        "Pull the slider: to the left, each row is whole; to the right, every head has its own table.",
    );
    Some(Drawn {
        control: "<label class=\"tt-join\">joined <input type=\"range\" data-slide min=\"0\" max=\"1\" step=\"any\" value=\"1\" aria-label=\"from joined to split\"> split</label>",
        ..drawn
    })
}
