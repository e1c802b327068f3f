//! Lines of a diagram in box-drawing characters, which join where they meet.

use crate::widgets::theme::Theme;
use ratatui::style::Style;

/// Box-drawing characters by the arms of a cell: up + 3 · right + 9 · down + 27 · left, where an arm is 0 (none),
/// 1 (light) or 2 (heavy).
const JOINS: [&str; 9] = [
    " ╵╹╶└┖╺┕┗",
    "╷│╿┌├┞┍┝┡",
    "╻╽┃┎┟┠┏┢┣",
    "╴┘┚─┴┸╼┶┺",
    "┐┤┦┬┼╀┮┾╄",
    "┒┧┨┰╁╂┲╆╊",
    "╸┙┛╾┵┹━┷┻",
    "┑┥┩┭┽╃┯┿╇",
    "┓┪┫┱╅╉┳╈╋",
];

/// Weight from which a line is heavy.
const HEAVY: f32 = 0.3;

/// Weight below which a line is dim.
const FAINT: f32 = 0.1;

/// Column and row of a cell.
pub type Place = (usize, usize);

/// Lines on a grid of cells.
pub struct Strokes {
    width: usize,
    cells: Vec<Cell>,
}

/// The lines through one cell.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// Up, right, down, left: 0 (none), 1 (light) or 2 (heavy).
    arms: [u8; 4],
    /// Weight of the strongest line.
    weight: f32,
    /// True if an arrow ends here.
    is_tip: bool,
}

impl Strokes {
    /// An empty grid.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            cells: vec![Cell::default(); width * height],
        }
    }

    /// Draws an arrow along straight lines through `places`; stronger lines win where two meet.
    pub fn arrow(&mut self, places: &[Place], weight: f32) {
        for pair in places.windows(2) {
            let (mut at, to) = (pair[0], pair[1]);
            while at != to {
                let next = (nearer(at.0, to.0), nearer(at.1, to.1));
                self.join(at, next, weight);
                at = next;
            }
        }
        // A line begins at the edge of its cell, not in the middle.
        if let [from, to, ..] = *places
            && from.1 == to.1
            && let Some(cell) = self.cell(from)
        {
            cell.arms[3] = cell.arms[3].max(1 + u8::from(weight >= HEAVY));
        }
        if let Some(cell) = places.last().and_then(|&end| self.cell(end)) {
            cell.is_tip = true;
            cell.weight = cell.weight.max(weight);
        }
    }

    /// Draws a line between two places that are occupied by something else.
    pub fn between(&mut self, from: Place, to: Place) {
        self.arrow(&[from, to], FAINT);
        for end in [from, to] {
            if let Some(cell) = self.cell(end) {
                *cell = Cell::default();
            }
        }
    }

    fn cell(&mut self, (x, y): Place) -> Option<&mut Cell> {
        let at = self.index((x, y))?;
        self.cells.get_mut(at)
    }

    /// Index of a cell; `None` to the right of the grid.
    fn index(&self, (x, y): Place) -> Option<usize> {
        (x < self.width).then_some(y * self.width + x)
    }

    /// Joins two neighbouring cells.
    fn join(&mut self, from: Place, to: Place, weight: f32) {
        let arm = match (to.0.cmp(&from.0), to.1.cmp(&from.1)) {
            (std::cmp::Ordering::Greater, _) => 1,
            (std::cmp::Ordering::Less, _) => 3,
            (_, std::cmp::Ordering::Less) => 0,
            _ => 2,
        };
        for (place, arm) in [(from, arm), (to, (arm + 2) % 4)] {
            if let Some(cell) = self.cell(place) {
                cell.arms[arm] = cell.arms[arm].max(1 + u8::from(weight >= HEAVY));
                cell.weight = cell.weight.max(weight);
            }
        }
    }

    /// Character and style at a place; `None` where no line passes.
    pub fn at(&self, (x, y): Place, theme: &Theme) -> Option<(&'static str, Style)> {
        let cell = self.cells.get(self.index((x, y))?)?;
        if cell.arms == [0; 4] && !cell.is_tip {
            return None;
        }
        let style = match cell.weight {
            weight if weight >= HEAVY => theme.share.ink(),
            weight if weight < FAINT => theme.dim,
            _ => theme.text,
        };
        let symbol = match (cell.is_tip, theme.ascii) {
            (true, false) => "▶",
            (true, true) => ">",
            (false, false) => {
                let [up, right, down, left] = cell.arms.map(usize::from);
                let row = JOINS[down + 3 * left];
                let mut letters = row.char_indices().skip(up + 3 * right);
                let (from, letter) = letters.next()?;
                &row[from..from + letter.len_utf8()]
            }
            (false, true) => match cell.arms {
                [0, _, 0, _] if cell.weight >= HEAVY => "=",
                [0, _, 0, _] => "-",
                [_, 0, _, 0] => "|",
                _ => "+",
            },
        };
        Some((symbol, style))
    }
}

/// The number one step from `at` towards `to`.
fn nearer(at: usize, to: usize) -> usize {
    match at.cmp(&to) {
        std::cmp::Ordering::Less => at + 1,
        std::cmp::Ordering::Equal => at,
        std::cmp::Ordering::Greater => at - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(strokes: &Strokes, theme: &Theme) -> Vec<String> {
        let rows = strokes.cells.len() / strokes.width;
        let row = |y| {
            let cells = (0..strokes.width).map(|x| strokes.at((x, y), theme));
            cells
                .map(|cell| cell.map_or(" ", |(symbol, _)| symbol))
                .collect()
        };
        (0..rows).map(row).collect()
    }

    #[test]
    fn lines_that_meet_join_and_the_stronger_one_is_heavy() {
        let mut strokes = Strokes::new(5, 3);
        for (row, weight) in [(0, 0.05), (1, 0.2), (2, 0.75)] {
            strokes.arrow(&[(0, 1), (2, 1), (2, row), (4, row)], weight);
        }
        let theme = Theme::mono();
        assert_eq!(text(&strokes, &theme), ["  ┌─▶", "━━╅─▶", "  ┗━▶"]);
        let ascii = text(&strokes, &theme.in_ascii());
        assert_eq!(ascii, ["  +->", "==+->", "  +=>"]);
    }
}
