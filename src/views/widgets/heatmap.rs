//! Heat maps of a matrix, or of the last two axes of a larger tensor.
//!
//! Colour fills the background of a cell, and its number is written in it where there is room. Without colour, glyphs
//! show how strong a number is.

use ratatui::layout::Rect;

use super::theme::Theme;
use crate::autograd::Nature;
use crate::tensor::{Tensor, flat_index};

mod board;
mod caption;
mod draw;
mod form;
mod ink;
mod labels;
mod layout;
mod multiples;
mod range;
mod scale;
#[cfg(test)]
mod tests;

pub use board::Board;
pub use ink::Ink;
use layout::Layout;
pub use range::Range;
pub use scale::Scale;

/// Values of a tensor, or its difference from another, and which of its cells are blocked.
#[derive(Clone)]
pub struct Values {
    values: Tensor,
    minus: Option<Tensor>,
    /// Other values whose range the colours cover too.
    other: Option<Box<Values>>,
    /// Tensor of the same shape that decides which cells are blocked, and the fill value of those cells.
    blocked: Option<(Tensor, f32)>,
}

impl Values {
    /// Values of a tensor, with cells of at most −1e8 blocked.
    pub fn of(values: &Tensor) -> Self {
        Self {
            values: values.clone(),
            minus: None,
            other: None,
            blocked: Some((values.clone(), f32::NEG_INFINITY)),
        }
    }

    /// Subtracts `other`, of the same shape.
    #[must_use]
    pub fn minus(mut self, other: &Tensor) -> Self {
        self.minus = Some(other.clone());
        self
    }

    /// Extends the range of the colours to the values of `other`.
    #[must_use]
    pub fn on_scale_of(mut self, other: &Self) -> Self {
        self.other = Some(Box::new(other.clone()));
        self
    }

    /// Blocks cells where `scores`, of the same shape, holds `fill` or at most −1e8.
    #[must_use]
    pub fn blocked_by(mut self, scores: &Tensor, fill: f32) -> Self {
        self.blocked = Some((scores.clone(), fill));
        self
    }

    /// Value at a row-major position.
    pub fn at(&self, at: usize) -> f32 {
        let x = self.values.data()[at];
        self.minus.as_ref().map_or(x, |minus| x - minus.data()[at])
    }

    /// Whether the cell at a row-major position is blocked.
    pub fn is_blocked(&self, at: usize) -> bool {
        let scores = self.blocked.as_ref();
        scores.is_some_and(|(scores, fill)| is_blocked(scores.data()[at], *fill))
    }

    /// The shape.
    pub fn shape(&self) -> &[usize] {
        self.values.shape()
    }

    /// Whether both use the same data in memory.
    fn is(&self, other: &Self) -> bool {
        let same =
            |a: &Tensor, b: &Tensor| a.data().as_ptr() == b.data().as_ptr() && a.len() == b.len();
        let both = |a: Option<&Tensor>, b: Option<&Tensor>| match (a, b) {
            (Some(a), Some(b)) => same(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let fill = |v: &Self| v.blocked.as_ref().map(|(_, fill)| fill.to_bits());
        let scores = |v: &Self| v.blocked.as_ref().map(|(scores, _)| scores.clone());
        same(&self.values, &other.values)
            && both(self.minus.as_ref(), other.minus.as_ref())
            && fill(self) == fill(other)
            && both(scores(self).as_ref(), scores(other).as_ref())
    }
}

/// An axis's name and the words along it.
#[derive(Clone, Default)]
pub struct Axis<'a> {
    /// Letter or name of the axis.
    pub name: String,
    /// Word at a position, if there is one.
    pub word: Option<&'a dyn Fn(usize) -> Option<&'a str>>,
}

impl Axis<'_> {
    /// Word at a position, or else the position.
    pub fn label(&self, position: usize) -> String {
        self.words(position)
            .map_or_else(|| position.to_string(), ToOwned::to_owned)
    }

    /// Word at a position, unless it is empty.
    pub fn words(&self, position: usize) -> Option<&str> {
        self.word
            .and_then(|word| word(position))
            .filter(|w| !w.is_empty())
    }
}

/// Full name of the axis that a letter abbreviates.
pub fn meaning(axis: &str) -> &str {
    match axis {
        "b" => "batch",
        "h" => "head",
        "t" => "target",
        "s" => "source",
        "d" => "model",
        "k" => "channel",
        "v" => "vocabulary",
        "p" => "position",
        "f" => "feed-forward",
        other => other,
    }
}

/// Everything that a heat map needs to be drawn.
pub struct Heat<'a> {
    /// The numbers.
    pub values: Values,
    /// Kind of values, which decides the ramp and the glyphs.
    pub nature: Nature,
    /// The second-last axis.
    pub rows: Axis<'a>,
    /// The last axis.
    pub columns: Axis<'a>,
    /// Index of the cell under the cursor, in the whole tensor.
    pub cursor: &'a [usize],
    /// Cells of the whole tensor to highlight.
    pub operands: Vec<Vec<usize>>,
    /// Number of rows already written, if rows are still being added; the others keep their place.
    pub written: Option<usize>,
    /// Whether these are attention weights, of which those below .05 are dots: what a row reads shows first.
    pub weights: bool,
    /// Whether a cell is asked about: then every number is written, with one decimal more.
    pub asked: bool,
}

impl<'a> Heat<'a> {
    /// Number of rows and columns of the slice.
    pub fn size(&self) -> (usize, usize) {
        match *self.values.shape() {
            [] => (1, 1),
            [n] => (1, n),
            [.., rows, columns] => (rows, columns),
        }
    }

    /// The cursor's indices before the last two.
    pub fn leading(&self) -> &[usize] {
        &self.cursor[..self
            .values
            .shape()
            .len()
            .saturating_sub(2)
            .min(self.cursor.len())]
    }

    /// Row-major position of the slice's first cell.
    fn base(&self) -> usize {
        let shape = self.values.shape();
        let (rows, columns) = self.size();
        flat_index(shape, self.leading()) * rows * columns
    }

    /// The cursor's row and column in the slice.
    pub fn place(&self) -> (usize, usize) {
        match *self.cursor {
            [] => (0, 0),
            [column] => (0, column),
            [.., row, column] => (row, column),
        }
    }

    /// Row-major position of a cell of the slice.
    pub fn position(&self, row: usize, column: usize) -> usize {
        self.base() + row * self.size().1 + column
    }

    /// Index in the whole tensor of a cell of the slice.
    pub fn index(&self, row: usize, column: usize) -> Vec<usize> {
        match self.values.shape().len() {
            0 => Vec::new(),
            1 => vec![column],
            _ => [self.leading(), &[row, column]].concat(),
        }
    }

    /// Value of a cell of the slice, and whether it is blocked.
    pub fn cell(&self, row: usize, column: usize) -> (f32, bool) {
        let at = self.position(row, column);
        let blocked = match self.nature {
            Nature::Mask => self.values.at(at) == 0.0,
            Nature::Ids => false,
            _ => self.values.is_blocked(at),
        };
        (self.values.at(at), blocked)
    }

    /// Range of the whole tensor.
    pub fn range(&self) -> Range {
        Range::of(&self.values)
    }

    /// Scale that maps the values to colours.
    pub fn scale(&self, range: &Range) -> Scale {
        Scale::of(self.nature, range)
    }

    /// Words at the cursor's row and column, as in `row "dog" → column "Hund"`; empty without words.
    pub fn words_at_cursor(&self, theme: &Theme) -> String {
        let (row, column) = self.place();
        let row = self.rows.words(row).map(|w| format!("row \"{w}\""));
        // A vector may be drawn as a row or as a column.
        let vector = self.values.shape().len() == 1;
        let column = (self.columns.words(column)).map(|w| {
            if vector {
                format!("\"{w}\"")
            } else {
                format!("column \"{w}\"")
            }
        });
        let arrow = format!(" {} ", theme.glyphs().next);
        row.into_iter()
            .chain(column)
            .collect::<Vec<_>>()
            .join(&arrow)
    }

    /// Whether a dot stands for a weight too small to matter.
    fn is_faint(&self, value: f32, range: &Range) -> bool {
        self.weights && !self.asked && value < 0.05 && range.least >= 0.0 && range.most >= 0.2
    }

    /// Whether a row has been written.
    fn is_written(&self, row: usize) -> bool {
        self.written.is_none_or(|rows| row < rows)
    }

    /// Value under the cursor, and whether it is blocked; `None` in an empty tensor.
    pub fn value_at_cursor(&self) -> Option<(f32, bool)> {
        if self.values.shape().contains(&0) {
            return None;
        }
        let (row, column) = self.place();
        Some(self.cell(row, column))
    }

    /// Number of rows that the drawing takes of `area`.
    pub fn height(&self, area: Rect, theme: &Theme) -> usize {
        if area.is_empty() || self.values.shape().contains(&0) {
            return 1;
        }
        Layout::new(self, area, &self.range(), theme).height()
    }

    /// Number of columns that the drawing takes of `area`.
    pub fn width(&self, area: Rect, theme: &Theme) -> usize {
        if area.is_empty() || self.values.shape().contains(&0) {
            return 8;
        }
        Layout::new(self, area, &self.range(), theme).width()
    }

    /// Fewest lines, at most those of `area`, that give every row its own line and every column its word. `None` where not
    /// all rows fit, and for a vector.
    pub fn whole_height(&self, area: Rect, theme: &Theme) -> Option<usize> {
        let rows = self.size().0;
        if area.is_empty() || rows < 2 || self.values.shape().contains(&0) {
            return None;
        }
        let height = (rows + 2) as u16;
        let layout = Layout::new(self, Rect { height, ..area }, &self.range(), theme);
        let least = layout.head + rows;
        (least <= usize::from(area.height)).then_some(least)
    }

    /// Whether the cells drawn in `area` contain their numbers.
    pub fn has_numbers(&self, area: Rect, theme: &Theme) -> bool {
        let empty = area.is_empty() || self.values.shape().contains(&0);
        !empty && Layout::new(self, area, &self.range(), theme).form.is_some()
    }

    /// Index in the whole tensor of the cell drawn at a position of `area`, for the mouse.
    pub fn index_at(&self, area: Rect, x: u16, y: u16, theme: &Theme) -> Option<Vec<usize>> {
        if area.is_empty() || self.values.shape().contains(&0) {
            return None;
        }
        let layout = Layout::new(self, area, &self.range(), theme);
        let x = usize::from(x.checked_sub(area.x)?).checked_sub(layout.gutter)?;
        let line = usize::from(y.checked_sub(area.y)?).checked_sub(layout.head)? / layout.high;
        let slot = x / layout.wide;
        if line >= layout.lines || slot >= layout.slots {
            return None;
        }
        let (row, column) = layout.cell(self.size(), line, slot)?;
        Some(self.index(row, column))
    }
}

/// Whether a mask wrote this score into a blocked cell: its fill value, −∞, or −1e9 plus a score. Any score of at
/// most −1e8 counts as one.
fn is_blocked(score: f32, fill: f32) -> bool {
    score == fill || score <= -1e8
}
