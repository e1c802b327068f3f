//! A matrix as a heat map: magnitude by colour and by glyph, sign by hue and by a mark, blocked cells
//! as crosses. Only visible cells are formatted.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::lines::{clip, put, width};
use super::number::{fixed, short};
use super::theme::Theme;
use crate::autograd::Nature;

/// Scores at or below this are drawn as blocked and left out of the range.
const BLOCKED: f32 = -1e8;

/// A window onto a matrix.
pub struct HeatMap<'a> {
    /// Row-major cells.
    pub cells: &'a [f32],
    /// How many columns a row has.
    pub columns: usize,
    /// Decides ramp and glyphs.
    pub nature: Nature,
    /// The least and the largest cell that count, as [`range`] finds them.
    pub range: (f32, f32),
    /// The cursor's row and column; the window keeps it visible.
    pub cursor: (usize, usize),
    /// The word or number of a row.
    pub row: &'a dyn Fn(usize) -> String,
    /// The word or number of a column.
    pub column: &'a dyn Fn(usize) -> String,
    /// Whether a cell went into the one asked about.
    pub operand: &'a dyn Fn(usize, usize) -> bool,
}

/// The least and the largest cell, without blocked ones and what is no number.
pub fn range(cells: &[f32]) -> (f32, f32) {
    let counts = cells.iter().filter(|x| x.is_finite() && **x > BLOCKED);
    let found = counts.fold((f32::INFINITY, f32::NEG_INFINITY), |(lo, hi), &x| {
        (lo.min(x), hi.max(x))
    });
    if found.0 > found.1 { (0.0, 0.0) } else { found }
}

impl HeatMap<'_> {
    fn rows(&self) -> usize {
        self.cells.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Draws as many rows and columns as fit around the cursor.
    pub fn draw(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        if area.is_empty() || self.cells.is_empty() {
            return;
        }
        let (rows, room) = (self.rows(), usize::from(area.width));
        let heading = usize::from(area.height > 2);
        let shown = (usize::from(area.height) - heading).min(rows);
        let top = window(self.cursor.0, shown, rows);
        let label = |text: String| clip(&text, 10, theme.glyphs().more);
        let gutter = (top..top + shown)
            .map(|r| width(&label((self.row)(r))))
            .max()
            .unwrap_or(0);
        let gutter = if room > gutter + 4 { gutter + 1 } else { 0 };
        // Sums prove which way the softmax ran; they are shown where there is room.
        let sums = if self.nature == Nature::Probability && room > gutter + 40 {
            7
        } else {
            0
        };
        let free = room - gutter - sums;
        let cell = self.cell_width(free);
        let across = (free / cell).clamp(1, self.columns);
        let left = window(self.cursor.1, across, self.columns);
        if heading == 1 {
            for (place, column) in (left..left + across).enumerate() {
                let text = (self.column)(column);
                let text = clip(&text, cell.saturating_sub(1).max(1), "");
                let style = if column == self.cursor.1 {
                    theme.title
                } else {
                    theme.dim
                };
                put(buf, area, gutter + place * cell, 0, &text, style);
            }
            if sums > 0 {
                put(buf, area, gutter + across * cell + 1, 0, "sum", theme.dim);
            }
        }
        for (line, row) in (top..top + shown).enumerate() {
            let y = line + heading;
            if gutter > 0 {
                let style = if row == self.cursor.0 {
                    theme.title
                } else {
                    theme.dim
                };
                put(buf, area, 0, y, &label((self.row)(row)), style);
            }
            let cells = &self.cells[row * self.columns..(row + 1) * self.columns];
            for (place, column) in (left..left + across).enumerate() {
                self.cell(
                    cells[column],
                    (row, column),
                    cell,
                    (gutter + place * cell, y),
                    area,
                    buf,
                    theme,
                );
            }
            if sums > 0 {
                let sum: f32 = cells.iter().sum();
                put(
                    buf,
                    area,
                    gutter + across * cell + 1,
                    y,
                    &fixed(sum, 3),
                    theme.dim,
                );
            }
        }
    }

    /// Numbers where they fit, otherwise two shaded columns a cell.
    fn cell_width(&self, free: usize) -> usize {
        let wide = match self.nature {
            Nature::Mask => 3,
            Nature::Ids => 6,
            Nature::Probability => 5,
            Nature::Signed => 7,
        };
        if self.columns * wide <= free || self.columns <= 4 {
            wide.min(free.max(1))
        } else if self.columns * 3 <= free {
            3
        } else {
            2.min(free.max(1))
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one call, from the loop above")]
    fn cell(
        &self,
        x: f32,
        at: (usize, usize),
        cell: usize,
        (left, y): (usize, usize),
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let glyphs = theme.glyphs();
        let strength = self.strength(x);
        let blocked = x <= BLOCKED || (self.nature == Nature::Mask && x == 0.0);
        let (text, style) = if x.is_nan() {
            ("NaN".to_owned(), theme.bad)
        } else if blocked {
            (glyphs.blocked.to_owned(), theme.blocked)
        } else if self.nature == Nature::Mask {
            (glyphs.shades[5].to_owned(), theme.open)
        } else {
            let ramp = match self.nature {
                Nature::Probability => &theme.share,
                Nature::Ids => &theme.share,
                _ if x < 0.0 => &theme.negative,
                _ => &theme.positive,
            };
            let shade = glyphs.shades[((strength * 5.0).round() as usize).min(5)];
            match (self.nature, cell) {
                (Nature::Ids, 4..) => (short(x, cell - 1), theme.text),
                (Nature::Probability, 5..) => {
                    (fixed(x, 2).replacen("0.", ".", 1), ramp.style(strength))
                }
                (_, 6..) => (short(x, cell - 1), ramp.style(strength)),
                _ => {
                    let sign = if x < 0.0 && strength > 0.1 {
                        glyphs.minus
                    } else {
                        shade
                    };
                    (format!("{sign}{shade}"), ramp.quiet(strength))
                }
            }
        };
        let mut style = style;
        if (self.operand)(at.0, at.1) {
            style = style.patch(theme.operand);
        }
        if at == self.cursor {
            style = style.add_modifier(Modifier::REVERSED | Modifier::BOLD);
        }
        // The mark of an operand stands before its number, so that it is seen without colour.
        let text = clip(&text, cell, "");
        let padded = format!(
            "{text:<w$}",
            w = cell.saturating_sub(usize::from(cell > 2)).max(1)
        );
        put(buf, area, left, y, &clip(&padded, cell, ""), style);
    }

    fn strength(&self, x: f32) -> f32 {
        let (lo, hi) = self.range;
        let span = match self.nature {
            Nature::Probability => return x.clamp(0.0, 1.0),
            _ => lo.abs().max(hi.abs()),
        };
        if span > 0.0 {
            (x.abs() / span).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

/// The first of `shown` places among `all`, such that `cursor` is visible and near the middle.
fn window(cursor: usize, shown: usize, all: usize) -> usize {
    cursor
        .saturating_sub(shown / 2)
        .min(all.saturating_sub(shown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::lines::text;

    fn drawn(cells: &[f32], columns: usize, nature: Nature, size: (u16, u16)) -> String {
        let area = Rect::new(0, 0, size.0, size.1);
        let mut buf = Buffer::empty(area);
        let map = HeatMap {
            cells,
            columns,
            nature,
            range: range(cells),
            cursor: (0, 0),
            row: &|r| format!("r{r}"),
            column: &|c| format!("c{c}"),
            operand: &|_, _| false,
        };
        map.draw(area, &mut buf, &Theme::mono());
        text(&buf)
    }

    #[test]
    fn weights_are_printed_with_their_row_sums() {
        let shown = drawn(&[0.25, 0.75, 1.0, 0.0], 2, Nature::Probability, (60, 3));
        assert!(
            shown.contains(".25") && shown.contains(".75") && shown.contains("1.000"),
            "{shown}"
        );
    }

    #[test]
    fn blocked_scores_are_crosses_and_leave_the_range_alone() {
        assert_eq!(range(&[-1e9, 2.0, -1.0, f32::NAN]), (-1.0, 2.0));
        let shown = drawn(&[-1e9, 2.0], 2, Nature::Signed, (20, 2));
        assert!(shown.contains('×') && shown.contains('2'), "{shown}");
    }

    #[test]
    fn any_size_is_drawn_without_a_panic() {
        let cells: Vec<f32> = (0..600).map(|i| i as f32 - 300.0).collect();
        for size in [(0, 0), (1, 1), (2, 3), (5, 2), (40, 20), (200, 60)] {
            for nature in [
                Nature::Signed,
                Nature::Probability,
                Nature::Mask,
                Nature::Ids,
            ] {
                drawn(&cells, 20, nature, size);
            }
        }
    }
}
