//! Softmax: scores as beads on strings, and the weights that hang below.

use super::{Drawn, Softmax, before, is_blocked, set, weight};
use crate::lesson::largest;
use crate::lesson::session::Session;
use crate::typeset::number::fixed;
use crate::widgets::scene::{Handle, Ink, Scene};

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
    let open = (0..read.len()).filter(|n| !is_blocked(scores[*n]));
    let open: Vec<usize> = open.collect();
    let least = open.iter().map(|n| first[*n]).reduce(f32::min)?;
    let most = open.iter().map(|n| first[*n]).reduce(f32::max)?;
    // As much again above and below, so that a bead can be pulled past the others.
    let space = ((most - least) * 0.4).max(1.0);
    let (least, most) = (f64::from(least - space), f64::from(most + space));
    let [top, end] = STRINGS;
    let y = |score: f32| {
        let share = (most - f64::from(score)) / (most - least);
        top + share.clamp(0.0, 1.0) * (end - top)
    };
    let pitch = (58.0 / read.len() as f64).min(12.0);
    let x = |n: usize| 6.0 + (n as f64 + 0.5) * pitch;
    let mut scene = Scene::sized(x(read.len()), TOKENS + HANGS + 5.0);
    for (score, at) in [
        (most, top),
        ((most + least) / 2.0, (top + end) / 2.0),
        (least, end),
    ] {
        scene.text([0.0, at], fixed(score as f32, 1), Ink::Dim);
    }
    scene.text([0.0, top - 1.0], "score", Ink::Dim);
    scene.text([0.0, TOKENS + 1.2], "weight", Ink::Dim);
    let cells = of.cells(of.scores, row);
    for (n, token) in read.iter().enumerate() {
        let (x, long) = (x(n), HANGS * f64::from(weights[n]));
        scene.line([x, top], [x, end], Ink::Dim);
        // Pads come in rows, where five letters each would run together.
        let token = if token == "<pad>" { "pad" } else { token };
        scene.label([x, TOKENS], token, Ink::Text);
        scene.area([x - 0.8, TOKENS + 1.0], [2.6, long], Ink::Attend, 1.0);
        let below = [x, TOKENS + 1.3 + long];
        scene.label(below, weight(weights[n]), Ink::Text);
        if !open.contains(&n) {
            scene.label([x, end], "×", Ink::Dim);
            continue;
        }
        let was = y(first[n]);
        scene.line([x - 1.5, was], [x + 1.5, was], Ink::Faint);
        let down = (-(most - least) / (end - top)) as f32;
        let moves = [vec![scores[n]], vec![0.0], vec![down]];
        scene.knob(Handle {
            name: format!("Score of {token}"),
            says: format!("{}, weight {}", fixed(scores[n], 2), weight(weights[n])),
            at: [x, y(scores[n])],
            does: set(cells.clone(), vec![n], moves, [[x, top], [x, end]]),
        });
    }
    let pick = |all: &[f32]| open.iter().map(|n| all[*n]).collect();
    let rows = [pick(first), pick(scores)];
    add_temperature(&mut scene, cells, open, &rows);
    let best = largest(weights);
    Some(Drawn::new(
        "Pull a score: what do the others lose?",
        scene,
        format!(
            "Row “{}”: {} takes {}. The weights add up to 1, whatever you do.",
            reads[row],
            read[best],
            weight(weights[best])
        ),
        "Scores are beads on strings, and the weights hang below. Move a bead with the mouse, a finger or the arrow keys; the short line is where it was.",
    ))
}

/// Adds a track along which all scores of the row, here those at `first` and `now`, are multiplied by one factor.
fn add_temperature(scene: &mut Scene, of: String, cells: Vec<usize>, [first, now]: &[Vec<f32>; 2]) {
    let y = scene.rows - 1.0;
    let dot = |other: &[f32]| -> f32 { first.iter().zip(other).map(|(a, b)| a * b).sum() };
    let factor = dot(now) / dot(first).max(1e-9);
    let scaled = |factor: f32| first.iter().map(move |x| x * factor);
    let mut both = scaled(factor).zip(now);
    // Where single scores were moved too, it begins again.
    let is_scaled = both.all(|(a, b)| (a - b).abs() < 1e-3 * (1.0 + b.abs()));
    let factor = if is_scaled { factor.max(0.0) } else { 1.0 };
    let heat = if factor > 0.005 {
        fixed(1.0 / factor, 2)
    } else {
        "∞".to_owned()
    };
    let (begin, end) = ([TRACK, y], [TRACK + MOST * FACTOR, y]);
    let tick = TRACK + FACTOR;
    scene.text([0.0, y], format!("temperature {heat}"), Ink::Text);
    scene.line(begin, end, Ink::Dim);
    scene.line([tick, y - 0.4], [tick, y + 0.4], Ink::Dim);
    let still = vec![0.0; cells.len()];
    let across = scaled(1.0 / FACTOR as f32).collect();
    let moves = [scaled(factor).collect(), across, still];
    scene.knob(Handle {
        name: "Temperature".to_owned(),
        says: format!("{heat}: all scores times {factor:.2}"),
        at: [(TRACK + f64::from(factor) * FACTOR).min(end[0]), y],
        does: set(of, cells, moves, [begin, end]),
    });
}
