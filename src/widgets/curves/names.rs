//! The names of lines, at the lines' ends.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::dots::{MARKS, grid};
use super::{Chart, Panel};
use crate::lesson::chart::is_mark;
use crate::widgets::lines::{clip, put, width};
use crate::widgets::theme::Theme;

/// Column of names to the right of the plot.
pub struct Names {
    /// Width of the names with a blank before them; 0 where there are none.
    pub available: usize,
    /// Whether the lines are named by numbers, which the legend explains.
    pub are_numbers: bool,
}

impl Names {
    /// Reserves room for the names if they fit whole and take at most two fifths of the width, or else for numbers:
    /// colours do not tell lines apart for everyone.
    pub fn of(chart: &Chart<'_>, area: Rect, theme: &Theme) -> Self {
        let longest = (0..chart.series.len()).map(|n| width(&label(chart, n, theme)));
        let longest = longest.max().unwrap_or(0) + 1;
        let rows = usize::from(area.height).saturating_sub(4);
        let marks = chart.series.iter().any(is_mark);
        let fits = longest * 5 <= usize::from(area.width) * 2;
        let numbers = (2..=9).contains(&chart.series.len());
        // A reading needs the legend, and marks have no end at which a name could go.
        let free = chart.series.len() <= rows && !marks && !chart.view.reads;
        Self {
            available: match (free, fits, numbers) {
                (true, true, _) => longest,
                (true, false, true) => 2,
                _ => 0,
            },
            are_numbers: free && !fits && numbers,
        }
    }

    /// Whether the legend must give the names.
    pub fn need_legend(&self) -> bool {
        self.available == 0 || self.are_numbers
    }

    /// Writes the names of a panel's lines level with their last points, pushed apart where these are close.
    pub fn draw(
        &self,
        chart: &Chart<'_>,
        panel: &Panel,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        if self.available == 0 {
            return;
        }
        let ((low, _), (high, _)) = panel.ends;
        let rows = usize::from(panel.rect.height);
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
        let x = usize::from(panel.rect.right() - area.x) + 1;
        let top = usize::from(panel.rect.y - area.y);
        for (row, number) in named {
            let text = if self.are_numbers {
                (number + 1).to_string()
            } else {
                let name = label(chart, number, theme);
                clip(&name, self.available - 1, theme.glyphs().more)
            };
            let style = theme.series[number % theme.series.len()];
            put(buf, area, x, top + row, &text, style);
        }
    }
}

/// A line's name, preceded by its mark where colour does not identify the line.
fn label(chart: &Chart<'_>, number: usize, theme: &Theme) -> String {
    let name = theme.words(&chart.series[number].name);
    match grid(theme) {
        (1, 1) if chart.series.len() > 1 => format!("{} {name}", MARKS[number % MARKS.len()]),
        _ => name,
    }
}
