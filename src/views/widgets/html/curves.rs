//! Line charts as inline SVG: lines labelled at their ends, round ticks, and the points for reading off values.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::number;
use crate::lesson::Series;
use crate::lesson::chart::is_mark;
use crate::widgets::svg::escape;

/// Size of the plotting area; the constants below are the margins for the axes. The style sheet depends on these
/// widths, because it cuts off the labels at the lines' ends on a narrow page.
const FIELD: (f64, f64) = (346.0, 216.0);
const LEFT: f64 = 58.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;

/// Height of a panel if each line has its own, and the gap between two panels.
const PANEL: f64 = 60.0;
const GAP: f64 = 20.0;

/// Approximate width of a letter, and how many letters of a name fit at the end of its line.
const LETTER: f64 = 6.6;
const LETTERS: usize = 30;

/// Minimum width of a drawing.
const LEAST: f64 = 560.0;

/// Maximum number of points drawn per line.
const POINTS: usize = 90;

/// Number of line styles in the style sheet.
const LINES: usize = 8;

/// An axis: its range, and whether it is logarithmic.
struct Axis {
    least: f64,
    most: f64,
    log: bool,
    ticks: Vec<f64>,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, log: bool) -> Self {
        let finite = values.filter(|v| v.is_finite() && (!log || *v > 0.0));
        let least = finite.clone().fold(f64::INFINITY, f64::min);
        let most = finite.fold(f64::NEG_INFINITY, f64::max);
        let (least, most) = if least <= most {
            (least, most)
        } else {
            (if log { 0.1 } else { 0.0 }, 1.0)
        };
        let (least, most) = match (least == most, log) {
            (true, true) => (least / 2.0, most * 2.0),
            // Steps are counted from 0, so a single point at 0 starts the axis.
            (true, false) if least == 0.0 => (0.0, 1.0),
            (true, false) => (least - 0.5, most + 0.5),
            (false, _) => (least, most),
        };
        let (least, most) = if log {
            (least, most)
        } else {
            rounded(least, most)
        };
        let ticks = if log {
            powers(least, most)
        } else {
            round_ticks(least, most)
        };
        Self {
            least,
            most,
            log,
            ticks,
        }
    }

    /// Position of a value along the axis, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        if self.log {
            (value.ln() - self.least.ln()) / (self.most.ln() - self.least.ln())
        } else {
            (value - self.least) / (self.most - self.least)
        }
    }

    fn has(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }
}

/// Returns four or five round numbers within the range.
fn round_ticks(least: f64, most: f64) -> Vec<f64> {
    let rough = (most - least) / 4.0;
    let power = 10_f64.powf(rough.log10().floor());
    let counts = [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| {
        let step = m * power;
        let first = (least / step).ceil();
        let count = ((most / step + 1e-9).floor() - first) as i64 + 1;
        (step, first, count)
    });
    let best = counts
        .into_iter()
        .min_by_key(|(_, _, count)| (2 * count - 9).abs());
    let (step, first, count) = best.unwrap_or((1.0, 0.0, 0));
    (0..count.max(0))
        .map(|i| (first + i as f64) * step)
        .collect()
}

/// Extends the range to the next tick if that is near, so that the axis ends in a number.
fn rounded(least: f64, most: f64) -> (f64, f64) {
    let ticks = round_ticks(least, most);
    let [first, second, ..] = *ticks.as_slice() else {
        return (least, most);
    };
    let (step, near) = (second - first, 0.4 * (second - first));
    let last = ticks[ticks.len() - 1];
    let low = if first - step >= least - near {
        first - step
    } else {
        least
    };
    let high = if last + step <= most + near {
        last + step
    } else {
        most
    };
    (low, high)
}

/// Powers of ten within the range; also 2 and 5 times them if there would be fewer than three.
fn powers(least: f64, most: f64) -> Vec<f64> {
    let (low, high) = (least.log10().floor() as i32, most.log10().ceil() as i32);
    let within = |v: &f64| *v >= least * 0.999 && *v <= most * 1.001;
    let tens: Vec<f64> = (low..=high)
        .map(|e| 10_f64.powi(e))
        .filter(within)
        .collect();
    if tens.len() > 6 {
        let every = tens.len().div_ceil(5);
        return tens.into_iter().step_by(every).collect();
    }
    if tens.len() >= 3 {
        return tens;
    }
    let finer = (low..=high).flat_map(|e| [1.0, 2.0, 5.0].map(|m| m * 10_f64.powi(e)));
    finer.filter(within).collect()
}

/// Label of a tick.
fn tick(value: f64) -> String {
    let size = value.abs();
    match size {
        0.0 => "0".to_owned(),
        _ if (1e-3..1e6).contains(&size) => {
            let text = format!("{value:.4}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            text.replace('-', "−")
        }
        _ => {
            let text = format!("{value:.1e}");
            text.replace(".0e", "e").replace('-', "−")
        }
    }
}

/// Returns the drawing with its legend, and the points for the script. If `apart`, each line has its own panel.
pub fn html(x: &str, y: &str, log: bool, apart: bool, series: &[Series]) -> String {
    let chart = Chart::new(log, apart, series);
    // The vertical axis's label goes above the drawing, where long words fit on a phone too.
    let scale = if log { " (logarithmic)" } else { "" };
    let class = if chart.apart { " tt-panels" } else { "" };
    format!(
        "<p class=\"tt-up\">{}{scale}</p><svg class=\"tt-chart{class}\" viewBox=\"0 0 {:.0} {}\" preserveAspectRatio=\"xMinYMid slice\" role=\"img\" aria-label=\"{}\">{}{}</svg>{}<script type=\"application/json\" class=\"tt-points\">{}</script>",
        escape(y),
        chart.full_width(),
        TOP + chart.height + BOTTOM,
        escape(&alternative(x, y, series)),
        chart.axes(x),
        chart.lines(),
        legend(series),
        super::script(&chart.data(x))
    )
}

/// Lines with the axes and the plotting area that they share.
struct Chart<'a> {
    series: &'a [Series],
    across: Axis,
    up: Axis,
    /// Whether each line has its own panel.
    apart: bool,
    /// Size of the plotting area.
    width: f64,
    height: f64,
}

impl<'a> Chart<'a> {
    fn new(log: bool, apart: bool, series: &'a [Series]) -> Self {
        let points = series.iter().flat_map(|line| &line.points);
        let lines = series.iter().filter(|line| !is_mark(line));
        let apart = apart && series.len() > 1 && !series.iter().any(is_mark);
        let (width, height) = if apart {
            (FIELD.0, series.len() as f64 * (PANEL + GAP) - GAP)
        } else {
            FIELD
        };
        Self {
            series,
            across: Axis::new(points.map(|p| p.0), false),
            up: Axis::new(lines.flat_map(|line| &line.points).map(|p| p.1), log),
            apart,
            width,
            height,
        }
    }

    /// Width of the drawing with axis and names, at least `LEAST` however short the names are.
    fn full_width(&self) -> f64 {
        let named = self.series.iter().filter(|line| !is_mark(line));
        let longest = named
            .map(|line| line.name.chars().count().min(LETTERS))
            .max();
        let width = LEFT + self.width + 12.0 + longest.unwrap_or(0) as f64 * LETTER;
        width.max(LEAST)
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + self.across.share(value) * self.width
    }

    /// Height of a value of line `number`.
    fn y(&self, number: usize, value: f64) -> f64 {
        let (top, height) = if self.apart {
            (TOP + number as f64 * (PANEL + GAP), PANEL)
        } else {
            (TOP, self.height)
        };
        top + (1.0 - self.up.share(value)) * height
    }

    /// Axes with ticks and grid, and the name of the horizontal one.
    fn axes(&self, name: &str) -> String {
        let (right, bottom) = (LEFT + self.width, TOP + self.height);
        let mut out = String::new();
        // A low panel has room for only some of the ticks.
        let (panels, every) = if self.apart {
            (self.series.len(), 2)
        } else {
            (1, 1)
        };
        for panel in 0..panels {
            for value in self.up.ticks.iter().step_by(every) {
                let y = self.y(panel, *value);
                let _ = write!(
                    out,
                    "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\"/><text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{}</text>",
                    LEFT - 6.0,
                    y + 4.0,
                    tick(*value)
                );
            }
        }
        for value in &self.across.ticks {
            let x = self.x(*value);
            let _ = write!(
                out,
                "<line class=\"axis\" x1=\"{x:.1}\" y1=\"{bottom:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\"/><text class=\"tick\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                bottom + 5.0,
                bottom + 18.0,
                tick(*value)
            );
        }
        let _ = write!(
            out,
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom:.1}H{right:.1}\"/><text class=\"name\" text-anchor=\"end\" x=\"{right:.1}\" y=\"{:.1}\">{}</text>",
            bottom + BOTTOM - 4.0,
            escape(name)
        );
        out
    }

    /// Lines and marks, and the names at the ends of the lines.
    fn lines(&self) -> String {
        let mut out = String::new();
        let mut ends: Vec<(f64, usize)> = Vec::new();
        for (number, line) in self.series.iter().enumerate() {
            if is_mark(line) {
                let (class, x) = (number % LINES, self.x(line.points[0].0));
                let height = self.height;
                let _ = write!(
                    out,
                    "<path class=\"mark l{class}\" d=\"M{x:.1} {TOP}v{height:.1}\"/>"
                );
                continue;
            }
            let places: Vec<(f64, f64)> = thinned(&line.points)
                .into_iter()
                .filter(|p| self.across.has(p.0) && self.up.has(p.1))
                .map(|p| (self.x(p.0), self.y(number, p.1)))
                .collect();
            out += &path(number % LINES, &places);
            if let Some((_, y)) = places.last() {
                ends.push((*y, number));
            }
        }
        spread(&mut ends, TOP + self.height);
        for (y, number) in &ends {
            let _ = write!(
                out,
                "<text class=\"end l{}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                number % LINES,
                LEFT + self.width + 6.0,
                y + 4.0,
                escape(&clipped(&self.series[*number].name, LETTERS))
            );
        }
        out
    }

    /// Place, scale and points of the lines, by which the script reads off values.
    fn data(&self, x: &str) -> Value {
        let lines: Vec<Value> = self.series.iter().map(line_json).collect();
        json!({
            "chart": { "x": x, "left": LEFT, "width": self.width, "top": TOP, "height": self.height, "least": self.across.least, "most": self.across.most },
            "lines": lines,
        })
    }
}

/// A line through `places`, or a dot if there is only one.
fn path(class: usize, places: &[(f64, f64)]) -> String {
    match places {
        [] => String::new(),
        [(x, y)] => {
            format!("<circle class=\"dot l{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>")
        }
        _ => {
            let points: Vec<String> = places
                .iter()
                .map(|(x, y)| format!("{x:.1} {y:.1}"))
                .collect();
            format!(
                "<path class=\"line l{class}\" d=\"M{}\"/>",
                points.join("L")
            )
        }
    }
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
    let points: Vec<Value> = thinned(&line.points)
        .into_iter()
        .map(|(x, y)| json!([number(x as f32), number(y as f32)]))
        .collect();
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

/// Moves the labels at the lines' ends apart, so that none overlap and none is below the plotting area.
fn spread(ends: &mut [(f64, usize)], low: f64) {
    const APART: f64 = 14.0;
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    for i in 1..ends.len() {
        ends[i].0 = ends[i].0.max(ends[i - 1].0 + APART);
    }
    let over = ends.last().map_or(0.0, |last| last.0 - low);
    if over > 0.0 {
        let mut below = low + APART;
        for end in ends.iter_mut().rev() {
            end.0 = end.0.min(below - APART);
            below = end.0;
        }
    }
}

fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() > most {
        text.chars().take(most - 1).chain(['…']).collect()
    } else {
        text.to_owned()
    }
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

    #[test]
    fn an_axis_with_one_point_begins_with_it_where_that_is_zero() {
        let one = Axis::new([0.0].into_iter(), false);
        assert_eq!((one.least, one.most), (0.0, 1.0));
    }
}
