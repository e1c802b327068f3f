//! Rows that split into heads, and join again.

use super::Drawn;
use crate::autograd::Step;
use crate::lesson::session::Session;
use crate::widgets::scene::{Ink, Scene, Shape, text_at};

/// Columns and rows of a cell, and the most that are drawn of a row.
const CELL: [f64; 2] = [5.0, 1.75];
const CHANNELS: usize = 12;

pub fn drawn(session: &Session, step: &Step) -> Option<Drawn> {
    let &[_, heads, rows, channels] = step.value.shape() else {
        return None;
    };
    if heads < 2 || heads * channels > CHANNELS || rows > 6 {
        return None;
    }
    let word = |n| {
        session
            .trace()
            .row_word(step.axes[2], 0, n)
            .map_or_else(|| format!("row {n}"), str::to_owned)
    };
    let left = 9.0;
    let high = rows as f64 * CELL[1];
    let mut scene = Scene {
        columns: left + (heads * channels) as f64 * CELL[0],
        rows: heads as f64 * (high + 2.5),
        ..Scene::default()
    };
    for head in 0..heads {
        // Joined, a head stands to the right of the one before it; apart, below it.
        let by = [
            -((head * channels) as f64 * CELL[0]),
            head as f64 * (high + 2.5),
        ];
        let from = left + (head * channels) as f64 * CELL[0];
        let title = text_at([from, 0.0], format!("head {head}"), Ink::Title);
        let mut shapes = vec![Shape::Group {
            class: "apart",
            shapes: vec![title],
        }];
        for row in 0..rows {
            let top = 1.4 + row as f64 * CELL[1];
            for channel in 0..channels {
                let at = [from + channel as f64 * CELL[0], top];
                let ink = if head % 2 == 0 {
                    Ink::Attend
                } else {
                    Ink::Faint
                };
                let size = [CELL[0] - 0.2, CELL[1] - 0.1];
                shapes.push(Shape::Area {
                    at,
                    size,
                    ink,
                    share: 0.45,
                });
                let text = super::super::cells::text(step.value.at(&[0, head, row, channel]));
                let middle = [at[0] + CELL[0] / 2.0 - 0.5, top + CELL[1] / 2.0 - 0.5];
                shapes.push(Shape::Label {
                    at: middle,
                    text,
                    ink: Ink::Text,
                });
            }
        }
        scene.shapes.push(Shape::Slide { by, shapes });
        let words = (0..rows).map(|row| {
            let middle = 1.4 + (row as f64 + 0.5) * CELL[1] - 0.5;
            text_at([0.0, middle + by[1]], word(row), Ink::Text)
        });
        let class = if head == 0 { "" } else { "apart" };
        scene.shapes.push(Shape::Group {
            class,
            shapes: words.collect(),
        });
    }
    Some(Drawn {
        asks: "Where do the numbers of a row go?".to_owned(),
        scene,
        says: format!("{heads} heads of {channels} numbers each, for every token."),
        how: "Pull the slider: to the left, each row is whole; to the right, every head has its own table.",
        control: "<label class=\"tt-join\">joined <input type=\"range\" data-slide min=\"0\" max=\"1\" step=\"any\" value=\"1\" aria-label=\"from joined to split\"> split</label>",
    })
}
