//! The individual cells of a drawn heat map, which an animation hides and reveals.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Heat;
use super::ink::{CellContent, Ink};
use super::layout::Layout;
use crate::widgets::lines::put;
use crate::widgets::theme::Theme;

/// A heat map laid out on the screen.
pub struct Board {
    layout: Layout,
    ink: Ink,
    /// Number of rows and columns of the slice.
    size: (usize, usize),
    here: (usize, usize),
    area: Rect,
}

impl Heat<'_> {
    /// Lays out the heat map as [`Heat::draw`] draws it in `area`; `None` if it has no cells.
    pub fn board(&self, area: Rect, theme: &Theme) -> Option<Board> {
        if area.is_empty() || self.values.shape().contains(&0) {
            return None;
        }
        let range = self.range();
        Some(Board {
            layout: Layout::new(self, area, &range, theme),
            ink: Ink {
                nature: self.nature,
                scale: self.scale(&range),
            },
            size: self.size(),
            here: self.place(),
            area,
        })
    }
}

impl Board {
    /// The cell that the animation follows: `(row, column)` of the slice.
    pub fn here(&self) -> (usize, usize) {
        self.here
    }

    /// Number of rows and columns of the slice.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// The whole drawing, including labels and sums.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// Lines between a cell's first line and its place, which leaves out the halves of lines that it shares.
    fn inset(&self) -> usize {
        usize::from(self.layout.high == 2)
    }

    /// Visible cells with their places, row by row, as `(row, column)` of the slice. Where a line holds two rows, the
    /// upper one represents both.
    pub fn cells(&self) -> impl Iterator<Item = ((usize, usize), Rect)> {
        let layout = &self.layout;
        let all =
            (0..layout.lines).flat_map(|line| (0..layout.slots).map(move |slot| (line, slot)));
        all.filter_map(move |(line, slot)| {
            let cell = layout.cell(self.size, line, slot)?;
            let place = Rect {
                x: self.area.x + (layout.gutter + slot * layout.wide) as u16,
                y: self.area.y + (layout.head + line * layout.high + self.inset()) as u16,
                width: layout.wide as u16,
                height: if layout.high == 2 {
                    1
                } else {
                    layout.high as u16
                },
            };
            Some((cell, place.intersection(self.area)))
        })
    }

    /// Place of a cell; `None` where it is not visible.
    pub fn place(&self, cell: (usize, usize)) -> Option<Rect> {
        self.cells()
            .find(|(at, _)| *at == cell)
            .map(|(_, place)| place)
    }

    /// Place of a row's visible cells, from first to last.
    pub fn row(&self, row: usize) -> Option<Rect> {
        let of_row = self.cells().filter(|((at, _), _)| *at == row);
        of_row.map(|(_, place)| place).reduce(Rect::union)
    }

    /// Whether a line of the screen holds two rows.
    pub fn halves(&self) -> bool {
        self.layout.halves
    }

    /// Draws another value of the same kind in place of a cell's own, or shows the cell as blocked.
    pub fn put(&self, place: Rect, (value, blocked): (f32, bool), buf: &mut Buffer, theme: &Theme) {
        if self.layout.halves {
            return;
        }
        self.clear(place, buf, theme);
        let at = self.at(place);
        let cell = CellContent {
            value,
            blocked,
            bold: false,
            faint: false,
        };
        self.ink.cell(&self.layout, cell, at, self.area, buf, theme);
    }

    /// Draws a dot where the number is not there yet.
    pub fn hide(&self, place: Rect, buf: &mut Buffer, theme: &Theme) {
        self.clear(place, buf, theme);
        let (x, y) = (place.width / 2, (place.height - 1) / 2);
        let dot = theme.glyphs().shades[1];
        put(buf, place, x.into(), y.into(), dot, theme.dim);
    }

    /// Clears the space beside the cells of rows that are not `shown`, whose sums are not known yet.
    pub fn hide_sums(&self, shown: impl Fn(usize) -> bool, buf: &mut Buffer) {
        let of_row = |cell: &((usize, usize), Rect)| cell.0.1 == self.layout.first_column;
        let hidden = self
            .cells()
            .filter(of_row)
            .filter(|((row, _), _)| !shown(*row));
        for (_, place) in hidden {
            let x = place.x + (self.layout.slots * self.layout.wide) as u16;
            for x in x..self.area.right() {
                if let Some(cell) = buf.cell_mut((x, place.y + (place.height - 1) / 2)) {
                    cell.reset();
                }
            }
        }
    }

    fn clear(&self, place: Rect, buf: &mut Buffer, theme: &Theme) {
        self.layout
            .empty_cell(self.at(place), theme.text, self.area, buf);
    }

    /// Column and line of the cell whose place is given.
    fn at(&self, place: Rect) -> (usize, usize) {
        let x = usize::from(place.x.saturating_sub(self.area.x));
        let y = usize::from(place.y.saturating_sub(self.area.y));
        (x, y.saturating_sub(self.inset()))
    }
}
