//! Attention weights as ribbons from the tokens that are read, on the left, to the rows that read them.

use super::{Drawn, TOKENS, weight};
use crate::lesson::largest;
use crate::lesson::session::Intent;
use crate::tensor::Tensor;
use crate::widgets::scene::{Does, Handle, Ink, Scene, Shape, text_at};

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
    let is_whole = *weights.shape() == [rows.len(), columns.len()]
        && (1..=TOKENS).contains(&rows.len())
        && (1..=TOKENS).contains(&columns.len())
        && rows.iter().chain(columns).all(|word| !word.is_empty());
    if !is_whole {
        return None;
    }
    let row = |n: usize| &weights.data()[n * columns.len()..][..columns.len()];
    let sum = |column: usize| {
        (0..rows.len())
            .map(|n| f64::from(row(n)[column]))
            .sum::<f64>()
    };
    let most = (0..columns.len()).map(sum).fold(1.0, f64::max);
    // One width for a weight of 1, so that even the token that is read most fits its line.
    let one = 0.92 * LINE / most;
    let wide = |words: &[String]| {
        words
            .iter()
            .map(|word| word.chars().count())
            .max()
            .unwrap_or(0) as f64
            * LETTER
            + 1.0
    };
    let [left, right] = [wide(columns), wide(rows)];
    let lines = rows.len().max(columns.len());
    let middle =
        |n: usize, count: usize| (n as f64 + 0.5) * LINE + (lines - count) as f64 * LINE / 2.0;
    let mut scene = Scene {
        columns: left + ACROSS + right + 2.0,
        rows: lines as f64 * LINE,
        ..Scene::default()
    };
    let mut used: Vec<f64> = (0..columns.len())
        .map(|n| middle(n, columns.len()) - sum(n) * one / 2.0)
        .collect();
    for (n, word) in columns.iter().enumerate() {
        let y = middle(n, columns.len()) - 0.5;
        let long = word.chars().count() as f64 * LETTER;
        scene
            .shapes
            .push(text_at([left - long - 1.0, y], word, Ink::Text));
        if let Some(share) = chosen
            .map(|chosen| row(chosen)[n])
            .filter(|share| *share >= FAINT)
        {
            scene
                .shapes
                .push(text_at([left + 1.0, y - 0.35], weight(share), Ink::Attend));
        }
    }
    for (n, word) in rows.iter().enumerate() {
        let end = middle(n, rows.len());
        let mut at = end - one / 2.0;
        let mut shapes = Vec::new();
        for (column, share) in row(n).iter().enumerate() {
            let high = f64::from(*share) * one;
            let (from, to) = (
                [left, used[column], used[column] + high],
                [left + ACROSS, at, at + high],
            );
            used[column] += high;
            at += high;
            if *share >= FAINT {
                shapes.push(Shape::Ribbon {
                    from,
                    to,
                    share: f64::from(*share),
                });
            }
        }
        let ink = if chosen == Some(n) {
            Ink::Title
        } else {
            Ink::Text
        };
        shapes.push(text_at([left + ACROSS + 1.0, end - 0.5], word, ink));
        let class = if chosen == Some(n) {
            "band chosen"
        } else {
            "band"
        };
        let best = largest(row(n));
        let at = [left + ACROSS + 1.0, end - 0.5];
        let choose = Intent::At([lead, &[n, best]].concat());
        let handle = Handle {
            name: word.clone(),
            says: format!("reads {} most, {}", columns[best], weight(row(n)[best])),
            at,
            does: Does::Stop(vec![(at, choose)]),
        };
        let shapes = vec![Shape::Group { class, shapes }];
        scene.shapes.push(Shape::Moved { handle, shapes });
    }
    let says = match chosen {
        Some(chosen) => {
            let best = largest(row(chosen));
            format!(
                "{} reads {} most: {}.",
                rows[chosen],
                columns[best],
                weight(row(chosen)[best])
            )
        }
        None => {
            let best = (0..rows.len()).map(|n| {
                let best = largest(row(n));
                format!(
                    "{} from {} {}",
                    rows[n],
                    columns[best],
                    weight(row(n)[best])
                )
            });
            format!(
                "The strongest of each: {}.",
                best.collect::<Vec<_>>().join(", ")
            )
        }
    };
    Some(Drawn {
        asks: "Which tokens does each row read?".to_owned(),
        scene,
        says,
        how: "The wider a ribbon, the larger the weight; the ribbons of a row add up to 1. Choose a row for its numbers.",
        control: "",
    })
}
