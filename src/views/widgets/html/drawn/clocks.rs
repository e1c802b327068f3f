//! A row of sines and cosines as the hands of clocks, which turn with the position.

use std::f64::consts::TAU;

use super::Drawn;
use crate::lesson::session::{Intent, Session};
use crate::widgets::scene::{Does, Handle, Ink, Scene};

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
    let pairs = PAIRS.into_iter().filter(|pair| 2 * pair + 1 < width);
    let view = session.view();
    let xs: Vec<f64> = (0..count).map(|x| x as f64).collect();
    let position = view.reading(&xs).filter(|_| view.reads).unwrap_or(OPENS);
    let position = (position.round() as usize).min(count - 1);
    let lines = pairs.clone().count().div_ceil(ACROSS) as f64;
    let mut scene = Scene::sized(CLOCK[0] * ACROSS as f64, lines * CLOCK[1] + 3.5);
    let hand = |pair: usize, at: usize| {
        let [sine, cosine] = [0, 1].map(|n| f64::from(table.at(&[at, 2 * pair + n])));
        // A row is twice as high as a column is wide.
        [cosine * 2.0 * HAND, -sine * HAND]
    };
    for (n, pair) in pairs.enumerate() {
        let middle = [
            CLOCK[0] * ((n % ACROSS) as f64 + 0.5) - 0.5,
            CLOCK[1] * (n / ACROSS) as f64 + HAND + 0.5,
        ];
        let tip = |at: usize| {
            let [x, y] = hand(pair, at);
            [middle[0] + x, middle[1] + y]
        };
        scene.disc(middle, HAND, Ink::Dim, false);
        for before in position.saturating_sub(6)..position {
            scene.disc(tip(before), 0.14, Ink::Dim, true);
        }
        scene.line(middle, tip(position), Ink::Text);
        scene.disc(tip(position), 0.25, Ink::Text, true);
        let [x, y] = hand(pair, 1);
        let turn = TAU / (-2.0 * y).atan2(x);
        let turn = match turn {
            0.0..100.0 => format!("{turn:.1}"),
            _ => format!("{turn:.0}"),
        };
        let below = |line: f64| [middle[0], middle[1] + HAND + line];
        let columns = format!("columns {} and {}", 2 * pair, 2 * pair + 1);
        scene.label(below(1.0), columns, Ink::Text);
        scene.label(
            below(2.0),
            format!("one turn in {turn} positions"),
            Ink::Dim,
        );
    }
    let y = scene.rows - 2.5;
    let step = (scene.columns - 8.0) / (count - 1) as f64;
    let place = |position: usize| [4.0 + position as f64 * step, y];
    let at = place(position);
    scene.line(place(0), place(count - 1), Ink::Dim);
    scene.label([at[0], y + 1.6], format!("position {position}"), Ink::Title);
    let stops = (0..count).map(|n| (place(n), Intent::Read(n as f64)));
    scene.knob(Handle {
        name: "Position".to_owned(),
        says: position.to_string(),
        at,
        does: Does::Stop(stops.collect()),
    });
    let apart = |other: usize| {
        let ([a, b], [c, d]) = (hand(0, position), hand(0, other));
        (a - c).hypot(2.0 * (b - d)) / (2.0 * HAND)
    };
    let alike = (0..position).filter(|other| apart(*other) < 0.3);
    let alike: Vec<String> = alike.map(|other| other.to_string()).collect();
    let mut says = format!("Position {position}.");
    if !alike.is_empty() {
        let many = if alike.len() > 1 { "s" } else { "" };
        says += &format!(
            " On the first clock it looks almost like position{many} {}; the slower clocks tell them apart.",
            alike.join(" and ")
        );
    }
    Some(Drawn::new(
        "Which position is it?",
        scene,
        says,
        "Every pair of columns is one hand: its height is the sine, its reach to the right the cosine. Move along the line below; the dots are the six positions before.",
    ))
}
