//! A mask over attention weights, painted cell by cell.

use super::{Drawn, Softmax, is_blocked, weight};
use crate::lesson::session::Session;
use crate::widgets::scene::{Does, Handle, Ink, Scene, Shape, text_at};

/// Columns and rows of a cell.
const CELL: [f64; 2] = [5.0, 1.75];

/// Rows of the tokens that are read.
const TOP: f64 = 2.3;

/// A number that blocks a score when it is added to it.
const BLOCKS: f32 = -1e9;

pub fn drawn(session: &Session, of: &Softmax<'_>) -> Option<Drawn> {
    let mask = of.mask?;
    let (reads, read) = (of.words(session, 0)?, of.words(session, 1)?);
    let (open, shut) = if of.scores.op() == "add" {
        (0.0, BLOCKS)
    } else {
        (1.0, 0.0)
    };
    let letters = reads
        .iter()
        .map(|word| word.chars().count())
        .max()
        .unwrap_or(0);
    let left = letters as f64 * 0.9 + 1.0;
    let mut scene = Scene {
        columns: left + read.len() as f64 * CELL[0] + 1.0,
        rows: TOP + reads.len() as f64 * CELL[1],
        ..Scene::default()
    };
    for (n, word) in read.iter().enumerate() {
        // Every second one higher, so that long tokens have room.
        let at = [
            left + (n as f64 + 0.5) * CELL[0] - 0.5,
            if n % 2 == 0 { 0.0 } else { 1.0 },
        ];
        scene.shapes.push(Shape::Label {
            at,
            text: word.clone(),
            ink: Ink::Text,
        });
    }
    let mut later = 0.0;
    for (row, word) in reads.iter().enumerate() {
        let top = TOP + row as f64 * CELL[1];
        let (scores, weights) = (of.row(of.scores, row), of.row(of.weights, row));
        scene
            .shapes
            .push(text_at([0.0, top + CELL[1] / 2.0 - 0.5], word, Ink::Text));
        later += weights.iter().skip(row + 1).sum::<f32>() / reads.len() as f32;
        for (column, token) in read.iter().enumerate() {
            let at = [left + column as f64 * CELL[0], top];
            let middle = [at[0] + CELL[0] / 2.0 - 0.5, top + CELL[1] / 2.0 - 0.5];
            let is_shut = is_blocked(scores[column]);
            let size = [CELL[0] - 0.2, CELL[1] - 0.1];
            let area = |ink, share| Shape::Area {
                at,
                size,
                ink,
                share,
            };
            let shapes = if is_shut {
                let text = "×".to_owned();
                vec![
                    area(Ink::Faint, 1.0),
                    Shape::Label {
                        at: middle,
                        text,
                        ink: Ink::Dim,
                    },
                ]
            } else {
                let text = weight(weights[column]);
                vec![
                    area(Ink::Faint, 0.0),
                    area(Ink::Attend, 0.6 * f64::from(weights[column])),
                    Shape::Label {
                        at: middle,
                        text,
                        ink: Ink::Text,
                    },
                ]
            };
            // A mask of one row or one head is that of all.
            let index = [&of.lead[..], &[row, column]].concat();
            let shape = mask.value.shape();
            let over = index.len().checked_sub(shape.len())?;
            let index = index[over..]
                .iter()
                .zip(shape)
                .map(|(at, size)| (at % size).to_string());
            let cell = format!("{}[{}]", mask.name, index.collect::<Vec<_>>().join(","));
            let says = if is_shut {
                "blocked".to_owned()
            } else {
                format!("weight {}", weight(weights[column]))
            };
            let value = if is_shut { open } else { shut };
            let handle = Handle {
                name: format!("{word} reads {token}"),
                says,
                at: middle,
                does: Does::Paint { cell, value },
            };
            scene.shapes.push(Shape::Moved { handle, shapes });
        }
    }
    Some(Drawn {
        asks: "Paint the mask: what does each row still read?".to_owned(),
        scene,
        says: match later {
            0.0 => "No weight is on a later token.".to_owned(),
            later => format!("{:.0} % of all weight is on later tokens.", 100.0 * later),
        },
        how: "Blue is weight, × is blocked. Choose a cell, or paint over several, to block or open them: each row shares its 1 among the cells that are left. Of a row without any, softmax makes equal shares.",
        control: "",
    })
}
