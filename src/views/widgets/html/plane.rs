//! Queries and keys as labelled points: inline SVG with equal scales, and the same points as a table below.

use std::fmt::Write as _;

use crate::lesson::picture::{Plane, Point};
use crate::typeset::number::short;
use crate::widgets::svg::escape;

/// Longer side of the plotting area, and the margin for labels around it.
const SIDE: f64 = 380.0;
const ROUND: f64 = 56.0;

/// Height of a label.
const LINE: f64 = 13.0;

/// Draws the plane selected by the cursor `[plane, query]`.
pub fn html(planes: &[Plane], cursor: &[usize]) -> String {
    let at = |index: usize| cursor.get(index).copied().unwrap_or(0);
    let Some(plane) = planes.get(at(0)).or(planes.first()) else {
        return String::new();
    };
    let [left, right, bottom, top] = plane.bounds();
    let scale = SIDE / (right - left).max(top - bottom).max(1e-9);
    let (width, height) = ((right - left) * scale, (top - bottom) * scale);
    let point_at = |[x, y]: [f64; 2]| (ROUND + (x - left) * scale, ROUND + (top - y) * scale);
    let mut out = format!(
        "<svg class=\"tt-chart tt-plane\" viewBox=\"0 0 {:.0} {:.0}\" preserveAspectRatio=\"xMidYMid meet\" role=\"img\" aria-label=\"{}\">",
        width + 2.0 * ROUND,
        height + 2.0 * ROUND,
        escape(&alternative(plane))
    );
    let (x, y) = point_at([0.0, 0.0]);
    let _ = write!(
        out,
        "<path class=\"axis\" d=\"M{:.1} {y:.1}H{:.1}M{x:.1} {:.1}V{:.1}\"/>",
        ROUND - 8.0,
        ROUND + width + 8.0,
        ROUND - 8.0,
        ROUND + height + 8.0
    );
    let query = at(1).min(plane.queries.len().saturating_sub(1));
    if let Some([x, y]) = plane.queries.get(query).map(|query| query.at) {
        // From the origin through the query, to the edge of the plotting area.
        let reach = |towards: f64, least: f64, most: f64| match towards {
            0.0 => f64::INFINITY,
            _ if towards > 0.0 => most / towards,
            _ => least / towards,
        };
        let far = reach(x, left, right).min(reach(y, bottom, top));
        if far.is_finite() {
            let (from, to) = (point_at([0.0, 0.0]), point_at([x * far, y * far]));
            let _ = write!(
                out,
                "<path class=\"ray\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                from.0, from.1, to.0, to.1
            );
        }
    }
    let mut points = Vec::new();
    for (of, class) in [(&plane.keys, 0), (&plane.queries, 1)] {
        for point in of {
            let (x, y) = point_at(point.at);
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
            points.push((x, y, point.label.as_str()));
        }
    }
    for (Label { x, y, anchor }, (_, _, label)) in labels(&points, width + 2.0 * ROUND)
        .into_iter()
        .zip(&points)
    {
        let _ = write!(
            out,
            "<text class=\"name\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escape(label)
        );
    }
    out += "</svg><ul class=\"tt-legend\"><li><svg class=\"tt-swatch\" viewBox=\"0 0 32 8\" aria-hidden=\"true\"><path class=\"line l0\" d=\"M12 0l8 8m0 -8l-8 8\"/></svg>key</li><li><svg class=\"tt-swatch\" viewBox=\"0 0 32 8\" aria-hidden=\"true\"><circle class=\"dot l1\" cx=\"16\" cy=\"4\" r=\"4\"/></svg>query</li></ul>";
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

/// Position of a point's label.
#[derive(Clone, Copy)]
struct Label {
    x: f64,
    y: f64,
    anchor: &'static str,
}

/// Bounding box: left, right, upper and lower edge.
type Bounds = [f64; 4];

fn overlap(one: &Bounds, other: &Bounds) -> bool {
    one[0] < other[1] && other[0] < one[1] && one[2] < other[3] && other[2] < one[3]
}

impl Label {
    /// Positions around a point, best first.
    fn around(x: f64, y: f64) -> [Self; 8] {
        [
            (x + 8.0, y + 4.0, "start"),
            (x - 8.0, y + 4.0, "end"),
            (x, y - 8.0, "middle"),
            (x, y + 16.0, "middle"),
            (x + 6.0, y - 8.0, "start"),
            (x + 6.0, y + 16.0, "start"),
            (x - 6.0, y - 8.0, "end"),
            (x - 6.0, y + 16.0, "end"),
        ]
        .map(|(x, y, anchor)| Self { x, y, anchor })
    }

    fn bounds(&self, label: &str) -> Bounds {
        /// Approximate width of a letter.
        const LETTER: f64 = 7.5;
        let long = label.chars().count() as f64 * LETTER;
        let left = match self.anchor {
            "start" => self.x,
            "end" => self.x - long,
            _ => self.x - long / 2.0,
        };
        [left, left + long, self.y - LINE + 3.0, self.y + 3.0]
    }
}

/// Places the labels of points `(x, y, label)` in order, each where it covers the fewest other labels and marks, in a
/// drawing of this width.
fn labels(points: &[(f64, f64, &str)], width: f64) -> Vec<Label> {
    let mark = |&(x, y, _): &(f64, f64, &str)| [x - 5.0, x + 5.0, y - 5.0, y + 5.0];
    let marks: Vec<Bounds> = points.iter().map(mark).collect();
    let mut placed: Vec<(Label, Bounds)> = Vec::new();
    for (x, y, text) in points {
        let covers = |label: &Label| {
            let bounds = label.bounds(text);
            let outside = bounds[0] < 0.0 || bounds[1] > width;
            let labels = placed.iter().filter(|(_, other)| overlap(&bounds, other));
            let marks = marks.iter().filter(|other| overlap(&bounds, other));
            8 * usize::from(outside) + 2 * labels.count() + marks.count()
        };
        // On a tie, the first position wins.
        if let Some(best) = Label::around(*x, *y).into_iter().min_by_key(covers) {
            placed.push((best, best.bounds(text)));
        }
    }
    placed.into_iter().map(|(label, _)| label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cover_neither_one_another_nor_a_mark() {
        let points = [
            (110.0, 50.0, "Hund"),
            (112.0, 52.0, "kleine"),
            (140.0, 51.0, "im"),
            (395.0, 90.0, "interessant"),
        ];
        let rooms: Vec<Bounds> = labels(&points, 400.0)
            .iter()
            .zip(&points)
            .map(|(label, (_, _, text))| label.bounds(text))
            .collect();
        for (at, bounds) in rooms.iter().enumerate() {
            assert!(bounds[1] <= 400.0);
            for (x, y, _) in points {
                assert!(
                    !overlap(bounds, &[x - 4.0, x + 4.0, y - 4.0, y + 4.0]),
                    "{at}"
                );
            }
            assert!(rooms[at + 1..].iter().all(|other| !overlap(bounds, other)));
        }
    }
}
