//! A row of sines and cosines as the hands of clocks, which turn with the position.

use super::Drawn;
use crate::lesson::session::{Intent, Session};
use crate::widgets::scene::{Does, Handle, Ink, Scene, Shape};

/// Pairs of columns drawn as clocks, and the number of positions.
const PAIRS: [usize; 6] = [0, 2, 10, 16, 24, 32];
const POSITIONS: usize = 31;

/// Columns and rows of a clock, and the radius of its hand in rows.
const CLOCK: [f64; 2] = [22.0, 8.5];
const HAND: f64 = 2.6;

/// Clocks of a row, and the position at which they open.
const ACROSS: usize = 3;
const OPENS: f64 = 8.0;

pub fn drawn(session: &Session) -> Option<Drawn> {
    let table = session.trace().tensor("sinusoid")?;
    let (width, count) = (table.last(), table.shape()[0].min(POSITIONS));
    let pairs: Vec<usize> = PAIRS
        .into_iter()
        .filter(|pair| 2 * pair + 1 < width)
        .collect();
    let view = session.view();
    let xs: Vec<f64> = (0..count).map(|x| x as f64).collect();
    let position = view.reading(&xs).filter(|_| view.reads).unwrap_or(OPENS);
    let position = (position.round() as usize).min(count - 1);
    let lines = pairs.len().div_ceil(ACROSS) as f64;
    let mut scene = Scene {
        columns: CLOCK[0] * ACROSS as f64,
        rows: lines * CLOCK[1] + 3.5,
        ..Scene::default()
    };
    let hand = |pair: usize, at: usize| {
        let row = &table.data()[at * width..];
        // A row is twice as high as a column is wide.
        [
            f64::from(row[2 * pair + 1]) * 2.0 * HAND,
            -f64::from(row[2 * pair]) * HAND,
        ]
    };
    for (n, &pair) in pairs.iter().enumerate() {
        let middle = [
            CLOCK[0] * ((n % ACROSS) as f64 + 0.5) - 0.5,
            CLOCK[1] * (n / ACROSS) as f64 + HAND + 0.5,
        ];
        let at = |[x, y]: [f64; 2]| [middle[0] + x, middle[1] + y];
        scene.shapes.push(Shape::Disc {
            at: middle,
            radius: HAND,
            ink: Ink::Dim,
            is_filled: false,
        });
        for before in position.saturating_sub(6)..position {
            scene.shapes.push(Shape::Disc {
                at: at(hand(pair, before)),
                radius: 0.14,
                ink: Ink::Dim,
                is_filled: true,
            });
        }
        let tip = at(hand(pair, position));
        scene.shapes.extend([
            Shape::Line {
                from: middle,
                to: tip,
                ink: Ink::Text,
            },
            Shape::Disc {
                at: tip,
                radius: 0.25,
                ink: Ink::Text,
                is_filled: true,
            },
        ]);
        let turn = std::f64::consts::TAU
            / f64::from(table.at(&[1, 2 * pair])).atan2(f64::from(table.at(&[1, 2 * pair + 1])));
        let words = [
            (
                format!("columns {} and {}", 2 * pair, 2 * pair + 1),
                Ink::Text,
            ),
            (
                format!(
                    "one turn in {} positions",
                    if turn < 100.0 {
                        format!("{turn:.1}")
                    } else {
                        format!("{turn:.0}")
                    }
                ),
                Ink::Dim,
            ),
        ];
        for (line, (text, ink)) in words.into_iter().enumerate() {
            let at = [middle[0], middle[1] + HAND + 1.0 + line as f64];
            scene.shapes.push(Shape::Label { at, text, ink });
        }
    }
    let y = scene.rows - 2.5;
    let step = (scene.columns - 8.0) / (count - 1) as f64;
    let place = |position: usize| [4.0 + position as f64 * step, y];
    let at = place(position);
    let handle = Handle {
        name: "Position".to_owned(),
        says: position.to_string(),
        at,
        does: Does::Stop(
            (0..count)
                .map(|n| (place(n), Intent::Read(n as f64)))
                .collect(),
        ),
    };
    let knob = Shape::Disc {
        at,
        radius: 0.6,
        ink: Ink::Text,
        is_filled: true,
    };
    scene.shapes.extend([
        Shape::Line {
            from: place(0),
            to: place(count - 1),
            ink: Ink::Dim,
        },
        Shape::Label {
            at: [at[0], y + 1.2],
            text: format!("position {position}"),
            ink: Ink::Title,
        },
        Shape::Moved {
            handle,
            shapes: vec![knob],
        },
    ]);
    let apart = |other: usize| {
        let ([a, b], [c, d]) = (hand(0, position), hand(0, other));
        (a - c).hypot(2.0 * (b - d)) / (2.0 * HAND)
    };
    let alike: Vec<String> = (0..position)
        .filter(|other| apart(*other) < 0.3)
        .map(|other| other.to_string())
        .collect();
    let alike = match alike.len() {
        0 => String::new(),
        many => format!(
            " On the first clock it looks almost like position{} {}; the slower clocks tell them apart.",
            if many > 1 { "s" } else { "" },
            alike.join(" and ")
        ),
    };
    Some(Drawn {
        asks: "Which position is it?".to_owned(),
        scene,
        says: format!("Position {position}.{alike}"),
        how: "Every pair of columns is one hand: its height is the sine, its reach to the right the cosine. Move along the line below; the dots are the six positions before.",
        control: "",
    })
}
