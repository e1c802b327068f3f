//! Animation of a row shifted until its mean is 0, then scaled until its standard deviation is 1.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Canvas;
use super::time::{eased, segment_progress};
use crate::typeset::number::{fixed, short};
use crate::widgets::lines::{put, width};

/// Lines for the histogram, the axis with its numbers, and the mean and standard deviation.
pub(super) const LINES: u16 = HIGH + 3;
const HIGH: u16 = 4;

/// Minimum reach of the axis on both sides of 0.
const REACH: f32 = 3.5;

/// The normalisation of one row.
pub struct Norm {
    values: Vec<f32>,
    mean: f32,
    deviation: f32,
    /// Name of the row: `row 2 "dog"`.
    row: String,
}

impl Norm {
    /// Creates the animation from a row before normalisation, its mean, and the divisor.
    pub fn new(values: Vec<f32>, mean: f32, deviation: f32, row: String) -> Self {
        Self {
            values,
            mean,
            deviation,
            row,
        }
    }

    pub(super) fn caption(&self) -> String {
        format!(
            "{}, {} numbers: subtract the mean {}, then divide by the standard deviation {}.",
            self.row,
            self.values.len(),
            short(self.mean, 7),
            short(self.deviation, 7)
        )
    }

    /// Reach of the axis: enough for all values before and after normalisation.
    fn reach(&self) -> f32 {
        let all = self.values.iter().map(|x| x.abs());
        let most = all.filter(|x| x.is_finite()).fold(0.0, f32::max);
        let after = self
            .values
            .iter()
            .map(|x| ((x - self.mean) / self.deviation).abs());
        let after = after.filter(|x| x.is_finite()).fold(REACH, f32::max);
        // Limit the reach, so that one outlier does not squeeze all others together.
        most.max(REACH).min(after.max(REACH) * 2.0)
    }

    pub(super) fn draw(&self, progress: f32, canvas: &Canvas<'_>, buf: &mut Buffer) {
        let theme = canvas.theme;
        let shift = eased(progress, 0.12, 0.4) * self.mean;
        let scale = 1.0 + (1.0 / self.deviation - 1.0) * eased(progress, 0.45, 0.75);
        let (mean, deviation) = ((self.mean - shift) * scale, self.deviation * scale);
        let area = canvas.band;
        let across = usize::from(area.width);
        let reach = self.reach();
        let column = |x: f32| {
            let share = (x / reach + 1.0) / 2.0;
            (share.clamp(0.0, 1.0) * (across - 1) as f32).round() as usize
        };
        let mut counts = vec![0_usize; across];
        for x in self.values.iter().filter(|x| x.is_finite()) {
            counts[column((x - shift) * scale)] += 1;
        }
        let most = counts.iter().copied().max().unwrap_or(1).max(1);
        let full = theme.glyphs().shades[5];
        for (x, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            // Round up, so that any value shows.
            let high = (count * usize::from(HIGH)).div_ceil(most);
            for line in 0..high {
                put(
                    buf,
                    area,
                    x,
                    usize::from(HIGH) - 1 - line,
                    full,
                    theme.positive.ink(),
                );
            }
        }
        let glyphs = theme.glyphs();
        let axis = glyphs.axes[1].repeat(across);
        put(buf, area, 0, HIGH.into(), &axis, theme.dim);
        for tick in [-1.0, 0.0, 1.0_f32] {
            let name = theme.words(&fixed(tick, 0));
            put(buf, area, column(tick), HIGH.into(), glyphs.tick, theme.dim);
            let x = (column(tick) + 1).saturating_sub(width(&name));
            put(buf, area, x, usize::from(HIGH) + 1, &name, theme.dim);
        }
        let says = format!(
            "mean {}   standard deviation {}",
            fixed(mean, 2),
            fixed(deviation, 2)
        );
        let says = theme.words(&says);
        let line = Rect {
            y: area.y + HIGH + 2,
            height: 1,
            ..area
        };
        put(buf, line, 0, 0, &says, theme.note);
        let landed = progress >= 0.82;
        canvas.reveal_row(landed, segment_progress(progress, 0.84, 1.0), buf);
    }
}
