//! Queries and keys as labelled points: inline SVG, true to aspect, with the same points as a table below it.

use std::fmt::Write as _;

use crate::lesson::picture::{Plane, Point};
use crate::typeset::number::short;
use crate::widgets::svg::escape;

/// The longer side of the field, and the room for labels around it.
const SIDE: f64 = 380.0;
const ROUND: f64 = 56.0;

/// The height of a label.
const LINE: f64 = 13.0;

/// The plane that the cursor `[plane, query]` chooses.
pub fn html(planes: &[Plane], cursor: &[usize]) -> String {
    let at = |place: usize| cursor.get(place).copied().unwrap_or(0);
    let Some(plane) = planes.get(at(0)).or(planes.first()) else {
        return String::new();
    };
    let [left, right, bottom, top] = plane.bounds();
    let scale = SIDE / (right - left).max(top - bottom).max(1e-9);
    let (width, height) = ((right - left) * scale, (top - bottom) * scale);
    let place = |[x, y]: [f64; 2]| (ROUND + (x - left) * scale, ROUND + (top - y) * scale);
    let mut out = format!(
        "<svg class=\"tt-chart\" viewBox=\"0 0 {:.0} {:.0}\" preserveAspectRatio=\"xMidYMid meet\" role=\"img\" aria-label=\"{}\">",
        width + 2.0 * ROUND,
        height + 2.0 * ROUND,
        escape(&alternative(plane))
    );
    let (x, y) = place([0.0, 0.0]);
    let _ = write!(
        out,
        "<path class=\"axis\" d=\"M{:.1} {y:.1}H{:.1}M{x:.1} {:.1}V{:.1}\"/>",
        ROUND - 8.0,
        ROUND + width + 8.0,
        ROUND - 8.0,
        ROUND + height + 8.0
    );
    let mut labels = Vec::new();
    for (points, class) in [(&plane.keys, 0), (&plane.queries, 1)] {
        for point in points {
            let (x, y) = place(point.at);
            let _ = match class {
                0 => write!(
                    out,
                    "<path class=\"line l0\" d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\"/>",
                    x - 4.0,
                    y - 4.0
                ),
                _ => write!(
                    out,
                    "<circle class=\"dot l1\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"
                ),
            };
            labels.push((x + 8.0, y + 4.0, &point.label));
        }
    }
    for (x, y, label) in apart(labels) {
        let _ = write!(
            out,
            "<text class=\"name\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escape(label)
        );
    }
    out += "</svg><ul class=\"tt-legend\"><li><svg class=\"tt-swatch\" viewBox=\"0 0 32 8\" aria-hidden=\"true\"><path class=\"line l0\" d=\"M12 0l8 8m0 -8l-8 8\"/></svg>key</li><li><svg class=\"tt-swatch\" viewBox=\"0 0 32 8\" aria-hidden=\"true\"><circle class=\"dot l1\" cx=\"16\" cy=\"4\" r=\"4\"/></svg>query</li></ul>";
    let _ = write!(
        out,
        "<p>{}. The two directions have {:.0} % of the variance of the keys.</p>",
        escape(&plane.name),
        100.0 * plane.share()
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
    let said = (0..plane.queries.len()).map(|at| plane.says(at));
    format!("{}: {}", plane.name, said.collect::<Vec<_>>().join(" "))
}

/// Labels in their order from above, moved down where one would cover another.
fn apart(mut labels: Vec<(f64, f64, &String)>) -> Vec<(f64, f64, &String)> {
    const LETTER: f64 = 7.0;
    labels.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut placed: Vec<(f64, f64, &String)> = Vec::new();
    for (x, mut y, label) in labels {
        let long = |text: &str| text.chars().count() as f64 * LETTER;
        for (left, line, other) in &placed {
            let covers = x < left + long(other) && *left < x + long(label);
            if covers && (y - line).abs() < LINE {
                y = line + LINE;
            }
        }
        placed.push((x, y, label));
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_would_cover_one_another_are_moved_down() {
        let (a, b, c) = ("Hund".to_owned(), "kleine".to_owned(), "im".to_owned());
        let placed = apart(vec![(10.0, 50.0, &a), (12.0, 52.0, &b), (200.0, 51.0, &c)]);
        let line = |word: &str| placed.iter().find(|(_, _, w)| *w == word).unwrap().1;
        assert!(line("kleine") - line("Hund") >= LINE);
        assert_eq!(line("im"), 51.0);
    }
}
