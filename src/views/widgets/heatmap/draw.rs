//! Drawing of a heat map's cells and sums.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::ink::{CellContent, Ink};
use super::layout::Layout;
use super::{Heat, Scale};
use crate::typeset::number::{fixed, short};
use crate::widgets::lines::{put, put_over};
use crate::widgets::painter::Painter;
use crate::widgets::theme::Theme;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Here,
    Operand,
}

impl Heat<'_> {
    /// Draws column words, row words and cells, and sums of probabilities that do not add up to 1, scrolled to keep the cursor visible.
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
        self.draw_labels(&layout, &mut Painter { area, buf, theme });
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
                    let dot = theme.glyphs().shades[1];
                    let (x, y) = (at.0 + layout.wide / 2, at.1 + layout.middle());
                    put(buf, area, x, y, dot, theme.dim);
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
                    faint: mark != Mark::Here && self.is_faint(value, &range),
                };
                let style = ink.cell(&layout, cell, at, area, buf, theme);
                if mark != Mark::None {
                    marked.push((at, mark, style));
                }
            }
        }
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

    /// Writes what each row adds up to.
    fn draw_sums(&self, layout: &Layout, area: Rect, buf: &mut Buffer, theme: &Theme) {
        if layout.sums == 0 {
            return;
        }
        let x = layout.gutter + layout.slots * layout.wide + 2;
        put(buf, area, x, layout.head - 1, "sum", theme.dim);
        for line in 0..layout.lines {
            let row = layout.first_row + line;
            if !self.is_written(row) {
                continue;
            }
            let sum: f32 = (0..self.size().1)
                .map(|column| self.cell(row, column).0)
                .sum();
            let y = layout.head + line * layout.high + layout.middle();
            let style = if (sum - 1.0).abs() > 0.005 {
                theme.bad
            } else {
                theme.text
            };
            put(buf, area, x, y, &short_sum(sum), style);
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

/// Draws marks on both sides of a cell, in the blanks that belong to it; the cell keeps its colour.
fn draw_mark(
    layout: &Layout,
    (x, y): (usize, usize),
    mark: Mark,
    style: Style,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let fills = theme.share.fills();
    let lines = match layout.high {
        2 => y + 1..y + 2,
        high => y..y + high,
    };
    let number = y + layout.middle();
    let (from, digits) = layout.number_at();
    let blanks = from > 0 && from + digits < layout.wide;
    if (layout.form.is_some() && !blanks) || (layout.form.is_none() && !fills) {
        // There is no blank for marks.
        let modifier = match mark {
            Mark::Operand if layout.form.is_some() => Modifier::UNDERLINED,
            _ => Modifier::REVERSED,
        };
        return modify(buf, area, (x, number), layout.wide, modifier);
    }
    if layout.wide == 1 {
        put_over(buf, area, x, number, "+", style);
        return;
    }
    let glyphs = theme.glyphs();
    let ink = match (mark, theme.cursor.bg, style.bg) {
        (Mark::Here, Some(ink), Some(_)) if !theme.ascii => Some(ink),
        (Mark::Here, None, Some(_)) if !theme.ascii => Some(Color::LightYellow),
        _ => None,
    };
    if let Some(ink) = ink {
        for line in lines {
            put_over(buf, area, x, line, "▌", style.fg(ink));
            put_over(buf, area, x + layout.wide - 1, line, "▐", style.fg(ink));
        }
        return;
    }
    let sides = match mark {
        Mark::Operand => glyphs.operand,
        _ => glyphs.here,
    };
    put_over(buf, area, x, number, sides.0, style);
    put_over(buf, area, x + layout.wide - 1, number, sides.1, style);
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
