//! How much of a table fits on the page.

use super::Grid;
use crate::widgets::heatmap::meaning;

/// Minimum number of columns printed, whether they fit the page or not.
const FEWEST: usize = 6;

/// Width in pixels available to a table on a page 1,280 pixels wide.
const PAGE: f32 = 706.0;

impl Grid {
    /// Drops columns or sets the table smaller until it fits the page, so that readers need not scroll to see what is
    /// printed.
    pub(super) fn fit(&mut self, named: &[usize]) {
        if self.width() <= PAGE || self.cells.is_empty() {
            return;
        }
        // A picture shows a pattern, so it keeps many columns.
        let whole = self.columns.window.1 == self.columns.size;
        self.dense = whole || self.picture;
        let mut most = self.columns.window.1 + self.columns.beyond.len();
        while !whole && most > FEWEST && self.width() > PAGE {
            most -= 1;
            self.columns.open(self.cursor.1, most, named);
        }
    }

    /// Approximate width of the table on a wide screen, in pixels.
    fn width(&self) -> f32 {
        // Sizes and paddings from `tutor.css`, in pixels and in multiples of the font size.
        let (size, pad, least) = if self.dense {
            (11.5, 0.4, 1.6)
        } else {
            (13.6, 0.6, 2.7)
        };
        let wide = |text: &str| ems(text).max(least) + pad;
        let rows = self.rows.shown();
        let names = rows.clone().map(|row| ems(&self.rows.plain(row)));
        let names = names.fold(0.85 * ems(meaning(&self.columns.name)) + 1.2, f32::max) + 0.9;
        let columns = self.columns.shown().map(|column| {
            let cells = rows
                .clone()
                .map(|row| wide(&self.cell_text(self.cell(row, column))));
            cells.fold(wide(&self.columns.plain(column)), f32::max) + 1.0 / size
        });
        let sum = if self.sums() { wide("10.00") } else { 0.0 };
        (names + columns.sum::<f32>() + sum) * size
    }
}

/// Approximate width of a text, in multiples of its font size.
fn ems(text: &str) -> f32 {
    let width = |c: char| match c {
        '.' | ',' | 'i' | 'l' | '\'' | '|' | ' ' => 0.27,
        'm' | 'w' | 'M' | 'W' => 0.85,
        _ => 0.57,
    };
    text.chars().map(width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Nature;
    use crate::tensor::Tensor;

    #[test]
    fn a_table_has_as_many_columns_as_the_page_has_room_for() {
        let picture = |rows: usize, columns: usize, x: f32| {
            let none = |name: &str| (name.to_owned(), Vec::new());
            let values = Tensor::from_fn(&[rows, columns], |_| x);
            Grid::of_matrix(&values, Nature::Signed, &none("r"), &none("c"), &[], (0, 0))
        };
        let small = picture(2, 4, 1.0);
        assert!(!small.dense && small.columns.is_whole());
        // Twenty single digits fit in small print, and so does a window of wider numbers.
        let mask = picture(20, 20, 1.0);
        assert!(mask.columns.is_whole() && mask.width() <= PAGE);
        let wide = picture(40, 40, -123.456);
        assert!(wide.dense && wide.width() <= PAGE, "{}", wide.width());
        assert!((FEWEST..24).contains(&wide.columns.window.1));
    }
}
