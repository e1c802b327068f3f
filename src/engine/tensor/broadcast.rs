//! Broadcasting: how a smaller tensor is repeated to fit a larger one, and how its gradient is summed again.

use ndarray::Axis;

use super::{Tensor, rows};

/// The shape to which `a` and `b` broadcast: axes of size 1, and missing leading axes, are repeated.
/// Panics if two axes differ and neither is 1.
#[track_caller]
pub fn shape(a: &[usize], b: &[usize]) -> Vec<usize> {
    let rank = a.len().max(b.len());
    let size = |shape: &[usize], axis: usize| {
        (axis + shape.len())
            .checked_sub(rank)
            .map_or(1, |i| shape[i])
    };
    (0..rank)
        .map(|axis| match (size(a, axis), size(b, axis)) {
            (x, y) if x == y || y == 1 => x,
            (1, y) => y,
            _ => panic!("broadcast: {a:?} and {b:?} do not fit: two sizes of an axis must be equal, or one of them 1"),
        })
        .collect()
}

/// The index of the cell of `x` that is broadcast to cell `index` of the result.
pub fn source(x: &Tensor, index: &[usize]) -> Vec<usize> {
    let skip = index.len() - x.rank();
    x.shape()
        .iter()
        .zip(&index[skip..])
        .map(|(&size, &i)| if size == 1 { 0 } else { i })
        .collect()
}

/// Applies `f` to every pair of cells, with broadcasting.
#[track_caller]
pub fn zip(a: &Tensor, b: &Tensor, f: impl Fn(f32, f32) -> f32) -> Tensor {
    if a.shape() == b.shape() {
        return a.zip(b, f);
    }
    let shape = shape(a.shape(), b.shape());
    let data = match (repeats(a, &shape), repeats(b, &shape)) {
        // The usual cases, a bias or a position table for a batch, run over plain slices.
        (true, true) if !a.is_empty() && !b.is_empty() => {
            let mut out = Vec::with_capacity(shape.iter().product());
            if a.len() >= b.len() {
                for a in a.data().chunks(b.len()) {
                    out.extend(a.iter().zip(b.data()).map(|(&x, &y)| f(x, y)));
                }
            } else {
                for b in b.data().chunks(a.len()) {
                    out.extend(a.data().iter().zip(b).map(|(&x, &y)| f(x, y)));
                }
            }
            out
        }
        _ => pairs(a, b, &shape, f),
    };
    Tensor::new(&shape, data)
}

/// Applies `f` row by row. Along a row, each tensor either advances or repeats one cell.
fn pairs(a: &Tensor, b: &Tensor, shape: &[usize], f: impl Fn(f32, f32) -> f32) -> Vec<f32> {
    let [left, right] = [a, b].map(|x| rows::broadcast(x.shape(), shape));
    let (left, right) = left.zip(right).expect("the shape is that of both");
    let goes_on = |strides: &[usize]| strides.last().is_some_and(|&step| step == 1);
    let width = shape.last().copied().unwrap_or(1);
    let mut out = Vec::with_capacity(shape.iter().product());
    rows::each(shape, [&left, &right], |[x, y]| {
        let (x, y) = (&a.data()[x..], &b.data()[y..]);
        match (goes_on(&left), goes_on(&right)) {
            (true, true) => {
                out.extend(x[..width].iter().zip(&y[..width]).map(|(&x, &y)| f(x, y)));
            }
            (true, false) => out.extend(x[..width].iter().map(|&x| f(x, y[0]))),
            (false, true) => out.extend(y[..width].iter().map(|&y| f(x[0], y))),
            (false, false) => out.extend((0..width).map(|_| f(x[0], y[0]))),
        }
    });
    out
}

/// True if `x` repeats as a whole block inside `shape`, because only leading axes are broadcast.
fn repeats(x: &Tensor, shape: &[usize]) -> bool {
    let skip = shape.len() - x.rank();
    let first = x.shape().iter().position(|&n| n != 1).unwrap_or(x.rank());
    x.shape()[first..] == shape[skip + first..]
}

/// Broadcasts `x` to `shape` and writes out every cell.
#[track_caller]
pub fn expand(x: &Tensor, shape: &[usize]) -> Tensor {
    let strides = rows::broadcast(x.shape(), shape).unwrap_or_else(|| {
        panic!("broadcast: {:?} cannot stretch to {shape:?}", x.shape());
    });
    Tensor::new(shape, rows::gathered(x.data(), shape, &strides))
}

/// `x` summed over the axes that [`expand`] would broadcast from `shape`: the backward pass of a broadcast.
pub fn sum_to(x: &Tensor, shape: &[usize]) -> Tensor {
    if x.shape() == shape {
        return x.clone();
    }
    let mut sum = x.view().to_owned();
    while sum.ndim() > shape.len() {
        sum = sum.sum_axis(Axis(0));
    }
    for (axis, &size) in shape.iter().enumerate() {
        if size == 1 && sum.shape()[axis] != 1 {
            sum = sum.sum_axis(Axis(axis)).insert_axis(Axis(axis));
        }
    }
    Tensor::from_view(sum.view())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_stretches_over_heads_and_rows() {
        assert_eq!(shape(&[30, 8, 10, 11], &[30, 1, 1, 11]), [30, 8, 10, 11]);
        let mask = Tensor::from_fn(&[2, 1, 1, 3], |i| (i[0] * 3 + i[3]) as f32);
        let wide = expand(&mask, &[2, 2, 2, 3]);
        assert_eq!(wide.at(&[1, 1, 0, 2]), 5.0);
        assert_eq!(source(&mask, &[1, 1, 0, 2]), [1, 0, 0, 2]);
    }

    #[test]
    fn zip_agrees_with_expanding_first() {
        let x = Tensor::from_fn(&[2, 3, 4], |i| (i[0] * 12 + i[1] * 4 + i[2]) as f32);
        for small in [
            &[4][..],
            &[3, 4],
            &[1, 3, 4],
            &[2, 1, 1],
            &[2, 1, 4],
            &[3, 1],
            &[1],
            &[],
        ] {
            let y = Tensor::from_fn(small, |i| i.iter().sum::<usize>() as f32 + 0.5);
            let expected = x.zip(&expand(&y, x.shape()), |a, b| a - b);
            assert_eq!(zip(&x, &y, |a, b| a - b), expected, "{small:?}");
        }
    }

    #[test]
    fn sum_to_adds_up_what_expand_repeated() {
        let x = Tensor::ones(&[2, 3, 4]);
        assert_eq!(sum_to(&x, &[3, 1]), Tensor::full(&[3, 1], 8.0));
        assert_eq!(sum_to(&x, &[]), Tensor::scalar(24.0));
    }

    #[test]
    #[should_panic(expected = "[30, 8, 10, 11] and [30, 1, 1, 10] do not fit")]
    fn shapes_that_do_not_fit_are_named() {
        shape(&[30, 8, 10, 11], &[30, 1, 1, 10]);
    }
}
