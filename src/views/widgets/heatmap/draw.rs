//! Drawing of a heat map's cells and sums.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::ink::{CellContent, Ink};
use super::layout::Layout;
use super::{Heat, Scale};
use crate::typeset::number::{fixed, short};
use crate::widgets::lines::{put, put_over, width};
use crate::widgets::theme::Theme;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Here,
    Operand,
}

impl Heat<'_> {
    /// Draws column words, row words, cells and, for probabilities, sums, scrolled to keep the cursor visible.
    ///
    /// Cells show their numbers if all columns still fit, and otherwise only colour.
    pub fn draw(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        if self.values.shape().contains(&0) {
            put(buf, area, 0, 0, "no cells", theme.dim);
            return;
        }
        let range = self.range();
        let scale = self.scale(&range);
        let layout = Layout::new(self, area, &range, theme);
        self.draw_labels(&layout, area, buf, theme);
        if layout.halves {
            return self.draw_halves(&layout, scale, area, buf, theme);
        }
        let nature = self.nature;
        let ink = Ink { nature, scale };
        let place = self.place();
        let mut marked = Vec::new();
        for line in 0..layout.lines {
            for slot in 0..layout.slots {
                let Some(cell) = layout.cell(self.size(), line, slot) else {
                    continue;
                };
                let at = (
                    layout.gutter + slot * layout.wide,
                    layout.head + line * layout.high,
                );
                if !self.is_written(cell.0) {
                    continue;
                }
                let mark = match cell {
                    // A map that is still being written shows no cursor.
                    _ if self.written.is_some() => Mark::None,
                    cell if cell == place => Mark::Here,
                    (row, column) if self.is_operand(row, column) => Mark::Operand,
                    _ => Mark::None,
                };
                let (value, blocked) = self.cell(cell.0, cell.1);
                let cell = CellContent {
                    value,
                    blocked,
                    bold: mark != Mark::None,
                };
                let style = ink.cell(&layout, cell, at, area, buf, theme);
                if mark != Mark::None {
                    marked.push((at, mark, style));
                }
            }
        }
        // Marks may overlap the blank of the next cell, so the cursor's come last.
        marked.sort_by_key(|(_, mark, _)| *mark == Mark::Here);
        for (at, mark, style) in marked {
            draw_mark(&layout, at, mark, style, area, buf, theme);
        }
        self.draw_sums(&layout, area, buf, theme);
    }

    /// Draws two rows of cells per line, for maps with more rows than the screen has lines.
    fn draw_halves(
        &self,
        layout: &Layout,
        scale: Scale,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let (rows, _) = self.size();
        let (here, there) = self.place();
        for line in 0..layout.lines {
            for slot in 0..layout.slots {
                let Some((row, column)) = layout.cell(self.size(), line, slot) else {
                    continue;
                };
                let ground = |row: usize| {
                    let (value, blocked) = self.cell(row, column);
                    self.style(value, blocked, scale, theme)
                };
                let is_blocked = |row: usize| self.cell(row, column).1;
                if !self.is_written(row) {
                    continue;
                }
                let lower = (row + 1 < rows && self.is_written(row + 1)).then_some(row + 1);
                let (mut symbol, mut style) = if is_blocked(row) && lower.is_none_or(is_blocked) {
                    (theme.glyphs().blocked, ground(row))
                } else {
                    two_halves(ground(row), lower.map(ground))
                };
                let of_row = |row: usize| row == here && column == there;
                if self.written.is_none() && (of_row(row) || of_row(row + 1)) {
                    (symbol, style) = ("+", ground(here).add_modifier(Modifier::BOLD));
                }
                let (x, y) = (layout.gutter + slot * layout.wide, layout.head + line);
                let text = match (symbol, layout.wide) {
                    ("+", 2) => "[]".to_owned(),
                    (symbol, wide) => symbol.repeat(wide),
                };
                put(buf, area, x, y, &text, style);
            }
        }
    }

    fn is_operand(&self, row: usize, column: usize) -> bool {
        let leading = self.leading();
        self.operands.iter().any(|index| match &index[..] {
            [] => true,
            [only] => *only == column,
            [front @ .., r, c] => (*r, *c) == (row, column) && front == leading,
        })
    }

    pub(super) fn style(&self, x: f32, blocked: bool, scale: Scale, theme: &Theme) -> Style {
        let nature = self.nature;
        Ink { nature, scale }.style(x, blocked, theme)
    }

    fn draw_sums(&self, layout: &Layout, area: Rect, buf: &mut Buffer, theme: &Theme) {
        if layout.sums == 0 {
            return;
        }
        let (rows, columns) = self.size();
        let x = layout.gutter + layout.slots * layout.wide + 1;
        let sign = theme.words(theme.glyphs().sum);
        // The sign moves up where a word extends beyond the last column.
        let free = |x: usize, y: usize| {
            let place = (area.x + x as u16, area.y + y as u16);
            buf.cell(place).is_some_and(|cell| cell.symbol() == " ")
        };
        let mut above = (1..layout.head).rev();
        if let Some(y) = above.find(|&y| free(x, y) && free(x - 1, y)) {
            put(buf, area, x, y, &sign, theme.dim);
        }
        let middle = (layout.high - 1) / 2;
        for line in 0..layout.lines {
            let row = layout.first_row + line;
            if !self.is_written(row) {
                continue;
            }
            let sum: f32 = (0..columns).map(|column| self.cell(row, column).0).sum();
            let y = layout.head + line * layout.high + middle;
            put(buf, area, x, y, &short_sum(sum), theme.text);
        }
        if !layout.column_sums {
            return;
        }
        let y = layout.head + layout.lines * layout.high;
        if layout.gutter > 1 {
            put(
                buf,
                area,
                layout.gutter - 1 - width(&sign),
                y,
                &sign,
                theme.dim,
            );
        }
        let (from, available) = layout.number_at();
        for slot in 0..layout.slots {
            let column = layout.first_column + slot;
            let written = (0..rows).filter(|row| self.is_written(*row));
            let sum: f32 = written.map(|row| self.cell(row, column).0).sum();
            let text = fixed(sum, 2);
            let text = if width(&text) > available {
                short(sum, available)
            } else {
                text
            };
            let x = layout.gutter + slot * layout.wide + from + available - width(&text);
            put(buf, area, x, y, &theme.words(&text), theme.dim);
        }
    }
}

/// Character that shows two rows, one in each half, and its style. A row without a background, or a missing one, is
/// left out.
fn two_halves(upper: Style, lower: Option<Style>) -> (&'static str, Style) {
    let filled = |ground: Color| Style::new().fg(ground);
    match (upper.bg, lower.and_then(|lower| lower.bg)) {
        (Some(upper), Some(lower)) => ("▀", filled(upper).bg(lower)),
        (Some(upper), None) => ("▀", filled(upper)),
        (None, Some(lower)) => ("▄", filled(lower)),
        (None, None) => (" ", upper),
    }
}

/// Draws marks on both sides of a cell's number, which keeps its colour.
fn draw_mark(
    layout: &Layout,
    (x, y): (usize, usize),
    mark: Mark,
    style: Style,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let glyphs = theme.glyphs();
    let (sides, paint) = match mark {
        Mark::None => return,
        Mark::Here => (glyphs.here, theme.cursor),
        Mark::Operand => (glyphs.operand, theme.operand),
    };
    let y = y + (layout.high - 1) / 2;
    let fills = theme.share.fills();
    if layout.form.is_some() && layout.number_at() == (0, layout.wide) {
        // There is no blank left for marks.
        let modifier = match mark {
            Mark::Here => Modifier::REVERSED,
            _ => Modifier::UNDERLINED,
        };
        return modify(buf, area, (x, y), layout.wide, modifier);
    }
    let (left, right, paint) = match layout.form {
        Some(_) if layout.large => (Some(0), layout.wide - 1, paint),
        Some(_) => {
            let (from, digits) = layout.number_at();
            (from.checked_sub(1), from + digits, paint)
        }
        // The cell has only its colour, so the marks are drawn on it.
        None if fills => (Some(0), layout.wide - 1, style),
        None => return modify(buf, area, (x, y), layout.wide.min(2), Modifier::REVERSED),
    };
    if layout.form.is_none() && layout.wide == 1 {
        put_over(buf, area, x, y, "+", style);
        return;
    }
    if let Some(left) = left {
        put_over(buf, area, x + left, y, sides.0, paint);
    }
    put_over(buf, area, x + right, y, sides.1, paint);
}

/// Adds a modifier to some columns of a line.
fn modify(
    buf: &mut Buffer,
    area: Rect,
    (x, y): (usize, usize),
    columns: usize,
    modifier: Modifier,
) {
    let (left, top) = (area.x as usize + x, area.y as usize + y);
    for column in left..left + columns {
        if let Some(cell) = buf.cell_mut((column as u16, top as u16)) {
            cell.modifier |= modifier;
        }
    }
}

/// A sum with two decimals: 1.00 shows which axis the softmax ran along.
fn short_sum(sum: f32) -> String {
    if sum.abs() < 99.5 {
        fixed(sum, 2)
    } else {
        short(sum, 5)
    }
}
