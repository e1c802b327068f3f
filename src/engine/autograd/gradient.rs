//! The gradient of a parameter: a full tensor, only the rows that a run looked up, or a product not yet multiplied.

use crate::tensor::{Tensor, matmul, vector};

/// The gradient of a parameter, as [`Tape::backward_streaming`](super::Tape::backward_streaming) passes it on.
pub enum Gradient {
    /// The full tensor, one number per cell.
    Dense(Tensor),
    /// For a table: only the rows that were looked up.
    Rows(RowGradient),
    /// For a weight that every row was multiplied by: the two factors.
    Product(ProductGradient),
}

impl Gradient {
    /// The full tensor, one number per cell.
    pub fn into_dense(self) -> Tensor {
        match self {
            Self::Dense(gradient) => gradient,
            Self::Rows(rows) => rows.to_dense(),
            Self::Product(product) => product.to_dense(),
        }
    }

    /// [`Gradient::into_dense`] of every input that has one, as [`Op::backward`](super::Op::backward) returns them.
    pub fn all_dense(all: Vec<Option<Self>>) -> Vec<Option<Tensor>> {
        all.into_iter().map(|dx| dx.map(Self::into_dense)).collect()
    }

    /// Adds the gradient to a sum of the same shape. Rows that were not looked up stay as they are.
    pub fn add_to(&self, sum: &mut Tensor) {
        match self {
            Self::Dense(gradient) => vector::add(sum.data_mut(), gradient.data()),
            Self::Rows(rows) => rows.add_to(sum),
            Self::Product(product) => product.add_to(sum),
        }
    }

    /// Adds the gradient to those of earlier uses.
    pub(super) fn gather(self, sum: &mut Option<Self>) {
        *sum = Some(match sum.take() {
            None => self,
            Some(before) => {
                let mut sum = before.into_dense();
                self.add_to(&mut sum);
                Self::Dense(sum)
            }
        });
    }
}

/// The gradient of a table from which few rows were looked up; all other rows are 0.
pub struct RowGradient {
    /// The shape of the table.
    shape: [usize; 2],
    /// The rows, in the order in which they were first looked up.
    rows: Vec<usize>,
    /// Their gradients, row after row.
    cells: Vec<f32>,
}

impl RowGradient {
    /// Adds the rows of `dy`, one per id, to the rows of a table of `shape`, starting from 0 and in the order of `ids`.
    /// Panics if an id has no row.
    #[track_caller]
    pub fn gathered(shape: [usize; 2], ids: impl Iterator<Item = usize>, dy: &[f32]) -> Self {
        let [count, width] = shape;
        let mut places = vec![None; count];
        let (mut rows, mut cells) = (Vec::new(), Vec::new());
        for (id, dy) in ids.zip(dy.chunks(width)) {
            let place = *places[id].get_or_insert_with(|| {
                rows.push(id);
                cells.resize(rows.len() * width, 0.0);
                rows.len() - 1
            });
            vector::add(&mut cells[place * width..][..width], dy);
        }
        Self { shape, rows, cells }
    }

    /// The full gradient, one number per cell of the table.
    pub fn to_dense(&self) -> Tensor {
        let mut dense = Tensor::zeros(&self.shape);
        self.each(&mut dense, |row, gradient| row.copy_from_slice(gradient));
        dense
    }

    fn add_to(&self, sum: &mut Tensor) {
        self.each(sum, vector::add);
    }

    /// Calls `work` with every row that was looked up, in `table` and in the gradient.
    fn each(&self, table: &mut Tensor, work: impl Fn(&mut [f32], &[f32])) {
        let (width, table) = (self.shape[1], table.data_mut());
        for (row, gradient) in self.rows.iter().zip(self.cells.chunks(width)) {
            work(&mut table[row * width..][..width], gradient);
        }
    }
}

/// `dyᵀ x` over all leading axes, not yet multiplied. It can be added to a sum without being stored first, which would
/// take more memory than both factors if a batch has fewer rows than the weight.
pub struct ProductGradient {
    /// `[…, out]`
    pub dy: Tensor,
    /// `[…, in]`
    pub x: Tensor,
}

impl ProductGradient {
    fn to_dense(&self) -> Tensor {
        matmul::matmul_tn_sum(&self.dy, &self.x)
    }

    fn add_to(&self, sum: &mut Tensor) {
        matmul::add_matmul_tn(&self.dy, &self.x, sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> RowGradient {
        // Thirds must be rounded in binary, so a different order of summation would show.
        let dy: Vec<f32> = (1..=10).map(|i| i as f32 / 3.0).collect();
        RowGradient::gathered([4, 2], [3, 0, 3, 1, 3].into_iter(), &dy)
    }

    #[test]
    fn a_row_gets_the_sum_of_its_lookups_in_their_order() {
        let third = |i: usize| i as f32 / 3.0;
        let three = |i: usize| third(i) + third(i + 4) + third(i + 8);
        let (none, row) = ([0.0; 2], |i| [third(i), third(i + 1)]);
        let expected = [row(3), row(7), none, [three(1), three(2)]];
        assert_eq!(some().to_dense().data(), expected.concat());
    }

    #[test]
    fn added_to_a_sum_it_is_what_the_whole_would_be() {
        let sum = || Tensor::from_fn(&[4, 2], |i| 0.1 * (1 + 2 * i[0] + i[1]) as f32);
        let (mut by_rows, mut by_all) = (sum(), sum());
        Gradient::Rows(some()).add_to(&mut by_rows);
        Gradient::Dense(some().to_dense()).add_to(&mut by_all);
        assert_eq!(by_rows, by_all);
    }

    #[test]
    fn a_product_added_to_a_sum_is_what_the_whole_would_be() {
        let numbers = |shape: &[usize], name| crate::tensor::random::normal(shape, 1.0, 5, name);
        // Small, large, and with more terms than are summed in one block.
        for (rows, out, inputs) in [(4, 4, 2), (40, 300, 400), (1000, 70, 80)] {
            let product = || {
                Gradient::Product(ProductGradient {
                    dy: numbers(&[2, rows / 2, out], "dy"),
                    x: numbers(&[2, rows / 2, inputs], "x"),
                })
            };
            let before = || numbers(&[out, inputs], "before");
            let (mut one, mut other) = (before(), before());
            product().add_to(&mut one);
            Gradient::Dense(product().into_dense()).add_to(&mut other);
            let cells = one.data().iter().zip(other.data());
            let apart = cells.fold(0.0, |most: f32, (a, b)| most.max((a - b).abs()));
            assert!(
                apart <= if rows <= 256 { 0.0 } else { 1e-4 },
                "{rows}: {apart}"
            );
        }
    }

    #[test]
    fn uses_of_both_kinds_add_up() {
        for order in 0..4 {
            let (first, second) = match order {
                0 => (Gradient::Rows(some()), Gradient::Rows(some())),
                1 => (Gradient::Rows(some()), Gradient::Dense(some().to_dense())),
                2 => (Gradient::Dense(some().to_dense()), Gradient::Rows(some())),
                _ => (
                    Gradient::Dense(some().to_dense()),
                    Gradient::Dense(some().to_dense()),
                ),
            };
            let mut sum = None;
            first.gather(&mut sum);
            second.gather(&mut sum);
            let twice = some().to_dense().map(|x| x + x);
            assert_eq!(sum.map(Gradient::into_dense), Some(twice));
        }
    }
}
