//! Lines over a common axis, at two dots a cell (half-blocks), or eight (braille, when asked for).

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::lines::{clip, put, width};
use super::number::short;
use super::theme::Theme;
use crate::lesson::Series;

/// The data of a chart.
pub struct Chart<'a> {
    /// What goes to the right.
    pub x: &'a str,
    /// What goes up.
    pub y: &'a str,
    /// Whether the vertical axis is logarithmic: points at or below 0 are then left out.
    pub log: bool,
    /// The lines.
    pub series: &'a [Series],
}

/// Lines are told apart without colour by these.
const MARKS: [&str; 6] = ["*", "o", "+", "x", "#", "."];

/// How a cell is divided into dots: across, down.
fn grid(theme: &Theme) -> (usize, usize) {
    match (theme.ascii || !theme.is_coloured(), theme.braille) {
        (true, _) => (1, 1),
        (_, true) => (2, 4),
        _ => (1, 2),
    }
}

impl Chart<'_> {
    /// Draws axes with their ends, lines, and the legend.
    pub fn draw(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        let (room, height) = (usize::from(area.width), usize::from(area.height));
        let Some((low, high)) = self.ends() else {
            put(buf, area, 0, 0, &clip("no points yet", room, ""), theme.dim);
            return;
        };
        let top = self.draw_legend(area, buf, theme);
        let number = |x: f64| theme.words(&short(x as f32, 7));
        let value = |y: f64| number(if self.log { 10f64.powf(y) } else { y });
        let labels = [value(high.1), value((low.1 + high.1) / 2.0), value(low.1)];
        let gutter = labels.iter().map(|l| width(l)).max().unwrap_or(0);
        if room < gutter + 6 || height < top + 4 {
            return self.draw_lines(low, high, area, buf, theme);
        }
        let plot = Rect::new(
            area.x + gutter as u16 + 1,
            area.y + top as u16,
            area.width - gutter as u16 - 1,
            area.height - top as u16 - 2,
        );
        let [upright, level, corner] = theme.glyphs().axes;
        let rows = usize::from(plot.height);
        for row in 0..rows {
            put(buf, area, gutter, top + row, upright, theme.dim);
        }
        let mut places = vec![(0, &labels[0]), (rows - 1, &labels[2])];
        if rows >= 5 && rows % 2 == 1 {
            places.push((rows / 2, &labels[1]));
        }
        for (row, label) in places {
            put(
                buf,
                area,
                gutter - width(label),
                top + row,
                label,
                theme.dim,
            );
        }
        put(buf, area, gutter, top + rows, corner, theme.dim);
        put(
            buf,
            area,
            gutter + 1,
            top + rows,
            &level.repeat(usize::from(plot.width)),
            theme.dim,
        );
        let (first, last) = (number(low.0), number(high.0));
        let y = top + rows + 1;
        put(buf, area, gutter + 1, y, &first, theme.dim);
        put(buf, area, room - width(&last), y, &last, theme.dim);
        let free = room.saturating_sub(gutter + 5 + width(&first) + width(&last));
        if width(self.x) <= free {
            let middle = gutter + 3 + width(&first) + (free - width(self.x)) / 2;
            put(buf, area, middle, y, self.x, theme.dim);
        }
        self.draw_lines(low, high, plot, buf, theme);
    }

    /// The name of the vertical axis and of each line; returns the rows used.
    fn draw_legend(&self, area: Rect, buf: &mut Buffer, theme: &Theme) -> usize {
        let (room, height) = (usize::from(area.width), usize::from(area.height));
        if height < 6 {
            return 0;
        }
        let scale = if self.log { " (log scale)" } else { "" };
        let mut chunks = vec![super::lines::Chunk::new(
            5,
            format!("{}{scale}", self.y),
            theme.dim,
        )];
        for (i, series) in self.series.iter().enumerate() {
            let sign = match grid(theme) {
                (1, 1) => MARKS[i % MARKS.len()].repeat(2),
                _ => "━━".to_owned(),
            };
            let style = theme.series[i % theme.series.len()];
            chunks.push(
                super::lines::Chunk::new(5, sign, style)
                    .and(format!(" {}", series.name), theme.text),
            );
        }
        let lines = super::lines::flow(chunks, room);
        let used = lines.len().min(height / 3);
        for (y, line) in lines.iter().take(used).enumerate() {
            super::lines::put_line(buf, area, y, line);
        }
        used
    }

    /// The points that can be drawn, as the axes have them.
    fn points<'s>(&self, series: &'s Series) -> impl Iterator<Item = (f64, f64)> + 's {
        let log = self.log;
        let points = series
            .points
            .iter()
            .map(move |&(x, y)| (x, if log { y.log10() } else { y }));
        points.filter(|(x, y)| x.is_finite() && y.is_finite())
    }

    /// The least and the greatest point of both axes.
    fn ends(&self) -> Option<((f64, f64), (f64, f64))> {
        let all = self.series.iter().flat_map(|series| self.points(series));
        let ends = all.fold(None, |ends, (x, y)| {
            let ((a, b), (c, d)) = ends.unwrap_or(((x, y), (x, y)));
            Some(((x.min(a), y.min(b)), (x.max(c), y.max(d))))
        })?;
        let ((a, mut b), (c, mut d)) = ends;
        if b == d {
            // A level line runs through the middle.
            let space = if b == 0.0 || self.log { 1.0 } else { b.abs() };
            (b, d) = (b - space, d + space);
        }
        Some(((a, b), (if a == c { a + 1.0 } else { c }, d)))
    }

    fn draw_lines(
        &self,
        low: (f64, f64),
        high: (f64, f64),
        plot: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let (across, down) = grid(theme);
        let (columns, rows) = (
            usize::from(plot.width) * across,
            usize::from(plot.height) * down,
        );
        if columns == 0 || rows == 0 {
            return;
        }
        let mut dots = vec![None; columns * rows];
        let place = |(x, y): (f64, f64)| {
            let right = (x - low.0) / (high.0 - low.0) * (columns - 1) as f64;
            let up = (y - low.1) / (high.1 - low.1) * (rows - 1) as f64;
            (right, (rows - 1) as f64 - up)
        };
        for (number, series) in self.series.iter().enumerate() {
            let mut before: Option<(f64, f64)> = None;
            for point in self.points(series).map(place) {
                let (x, y) = before.unwrap_or(point);
                let (run, rise) = (point.0 - x, point.1 - y);
                let steps = run.abs().max(rise.abs()).ceil().max(1.0) as usize;
                for step in 0..=steps {
                    let part = step as f64 / steps as f64;
                    let column = (x + run * part).round() as usize;
                    let row = (y + rise * part).round() as usize;
                    dots[row.min(rows - 1) * columns + column.min(columns - 1)] = Some(number);
                }
                before = Some(point);
            }
        }
        for row in 0..usize::from(plot.height) {
            for column in 0..usize::from(plot.width) {
                let dot = |right: usize, lower: usize| {
                    dots[(row * down + lower) * columns + column * across + right]
                };
                if let Some((symbol, style)) = cell(dot, (across, down), theme) {
                    put(buf, plot, column, row, &symbol, style);
                }
            }
        }
    }
}

/// The symbol of one cell and its style; `None` where no line passes.
fn cell(
    dot: impl Fn(usize, usize) -> Option<usize>,
    (across, down): (usize, usize),
    theme: &Theme,
) -> Option<(String, Style)> {
    let style = |number: usize| theme.series[number % theme.series.len()];
    if (across, down) == (1, 1) {
        let number = dot(0, 0)?;
        return Some((MARKS[number % MARKS.len()].to_owned(), style(number)));
    }
    if across == 1 {
        return match (dot(0, 0), dot(0, 1)) {
            (None, None) => None,
            (Some(a), None) => Some(("▀".to_owned(), style(a))),
            (None, Some(b)) => Some(("▄".to_owned(), style(b))),
            (Some(a), Some(b)) if a == b => Some(("█".to_owned(), style(a))),
            (Some(a), Some(b)) => {
                let lower = style(b).fg.unwrap_or(Color::Reset);
                Some(("▀".to_owned(), style(a).bg(lower)))
            }
        };
    }
    // The bits of U+2800 number the left column 1 2 3 7 and the right one 4 5 6 8.
    const BITS: [[u32; 4]; 2] = [[0, 1, 2, 6], [3, 4, 5, 7]];
    let (mut bits, mut last) = (0, None);
    for (right, column) in BITS.iter().enumerate() {
        for (lower, bit) in column.iter().enumerate() {
            if let Some(number) = dot(right, lower) {
                bits |= 1 << bit;
                last = Some(number);
            }
        }
    }
    Some((char::from_u32(0x2800 + bits)?.to_string(), style(last?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::lines::text;

    fn drawn(log: bool, points: &[(f64, f64)], theme: &Theme) -> String {
        let series = [Series {
            name: "loss".to_owned(),
            points: points.to_vec(),
        }];
        let chart = Chart {
            x: "step",
            y: "nats",
            log,
            series: &series,
        };
        let mut buf = Buffer::empty(Rect::new(0, 0, 22, 8));
        chart.draw(buf.area, &mut buf, theme);
        text(&buf)
    }

    #[test]
    fn a_falling_line_falls() {
        let expected = "\
nats  ** loss
4│**
 │  ***
2│     ****
 │         **
0│           *********
 └────────────────────
  0      step       20";
        let points = [(0.0, 4.0), (13.0, 0.0), (20.0, 0.0)];
        assert_eq!(drawn(false, &points, &Theme::mono()), expected);
    }

    #[test]
    fn a_logarithmic_axis_leaves_out_what_it_cannot_show() {
        let points = [(0.0, 100.0), (1.0, 1.0), (2.0, 0.0), (3.0, f64::NAN)];
        let chart = drawn(true, &points, &Theme::mono());
        assert!(chart.starts_with("nats (log scale)"), "{chart}");
        assert!(chart.contains("100│*") && chart.contains("  1│"), "{chart}");
    }

    #[test]
    fn without_a_point_it_says_so() {
        assert_eq!(drawn(false, &[], &Theme::ansi()), "no points yet");
    }
}
