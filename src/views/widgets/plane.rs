//! Labelled points of queries and keys, drawn to scale: a column is half as wide as a row is high.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::lines::{put, width};
use super::table;
use super::theme::Theme;
use crate::lesson::picture::{Plane, Point};
use crate::typeset::number::{ascii, short};

/// Columns kept free on the right for labels.
const LABEL: usize = 9;

/// Draws the plane chosen by the cursor `[plane, query]`: crosses for keys, circles for queries, and a dotted line from
/// the origin through the chosen query.
pub fn draw(planes: &[Plane], cursor: &[usize], area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    let Some((_, plane, query)) = chosen(planes, cursor) else {
        return;
    };
    if area.width < 20 || area.height < 4 {
        return;
    }
    let [key_mark, query_mark, dot] = if theme.ascii {
        ["x", "o", "."]
    } else {
        ["×", "○", "·"]
    };
    let (keys, queries) = (theme.series[0], theme.series[1]);
    let mut from = 0;
    for (mark, word, style) in [(key_mark, "key", keys), (query_mark, "query", queries)] {
        let text = format!("{mark} {word}");
        if from + width(&text) <= usize::from(area.width) {
            put(buf, area, from, 0, &text, style);
        }
        from += width(&text) + 2;
    }
    let field = Rect::new(area.x, area.y + 1, area.width, area.height - 1);
    let mut board = Board::new(plane, field);
    board.mark([0.0, 0.0], ("+", theme.dim), buf);
    let all = plane.keys.iter().map(|key| (key, key_mark, keys));
    let rest = plane.queries.iter().enumerate().map(|(at, point)| {
        let style = if at == query { theme.cursor } else { queries };
        (point, query_mark, style)
    });
    let all: Vec<_> = all.chain(rest).collect();
    for (point, mark, style) in &all {
        board.mark(point.at, (mark, *style), buf);
    }
    // Label the chosen query first, so that no other label takes its room.
    let first = plane.keys.len() + query;
    let order = [first]
        .into_iter()
        .chain((0..all.len()).filter(|at| *at != first));
    for (point, _, style) in order.filter_map(|at| all.get(at)) {
        board.label(point, *style, buf, theme);
    }
    board.ray(plane.queries.get(query), (dot, theme.dim), buf);
}

/// Caption of the chosen plane and query.
pub fn caption(planes: &[Plane], cursor: &[usize]) -> String {
    let Some((_, plane, query)) = chosen(planes, cursor) else {
        return String::new();
    };
    format!(
        "{}. The two directions have {:.0} % of the variance of the keys. {}",
        plane.name,
        100.0 * plane.share(),
        plane.says(query)
    )
}

/// The chosen plane as tables.
pub fn describe(planes: &[Plane], cursor: &[usize]) -> String {
    let Some((at, plane, query)) = chosen(planes, cursor) else {
        return "There is no point.".to_owned();
    };
    let place = |point: &Point| point.at.map(|x| ascii(&short(x as f32, 6)));
    let header =
        |words: &[&str]| -> Vec<String> { words.iter().map(ToString::to_string).collect() };
    let row = |point: &Point| {
        let [x, y] = place(point);
        vec![point.label.clone(), x, y]
    };
    let keys: Vec<_> = plane.keys.iter().map(row).collect();
    let queries = plane.queries.iter().zip(&plane.nearest);
    let queries: Vec<_> = queries
        .map(|(point, best)| {
            let names = best.map(|key| plane.keys[key].label.clone());
            [row(point), names.to_vec()].concat()
        })
        .collect();
    let mut text = format!("Plane {at}: {}\n", caption(planes, &[at, query]));
    text += &table::plain(&header(&["key", "first", "second"]), &keys);
    text += "\n";
    text += &table::plain(
        &header(&[
            "query",
            "first",
            "second",
            "best key here",
            "in all channels",
        ]),
        &queries,
    );
    if planes.len() > 1 {
        let others = planes.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(other, plane)| format!("at {other},0: {}", plane.name));
        text += &format!("\nOther planes: {}.", others.collect::<Vec<_>>().join("; "));
    }
    text
}

/// The chosen plane with its number, and the number of the chosen query.
fn chosen<'a>(planes: &'a [Plane], cursor: &[usize]) -> Option<(usize, &'a Plane, usize)> {
    let place = |axis: usize| cursor.get(axis).copied().unwrap_or(0);
    let at = place(0).min(planes.len().checked_sub(1)?);
    let plane = planes.get(at)?;
    Some((
        at,
        plane,
        place(1).min(plane.queries.len().saturating_sub(1)),
    ))
}

/// Placement of points in the field, and which of its cells are taken.
struct Board {
    field: Rect,
    /// Units per column; a row is twice as high.
    unit: f64,
    /// Column and row of the origin.
    origin: (f64, f64),
    taken: Vec<bool>,
}

impl Board {
    fn new(plane: &Plane, field: Rect) -> Self {
        let [left, right, bottom, top] = plane.bounds();
        let (columns, rows) = (usize::from(field.width), usize::from(field.height));
        let across = columns.saturating_sub(LABEL + 1).max(1) as f64;
        let down = 2.0 * (rows - 1).max(1) as f64;
        let unit = ((right - left) / across)
            .max((top - bottom) / down)
            .max(1e-9);
        let spare = |available: f64, used: f64| (available - used).max(0.0) / 2.0;
        let column = spare(across, (right - left) / unit) - left / unit;
        let row = (spare(down, (top - bottom) / unit) + top / unit) / 2.0;
        Self {
            field,
            unit,
            origin: (column, row),
            taken: vec![false; columns * rows],
        }
    }

    /// Column and row of a point; `None` outside the field.
    fn cell(&self, [x, y]: [f64; 2]) -> Option<(usize, usize)> {
        let column = (self.origin.0 + x / self.unit).round();
        let row = (self.origin.1 - y / self.unit / 2.0).round();
        let within = column >= 0.0
            && row >= 0.0
            && column < f64::from(self.field.width)
            && row < f64::from(self.field.height);
        within.then_some((column as usize, row as usize))
    }

    fn take(&mut self, column: usize, row: usize, many: usize) {
        let from = row * usize::from(self.field.width) + column;
        self.taken[from..from + many].fill(true);
    }

    fn is_free(&self, column: usize, row: usize, many: usize) -> bool {
        let columns = usize::from(self.field.width);
        let inside = column + many <= columns && row < usize::from(self.field.height);
        inside && !self.taken[row * columns + column..][..many].contains(&true)
    }

    fn mark(&mut self, at: [f64; 2], (mark, style): (&str, Style), buf: &mut Buffer) {
        if let Some((column, row)) = self.cell(at) {
            put(buf, self.field, column, row, mark, style);
            self.take(column, row, 1);
        }
    }

    /// Draws dots from the origin through the point to the edge, wherever the cells are free.
    fn ray(&self, through: Option<&Point>, (dot, style): (&str, Style), buf: &mut Buffer) {
        let Some([x, y]) = through.map(|point| point.at) else {
            return;
        };
        let length = x.hypot(y);
        if length == 0.0 {
            return;
        }
        let steps = usize::from(self.field.width) + 2 * usize::from(self.field.height);
        for step in (1..steps).map(|step| step as f64 * self.unit / length) {
            if let Some((column, row)) = self.cell([x * step, y * step])
                && self.is_free(column, row, 1)
            {
                put(buf, self.field, column, row, dot, style);
            }
        }
    }

    /// Writes a point's label beside it, above or below; a label that does not fit is left out.
    fn label(&mut self, point: &Point, style: Style, buf: &mut Buffer, theme: &Theme) {
        let Some((column, row)) = self.cell(point.at) else {
            return;
        };
        let text = theme.words(&point.label);
        let many = width(&text);
        let places = [
            (Some(column + 2), Some(row)),
            (column.checked_sub(many + 1), Some(row)),
            (Some(column), row.checked_sub(1)),
            (Some(column), Some(row + 1)),
            (column.checked_sub(many), row.checked_sub(1)),
            (column.checked_sub(many), Some(row + 1)),
        ];
        let free = places.into_iter().find_map(|place| match place {
            (Some(column), Some(row)) if self.is_free(column, row, many) => Some((column, row)),
            _ => None,
        });
        if let Some((column, row)) = free {
            put(buf, self.field, column, row, &text, style);
            self.take(column, row, many);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::lines;

    fn plane() -> Plane {
        let point = |label: &str, x: f64, y: f64| Point {
            label: label.to_owned(),
            at: [x, y],
        };
        Plane {
            name: "head 0".to_owned(),
            shares: [0.5, 0.2],
            keys: vec![point("Hund", 4.0, 2.0), point("im", -4.0, 0.0)],
            queries: vec![point("dog", 2.0, 1.0), point("in", -2.0, -2.0)],
            nearest: vec![[0, 0], [1, 0]],
        }
    }

    #[test]
    fn points_are_labelled_and_a_row_counts_twice_a_column() {
        let area = Rect::new(0, 0, 40, 6);
        let mut buf = Buffer::empty(area);
        draw(
            &[plane()],
            &[0, 0],
            area,
            &mut buf,
            &Theme::mono().in_ascii(),
        );
        let text = lines::text(&buf);
        for word in ["x key", "o query", "Hund", "im", "dog", "in", "+"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        let board = Board::new(&plane(), Rect::new(0, 0, 40, 6));
        let (right, high) = (
            board.cell([2.0, 0.0]).unwrap(),
            board.cell([0.0, 2.0]).unwrap(),
        );
        let origin = board.cell([0.0, 0.0]).unwrap();
        let (across, up) = ((right.0 - origin.0) as f64, (origin.1 - high.1) as f64);
        assert!((across - 2.0 * up).abs() <= 2.0, "{across} {up}");
    }

    #[test]
    fn the_plane_is_said_in_tables() {
        let text = describe(&[plane(), plane()], &[1, 1]);
        for words in [
            "Plane 1: head 0.",
            "70 %",
            "best key here",
            "with key “im” here, and with “Hund”",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn little_room_and_no_plane_draw_nothing() {
        for (width, height) in [(19, 9), (40, 3), (20, 4), (1, 1)] {
            let area = Rect::new(0, 0, width, height);
            let mut buf = Buffer::empty(area);
            draw(&[plane()], &[], area, &mut buf, &Theme::mono());
            draw(&[], &[], area, &mut buf, &Theme::mono());
        }
    }
}
