//! Line charts over a common axis.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::lines::{clip, put, put_line, width};
use super::scene::{self, Field, Ink, Scene, Shape};
use super::theme::Theme;
use crate::lesson::Series;

mod legend;
mod names;
mod ticks;

use crate::lesson::chart::{View, is_mark, sorted_xs};
use names::Names;
use ticks::ticks;

/// Data of a chart and the view of it.
pub struct Chart<'a> {
    /// Label of the horizontal axis.
    pub x: &'a str,
    /// Label of the vertical axis.
    pub y: &'a str,
    /// Whether the vertical axis is logarithmic, which leaves out points at or below 0.
    pub log: bool,
    /// Whether each line has its own panel, stacked vertically.
    pub apart: bool,
    /// The lines.
    pub series: &'a [Series],
    /// The window, the reading line and the scale chosen by the learner.
    pub view: View,
}

/// Lower left and upper right corner of the plotted range.
type Corners = ((f64, f64), (f64, f64));

/// Minimum height of a panel; with one more row it is closed by a line below.
const PANEL: usize = 2;

/// One pair of axes and the lines drawn on it.
struct Panel {
    /// Half-open range of the lines' numbers.
    lines: (usize, usize),
    ends: Corners,
    /// Positions and labels of the marks on the vertical axis.
    marks: Vec<(f64, String)>,
    field: Field,
    /// Whether a line is drawn below it.
    closed: bool,
}

impl Panel {
    /// Height of a value as a fraction of the plot's height, from below.
    fn up(&self, y: f64) -> f64 {
        let ((_, low), (_, high)) = self.ends;
        (y - low) / (high - low)
    }

    /// The row of a value.
    fn row(&self, y: f64) -> usize {
        let last = self.field.height.saturating_sub(1);
        ((1.0 - self.up(y)).clamp(0.0, 1.0) * last as f64).round() as usize
    }

    /// Fraction of the width of a value on the horizontal axis; `None` outside the panel.
    fn across(&self, x: f64) -> Option<f64> {
        let ((low, _), (high, _)) = self.ends;
        let share = (x - low) / (high - low);
        (-1e-9..=1.0 + 1e-9)
            .contains(&share)
            .then(|| share.clamp(0.0, 1.0))
    }
}

impl Chart<'_> {
    /// Draws the legend, the axes with round marks, the lines, and each line's name at its end.
    pub fn draw(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        let available = usize::from(area.width);
        let Some(ends) = self.ends((0, self.series.len())) else {
            let words = match self.left_out() {
                0 => "no points yet",
                _ => "nothing above 0 here: a log scale cannot show it",
            };
            put(buf, area, 0, 0, &clip(words, available, ""), theme.dim);
            return;
        };
        let size = (available, usize::from(area.height));
        let names = Names::of(self, size, theme);
        let top = self.draw_legend(&names, area, buf, theme);
        let scene = self.scene(size, top, (&names, ends), theme).0;
        scene::draw(&scene, 0, area, buf, theme);
    }

    /// The chart in this many columns and rows without a legend, where its lines are, and the range of its horizontal
    /// axis; `None` without a point.
    pub fn laid_out(
        &self,
        size: (usize, usize),
        theme: &Theme,
    ) -> Option<(Scene, Field, [f64; 2])> {
        let ends = self.ends((0, self.series.len()))?;
        let names = Names::of(self, size, theme);
        let (scene, field) = self.scene(size, 0, (&names, ends), theme);
        Some((scene, field, [ends.0.0, ends.1.0]))
    }

    /// The chart in columns and rows, below `top` of them: its axes with round marks, its lines and their names. Also
    /// returns where its lines are.
    fn scene(
        &self,
        (available, height): (usize, usize),
        top: usize,
        (names, ends): (&Names, Corners),
        theme: &Theme,
    ) -> (Scene, Field) {
        let mut scene = Scene {
            columns: available as f64,
            rows: height as f64,
            ..Scene::default()
        };
        if available < 12 || height < top + 4 {
            let field = Field {
                width: available,
                height,
                ..Field::default()
            };
            let panel = Panel {
                lines: (0, self.series.len()),
                ends,
                marks: Vec::new(),
                field,
                closed: false,
            };
            scene.shapes.push(self.lines(&panel));
            return (scene, field);
        }
        let panels = self.panels((available, height), top, names.available, theme);
        for panel in &panels {
            self.add_panel(panel, names, &mut scene, theme);
        }
        let last = &panels[panels.len() - 1];
        self.add_places(last, available, &mut scene, theme);
        let first = panels[0].field;
        let height = last.field.y + last.field.height - first.y;
        (scene, Field { height, ..first })
    }

    /// Panels from top to bottom, with the same columns.
    fn panels(
        &self,
        (available, height): (usize, usize),
        top: usize,
        names: usize,
        theme: &Theme,
    ) -> Vec<Panel> {
        let rows = height - top - 2;
        let drawn = self.series.iter().filter(|series| !is_mark(series)).count();
        let apart = self.apart && drawn == self.series.len() && rows >= drawn * PANEL;
        let count = if apart { self.series.len() } else { 1 };
        let gap = usize::from(count > 1 && rows + 1 >= count * (PANEL + 1));
        let each = (rows + gap) / count - gap;
        // Leftover rows go to the first panels, one each.
        let over = (rows + gap) % count;
        let common = self.ends((0, self.series.len()));
        let mut panels: Vec<Panel> = Vec::new();
        for number in 0..count {
            let lines = if apart {
                (number, number + 1)
            } else {
                (0, self.series.len())
            };
            // A line with no visible points keeps its panel.
            let Some(mut ends) = self.ends(lines).or(common) else {
                continue;
            };
            // Lines of similar range share their marks.
            let span = |ends: &Corners| ends.1.1 - ends.0.1;
            if let Some(common) = common.filter(|common| span(common) <= 1.5 * span(&ends)) {
                (ends.0.1, ends.1.1) = (common.0.1, common.1.1);
            }
            let from = number * (each + gap) + number.min(over);
            let last = number + 1 == count;
            let high = each + usize::from(number < over);
            let most = if count > 1 { 3 } else { high.div_ceil(2) };
            let marks = ticks((ends.0.1, ends.1.1), self.log(), most);
            let marks = marks.into_iter().map(|(y, text)| (y, theme.words(&text)));
            panels.push(Panel {
                lines,
                ends,
                marks: marks.collect(),
                field: Field {
                    y: top + from,
                    height: high,
                    ..Field::default()
                },
                closed: last || gap > 0,
            });
        }
        let marks = panels.iter().flat_map(|panel| &panel.marks);
        let gutter = marks.map(|(_, text)| width(text)).max().unwrap_or(0);
        for panel in &mut panels {
            panel.field.x = gutter + 1;
            panel.field.width = available.saturating_sub(gutter + 1 + names).max(1);
        }
        panels
    }

    fn add_panel(&self, panel: &Panel, names: &Names, scene: &mut Scene, theme: &Theme) {
        let field = panel.field;
        scene.shapes.push(Shape::Axes {
            field,
            is_closed: panel.closed,
        });
        let mut taken = None;
        for (y, text) in &panel.marks {
            let row = panel.row(*y);
            if taken == Some(row) {
                continue;
            }
            taken = Some(row);
            let at = (1.0 - panel.up(*y)).clamp(0.0, 1.0);
            scene.shapes.push(Shape::Level { field, at });
            // Exactly level with its line, which rounds to the same row.
            let last = field.height.saturating_sub(1) as f64;
            let place = [
                (field.x - 1 - width(text)) as f64,
                field.y as f64 + at * last,
            ];
            scene.text(place, text, Ink::Dim);
        }
        if let Some(at) = self.reading().and_then(|x| panel.across(x)) {
            let on_axis = false;
            scene.shapes.push(Shape::Reading { field, at, on_axis });
        }
        scene.shapes.push(self.lines(panel));
        names.add(self, panel, scene, theme);
    }

    /// The lines of a panel.
    fn lines(&self, panel: &Panel) -> Shape {
        let ((low, _), (high, _)) = panel.ends;
        let numbers = panel.lines.0..panel.lines.1;
        let place = |(x, y): (f64, f64)| [(x - low) / (high - low), 1.0 - panel.up(y)];
        let line = |number: usize| {
            let series = &self.series[number];
            let x = series.points.first().map(|point| point.0);
            let line = match x.filter(|x| is_mark(series) && (low..=high).contains(x)) {
                Some(x) => vec![
                    [(x - low) / (high - low), 1.0],
                    [(x - low) / (high - low), 0.0],
                ],
                None => {
                    let seen = self.seen(series, (low, high)).into_iter();
                    seen.map(place).collect()
                }
            };
            (number, line)
        };
        Shape::Lines {
            field: panel.field,
            lines: numbers.map(line).collect(),
        }
    }

    /// Adds round marks along the horizontal axis, below the lowest panel.
    fn add_places(&self, panel: &Panel, available: usize, scene: &mut Scene, theme: &Theme) {
        let field = panel.field;
        let ((low, _), (high, _)) = panel.ends;
        let most = field.width / 7;
        let right = field.x + field.width;
        let mut free = 0;
        for (x, text) in ticks((low, high), false, most) {
            let Some(share) = panel.across(x) else {
                continue;
            };
            let text = theme.words(&text);
            let exact = field.x as f64 + share * field.width.saturating_sub(1) as f64;
            let at = exact.round() as usize;
            let from = at
                .saturating_sub(width(&text) / 2)
                .max(field.x.saturating_sub(2));
            let end = (right + 1).min(available);
            let from = from.min(end.saturating_sub(width(&text)));
            if from < free {
                continue;
            }
            free = from + width(&text) + 1;
            scene.shapes.push(Shape::Tick { field, at: share });
            let below = field.y + field.height + 1;
            scene.text([from as f64, below as f64], text, Ink::Dim);
        }
        if let Some(at) = self.reading().and_then(|x| panel.across(x)) {
            let on_axis = true;
            scene.shapes.push(Shape::Reading { field, at, on_axis });
        }
    }

    /// Whether the vertical axis is logarithmic in this view.
    fn log(&self) -> bool {
        self.view.log.unwrap_or(self.log)
    }

    /// Visible range of the horizontal axis; `None` without a point.
    fn window(&self) -> Option<(f64, f64)> {
        let xs = sorted_xs(self.series);
        Some(self.view.range((*xs.first()?, *xs.last()?)))
    }

    /// Position of the reading line, if there is one.
    pub fn reading(&self) -> Option<f64> {
        let reads = self.view.reads.then(|| sorted_xs(self.series));
        self.view.reading(&reads?)
    }

    /// Number of points in the window that a logarithmic axis leaves out.
    pub fn left_out(&self) -> usize {
        let Some((low, high)) = self.window().filter(|_| self.log()) else {
            return 0;
        };
        let lines = self.series.iter().filter(|series| !is_mark(series));
        let points = lines.flat_map(|series| &series.points);
        let seen = points.filter(|(x, _)| (low..=high).contains(x));
        seen.filter(|(_, y)| *y <= 0.0).count()
    }

    /// Draws the axis label, the readings, and the lines' names if they do not fit at the lines' ends. Returns the
    /// number of rows used.
    fn draw_legend(&self, names: &Names, area: Rect, buf: &mut Buffer, theme: &Theme) -> usize {
        let (available, height) = (usize::from(area.width), usize::from(area.height));
        // A reading is shown even where there is no room for names.
        let most = match (height, self.view.reads) {
            (0..=4, _) | (5, false) => 0,
            (5, true) => 1,
            _ => height * 2 / 5,
        };
        let lines = legend::legend(self, names, available, most, theme);
        for (y, line) in lines.iter().enumerate() {
            put_line(buf, area, y, line);
        }
        lines.len()
    }

    /// Points that can be drawn, in the coordinates of the axes.
    fn points<'s>(&self, series: &'s Series) -> impl Iterator<Item = (f64, f64)> + 's {
        let log = self.log();
        let points = series
            .points
            .iter()
            .map(move |&(x, y)| (x, if log { y.log10() } else { y }));
        points.filter(|(x, y)| x.is_finite() && y.is_finite())
    }

    /// The part of a line inside the window, cut where it crosses the window's ends.
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

    /// Range on both axes of these lines' visible parts.
    fn ends(&self, lines: (usize, usize)) -> Option<Corners> {
        let window = self.window()?;
        let lines = self.series[lines.0..lines.1].iter();
        let lines = lines.filter(|series| !is_mark(series));
        let all = lines.flat_map(|series| self.seen(series, window));
        let ends = all.fold(None, |ends, (x, y)| {
            let ((a, b), (c, d)) = ends.unwrap_or(((x, y), (x, y)));
            Some(((x.min(a), y.min(b)), (x.max(c), y.max(d))))
        })?;
        let ((mut a, mut b), (mut c, mut d)) = ends;
        if self.view.window.is_some() || self.apart {
            // Draw the whole window, even where a line does not reach that far yet.
            (a, c) = window;
        }
        if b == d {
            // A constant line runs through the middle.
            let space = if b == 0.0 || self.log() { 1.0 } else { b.abs() };
            (b, d) = (b - space, d + space);
        }
        Some(((a, b), (if a == c { a + 1.0 } else { c }, d)))
    }
}

#[cfg(test)]
mod tests;
