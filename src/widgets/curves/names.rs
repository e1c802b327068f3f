//! The name of each line, at its end.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::dots::{MARKS, grid};
use super::{Chart, Panel};
use crate::lesson::chart::is_mark;
use crate::widgets::lines::{clip, put, width};
use crate::widgets::theme::Theme;

/// What stands to the right of the plot.
pub struct Names {
    /// The columns that the names take, with a blank before them; 0 where they stand in the legend instead.
    pub room: usize,
}

impl Names {
    /// The names' room: all of them whole, and the plot keeps at least as much again.
    pub fn of(chart: &Chart<'_>, area: Rect, theme: &Theme) -> Self {
        let longest = (0..chart.series.len()).map(|n| width(&label(chart, n, theme)));
        let longest = longest.max().unwrap_or(0) + 1;
        let rows = usize::from(area.height).saturating_sub(4);
        let marks = chart.series.iter().any(is_mark);
        let fits = longest * 5 <= usize::from(area.width) * 2 && chart.series.len() <= rows;
        // One line needs no name but the axis's, and what is read needs the legend.
        let stands = fits && !marks && !chart.view.reads;
        Self {
            room: if stands { longest } else { 0 },
        }
    }

    /// Writes the names of a panel's lines at the height of their last points, pushed apart where these are close.
    pub fn draw(
        &self,
        chart: &Chart<'_>,
        panel: &Panel,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        if self.room == 0 {
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
            let text = clip(
                &label(chart, number, theme),
                self.room - 1,
                theme.glyphs().more,
            );
            let style = theme.series[number % theme.series.len()];
            put(buf, area, x, top + row, &text, style);
        }
    }
}

/// A line's name, with its mark where colour does not tell which line it is.
fn label(chart: &Chart<'_>, number: usize, theme: &Theme) -> String {
    let name = theme.words(&chart.series[number].name);
    match grid(theme) {
        (1, 1) if chart.series.len() > 1 => format!("{} {name}", MARKS[number % MARKS.len()]),
        _ => name,
    }
}
