//! Queries and keys as labelled points: inline SVG with equal scales, and the same points as a table below.

use std::fmt::Write as _;

use crate::lesson::picture::{Plane, Point};
use crate::typeset::number::short;
use crate::widgets::plane::{chosen, scene};
use crate::widgets::scene::{Frame, svg};
use crate::widgets::svg::escape;

/// Columns and rows of a drawing, and the pixels of each.
const SIZE: (usize, usize) = (64, 24);
const CELL: [f64; 2] = [8.0, 16.0];

/// Draws the plane selected by the cursor `[plane, query]`.
pub fn html(planes: &[Plane], cursor: &[usize]) -> String {
    let Some((_, plane, query)) = chosen(planes, cursor) else {
        return String::new();
    };
    let frame = Frame {
        class: "tt-chart tt-plane",
        role: "img",
        about: &alternative(plane),
        cell: CELL,
    };
    let mut out = svg(&scene(plane, query, SIZE, str::to_owned), &frame);
    out += "<ul class=\"tt-legend\"><li><svg class=\"tt-swatch\" viewBox=\"0 0 32 8\" aria-hidden=\"true\"><path class=\"line l0\" d=\"M12 0l8 8m0 -8l-8 8\"/></svg>key</li><li><svg class=\"tt-swatch\" viewBox=\"0 0 32 8\" aria-hidden=\"true\"><circle class=\"dot l1\" cx=\"16\" cy=\"4\" r=\"4\"/></svg>query</li></ul>";
    let _ = write!(
        out,
        "<p>{}. The two directions have {:.0} % of the variance of the keys. The dotted line goes from the origin through one query. {}</p>",
        escape(&plane.name),
        100.0 * plane.share(),
        escape(&plane.says(query))
    );
    out += "<details><summary>The points as a table</summary>";
    out += &super::table::html(
        &[
            "point".to_owned(),
            "token".to_owned(),
            "first direction".to_owned(),
            "second direction".to_owned(),
        ],
        &rows(plane),
    );
    out + "</details>"
}

fn rows(plane: &Plane) -> Vec<Vec<String>> {
    let row = |what: &str, point: &Point| {
        let [x, y] = point.at.map(|x| short(x as f32, 6));
        vec![what.to_owned(), point.label.clone(), x, y]
    };
    let keys = plane.keys.iter().map(|point| row("key", point));
    keys.chain(plane.queries.iter().map(|point| row("query", point)))
        .collect()
}

fn alternative(plane: &Plane) -> String {
    let descriptions = (0..plane.queries.len()).map(|at| plane.says(at));
    format!(
        "{}: {}",
        plane.name,
        descriptions.collect::<Vec<_>>().join(" ")
    )
}
