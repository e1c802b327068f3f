//! Rows of numbers in an animation: a name, and as many cells as fit.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::time::between;
use crate::autograd::Nature;
use crate::typeset::number::{fixed, short};
use crate::widgets::heatmap::{Ink, Scale};
use crate::widgets::lines::{clip, put, width};
use crate::widgets::painter::Painter;
use crate::widgets::theme::Theme;

/// A named row of numbers, with its colours.
#[derive(Clone)]
pub struct Row {
    /// Name of the row: `query`.
    pub name: String,
    /// All values, including those that do not fit.
    pub values: Vec<f32>,
    /// Colours for these values only: on a shared scale, the smaller row would stay dark.
    ink: Ink,
    /// Number of decimals that tells the values apart; `None` if each is written in its own format.
    decimals: Option<usize>,
}

impl Row {
    /// A row with colours scaled to its own values.
    pub fn new(name: impl Into<String>, values: Vec<f32>, nature: Nature) -> Self {
        // The fill value of a mask would take up the whole scale.
        let open = values.iter().filter(|x| x.is_finite() && **x > BLOCKED);
        let bound = open.fold(0.0_f32, |bound, x| bound.max(x.abs()));
        let whole = values.iter().all(|x| x.fract() == 0.0);
        let scale = match nature {
            Nature::Probability => Scale::Share,
            _ => Scale::AroundZero(bound),
        };
        Self {
            name: name.into(),
            values,
            ink: Ink { nature, scale },
            decimals: match bound {
                0.0..1000.0 if whole => Some(0),
                0.2..=1.0 if nature == Nature::Probability => Some(3),
                0.2..10.0 => Some(2),
                10.0..1000.0 => Some(1),
                _ => None,
            },
        }
    }

    /// Renames the row.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    fn written(&self, x: f32, available: usize) -> String {
        let text = self.decimals.map(|decimals| fixed(x, decimals));
        text.filter(|text| width(text) <= available)
            .unwrap_or_else(|| short(x, available))
    }

    /// Draws value `n` in `place`, unless that extends beyond `area`.
    pub fn cell(&self, n: usize, place: Rect, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let Some(&x) = self.values.get(n) else { return };
        let blocked = x <= BLOCKED;
        let style = self.ink.style(x, blocked, theme);
        let wide = usize::from(place.width);
        let text = if blocked {
            theme.glyphs().blocked.to_owned()
        } else {
            theme.words(&self.written(x, wide.saturating_sub(1)))
        };
        write(
            &format!("{text:>wide$}", wide = wide.saturating_sub(1)),
            place,
            style,
            area,
            buf,
        );
    }
}

/// Scores at or below this were written by a mask.
const BLOCKED: f32 = -1e8;

/// Fills `place` with `text`, unless that extends beyond `area`.
pub fn write(text: &str, place: Rect, style: ratatui::style::Style, area: Rect, buf: &mut Buffer) {
    let within = place.intersection(area);
    if within != place || place.is_empty() {
        return;
    }
    for y in 0..place.height {
        for x in 0..place.width {
            if let Some(cell) = buf.cell_mut((place.x + x, place.y + y)) {
                cell.reset();
            }
        }
    }
    for y in 0..usize::from(place.height) {
        put(buf, place, 0, y, &" ".repeat(place.width.into()), style);
    }
    put(
        buf,
        place,
        0,
        usize::from(place.height - 1) / 2,
        text,
        style,
    );
}

/// Layout of a band's rows: names on the left, cells of equal width, and some columns on the right.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    area: Rect,
    gutter: u16,
    /// Width of a cell, in columns.
    pub wide: u16,
    /// Number of cells.
    pub slots: usize,
    /// Index of the value in the first cell.
    pub first: usize,
}

impl Frame {
    /// The layout for rows with these names and `count` values, with value `at` visible. If not all fit, columns on the
    /// right are reserved to say so.
    pub fn new<'a>(
        area: Rect,
        names: impl IntoIterator<Item = &'a str>,
        count: usize,
        at: usize,
    ) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let all = Self::with_tail(area, names.iter().copied(), count, at, 0);
        if all.slots == count {
            all
        } else {
            Self::with_tail(area, names, count, at, MORE)
        }
    }

    /// Like [`Frame::new`], but always with `tail` columns on the right.
    pub fn with_tail<'a>(
        area: Rect,
        names: impl IntoIterator<Item = &'a str>,
        count: usize,
        at: usize,
        tail: u16,
    ) -> Self {
        let longest = names.into_iter().map(width).max().unwrap_or(0) as u16;
        let gutter = (longest + 1).min(area.width / 4);
        let available = area.width.saturating_sub(gutter);
        let fits = |wide: u16, tail: u16| usize::from(available.saturating_sub(tail) / wide);
        let wide = if fits(7, tail) >= 6 { 7 } else { 6 };
        let slots = fits(wide, tail).min(count);
        Self {
            area,
            gutter,
            wide,
            slots,
            first: at.saturating_sub(slots / 2).min(count - slots.min(count)),
        }
    }

    /// Place of cell `slot` in line `y`.
    pub fn place(&self, slot: usize, y: u16) -> Rect {
        Rect {
            x: self.area.x + self.gutter + slot as u16 * self.wide,
            y: self.area.y + y,
            width: self.wide,
            height: 1,
        }
    }

    /// Range of the values shown.
    pub fn shown(&self) -> Range<usize> {
        self.first..self.first + self.slots
    }

    /// Writes the name of line `y`.
    pub fn name(&self, name: &str, y: u16, buf: &mut Buffer, theme: &Theme) {
        let available = usize::from(self.gutter.saturating_sub(1));
        let name = clip(&theme.words(name), available, theme.glyphs().more);
        put(buf, self.area, 0, y.into(), &name, theme.dim);
    }

    /// Writes text after the last cell of line `y`.
    pub fn tail(&self, text: &str, y: u16, style: ratatui::style::Style, buf: &mut Buffer) {
        let x = usize::from(self.gutter) + self.slots * usize::from(self.wide) + 1;
        put(buf, self.area, x, y.into(), text, style);
    }

    /// Draws the values of `row` for which `there` is true, in line `y`, `aside` columns to the right of their places.
    pub fn draw(
        &self,
        row: &Row,
        (aside, y): (i32, u16),
        there: impl Fn(usize) -> bool,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let least = i32::from(self.area.x + self.gutter);
        for (slot, n) in self.shown().enumerate().filter(|(_, n)| there(*n)) {
            let place = self.place(slot, y);
            let x = i32::from(place.x) + aside;
            if x >= least && x + i32::from(place.width) <= i32::from(self.area.right()) {
                let place = Rect {
                    x: x as u16,
                    ..place
                };
                row.cell(n, place, self.area, buf, theme);
            }
        }
    }

    /// Draws the values of `row` on their way from line `y` to `target`, the place of their first cell in the result.
    /// They leave the band at once, so that their sources stay readable.
    pub fn fly(&self, row: &Row, y: u16, target: Rect, t: f32, painter: &mut Painter<'_>) {
        let start = self.leaving(self.place(0, y));
        let (x, y) = (
            between(start.x.into(), target.x.into(), t),
            between(start.y.into(), target.y.into(), t),
        );
        for (slot, n) in self.shown().enumerate() {
            let place = Rect {
                x: (x + slot as i32 * i32::from(self.wide)) as u16,
                y: y as u16,
                width: self.wide,
                height: 1,
            };
            row.cell(n, place, painter.area, painter.buf, painter.theme);
        }
    }
}

impl Frame {
    /// Starting place of what moves from `place` to the result: above the band, whose lines it would cover.
    pub fn leaving(&self, place: Rect) -> Rect {
        let y = self.area.y.saturating_sub(1).min(place.y);
        Rect { y, ..place }
    }
}

/// Width of `+ 512 more_label`.
pub const MORE: u16 = 11;

/// Text for the values that do not fit: `+ 58 more_label`.
pub fn more_label(frame: &Frame, count: usize) -> String {
    match count - frame.slots {
        0 => String::new(),
        rest => format!("+ {rest} more"),
    }
}
