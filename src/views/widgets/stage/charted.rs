//! Description of a chart in sentences and a table, either whole or in the window that the learner chose.

use crate::lesson::Series;
use crate::lesson::chart::{View, is_mark, sorted_xs, value_at};
use crate::typeset::number::{ascii, short};
use crate::widgets::curves::Chart;
use crate::widgets::table;

/// Maximum number of rows in the table of a window.
const ROWS: usize = 12;

/// Describes what a chart shows, in sentences.
pub fn describe(chart: &Chart<'_>) -> Vec<String> {
    let view = chart.view;
    if view == View::default() {
        return chart
            .series
            .iter()
            .map(|s| describe_line(chart, s))
            .collect();
    }
    let xs = sorted_xs(chart.series);
    let (Some(&first), Some(&last)) = (xs.first(), xs.last()) else {
        return vec!["There are no points yet.".to_owned()];
    };
    let (low, high) = view.range((first, last));
    let x = chart.x;
    let mut sentences = vec![match view.window {
        None => format!(
            "Shown is all of it: {x} {} to {}.",
            number(first),
            number(last)
        ),
        Some(_) => format!(
            "Shown is {x} {} to {}, of {} to {}{}.",
            number(low),
            number(high),
            number(first),
            number(last),
            if view.follows() {
                "; it follows the newest"
            } else {
                ""
            }
        ),
    }];
    let log = view.log.unwrap_or(chart.log);
    if log != chart.log {
        let scale = if log { "logarithmic" } else { "linear" };
        sentences.push(format!("The vertical axis is {scale} now."));
    }
    sentences.extend(chart.reading().map(|at| reading(chart, at)));
    sentences.push(table(chart, &xs, (low, high)));
    let lines = chart.series.iter().filter(|series| !is_mark(series));
    sentences.extend(lines.filter_map(|series| change(series, (low, high), log)));
    match chart.left_out() {
        0 => {}
        1 => sentences
            .push("1 point is at or below 0: a logarithmic scale leaves it out.".to_owned()),
        n => sentences.push(format!(
            "{n} points are at or below 0: a logarithmic scale leaves them out."
        )),
    }
    sentences
}

/// Describes a line by up to nine of its points.
fn describe_line(chart: &Chart<'_>, series: &Series) -> String {
    let points = &series.points;
    let every = points.len().div_ceil(8).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points
        .iter()
        .enumerate()
        .filter(|(i, _)| i % every == 0 || *i == last);
    let texts: Vec<String> = kept
        .map(|(_, &(a, b))| format!("{} at {}", number(b), number(a)))
        .collect();
    format!(
        "{}: {} over {}: {}.",
        series.name,
        chart.y,
        chart.x,
        texts.join(", ")
    )
}

/// The values at the reading line: `CellRef update 340: training 2.113, held out 2.402 (at 320).`
fn reading(chart: &Chart<'_>, at: f64) -> String {
    let lines = chart.series.iter().filter(|series| !is_mark(series));
    let values = lines.map(|series| {
        let name = &series.name;
        match value_at(series, at) {
            None => format!("{name} has no point"),
            Some((own, y)) if own == at => format!("{name} {}", number(y)),
            Some((own, y)) => format!("{name} {} (at {})", number(y), number(own)),
        }
    });
    format!(
        "At {} {}: {}.",
        chart.x,
        number(at),
        values.collect::<Vec<_>>().join(", ")
    )
}

/// A table of the window's positions, evenly thinned, with the value of each line.
fn table(chart: &Chart<'_>, xs: &[f64], (low, high): (f64, f64)) -> String {
    let inside: Vec<f64> = xs
        .iter()
        .copied()
        .filter(|x| (low..=high).contains(x))
        .collect();
    let last = inside.len().saturating_sub(1);
    let rows = ROWS.min(inside.len());
    let picked = (0..rows).map(|row| inside[row * last / (rows - 1).max(1)]);
    let lines: Vec<&Series> = chart
        .series
        .iter()
        .filter(|series| !is_mark(series))
        .collect();
    let header = [chart.x]
        .into_iter()
        .chain(lines.iter().map(|series| series.name.as_str()));
    let header: Vec<String> = header.map(str::to_owned).collect();
    let row = |x: f64| {
        let cells = lines.iter().map(|series| match value_at(series, x) {
            Some((own, y)) if own == x => number(y),
            _ => "-".to_owned(),
        });
        [number(x)].into_iter().chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = picked.map(row).collect();
    format!("{}:\n{}", chart.y, table::plain(&header, &rows))
}

/// How far a line moves within the window: as a difference, or as a factor on a logarithmic scale.
fn change(series: &Series, (low, high): (f64, f64), log: bool) -> Option<String> {
    let seen =
        |p: &&(f64, f64)| (low..=high).contains(&p.0) && p.1.is_finite() && (!log || p.1 > 0.0);
    let mut points = series.points.iter().filter(seen);
    let (first, last) = (points.next()?, points.next_back()?);
    let by = if log {
        format!("times {}", number(last.1 / first.1))
    } else if last.1 < first.1 {
        format!("down by {}", number(first.1 - last.1))
    } else {
        format!("up by {}", number(last.1 - first.1))
    };
    Some(format!(
        "{} goes from {} to {}: {by}.",
        series.name,
        number(first.1),
        number(last.1)
    ))
}

fn number(x: f64) -> String {
    ascii(&short(x as f32, 10))
}
