//! Lines over a common axis, at two dots a cell (half-blocks), or eight (braille, when asked for).

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::lines::{clip, put, width};
use super::theme::Theme;
use crate::lesson::Series;
use crate::typeset::number::short;

mod legend;

use crate::lesson::chart::{View, is_mark, places};

/// The data of a chart, and what is looked at of it.
pub struct Chart<'a> {
    /// What goes to the right.
    pub x: &'a str,
    /// What goes up.
    pub y: &'a str,
    /// Whether the vertical axis is logarithmic: points at or below 0 are then left out.
    pub log: bool,
    /// The lines.
    pub series: &'a [Series],
    /// The window, the reading line, and the scale that the learner chose.
    pub view: View,
}

/// The ends of both axes: the least corner, the greatest.
type Ends = ((f64, f64), (f64, f64));

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
            let words = match self.left_out() {
                0 => "no points yet",
                _ => "nothing above 0 here: a log scale cannot show it",
            };
            put(buf, area, 0, 0, &clip(words, room, ""), theme.dim);
            return;
        };
        let top = self.draw_legend(area, buf, theme);
        let number = |x: f64| theme.words(&short(x as f32, 7));
        let value = |y: f64| number(if self.log() { 10f64.powf(y) } else { y });
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
        if let Some(column) = self.reading_column(low, high, plot) {
            for row in 0..rows {
                put(buf, plot, column, row, upright, theme.note);
            }
            put(
                buf,
                area,
                gutter + 1 + column,
                top + rows,
                upright,
                theme.note,
            );
        }
        self.draw_lines(low, high, plot, buf, theme);
    }

    /// Whether the vertical axis is logarithmic now.
    fn log(&self) -> bool {
        self.view.log.unwrap_or(self.log)
    }

    /// The part of the horizontal axis that is seen; `None` without a point.
    fn window(&self) -> Option<(f64, f64)> {
        let xs = places(self.series);
        Some(self.view.range((*xs.first()?, *xs.last()?)))
    }

    /// Where the reading line stands, if there is one.
    pub fn reading(&self) -> Option<f64> {
        let reads = self.view.reads.then(|| places(self.series));
        self.view.reading(&reads?)
    }

    /// The column of the reading line in the plot.
    fn reading_column(&self, low: (f64, f64), high: (f64, f64), plot: Rect) -> Option<usize> {
        let share = (self.reading()? - low.0) / (high.0 - low.0);
        let columns = usize::from(plot.width);
        (0.0..=1.0)
            .contains(&share)
            .then(|| (share * (columns - 1) as f64).round() as usize)
    }

    /// How many points of the window a logarithmic axis leaves out.
    pub fn left_out(&self) -> usize {
        let Some((low, high)) = self.window().filter(|_| self.log()) else {
            return 0;
        };
        let lines = self.series.iter().filter(|series| !is_mark(series));
        let points = lines.flat_map(|series| &series.points);
        let seen = points.filter(|(x, _)| (low..=high).contains(x));
        seen.filter(|(_, y)| *y <= 0.0).count()
    }

    /// The name of the vertical axis and of each line, and what is read; returns the rows used.
    fn draw_legend(&self, area: Rect, buf: &mut Buffer, theme: &Theme) -> usize {
        let (room, height) = (usize::from(area.width), usize::from(area.height));
        // What is read is said even where names have no room.
        let most = match (height, self.view.reads) {
            (0..=4, _) | (5, false) => 0,
            (5, true) => 1,
            _ => height / 3,
        };
        let lines = legend::legend(self, room, most, theme);
        for (y, line) in lines.iter().enumerate() {
            super::lines::put_line(buf, area, y, line);
        }
        lines.len()
    }

    /// The points that can be drawn, as the axes have them.
    fn points<'s>(&self, series: &'s Series) -> impl Iterator<Item = (f64, f64)> + 's {
        let log = self.log();
        let points = series
            .points
            .iter()
            .map(move |&(x, y)| (x, if log { y.log10() } else { y }));
        points.filter(|(x, y)| x.is_finite() && y.is_finite())
    }

    /// A line as far as the window shows it: where it passes an end of the window, it is cut there.
    fn seen(&self, series: &Series, (low, high): (f64, f64)) -> Vec<(f64, f64)> {
        let mut seen = Vec::new();
        let mut before: Option<(f64, f64)> = None;
        for point in self.points(series) {
            if let Some(from) = before {
                let crossing = |x: f64| {
                    let share = (x - from.0) / (point.0 - from.0);
                    (x, from.1 + (point.1 - from.1) * share)
                };
                let ends = [low, high].into_iter();
                seen.extend(ends.filter(|x| from.0 < *x && *x < point.0).map(crossing));
            }
            if (low..=high).contains(&point.0) {
                seen.push(point);
            }
            before = Some(point);
        }
        seen
    }

    /// The least and the greatest point of both axes, of what the window shows.
    fn ends(&self) -> Option<Ends> {
        let window = self.window()?;
        let lines = self.series.iter().filter(|series| !is_mark(series));
        let all = lines.flat_map(|series| self.seen(series, window));
        let ends = all.fold(None, |ends, (x, y)| {
            let ((a, b), (c, d)) = ends.unwrap_or(((x, y), (x, y)));
            Some(((x.min(a), y.min(b)), (x.max(c), y.max(d))))
        })?;
        let ((mut a, mut b), (mut c, mut d)) = ends;
        if self.view.window.is_some() {
            // The whole window is drawn, also where a line has not come so far.
            (a, c) = window;
        }
        if b == d {
            // A level line runs through the middle.
            let space = if b == 0.0 || self.log() { 1.0 } else { b.abs() };
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
            let mut line = self.seen(series, (low.0, high.0));
            if is_mark(series) && (low.0..=high.0).contains(&series.points[0].0) {
                let x = series.points[0].0;
                line = vec![(x, low.1), (x, high.1)];
            }
            for point in line.into_iter().map(place) {
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
mod tests;
