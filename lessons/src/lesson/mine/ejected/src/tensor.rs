//! Tensors: blocks of numbers with a shape, on top of ndarray.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArcArray, ArrayView2, ArrayViewD, ArrayViewMut2, Axis, Dimension, IxDyn};

/// A block of numbers, row by row. Copies share their memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor(ArcArray<f32, IxDyn>);

impl Tensor {
    /// A tensor of `shape` with these cells, row by row. Panics if there are more or fewer than it holds.
    #[track_caller]
    pub fn new(shape: &[usize], cells: Vec<f32>) -> Self {
        let count = cells.len();
        match ArcArray::from_shape_vec(IxDyn(shape), cells) {
            Ok(array) => Self(array),
            Err(_) => panic!("a tensor of shape {shape:?} cannot hold {count} cells"),
        }
    }

    pub fn full(shape: &[usize], value: f32) -> Self {
        Self(ArcArray::from_elem(IxDyn(shape), value))
    }

    pub fn zeros(shape: &[usize]) -> Self {
        Self::full(shape, 0.0)
    }

    pub fn ones(shape: &[usize]) -> Self {
        Self::full(shape, 1.0)
    }

    pub fn scalar(value: f32) -> Self {
        Self::full(&[], value)
    }

    /// Asks `cell` for each cell by its index, row by row.
    pub fn from_fn(shape: &[usize], mut cell: impl FnMut(&[usize]) -> f32) -> Self {
        let indices = ndarray::indices(IxDyn(shape)).into_iter();
        Self::new(shape, indices.map(|index| cell(index.slice())).collect())
    }

    /// A copy of a view, row by row.
    fn of(view: ArrayViewD<'_, f32>) -> Self {
        Self::new(view.shape(), view.iter().copied().collect())
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.0.ndim()
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The size of the last axis; 1 for a scalar.
    pub fn last(&self) -> usize {
        self.shape().last().copied().unwrap_or(1)
    }

    /// All cells, row by row.
    pub fn data(&self) -> &[f32] {
        self.0.as_slice().expect("cells are stored row by row")
    }

    /// All cells, to be changed; shared memory is copied first.
    pub fn data_mut(&mut self) -> &mut [f32] {
        self.0.as_slice_mut().expect("cells are stored row by row")
    }

    /// The cell at an index.
    #[track_caller]
    pub fn at(&self, index: &[usize]) -> f32 {
        self.0[IxDyn(index)]
    }

    /// The sum of all cells.
    pub fn sum(&self) -> f64 {
        self.data().iter().map(|&x| f64::from(x)).sum()
    }

    /// The same cells in the same order under another shape.
    #[track_caller]
    pub fn reshape(&self, shape: &[usize]) -> Self {
        match self.0.clone().into_shape_with_order(IxDyn(shape)) {
            Ok(array) => Self(array),
            Err(_) => panic!("{:?} cannot be reshaped to {shape:?}", self.shape()),
        }
    }

    /// The axes in another order: axis `i` of the result is axis `order[i]`.
    #[track_caller]
    pub fn permute(&self, order: &[usize]) -> Self {
        Self::of(self.0.view().permuted_axes(IxDyn(order)))
    }

    /// `f` of every cell.
    pub fn map(&self, f: impl Fn(f32) -> f32) -> Self {
        Self::new(self.shape(), self.data().iter().map(|&x| f(x)).collect())
    }

    /// `f` of every row of the last axis.
    pub fn map_rows(&self, f: impl Fn(&[f32]) -> Vec<f32>) -> Self {
        let rows = self.data().chunks(self.last().max(1));
        Self::new(self.shape(), rows.flat_map(f).collect())
    }

    /// `f` of every pair of cells. Axes are aligned from the last; where one has size 1 or is missing, its cells repeat.
    #[track_caller]
    pub fn zip(&self, other: &Self, f: impl Fn(f32, f32) -> f32) -> Self {
        if self.shape().ends_with(other.shape()) {
            let cells = self.data().iter().zip(other.data().iter().cycle());
            return Self::new(self.shape(), cells.map(|(&a, &b)| f(a, b)).collect());
        }
        let shape = common(self.shape(), other.shape());
        let repeat = |x: &Self| x.0.broadcast(IxDyn(&shape)).map(|view| Self::of(view));
        match (repeat(self), repeat(other)) {
            (Some(a), Some(b)) => a.zip(&b, f),
            _ => panic!("{:?} and {:?} do not fit", self.shape(), other.shape()),
        }
    }

    /// Sums over the axes along which a tensor of `shape` was repeated to make this one: the gradient of repeating.
    pub fn sum_to(&self, shape: &[usize]) -> Self {
        if self.shape() == shape {
            return self.clone();
        }
        let mut sum = self.0.to_owned();
        while sum.ndim() > shape.len() {
            sum = sum.sum_axis(Axis(0));
        }
        for axis in (0..shape.len()).filter(|&axis| shape[axis] == 1) {
            sum = sum.sum_axis(Axis(axis)).insert_axis(Axis(axis));
        }
        Self::of(sum.view())
    }

    /// `self · other`, rows by columns: `[…, m, k] · […, k, n]`. A single matrix on the right serves every block.
    #[track_caller]
    pub fn matmul(&self, other: &Self) -> Self {
        let columns = other.last();
        self.blocks(other, columns, |a, b, mut y| {
            general_mat_mul(1.0, &a, &b, 0.0, &mut y);
        })
    }

    /// `self · otherᵀ`, rows by rows: `[…, m, k] · […, n, k]`.
    #[track_caller]
    pub fn matmul_t(&self, other: &Self) -> Self {
        let columns = other.shape()[other.rank() - 2];
        self.blocks(other, columns, |a, b, mut y| {
            general_mat_mul(1.0, &a, &b.t(), 0.0, &mut y);
        })
    }

    /// `selfᵀ · other`, columns by columns: `[…, k, m] · […, k, n]`.
    #[track_caller]
    pub fn t_matmul(&self, other: &Self) -> Self {
        let mut order: Vec<usize> = (0..self.rank()).collect();
        order.swap(self.rank() - 1, self.rank() - 2);
        self.permute(&order).matmul(other)
    }

    /// Multiplies the matrices in the last two axes, block by block, into matrices of `columns` columns.
    #[track_caller]
    fn blocks(
        &self,
        other: &Self,
        columns: usize,
        multiply: impl Fn(ArrayView2<'_, f32>, ArrayView2<'_, f32>, ArrayViewMut2<'_, f32>),
    ) -> Self {
        let (a, b) = (self.shape(), other.shape());
        let shape = [&a[..a.len() - 1], &[columns]].concat();
        // One matrix for all blocks: put their rows below each other.
        let (blocks, rows) = match b.len() {
            2 => (1, a[..a.len() - 1].iter().product()),
            _ => (a[..a.len() - 2].iter().product(), a[a.len() - 2]),
        };
        let fits = b.len() == 2 || a[..a.len() - 2] == b[..b.len() - 2];
        assert!(fits, "{a:?} and {b:?} cannot be multiplied");
        let (inner, others) = (self.last(), b[b.len() - 2]);
        let mut y = Self::zeros(&shape);
        let (left, right) = (rows * inner, others * other.last());
        for block in 0..blocks {
            let a = &self.data()[block * left..][..left];
            let b = &other.data()[block * right..][..right];
            let y = &mut y.data_mut()[block * rows * columns..][..rows * columns];
            multiply(
                ArrayView2::from_shape((rows, inner), a).expect("one block"),
                ArrayView2::from_shape((others, other.last()), b).expect("one block"),
                ArrayViewMut2::from_shape((rows, columns), y).expect("one block"),
            );
        }
        y
    }

    /// All rows of the last axis as one matrix.
    pub fn rows(&self) -> Self {
        self.reshape(&[self.len() / self.last().max(1), self.last()])
    }
}

/// The shape to which both shapes can be repeated.
fn common(a: &[usize], b: &[usize]) -> Vec<usize> {
    let rank = a.len().max(b.len());
    // The axes that a shape lacks in front have size 1.
    let size = |shape: &[usize], axis: usize| {
        let place = (axis + shape.len()).checked_sub(rank);
        place.map_or(1, |place| shape[place])
    };
    (0..rank)
        .map(|axis| size(a, axis).max(size(b, axis)))
        .collect()
}
