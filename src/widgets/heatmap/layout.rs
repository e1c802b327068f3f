//! How a heat map shares out its room.

use ratatui::layout::Rect;

use super::{Heat, Range};
use crate::autograd::Nature;
use crate::widgets::lines::width;
use crate::widgets::theme::Theme;

/// What a cell holds.
pub enum Cells {
    /// A shade and a number.
    Numbers {
        /// The columns of the number.
        digits: usize,
        /// The digits after the point.
        decimals: usize,
        /// Whether `0.42` is written `.42`.
        bare: bool,
        /// What the numbers are multiplied by: very small and very large ones share a factor.
        scale: f32,
    },
    /// A shade alone.
    Shades,
}

/// Columns and rows of the drawing.
pub struct Layout {
    /// What a cell holds.
    pub cells: Cells,
    /// The columns of a cell, with the gap after it.
    pub wide: usize,
    /// Empty columns after a cell.
    pub gap: usize,
    /// Columns of the shade in a cell with a number.
    pub shade: usize,
    /// Columns of the row words, with a blank.
    pub gutter: usize,
    /// Rows above the first cell.
    pub head: usize,
    /// Rows of the column words; more than one where they stand upright, 0 where there is no room.
    pub words: usize,
    /// Every how many columns a word or number is written.
    pub every: usize,
    /// Rows of cells shown.
    pub lines: usize,
    /// Columns of cells shown.
    pub slots: usize,
    /// The first row shown.
    pub first_row: usize,
    /// The first column shown.
    pub first_column: usize,
    /// Columns of the row sums; 0 where they are not shown.
    pub sums: usize,
    /// Whether column sums are shown.
    pub column_sums: bool,
    /// Whether the one axis of a vector goes over several lines.
    pub folded: bool,
}

impl Layout {
    pub fn new(heat: &Heat, area: Rect, range: &Range, theme: &Theme) -> Self {
        let (rows, columns) = heat.size();
        let (across, down) = (usize::from(area.width), usize::from(area.height));
        let (row, column) = heat.place();

        // A line for the axes and one for the column words, if any cell is left below them.
        let head = down.saturating_sub(1).min(2);
        let room_down = (down - head).max(1);
        let first_row = window(row, rows, room_down);
        let labelled = rows > 1 || heat.rows.words(0).is_some();
        let gutter = if labelled && across >= 6 {
            let shown = first_row..(first_row + room_down).min(rows);
            let longest = shown.map(|r| width(&heat.rows.label(r))).max().unwrap_or(1);
            longest.min(12).min(across / 4) + 1
        } else {
            0
        };
        let room = across - gutter;
        let sums = match heat.nature {
            Nature::Probability if (2..=4096).contains(&columns) => 6,
            _ => 0,
        };

        let (cells, body, gap, sums) = numbers(heat, range, room, sums, columns);
        let words: Vec<usize> = (0..columns.min(512))
            .map(|c| width(&heat.columns.label(c)))
            .collect();
        let has_words = heat.columns.words(0).is_some();
        let longest = words.iter().copied().max().unwrap_or(1);
        let (wide, gap) = match cells {
            // Words may widen the cells where all of them then fit.
            _ if has_words
                && longest + 1 > body + gap
                && longest <= 10
                && columns * (longest + 1) + sums <= room =>
            {
                (
                    longest + 1,
                    if matches!(cells, Cells::Shades) {
                        longest - 1
                    } else {
                        gap
                    },
                )
            }
            _ => (body + gap, gap),
        };
        let wide = wide.min(room).max(1);
        let gap = gap.min(wide - 1);

        let folded = rows == 1 && columns * wide > room && down > head + 1;
        let (gutter, room) = if folded && across >= 10 {
            let digits = columns.to_string().len() + 1;
            (digits, across - digits)
        } else {
            (gutter, room)
        };
        let slots = (room / wide).clamp(1, columns);
        let first_column = if folded {
            0
        } else {
            window(column, columns, slots)
        };

        let mut layout = Self {
            shade: usize::from(heat.nature != Nature::Ids),
            cells,
            wide,
            gap,
            gutter,
            head: if folded { head.min(1) } else { head },
            words: usize::from(head >= 2),
            every: 1,
            lines: rows.min(room_down),
            slots,
            first_row,
            first_column,
            sums: if slots == columns && !folded { sums } else { 0 },
            column_sums: false,
            folded,
        };
        if folded {
            let all = columns.div_ceil(slots);
            let room_down = down - layout.head;
            layout.lines = all.min(room_down);
            layout.first_row = window(column / slots, all, layout.lines);
        } else if layout.words > 0 {
            layout.label(
                heat,
                longest,
                has_words,
                down,
                room_down.saturating_sub(rows),
            );
        }
        let below = down.saturating_sub(layout.head + layout.lines);
        let wide_enough = matches!(layout.cells, Cells::Numbers { .. }) && rows <= 4096;
        layout.column_sums = layout.sums > 0 && below > 0 && wide_enough && rows > 1;
        let _ = theme;
        layout
    }

    /// Words lie above their columns where they fit, stand upright where there are rows to spare,
    /// and are written above every second, fifth, … column where they are numbers.
    fn label(&mut self, heat: &Heat, longest: usize, has_words: bool, down: usize, spare: usize) {
        if longest < self.wide || (longest <= self.wide && !has_words && self.wide > 2) {
            return;
        }
        if has_words {
            let upright = longest.min(8).min(spare + 1);
            if upright >= longest.min(4) && down > upright + 1 {
                self.words = upright;
                self.head = 1 + upright;
            }
            return;
        }
        let last = heat.size().1.saturating_sub(1).to_string().len();
        self.every = [2, 5, 10, 20, 50]
            .into_iter()
            .find(|n| n * self.wide > last)
            .unwrap_or(100);
    }

    /// The row and column of the slice that is drawn at a line and slot; `None` past the end.
    pub fn cell(&self, heat: &Heat, line: usize, slot: usize) -> Option<(usize, usize)> {
        let (rows, columns) = heat.size();
        let (row, column) = if self.folded {
            (0, (self.first_row + line) * self.slots + slot)
        } else {
            (self.first_row + line, self.first_column + slot)
        };
        (row < rows && column < columns).then_some((row, column))
    }
}

/// What the numbers in the cells are multiplied by, where they share a factor.
pub fn scale(heat: &Heat, range: &Range) -> Option<f32> {
    let bound = range.bound();
    let odd = bound > 0.0 && !(0.005..1e5).contains(&bound);
    (odd && heat.nature == Nature::Signed && !range.whole)
        .then(|| 10f32.powi(-(bound.log10().floor() as i32)))
}

/// Numbers with as many digits as let all columns stand in `room`, or shades; the columns of a cell,
/// of its gap, and of the row sums.
fn numbers(
    heat: &Heat,
    range: &Range,
    room: usize,
    sums: usize,
    columns: usize,
) -> (Cells, usize, usize, usize) {
    let scale = scale(heat, range).unwrap_or(1.0);
    let bound = range.bound() * scale;
    let before = if bound >= 1.0 {
        bound.log10().floor() as usize + 1
    } else {
        1
    };
    let sign = usize::from(range.least < 0.0);
    let choices: &[(usize, bool)] = match heat.nature {
        Nature::Mask => &[],
        _ if range.whole => &[(0, false)],
        Nature::Ids => &[(0, false)],
        Nature::Probability => &[(4, false), (3, false), (2, false), (2, true)],
        Nature::Signed if bound < 1.0 => &[(4, false), (3, false), (2, false), (2, true)],
        Nature::Signed if bound < 100.0 => &[(3, false), (2, false), (1, false)],
        Nature::Signed => &[(1, false), (0, false)],
    };
    let shade = usize::from(heat.nature != Nature::Ids);
    for &(decimals, bare) in choices {
        let point = usize::from(decimals > 0);
        let before = if bare {
            usize::from(range.most >= 0.995)
        } else {
            before
        };
        let digits = (sign + before + point + decimals).max(2);
        let body = shade + digits;
        for sums in [sums, 0] {
            if columns * (body + 1) + sums <= room + 1 {
                let cells = Cells::Numbers {
                    digits,
                    decimals,
                    bare,
                    scale,
                };
                return (cells, body, 1, sums);
            }
        }
    }
    if heat.nature == Nature::Ids {
        let digits = before.max(2);
        return (
            Cells::Numbers {
                digits,
                decimals: 0,
                bare: false,
                scale,
            },
            digits,
            1,
            0,
        );
    }
    for sums in [sums, 0] {
        for gap in [2, 1, 0] {
            if columns * (2 + gap) + sums <= room {
                return (Cells::Shades, 2, gap, sums);
            }
        }
    }
    (Cells::Shades, 2.min(room).max(1), 0, 0)
}

/// The first of `shown` of `all` places that keeps `at` in the middle as far as the ends allow.
fn window(at: usize, all: usize, shown: usize) -> usize {
    at.saturating_sub(shown / 2).min(all.saturating_sub(shown))
}

#[cfg(test)]
mod tests {
    use super::window;

    #[test]
    fn the_window_keeps_the_cursor_and_stops_at_the_ends() {
        assert_eq!(window(0, 100, 10), 0);
        assert_eq!(window(50, 100, 10), 45);
        assert_eq!(window(99, 100, 10), 90);
        assert_eq!(window(3, 5, 10), 0);
    }
}
