//! Points on a logarithmic axis.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Segment, power};
use crate::lesson::Bar;
use crate::widgets::lines::{put, width};
use crate::widgets::theme::Theme;

/// Powers of ten at which the axis begins and ends.
pub struct Points {
    low: i32,
    high: i32,
}

impl Points {
    /// The axis for the sizes of the nonzero values; `None` if there are none.
    pub fn of(bars: &[Bar]) -> Option<Self> {
        let sizes = || {
            let sizes = bars.iter().map(|bar| bar.value.abs());
            sizes.filter(|v| v.is_finite() && *v > 0.0)
        };
        let (least, most) = (
            sizes().fold(f64::INFINITY, f64::min),
            sizes().fold(0.0, f64::max),
        );
        if most == 0.0 {
            return None;
        }
        let low = least.log10().floor() as i32;
        let high = (most.log10().ceil() as i32).max(low + 1);
        Some(Self { low, high })
    }

    fn column(&self, value: f64, long: usize) -> usize {
        let share = (value.abs().log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        (share.clamp(0.0, 1.0) * long.saturating_sub(1) as f64).round() as usize
    }

    /// Exponents of the marks on the axis: at most five.
    fn marks(&self) -> impl Iterator<Item = i32> {
        let every = ((self.high - self.low) as usize).div_ceil(4).max(1);
        (self.low..=self.high).step_by(every)
    }

    /// Draws a value's point with a dotted line leading to it, and returns the column after the axis. 0 has no point.
    pub fn draw(
        &self,
        value: f64,
        Segment { x, y, long }: Segment,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) -> usize {
        for mark in self.marks() {
            let column = self.column(10f64.powi(mark), long);
            put(buf, area, x + column, y, theme.glyphs().axes[0], theme.dim);
        }
        if value != 0.0 && value.is_finite() {
            let ink = if value < 0.0 {
                theme.negative.ink()
            } else {
                theme.share.ink()
            };
            let column = self.column(value, long);
            put(buf, area, x + column, y, theme.glyphs().point, ink);
        }
        x + long
    }

    /// Draws the axis below the points.
    pub fn draw_axis(
        &self,
        Segment { x, y, long }: Segment,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let line = theme.glyphs().axes[1].repeat(long);
        put(buf, area, x, y, &line, theme.dim);
        let mut free = 0;
        for mark in self.marks() {
            let column = x + self.column(10f64.powi(mark), long);
            put(buf, area, column, y, theme.glyphs().tick, theme.dim);
            let text = theme.words(&power(mark));
            let from = column.saturating_sub(width(&text) / 2);
            let from = from.min((x + long).saturating_sub(width(&text)));
            if from >= free {
                free = put(buf, area, from, y + 1, &text, theme.dim) + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_has_at_most_five_marks() {
        for high in 1..50 {
            let marks = Points { low: 0, high }.marks().count();
            assert!((2..=5).contains(&marks), "{marks} marks up to 10^{high}");
        }
    }
}
