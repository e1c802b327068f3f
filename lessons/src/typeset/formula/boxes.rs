//! Rectangles of text, placed beside, above and around each other.

use unicode_width::UnicodeWidthStr;

/// Rectangle of text: every row is `width` columns wide, and `baseline` is the row on which the line continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Box2d {
    pub rows: Vec<String>,
    pub width: usize,
    pub baseline: usize,
}

/// Horizontal alignment of a box in a wider one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Center,
    Right,
}

impl Box2d {
    pub fn line(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            width: text.width(),
            rows: vec![text],
            baseline: 0,
        }
    }

    pub fn empty() -> Self {
        Self::line("")
    }

    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Number of rows below the baseline.
    pub fn depth(&self) -> usize {
        self.rows.len() - 1 - self.baseline
    }

    pub fn is_flat(&self) -> bool {
        self.rows.len() == 1
    }

    /// Sets boxes from left to right on one baseline.
    pub fn beside(boxes: &[Box2d]) -> Self {
        let above = boxes.iter().map(|b| b.baseline).max().unwrap_or(0);
        let below = boxes.iter().map(Box2d::depth).max().unwrap_or(0);
        let mut rows = vec![String::new(); above + 1 + below];
        for b in boxes {
            let top = above - b.baseline;
            for (at, row) in rows.iter_mut().enumerate() {
                match at.checked_sub(top).and_then(|at| b.rows.get(at)) {
                    Some(text) => row.push_str(text),
                    None => row.push_str(&" ".repeat(b.width)),
                }
            }
        }
        Self {
            rows,
            width: boxes.iter().map(|b| b.width).sum(),
            baseline: above,
        }
    }

    /// Stacks boxes from top to bottom. The baseline is that of box number `main`.
    pub fn above(boxes: &[Box2d], side: Side, main: usize) -> Self {
        let width = boxes.iter().map(|b| b.width).max().unwrap_or(0);
        let baseline =
            boxes[..main].iter().map(Box2d::height).sum::<usize>() + boxes[main].baseline;
        let rows = boxes
            .iter()
            .flat_map(|b| b.padded(width, side).rows)
            .collect();
        Self {
            rows,
            width,
            baseline,
        }
    }

    pub fn padded(&self, width: usize, side: Side) -> Self {
        let free = width.saturating_sub(self.width);
        let left = match side {
            Side::Left => 0,
            Side::Center => free / 2,
            Side::Right => free,
        };
        let (left, right) = (" ".repeat(left), " ".repeat(free - left));
        let rows = self
            .rows
            .iter()
            .map(|row| format!("{left}{row}{right}"))
            .collect();
        Self {
            rows,
            width: self.width + free,
            baseline: self.baseline,
        }
    }

    /// Sets the baseline, adding empty rows below if the box is too short.
    pub fn with_baseline(mut self, baseline: usize) -> Self {
        while baseline >= self.rows.len() {
            self.rows.push(" ".repeat(self.width));
        }
        self.baseline = baseline;
        self
    }
}
