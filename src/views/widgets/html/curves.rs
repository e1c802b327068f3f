//! Line charts as inline SVG, with the points for reading off values.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::number;
use crate::lesson::Series;
use crate::lesson::chart::{View, is_mark};
use crate::widgets::curves::Chart;
use crate::widgets::scene::{self, Frame};
use crate::widgets::svg::escape;
use crate::widgets::theme::Theme;

/// Pixels of a column and of a row.
const CELL: [f64; 2] = [7.0, 16.0];

/// Columns of a drawing, and rows of one with common axes and of each line's own panel.
const COLUMNS: usize = 80;
const ROWS: usize = 18;
const PANEL: usize = 5;

/// Maximum number of points drawn per line.
const POINTS: usize = 90;

/// Number of line styles in the style sheet.
const LINES: usize = 8;

/// Returns the drawing with its legend, and the points for the script. If `apart`, each line has its own panel.
pub fn html(x: &str, y: &str, log: bool, apart: bool, series: &[Series]) -> String {
    let apart = apart && series.len() > 1 && !series.iter().any(is_mark);
    let rows = if apart {
        series.len() * PANEL + 1
    } else {
        ROWS
    };
    let thin = |line: &Series| Series::new(line.name.clone(), thinned(&line.points));
    let thin: Vec<Series> = series.iter().map(thin).collect();
    let chart = Chart {
        x,
        y,
        log,
        apart,
        series: &thin,
        view: View::default(),
    };
    let Some((mut scene, field, [least, most])) =
        chart.laid_out((COLUMNS, rows), &Theme::true_dark())
    else {
        return String::new();
    };
    // The vertical axis's label goes above the drawing, where long words fit on a phone too.
    scene.rows += 1.0;
    let from = (field.x + field.width).saturating_sub(x.chars().count());
    scene.text([from as f64, rows as f64], x, scene::Ink::Text);
    let scale = if log { " (logarithmic)" } else { "" };
    let frame = Frame {
        class: if apart {
            "tt-chart tt-panels"
        } else {
            "tt-chart"
        },
        role: "img",
        about: &alternative(x, y, series),
        cell: CELL,
    };
    let [left, top, width, height] = scene::span(field, CELL);
    let lines: Vec<Value> = thin.iter().map(line_json).collect();
    let data = json!({
        "chart": { "x": x, "left": left, "width": width, "top": top, "height": height, "least": least, "most": most },
        "lines": lines,
    });
    format!(
        "<p class=\"tt-up\">{}{scale}</p>{}{}<script type=\"application/json\" class=\"tt-points\">{}</script>",
        escape(y),
        scene::svg(&scene, &frame),
        legend(series),
        super::script(&data)
    )
}

/// List of the lines' names with their last values.
fn legend(series: &[Series]) -> String {
    let mut out = String::from("<ul class=\"tt-legend\">");
    for (number, line) in series.iter().enumerate() {
        let last = line.points.last().map_or_else(String::new, |p| {
            format!(", ends at {}", super::cells::text(p.1 as f32))
        });
        let kind = if is_mark(line) { "mark" } else { "line" };
        let _ = write!(
            out,
            "<li><svg class=\"tt-swatch\" viewBox=\"0 0 32 8\" aria-hidden=\"true\"><path class=\"{kind} l{}\" d=\"M0 4H32\"/></svg>{}<span class=\"tt-reading\" data-line=\"{number}\">{last}</span></li>",
            number % LINES,
            escape(&line.name)
        );
    }
    out + "</ul>"
}

fn line_json(line: &Series) -> Value {
    let point = |&(x, y): &(f64, f64)| json!([number(x as f32), number(y as f32)]);
    let points: Vec<Value> = line.points.iter().map(point).collect();
    json!({ "name": line.name, "points": points })
}

fn alternative(x: &str, y: &str, series: &[Series]) -> String {
    let lines: Vec<String> = series
        .iter()
        .filter_map(|line| {
            let (first, last) = (line.points.first()?, line.points.last()?);
            let text = |v: f64| super::cells::text(v as f32);
            Some(format!(
                "{} from {} to {}",
                line.name,
                text(first.1),
                text(last.1)
            ))
        })
        .collect();
    format!("{y} over {x}: {}.", lines.join("; "))
}

/// Every n-th point, always including the last.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let every = points.len().div_ceil(POINTS).max(1);
    let mut kept: Vec<(f64, f64)> = points.iter().copied().step_by(every).collect();
    if let Some(last) = points.last().filter(|last| kept.last() != Some(last)) {
        kept.push(*last);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heights(drawing: &str) -> Vec<(f64, f64)> {
        let lines = drawing.split("class=\"line l").skip(1);
        let paths = lines.filter_map(|line| line.split_once("d=\"M")?.1.split_once('"'));
        let paths = paths
            .map(|(path, _)| path)
            .filter(|path| path.contains('L'));
        let ends = paths.map(|path| {
            let points = path.split('L').filter_map(|point| point.split_once(' '));
            let points = points.map(|(_, y)| y.parse::<f64>().unwrap());
            points.fold((f64::INFINITY, 0.0_f64), |(a, b), y| (a.min(y), b.max(y)))
        });
        ends.collect()
    }

    #[test]
    fn lines_that_cross_too_often_have_panels_of_their_own() {
        let line = |name: &str| Series::new(name, (0..9).map(|x| (f64::from(x), f64::from(x % 3))));
        let both = [line("a"), line("b")];
        let together = html("x", "y", false, false, &both);
        let drawn = heights(&together);
        assert_eq!(drawn.len(), 2);
        assert_eq!(drawn[0], drawn[1]);
        let apart = html("x", "y", false, true, &both);
        let drawn = heights(&apart);
        assert!(
            apart.contains("tt-panels") && drawn[0].1 < drawn[1].0,
            "{drawn:?}"
        );
    }
}
