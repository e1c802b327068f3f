//! The lines above a chart: the axis label, the name of each curve, and its value at the reading line.

use super::Chart;
use super::names::Names;
use crate::lesson::chart::{is_mark, sorted_xs, value_at};
use crate::typeset::number::short;
use crate::widgets::lines::{self, Chunk, Line};
use crate::widgets::scene::{MARKS, grid};
use crate::widgets::theme::Theme;

/// Level of detail, most first: the legend uses the first that fits the available lines.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Words {
    All,
    /// Leaves out how much of the axis is visible.
    Readings,
    /// Also leaves out the names of the axes.
    Brief,
    /// Also leaves out the names of the curves.
    Values,
}

/// The legend in at most `most` lines of `available` columns, with the curves' names unless they are at the lines' ends.
pub(super) fn legend(
    chart: &Chart<'_>,
    names: &Names,
    available: usize,
    most: usize,
    theme: &Theme,
) -> Vec<Line> {
    let legend_with = |words| lines::flow(chunks(chart, names, words, theme), available);
    let mut all = legend_with(Words::All);
    if chart.view.reads {
        for less in [Words::Readings, Words::Brief, Words::Values] {
            if all.len() > most {
                all = legend_with(less);
            }
        }
    }
    all.truncate(most);
    all
}

fn chunks(chart: &Chart<'_>, names: &Names, words: Words, theme: &Theme) -> Vec<Chunk> {
    let number = |x: f64| theme.words(&short(x as f32, 7));
    let reading = chart.reading();
    let scale = if chart.log() { ", log scale" } else { "" };
    let mut head = Chunk::new(5, "", theme.dim);
    if words < Words::Brief {
        head = head.and(format!("{} over {}{scale}", chart.y, chart.x), theme.dim);
    }
    if let Some(x) = reading {
        let at = if words < Words::Brief {
            format!(" at {} {}:", chart.x, number(x))
        } else {
            format!("at {}:", number(x))
        };
        head = head.and(at, theme.note);
    }
    let mut chunks = vec![head];
    let named = chart
        .series
        .iter()
        .enumerate()
        .filter(|_| names.available == 0);
    for (i, series) in named {
        if words == Words::Values && is_mark(series) {
            continue;
        }
        let sign = match grid(theme) {
            (1, 1) => MARKS[i % MARKS.len()].repeat(2),
            _ if names.are_numbers => format!("{} ━━", i + 1),
            _ => "━━".to_owned(),
        };
        let mut chunk = Chunk::new(5, sign, theme.series[i % theme.series.len()]);
        if words < Words::Values {
            chunk = chunk.and(format!(" {}", theme.words(&series.name)), theme.text);
        }
        if let Some(x) = reading.filter(|_| !is_mark(series)) {
            let value = match value_at(series, x) {
                None => " –".to_owned(),
                Some((own, y)) if own == x || words == Words::Values => format!(" {}", number(y)),
                // The value was measured at a different place.
                Some((own, y)) => format!(" {} (at {})", number(y), number(own)),
            };
            chunk = chunk.and(theme.words(&value), theme.title);
        }
        chunks.push(chunk);
    }
    if words == Words::All {
        chunks.extend(seen(chart, theme));
    }
    chunks
}

/// How much of the axis is visible, whether the window follows, and what a log scale leaves out.
fn seen(chart: &Chart<'_>, theme: &Theme) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    if let Some((_, width)) = chart.view.window {
        let xs = sorted_xs(chart.series);
        let all = xs.last().unwrap_or(&0.0) - xs.first().unwrap_or(&0.0);
        let words = format!("1/{:.0} of the axis", (all / width).max(1.0));
        chunks.push(Chunk::new(4, words, theme.dim));
    }
    if chart.view.follows() {
        chunks.push(Chunk::new(4, "follows", theme.good));
    }
    let left_out = match chart.left_out() {
        0 => return chunks,
        1 => "1 point at or below 0 left out".to_owned(),
        n => format!("{n} points at or below 0 left out"),
    };
    chunks.push(Chunk::new(4, left_out, theme.bad));
    chunks
}
