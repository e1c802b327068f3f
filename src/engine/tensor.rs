//! The tensor, a shared, row-major array of f32, and its kernels, built on ndarray and the BLAS.

#![allow(unsafe_code)] // for the kernels and the calls into the BLAS

use std::fmt;

use ndarray::{ArcArray, ArrayViewD, IxDyn};

pub mod blas;
pub mod broadcast;
pub mod mask;
pub mod matmul;
#[cfg_attr(
    not(all(feature = "blis", target_arch = "x86_64")),
    path = "tensor/no_panels.rs"
)]
mod panels;
pub mod portable;
pub mod random;
pub mod rows;
#[cfg(target_arch = "x86_64")]
mod short;
pub mod small;
pub mod threads;
pub mod vector;

pub use threads::{alone, on_threads, shared, threads};

/// Calls `work` on every row of the last axis, on several threads if the tensor is large. Rows are
/// computed independently, so the bits do not depend on the number of threads.
pub fn for_rows(x: &mut Tensor, work: impl Fn(&mut [f32]) + Sync) {
    /// Below this many cells, starting threads costs more than it saves.
    const PARALLEL: usize = 1 << 20;
    let width = x.last().max(1);
    let rows = x.len() / width;
    let share = match threads() {
        threads if x.len() >= PARALLEL => rows.div_ceil(threads),
        _ => rows,
    };
    if share == rows {
        return x.data_mut().chunks_mut(width).for_each(work);
    }
    let parts = x.data_mut().chunks_mut(share * width).collect();
    shared(parts, |part: &mut [f32]| {
        part.chunks_mut(width).for_each(&work)
    });
}

/// The row-major position of `index` in a tensor of this shape. For an index of the leading axes only, the position of
/// their slice among the slices.
pub fn flat_index(shape: &[usize], index: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |at, (i, n)| at * n + i)
}

/// The names of a tensor's axes, outermost first: `b` batch, `h` head, `t` target, `s` source,
/// `d` model, `k` key, `v` vocabulary. An axis without a name is the empty string.
pub type Axes = Vec<&'static str>;

/// An n-dimensional array of f32, shared on clone and copied on write.
///
/// The data is always row-major and contiguous: [`Tensor::offset`] computes the flat index of a
/// cell. Token ids and masks are tensors too: f32 holds every whole number below 2²⁴ exactly, and a
/// mask is 1 where a cell may be seen and 0 where it is blocked.
#[derive(Clone, PartialEq)]
pub struct Tensor(ArcArray<f32, IxDyn>);

impl Tensor {
    /// A tensor of `shape` over `data` in row-major order. Panics if the sizes differ.
    #[track_caller]
    pub fn new(shape: &[usize], data: Vec<f32>) -> Self {
        let cells: usize = shape.iter().product();
        assert!(
            data.len() == cells,
            "tensor: shape {shape:?} has {cells} cells but {} values were given",
            data.len()
        );
        Self(ArcArray::from_shape_vec(IxDyn(shape), data).expect("sizes were compared"))
    }

    /// A tensor whose cells are all `value`.
    pub fn full(shape: &[usize], value: f32) -> Self {
        Self(ArcArray::from_elem(IxDyn(shape), value))
    }

    /// A tensor of zeros.
    pub fn zeros(shape: &[usize]) -> Self {
        Self::full(shape, 0.0)
    }

    /// A tensor of ones.
    pub fn ones(shape: &[usize]) -> Self {
        Self::full(shape, 1.0)
    }

    /// A tensor without axes: one number.
    pub fn scalar(value: f32) -> Self {
        Self::full(&[], value)
    }

    /// A tensor whose cell at `index` is `cell(index)`.
    pub fn from_fn(shape: &[usize], mut cell: impl FnMut(&[usize]) -> f32) -> Self {
        let data = Indices::new(shape).map(|index| cell(&index)).collect();
        Self::new(shape, data)
    }

    /// The sizes of the axes, outermost first.
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

    /// True if the tensor has no cells.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The size of the last axis; 1 for a scalar.
    pub fn last(&self) -> usize {
        self.shape().last().copied().unwrap_or(1)
    }

    /// All cells in row-major order.
    pub fn data(&self) -> &[f32] {
        self.0.as_slice().expect("a tensor is contiguous")
    }

    /// All cells, mutable; copies them first if another tensor shares them.
    pub fn data_mut(&mut self) -> &mut [f32] {
        self.0.as_slice_mut().expect("a tensor is contiguous")
    }

    /// A view for ndarray's functions.
    pub fn view(&self) -> ArrayViewD<'_, f32> {
        self.0.view()
    }

    /// The cell at `index`. Panics if it is outside the shape.
    #[track_caller]
    pub fn at(&self, index: &[usize]) -> f32 {
        self.data()[self.offset(index)]
    }

    /// The row-major position of `index`. Panics if it is outside the shape.
    #[track_caller]
    pub fn offset(&self, index: &[usize]) -> usize {
        let shape = self.shape();
        assert!(
            index.len() == shape.len() && index.iter().zip(shape).all(|(i, n)| i < n),
            "tensor: there is no cell {index:?} in shape {shape:?}"
        );
        flat_index(shape, index)
    }

    /// The same cells under another shape. Panics if the sizes differ.
    #[track_caller]
    pub fn reshape(&self, shape: &[usize]) -> Self {
        let cells: usize = shape.iter().product();
        assert!(
            cells == self.len(),
            "reshape: {:?} has {} cells, {shape:?} would have {cells}",
            self.shape(),
            self.len()
        );
        Self(
            self.0
                .clone()
                .into_shape_with_order(IxDyn(shape))
                .expect("sizes were compared"),
        )
    }

    /// The axes in another order, copied into row-major layout: axis `i` of the result is axis
    /// `order[i]` of this tensor.
    #[track_caller]
    pub fn permute(&self, order: &[usize]) -> Self {
        let view = self.0.view().permuted_axes(IxDyn(order));
        let strides: Vec<usize> = view.strides().iter().map(|&s| s as usize).collect();
        let data = rows::gathered(self.data(), view.shape(), &strides);
        Self::new(view.shape(), data)
    }

    /// The last two axes exchanged.
    #[track_caller]
    pub fn transpose(&self) -> Self {
        let rank = self.rank();
        assert!(
            rank >= 2,
            "transpose: {:?} has no two axes to exchange",
            self.shape()
        );
        let mut order: Vec<usize> = (0..rank).collect();
        order.swap(rank - 1, rank - 2);
        self.permute(&order)
    }

    /// A contiguous copy of any view.
    pub fn from_view(view: ArrayViewD<'_, f32>) -> Self {
        let data = match view.as_slice() {
            Some(cells) => cells.to_vec(),
            None => view.iter().copied().collect(),
        };
        Self::new(view.shape(), data)
    }

    /// Applies `f` to every cell.
    pub fn map(&self, f: impl Fn(f32) -> f32) -> Self {
        Self::new(self.shape(), self.data().iter().map(|&x| f(x)).collect())
    }

    /// Applies `f` to every pair of cells. Panics if the shapes differ; see [`broadcast::zip`] for broadcasting.
    #[track_caller]
    pub fn zip(&self, other: &Self, f: impl Fn(f32, f32) -> f32) -> Self {
        assert!(
            self.shape() == other.shape(),
            "zip: shapes {:?} and {:?} differ",
            self.shape(),
            other.shape()
        );
        let data = self
            .data()
            .iter()
            .zip(other.data())
            .map(|(&a, &b)| f(a, b))
            .collect();
        Self::new(self.shape(), data)
    }

    /// The sum of all cells, added up in f64.
    pub fn sum(&self) -> f64 {
        self.data().iter().map(|&x| f64::from(x)).sum()
    }

    /// True if no cell is NaN or infinite.
    pub fn is_finite(&self) -> bool {
        self.data().iter().all(|x| x.is_finite())
    }

    /// The root mean square of all cells.
    pub fn rms(&self) -> f64 {
        let squares: f64 = self
            .data()
            .iter()
            .map(|&x| f64::from(x) * f64::from(x))
            .sum();
        (squares / self.len() as f64).sqrt()
    }

    /// Every index of the shape, in row-major order.
    pub fn indices(&self) -> Indices {
        Indices::new(self.shape())
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.shape(), self.0)
    }
}

/// Iterator over the indices of a shape in row-major order.
pub struct Indices {
    shape: Vec<usize>,
    next: Option<Vec<usize>>,
}

impl Indices {
    /// Creates an iterator over the indices of `shape`: none if an axis is empty, one (the empty index) for a scalar.
    pub fn new(shape: &[usize]) -> Self {
        let next = (!shape.contains(&0)).then(|| vec![0; shape.len()]);
        Self {
            shape: shape.to_vec(),
            next,
        }
    }
}

impl Iterator for Indices {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let index = self.next.take()?;
        let mut following = index.clone();
        for axis in (0..self.shape.len()).rev() {
            following[axis] += 1;
            if following[axis] < self.shape[axis] {
                self.next = Some(following);
                return Some(index);
            }
            following[axis] = 0;
        }
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_count_in_row_major_order() {
        let all: Vec<_> = Indices::new(&[2, 2]).collect();
        assert_eq!(all, [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]]);
        assert_eq!(Indices::new(&[]).count(), 1);
        assert_eq!(Indices::new(&[3, 0]).count(), 0);
    }

    #[test]
    fn a_flat_index_counts_cells_or_slices_in_row_major_order() {
        assert_eq!(flat_index(&[2, 3], &[1, 2]), 5);
        assert_eq!(flat_index(&[2, 3, 4], &[1, 2]), 5);
        assert_eq!(flat_index(&[], &[]), 0);
    }

    #[test]
    fn transpose_exchanges_the_last_two_axes() {
        let x = Tensor::from_fn(&[2, 2, 3], |i| (i[0] * 100 + i[1] * 10 + i[2]) as f32);
        let y = x.transpose();
        assert_eq!(y.shape(), [2, 3, 2]);
        assert_eq!(y.at(&[1, 2, 0]), x.at(&[1, 0, 2]));
    }

    #[test]
    #[should_panic(expected = "no cell [2] in shape [2]")]
    fn a_cell_outside_the_shape_is_named() {
        Tensor::zeros(&[2]).at(&[2]);
    }

    #[test]
    fn permuting_moves_every_cell_whether_or_not_the_last_axis_stays() {
        let x = Tensor::from_fn(&[2, 3, 4, 5], |i| {
            (i[0] * 1000 + i[1] * 100 + i[2] * 10 + i[3]) as f32
        });
        for order in [[0, 2, 1, 3], [1, 2, 0, 3], [3, 0, 2, 1], [0, 1, 3, 2]] {
            let y = x.permute(&order);
            for to in y.indices() {
                let mut from = [0; 4];
                for (axis, &source) in order.iter().enumerate() {
                    from[source] = to[axis];
                }
                assert_eq!(y.at(&to), x.at(&from), "{order:?} {to:?}");
            }
        }
    }

    #[test]
    fn writing_to_a_clone_leaves_the_original() {
        let x = Tensor::zeros(&[2]);
        let mut y = x.clone();
        y.data_mut()[0] = 1.0;
        assert_eq!(x.data(), [0.0, 0.0]);
        assert_eq!(y.data(), [1.0, 0.0]);
    }
}
