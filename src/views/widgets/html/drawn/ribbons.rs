//! Attention weights as ribbons from the tokens that are read, on the left, to the rows that read them.

use super::{Drawn, TOKENS, weight};
use crate::lesson::largest;
use crate::lesson::session::Intent;
use crate::tensor::Tensor;
use crate::widgets::scene::{Does, Handle, Ink, Scene, Shape};

/// Rows of a token, columns of a letter, and the columns that ribbons cross.
const LINE: f64 = 1.75;
const LETTER: f64 = 1.05;
const ACROSS: f64 = 26.0;

/// Weight below which no ribbon is drawn.
const FAINT: f32 = 0.015;

/// Draws `weights`, `[rows, columns]`, at these leading indices; of row `chosen` with its numbers.
pub fn drawn(
    weights: &Tensor,
    (rows, columns): (&[String], &[String]),
    lead: &[usize],
    chosen: Option<usize>,
) -> Option<Drawn> {
    let fits = |words: &[String]| (1..=TOKENS).contains(&words.len());
    let is_whole = *weights.shape() == [rows.len(), columns.len()]
        && [rows, columns].into_iter().all(fits)
        && rows.iter().chain(columns).all(|word| !word.is_empty());
    if !is_whole {
        return None;
    }
    let row = |n: usize| &weights.data()[n * columns.len()..][..columns.len()];
    let best = |n: usize| (largest(row(n)), row(n)[largest(row(n))]);
    let sum = |column: usize| -> f64 { (0..rows.len()).map(|n| f64::from(row(n)[column])).sum() };
    let most = (0..columns.len()).map(sum).fold(1.0, f64::max);
    // One width for a weight of 1, so that even the token that is read most fits its line.
    let one = 0.92 * LINE / most;
    let long = |word: &String| word.chars().count() as f64 * LETTER;
    let wide = |words: &[String]| words.iter().map(long).fold(1.0, f64::max) + 1.0;
    let (left, lines) = (wide(columns), rows.len().max(columns.len()));
    let right = left + ACROSS;
    let middle = |n: usize, count: usize| (n as f64 + 0.5 + (lines - count) as f64 / 2.0) * LINE;
    let mut scene = Scene::sized(right + wide(rows) + 2.0, lines as f64 * LINE);
    let (mut used, mut ends) = (Vec::new(), Scene::default());
    for (n, word) in columns.iter().enumerate() {
        let y = middle(n, columns.len());
        used.push(y - sum(n) * one / 2.0);
        ends.text([left - 0.8, y - 0.5], word, Ink::Text);
    }
    // The style sheet aligns these at their ends.
    scene.shapes.push(Shape::Group {
        class: "ends",
        shapes: ends.shapes,
    });
    for (n, word) in rows.iter().enumerate() {
        let end = middle(n, rows.len());
        let (here, mut at) = (chosen == Some(n), end - one / 2.0);
        let shapes = Scene::parts(|scene| {
            for (column, share) in row(n).iter().enumerate() {
                let high = f64::from(*share) * one;
                if *share >= FAINT {
                    scene.shapes.push(Shape::Ribbon {
                        from: [left, used[column], used[column] + high],
                        to: [right, at, at + high],
                        share: f64::from(*share),
                    });
                }
                used[column] += high;
                at += high;
            }
            // The whole row can be chosen, not only its letters.
            scene.shapes.push(Shape::Area {
                at: [right, end - LINE / 2.0],
                size: [wide(rows) + 2.0, LINE],
                ink: Ink::Faint,
                share: 0.0,
            });
            let ink = if here { Ink::Title } else { Ink::Text };
            scene.text([right + 1.0, end - 0.5], word, ink);
        });
        let (column, share) = best(n);
        let at = [right + 1.0, end - 0.5];
        let choose = Intent::At([lead, &[n, column]].concat());
        let handle = Handle {
            name: word.clone(),
            says: format!("reads {} most, {}", columns[column], weight(share)),
            at,
            does: Does::Stop(vec![(at, choose)]),
        };
        let class = if here { "band chosen" } else { "band" };
        let band = Shape::Group { class, shapes };
        scene.moved(handle, |scene| scene.shapes.push(band));
    }
    let says = if let Some(chosen) = chosen {
        for (n, share) in row(chosen).iter().enumerate() {
            if *share >= FAINT {
                let at = [left + 0.6, middle(n, columns.len()) - 0.5];
                scene.text(at, weight(*share), Ink::Attend);
            }
        }
        let (column, share) = best(chosen);
        format!(
            "{} reads {} most: {}.",
            rows[chosen],
            columns[column],
            weight(share)
        )
    } else {
        let surest = (0..rows.len()).max_by(|a, b| best(*a).1.total_cmp(&best(*b).1))?;
        let (column, share) = best(surest);
        if share < FAINT {
            "No row reads anything.".to_owned()
        } else {
            let share = weight(share);
            format!(
                "The widest is {} from {}: {share}.",
                rows[surest], columns[column]
            )
        }
    };
    let adds_up = (0..rows.len()).all(|n| (row(n).iter().sum::<f32>() - 1.0).abs() < 0.01);
    Some(Drawn::new(
        "Which tokens does each row read?",
        scene,
        says,
        if adds_up {
            "The wider a ribbon, the larger the weight; the ribbons of a row add up to 1. Choose a row for its numbers."
        } else {
            "The wider a ribbon, the larger the weight. Choose a row for its numbers."
        },
    ))
}
