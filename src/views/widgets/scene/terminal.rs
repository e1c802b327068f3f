//! A scene in the cells of a terminal.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::strokes::Strokes;
use super::{Field, Ink, Scene, Shape, Sign, dots};
use crate::widgets::lines::{put, put_over, width};
use crate::widgets::theme::Theme;

/// Draws a scene in `area`, from its row `first` on.
pub fn draw(scene: &Scene, first: usize, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let rows = scene.rows as usize;
    let mut strokes = Strokes::new(scene.columns as usize, rows);
    for shape in &scene.shapes {
        match shape {
            Shape::Arrow { through, weight } => strokes.arrow(through, *weight),
            Shape::Way { x, rows } => strokes.between((*x, rows[0]), (*x, rows[1])),
            _ => {}
        }
    }
    for y in first..rows.min(first + usize::from(area.height)) {
        for x in 0..usize::from(area.width) {
            if let Some((symbol, style)) = strokes.at((x, y), theme) {
                put(buf, area, x, y - first, symbol, style);
            }
        }
    }
    let mut pen = Pen {
        first,
        area,
        buf,
        theme,
    };
    pen.draw(&scene.shapes);
    // Rays go where nothing else is.
    for shape in &scene.shapes {
        if let Shape::Ray { from, to } = shape {
            pen.ray(*from, *to);
        }
    }
}

struct Pen<'a> {
    /// The first row that is visible.
    first: usize,
    area: Rect,
    buf: &'a mut Buffer,
    theme: &'a Theme,
}

impl Pen<'_> {
    fn draw(&mut self, shapes: &[Shape]) {
        let [upright, level, corner] = self.theme.glyphs().axes;
        let (dim, note) = (self.theme.dim, self.theme.note);
        for shape in shapes {
            match shape {
                Shape::Text { at, text, ink } => self.put(*at, text, self.style(*ink)),
                Shape::Number { at, number } => {
                    let style = self.style(Ink::Series(*number));
                    if let Some((x, y)) = self.cell(*at) {
                        let (text, style) =
                            ((number + 1).to_string(), style.add_modifier(Modifier::BOLD));
                        put_over(self.buf, self.area, x, y, &text, style);
                    }
                }
                Shape::Lines { field, lines } => {
                    let plot = self.rect(*field);
                    dots::draw(lines, plot, self.buf, self.theme);
                }
                Shape::Axes { field, is_closed } => {
                    let x = field.x - 1;
                    for y in field.y..field.y + field.height {
                        put(self.buf, self.area, x, y, upright, dim);
                    }
                    if *is_closed {
                        let (y, line) = (field.y + field.height, level.repeat(field.width));
                        put(self.buf, self.area, x, y, corner, dim);
                        put(self.buf, self.area, field.x, y, &line, dim);
                    }
                }
                Shape::Tick { field, at } => {
                    let (x, y) = (column(*field, *at), field.y + field.height);
                    let tick = self.theme.glyphs().tick;
                    put(self.buf, self.area, x, y, tick, dim);
                }
                Shape::Reading { field, at, on_axis } => {
                    let (x, below) = (column(*field, *at), field.y + field.height);
                    let rows = if *on_axis {
                        below..below + 1
                    } else {
                        field.y..below
                    };
                    for y in rows {
                        put(self.buf, self.area, x, y, upright, note);
                    }
                }
                Shape::Mark { at, sign, ink } => {
                    let sign = match (sign, self.theme.ascii) {
                        (Sign::Cross, true) => "x",
                        (Sign::Cross, false) => "×",
                        (Sign::Ring, true) => "o",
                        (Sign::Ring, false) => "○",
                        (Sign::Origin, _) => "+",
                    };
                    self.put(*at, sign, self.style(*ink));
                }
                Shape::Cells { at, values, scale } => {
                    for (i, value) in values.iter().enumerate() {
                        let (shade, style) = self.shade(*value, *scale);
                        self.put([at[0] + i as f64, at[1]], shade, style);
                    }
                }
                Shape::Label { at, text, ink } => {
                    let half = (width(text) / 2) as f64;
                    self.put([at[0] - half, at[1]], text, self.style(*ink));
                }
                Shape::Asked { shapes, .. }
                | Shape::Group { shapes, .. }
                | Shape::Moved { shapes, .. } => self.draw(shapes),
                // Drawn elsewhere, or by a page only.
                Shape::Ray { .. }
                | Shape::Arrow { .. }
                | Shape::Way { .. }
                | Shape::Level { .. }
                | Shape::Line { .. }
                | Shape::Area { .. }
                | Shape::Disc { .. }
                | Shape::Ribbon { .. }
                | Shape::Slide { .. } => {}
            }
        }
    }

    fn style(&self, ink: Ink) -> Style {
        let theme = self.theme;
        match ink {
            Ink::Text => theme.text,
            Ink::Title => theme.title,
            Ink::Dim | Ink::Faint => theme.dim,
            Ink::Attend => theme.share.ink(),
            Ink::Here => theme.cursor,
            Ink::Series(number) => theme.series[number % theme.series.len()],
        }
    }

    /// The visible cell of a point.
    fn cell(&self, [x, y]: [f64; 2]) -> Option<(usize, usize)> {
        let (x, y) = (x.round(), y.round() - self.first as f64);
        let inside = x >= 0.0
            && y >= 0.0
            && x < f64::from(self.area.width)
            && y < f64::from(self.area.height);
        inside.then_some((x as usize, y as usize))
    }

    fn put(&mut self, at: [f64; 2], text: &str, style: Style) {
        if let Some((x, y)) = self.cell(at) {
            put(self.buf, self.area, x, y, text, style);
        }
    }

    fn rect(&self, field: Field) -> Rect {
        let Field {
            x,
            y,
            width,
            height,
        } = field;
        Rect::new(
            self.area.x + x as u16,
            self.area.y + y as u16,
            width as u16,
            height as u16,
        )
    }

    fn shade(&self, value: f32, scale: f32) -> (&'static str, Style) {
        let strength = if scale > 0.0 {
            value.abs() / scale
        } else {
            0.0
        };
        let ramp = if value < 0.0 {
            &self.theme.negative
        } else {
            &self.theme.positive
        };
        let level = if ramp.fills() {
            0
        } else {
            (strength * 5.0).round() as usize
        };
        let shade = self.theme.glyphs().shades[level.min(5)];
        (shade, ramp.style(strength))
    }

    /// Dots one column apart, or half a row, through `to` as far as the area goes.
    fn ray(&mut self, from: [f64; 2], to: [f64; 2]) {
        let (run, rise) = (to[0] - from[0], to[1] - from[1]);
        let length = run.hypot(2.0 * rise);
        let dot = if self.theme.ascii { "." } else { "·" };
        let steps = usize::from(self.area.width) + 2 * usize::from(self.area.height);
        for step in (1..steps).map(|step| step as f64 / length) {
            let place = [from[0] + run * step, from[1] + rise * step];
            let Some((x, y)) = self.cell(place) else {
                continue;
            };
            let at = (self.area.x + x as u16, self.area.y + y as u16);
            if self.buf[at].symbol() == " " {
                put(self.buf, self.area, x, y, dot, self.theme.dim);
            }
        }
    }
}

/// Column at a fraction of a field's width.
fn column(field: Field, at: f64) -> usize {
    let last = field.width.saturating_sub(1);
    field.x + (at.clamp(0.0, 1.0) * last as f64).round() as usize
}
