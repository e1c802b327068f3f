//! Labelled points of queries and keys, drawn to scale: a column is half as wide as a row is high.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::lines::{put, width};
use super::scene::{self, Ink, Scene, Shape, Sign};
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
    let [key_mark, query_mark] = if theme.ascii {
        ["x", "o"]
    } else {
        ["×", "○"]
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
    let size = (usize::from(field.width), usize::from(field.height));
    let scene = scene(plane, query, size, |text| theme.words(text));
    scene::draw(&scene, 0, field, buf, theme);
}

/// A plane in columns and rows, with query number `query` chosen and labels in these `words`.
pub fn scene(
    plane: &Plane,
    query: usize,
    size: (usize, usize),
    words: impl Fn(&str) -> String,
) -> Scene {
    let mut board = Board::new(plane.bounds(), size);
    let all = plane
        .keys
        .iter()
        .map(|key| (key, Sign::Cross, Ink::Series(0)));
    let rest = plane.queries.iter().enumerate().map(|(at, point)| {
        let ink = if at == query {
            Ink::Here
        } else {
            Ink::Series(1)
        };
        (point, Sign::Ring, ink)
    });
    let all: Vec<_> = all.chain(rest).collect();
    board.mark([0.0, 0.0], Sign::Origin, Ink::Dim);
    for (point, sign, ink) in &all {
        board.mark(point.at, *sign, *ink);
    }
    // Label the chosen query first, so that no other label takes its room.
    let first = plane.keys.len() + query;
    let order = [first]
        .into_iter()
        .chain((0..all.len()).filter(|at| *at != first));
    for (point, _, ink) in order.filter_map(|at| all.get(at)) {
        board.label(point.at, &words(&point.label), *ink);
    }
    let chosen = plane.queries.get(query).map(|query| query.at);
    if let Some(at) = chosen.filter(|at| *at != [0.0; 2]) {
        let [from, to] = [[0.0, 0.0], at].map(|at| board.place(at));
        // As far as the edge: `to` at most as often as the way to it fits.
        let reach = |from: f64, to: f64, size: f64| match to - from {
            0.0 => f64::INFINITY,
            way if way > 0.0 => (size - 1.0 - from) / way,
            way => -from / way,
        };
        let (columns, rows) = (board.scene.columns, board.scene.rows);
        let far = reach(from[0], to[0], columns).min(reach(from[1], to[1], rows));
        let to = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * far);
        board.scene.shapes.push(Shape::Ray { from, to });
    }
    board.scene
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
pub fn chosen<'a>(planes: &'a [Plane], cursor: &[usize]) -> Option<(usize, &'a Plane, usize)> {
    let place = |axis: usize| cursor.get(axis).copied().unwrap_or(0);
    let at = place(0).min(planes.len().checked_sub(1)?);
    let plane = planes.get(at)?;
    Some((
        at,
        plane,
        place(1).min(plane.queries.len().saturating_sub(1)),
    ))
}

/// Placement of points, and which cells are taken.
pub struct Board {
    pub scene: Scene,
    /// Units per column; a row is twice as high.
    pub unit: f64,
    /// Column and row of the origin.
    origin: (f64, f64),
    taken: Vec<bool>,
}

impl Board {
    /// An empty drawing in columns and rows of what is within `[left, right, bottom, top]`.
    pub fn new([left, right, bottom, top]: [f64; 4], (columns, rows): (usize, usize)) -> Self {
        let across = columns.saturating_sub(LABEL + 1).max(1) as f64;
        let down = 2.0 * (rows - 1).max(1) as f64;
        let unit = ((right - left) / across)
            .max((top - bottom) / down)
            .max(1e-9);
        let spare = |available: f64, used: f64| (available - used).max(0.0) / 2.0;
        let column = spare(across, (right - left) / unit) - left / unit;
        let row = (spare(down, (top - bottom) / unit) + top / unit) / 2.0;
        let scene = Scene {
            columns: columns as f64,
            rows: rows as f64,
            ..Scene::default()
        };
        Self {
            scene,
            unit,
            origin: (column, row),
            taken: vec![false; columns * rows],
        }
    }

    /// Column and row of a point.
    pub fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (column, row) = self.origin;
        [column + x / self.unit, row - y / self.unit / 2.0]
    }

    /// The cell of a point; `None` outside the drawing.
    fn cell(&self, at: [f64; 2]) -> Option<(usize, usize)> {
        let [column, row] = self.place(at).map(f64::round);
        let within =
            column >= 0.0 && row >= 0.0 && column < self.scene.columns && row < self.scene.rows;
        within.then_some((column as usize, row as usize))
    }

    fn take(&mut self, column: usize, row: usize, many: usize) {
        let from = row * self.scene.columns as usize + column;
        self.taken[from..from + many].fill(true);
    }

    fn is_free(&self, column: usize, row: usize, many: usize) -> bool {
        let columns = self.scene.columns as usize;
        let inside = column + many <= columns && row < self.scene.rows as usize;
        inside && !self.taken[row * columns + column..][..many].contains(&true)
    }

    /// Draws a sign at a point, if it is inside.
    pub fn mark(&mut self, at: [f64; 2], sign: Sign, ink: Ink) {
        if let Some((column, row)) = self.cell(at) {
            let at = self.place(at);
            self.scene.shapes.push(Shape::Mark { at, sign, ink });
            self.take(column, row, 1);
        }
    }

    /// Writes a point's label beside it, above or below; a label that does not fit is left out.
    pub fn label(&mut self, point: [f64; 2], text: &str, ink: Ink) {
        let Some((column, row)) = self.cell(point) else {
            return;
        };
        let many = width(text);
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
        if let Some((x, y)) = free {
            // As far from the point as from its cell.
            let [left, top] = self.place(point);
            let at = [left + x as f64 - column as f64, top + y as f64 - row as f64];
            self.scene.text(at, text, ink);
            self.take(x, y, many);
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
            axes: [Vec::new(), Vec::new()],
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
        let board = Board::new(plane().bounds(), (40, 6));
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
