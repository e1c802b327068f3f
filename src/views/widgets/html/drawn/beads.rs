//! Softmax: scores as beads on strings, and the weights that hang below.

use super::{Drawn, Softmax, before, is_blocked, weight};
use crate::lesson::largest;
use crate::lesson::session::Session;
use crate::typeset::number::fixed;
use crate::widgets::scene::{Does, Handle, Ink, Scene, Shape, text_at};

/// First and last row of the strings, the row of the tokens, and the rows of a weight of 1.
const STRINGS: [f64; 2] = [1.0, 11.0];
const TOKENS: f64 = 12.6;
const HANGS: f64 = 6.0;

/// First column of the temperature's track, the columns of a factor of 1, and the largest factor.
const TRACK: f64 = 16.0;
const FACTOR: f64 = 12.0;
const MOST: f64 = 3.0;

pub fn drawn(session: &Session, of: &Softmax<'_>) -> Option<Drawn> {
    let row = *session.cursor().get(of.lead.len())?;
    let (reads, read) = (of.words(session, 0)?, of.words(session, 1)?);
    let (scores, weights) = (of.row(of.scores, row), of.row(of.weights, row));
    let first = of.row(before(session, of.scores)?, row);
    let open: Vec<usize> = (0..read.len())
        .filter(|n| !is_blocked(scores[*n]))
        .collect();
    let (least, most) = open
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), n| {
            (a.min(first[*n]), b.max(first[*n]))
        });
    if open.is_empty() {
        return None;
    }
    // As much again above and below, so that a bead can be pulled past the others.
    let space = ((most - least) * 0.4).max(1.0);
    let (least, most) = (f64::from(least - space), f64::from(most + space));
    let rows = STRINGS[1] - STRINGS[0];
    let y = |score: f32| {
        STRINGS[0] + ((most - f64::from(score)) / (most - least)).clamp(0.0, 1.0) * rows
    };
    let pitch = (58.0 / read.len() as f64).min(12.0);
    let x = |n: usize| 6.0 + (n as f64 + 0.5) * pitch;
    let mut scene = Scene {
        columns: x(read.len()),
        rows: TOKENS + HANGS + 5.0,
        ..Scene::default()
    };
    let shapes = &mut scene.shapes;
    for (score, at) in [
        (most, STRINGS[0]),
        ((most + least) / 2.0, STRINGS[0] + rows / 2.0),
        (least, STRINGS[1]),
    ] {
        shapes.push(text_at([0.0, at], fixed(score as f32, 1), Ink::Dim));
    }
    for (text, at) in [("score", STRINGS[0] - 1.0), ("weight", TOKENS + 1.2)] {
        shapes.push(text_at([0.0, at], text, Ink::Dim));
    }
    let cells = of.cells(of.scores, row);
    for (n, token) in read.iter().enumerate() {
        let x = x(n);
        shapes.push(Shape::Line {
            from: [x, STRINGS[0]],
            to: [x, STRINGS[1]],
            ink: Ink::Dim,
        });
        shapes.push(Shape::Label {
            at: [x, TOKENS],
            text: token.clone(),
            ink: Ink::Text,
        });
        let long = HANGS * f64::from(weights[n]);
        shapes.push(Shape::Area {
            at: [x - 0.8, TOKENS + 1.0],
            size: [2.6, long],
            ink: Ink::Attend,
            share: 1.0,
        });
        shapes.push(Shape::Label {
            at: [x, TOKENS + 1.3 + long],
            text: weight(weights[n]),
            ink: Ink::Text,
        });
        if !open.contains(&n) {
            shapes.push(Shape::Label {
                at: [x, STRINGS[1]],
                text: "×".to_owned(),
                ink: Ink::Dim,
            });
            continue;
        }
        let at = [x, y(scores[n])];
        let was = y(first[n]);
        shapes.push(Shape::Line {
            from: [x - 1.5, was],
            to: [x + 1.5, was],
            ink: Ink::Faint,
        });
        let handle = Handle {
            name: format!("Score of {token}"),
            says: format!("{}, weight {}", fixed(scores[n], 2), weight(weights[n])),
            at,
            does: Does::Set {
                of: cells.clone(),
                cells: vec![n],
                here: vec![scores[n]],
                across: vec![0.0],
                down: vec![(-(most - least) / rows) as f32],
                within: [[x, STRINGS[0]], [x, STRINGS[1]]],
            },
        };
        let bead = Shape::Disc {
            at,
            radius: 0.55,
            ink: Ink::Text,
            is_filled: true,
        };
        shapes.push(Shape::Moved {
            handle,
            shapes: vec![bead],
        });
    }
    shapes.extend(temperature(&cells, &open, first, scores, scene.rows - 1.0));
    let best = largest(weights);
    Some(Drawn {
        asks: "Pull a score: what do the others lose?".to_owned(),
        scene,
        says: format!(
            "Row “{}”: {} takes {}. The weights add up to 1, whatever you do.",
            reads[row],
            read[best],
            weight(weights[best])
        ),
        how: "Scores are beads on strings, and the weights hang below. Move a bead with the mouse, a finger or the arrow keys; the short line is where it was.",
        control: "",
    })
}

/// A track along which all scores of the row are multiplied by one factor.
fn temperature(of: &str, cells: &[usize], first: &[f32], now: &[f32], y: f64) -> [Shape; 4] {
    let pick = |all: &[f32]| -> Vec<f32> { cells.iter().map(|n| all[*n]).collect() };
    let (first, now) = (pick(first), pick(now));
    let dot =
        |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum() };
    let factor = dot(&first, &now) / dot(&first, &first).max(1e-9);
    let scaled = |factor: f64| first.iter().map(move |x| x * factor as f32);
    let is_scaled = scaled(factor)
        .zip(&now)
        .all(|(a, b)| (a - b).abs() < 1e-3 * (1.0 + b.abs()));
    let factor = if is_scaled {
        factor.clamp(0.0, MOST)
    } else {
        1.0
    };
    let heat = if factor > 0.005 {
        format!("{:.2}", 1.0 / factor)
    } else {
        "∞".to_owned()
    };
    let at = [TRACK + factor * FACTOR, y];
    let end = [TRACK + MOST * FACTOR, y];
    let handle = Handle {
        name: "Temperature".to_owned(),
        says: format!("{heat}: all scores times {factor:.2}"),
        at,
        does: Does::Set {
            of: of.to_owned(),
            cells: cells.to_vec(),
            here: scaled(factor).collect(),
            across: first.iter().map(|x| x / FACTOR as f32).collect(),
            down: vec![0.0; cells.len()],
            within: [[TRACK, y], end],
        },
    };
    let knob = Shape::Disc {
        at,
        radius: 0.55,
        ink: Ink::Text,
        is_filled: true,
    };
    let tick = TRACK + FACTOR;
    [
        text_at([0.0, y], format!("temperature {heat}"), Ink::Text),
        Shape::Line {
            from: [TRACK, y],
            to: end,
            ink: Ink::Dim,
        },
        Shape::Line {
            from: [tick, y - 0.4],
            to: [tick, y + 0.4],
            ink: Ink::Dim,
        },
        Shape::Moved {
            handle,
            shapes: vec![knob],
        },
    ]
}
