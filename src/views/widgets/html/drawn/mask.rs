//! A mask over attention weights, painted cell by cell.

use super::{Drawn, Softmax, is_blocked, weight};
use crate::lesson::session::Session;
use crate::lesson::session::cell_name::cell_name;
use crate::widgets::scene::{Does, Handle, Ink, Scene};

/// Columns and rows of a cell, and the rows of the tokens that are read.
const CELL: [f64; 2] = [5.0, 1.75];
const TOP: f64 = 2.3;

/// A number that blocks a score when it is added to it.
const BLOCKS: f32 = -1e9;

pub fn drawn(session: &Session, of: &Softmax<'_>) -> Option<Drawn> {
    let mask = of.mask?;
    let (reads, read) = (of.words(session, 0)?, of.words(session, 1)?);
    let (open, shut) = match of.scores.op() {
        "add" => (0.0, BLOCKS),
        _ => (1.0, 0.0),
    };
    let letters = reads.iter().map(|word| word.chars().count()).max()?;
    let left = letters as f64 * 0.9 + 1.0;
    let mut scene = Scene::sized(
        left + read.len() as f64 * CELL[0] + 1.0,
        TOP + reads.len() as f64 * CELL[1],
    );
    let middle = |n: usize, axis: usize| (n as f64 + 0.5) * CELL[axis] - 0.5;
    for (n, word) in read.iter().enumerate() {
        // Every second one lower, so that long tokens have room.
        scene.label([left + middle(n, 0), (n % 2) as f64], word, Ink::Text);
    }
    let mut later = 0.0;
    for (row, word) in reads.iter().enumerate() {
        let y = TOP + middle(row, 1);
        let (scores, weights) = (of.row(of.scores, row), of.row(of.weights, row));
        scene.text([0.0, y], word, Ink::Text);
        later += weights.iter().skip(row + 1).sum::<f32>() / reads.len() as f32;
        for (column, token) in read.iter().enumerate() {
            // A mask of one row or one head is that of all.
            let index = [&of.lead[..], &[row, column]].concat();
            let shape = mask.value.shape();
            let over = index.len().checked_sub(shape.len())?;
            let index = index[over..].iter().zip(shape).map(|(at, size)| at % size);
            let is_shut = is_blocked(scores[column]);
            let share = weights[column];
            let (text, ink, says, value) = if is_shut {
                ("×".to_owned(), Ink::Dim, "blocked".to_owned(), open)
            } else {
                (
                    weight(share),
                    Ink::Text,
                    format!("weight {}", weight(share)),
                    shut,
                )
            };
            let cell = cell_name(&mask.name, &index.collect::<Vec<_>>());
            let handle = Handle {
                name: format!("{word} reads {token}"),
                says,
                at: [left + middle(column, 0), y],
                does: Does::Paint { cell, value },
            };
            scene.moved(handle, |scene| {
                let at = [left + column as f64 * CELL[0], TOP + row as f64 * CELL[1]];
                let size = CELL.map(|size| size - 0.15);
                scene.area(at, size, Ink::Faint, f64::from(u8::from(is_shut)));
                if !is_shut {
                    scene.area(at, size, Ink::Attend, 0.6 * f64::from(share));
                }
                scene.label([left + middle(column, 0), y], text, ink);
            });
        }
    }
    let says = match later {
        0.0 => "No weight is on a later token.".to_owned(),
        later => format!("{:.0} % of all weight is on later tokens.", 100.0 * later),
    };
    Some(Drawn::new(
        "Paint the mask: what does each row still read?",
        scene,
        says,
        "Blue is weight, × is blocked. Choose a cell, or paint over several, to block or open them: each row shares its 1 among the cells that are left. Of a row without any, softmax makes equal shares.",
    ))
}
