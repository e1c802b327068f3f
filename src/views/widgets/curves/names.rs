//! The names of lines, at the lines' ends, or numbers on the lines.

use super::{Chart, Panel};
use crate::lesson::chart::is_mark;
use crate::widgets::lines::{clip, width};
use crate::widgets::scene::{Ink, MARKS, Scene, Shape, grid};
use crate::widgets::theme::Theme;

/// Names of the lines, in a column to the right of the plot, or as numbers on the lines.
pub struct Names {
    /// Width of the names with a blank before them; 0 where there are none.
    pub available: usize,
    /// Whether the lines have numbers, which the legend explains.
    pub are_numbers: bool,
}

impl Names {
    /// Reserves room for the names if they fit whole and take at most two fifths of the width. Otherwise the lines get
    /// numbers, unless their marks differ: colours do not tell lines apart for everyone.
    pub fn of(chart: &Chart<'_>, (available, height): (usize, usize), theme: &Theme) -> Self {
        let longest = (0..chart.series.len()).map(|n| width(&label(chart, n, theme)));
        let longest = longest.max().unwrap_or(0) + 1;
        let rows = height.saturating_sub(4);
        let marks = chart.series.iter().any(is_mark);
        let fits = longest * 5 <= available * 2 && chart.series.len() <= rows;
        // A reading needs the legend, and marks have no end at which a name could go.
        let free = !marks && !chart.view.reads;
        let few = (2..=9).contains(&chart.series.len());
        Self {
            available: if free && fits { longest } else { 0 },
            are_numbers: free && !fits && few && grid(theme) != (1, 1),
        }
    }

    /// Adds the names of a panel's lines level with their last points, pushed apart where these are close.
    pub fn add(&self, chart: &Chart<'_>, panel: &Panel, scene: &mut Scene, theme: &Theme) {
        if self.are_numbers {
            return add_numbers(chart, panel, scene);
        }
        if self.available == 0 {
            return;
        }
        let ((low, _), (high, _)) = panel.ends;
        let rows = panel.field.height;
        let mut named: Vec<(usize, usize)> = (panel.lines.0..panel.lines.1)
            .map(|number| {
                let last = chart
                    .seen(&chart.series[number], (low, high))
                    .last()
                    .copied();
                (last.map_or(0, |(_, y)| panel.row(y)), number)
            })
            .collect();
        named.sort();
        let count = named.len();
        for i in 1..count {
            named[i].0 = named[i].0.max(named[i - 1].0 + 1);
        }
        for i in (0..count).rev() {
            let below = if i + 1 < count { named[i + 1].0 } else { rows };
            named[i].0 = named[i].0.min(below.saturating_sub(1));
        }
        let x = panel.field.x + panel.field.width + 1;
        for (row, number) in named {
            let text = clip(
                &label(chart, number, theme),
                self.available - 1,
                theme.glyphs().more,
            );
            let at = [x as f64, (panel.field.y + row) as f64];
            scene.text(at, text, Ink::Series(number));
        }
    }
}

/// Adds each line's number on the line, where the other lines are farthest from it.
fn add_numbers(chart: &Chart<'_>, panel: &Panel, scene: &mut Scene) {
    let ((low, _), (high, _)) = panel.ends;
    let columns = panel.field.width;
    let numbers = panel.lines.0..panel.lines.1;
    let rows: Vec<Vec<Option<usize>>> = numbers
        .clone()
        .map(|number| {
            let points = chart.seen(&chart.series[number], (low, high));
            let at = |column: usize| {
                let share = column as f64 / columns.saturating_sub(1).max(1) as f64;
                height_at(&points, low + (high - low) * share).map(|y| panel.row(y))
            };
            (0..columns).map(at).collect()
        })
        .collect();
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for (line, number) in numbers.enumerate() {
        let distance = |column: usize, row: usize| {
            let others = rows.iter().enumerate().filter(|(other, _)| *other != line);
            let others = others.filter_map(|(_, rows)| rows[column]);
            others
                .map(|other| other.abs_diff(row))
                .min()
                .unwrap_or(usize::MAX)
        };
        let places = rows[line].iter().enumerate();
        let places = places.filter_map(|(column, row)| Some((column, (*row)?)));
        let free = places.filter(|(column, row)| {
            let is_near = |(c, r): &(usize, usize)| r == row && c.abs_diff(*column) < 2;
            !taken.iter().any(is_near)
        });
        let Some((column, row)) = free.max_by_key(|&(column, row)| distance(column, row)) else {
            continue;
        };
        taken.push((column, row));
        let at = [
            (panel.field.x + column) as f64,
            (panel.field.y + row) as f64,
        ];
        scene.shapes.push(Shape::Number { at, number });
    }
}

/// Height of a line at `x`, between its points; `None` beyond its ends.
fn height_at(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let pair = points
        .windows(2)
        .find(|pair| pair[0].0 <= x && x <= pair[1].0)?;
    let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
    let share = if x1 > x0 { (x - x0) / (x1 - x0) } else { 0.0 };
    Some(y0 + (y1 - y0) * share)
}

/// A line's name, preceded by its mark where colour does not identify the line.
fn label(chart: &Chart<'_>, number: usize, theme: &Theme) -> String {
    let name = theme.words(&chart.series[number].name);
    match grid(theme) {
        (1, 1) if chart.series.len() > 1 => format!("{} {name}", MARKS[number % MARKS.len()]),
        _ => name,
    }
}
