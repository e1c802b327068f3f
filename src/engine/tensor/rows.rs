//! Iteration over the rows of tensors that are not read in memory order: permuted or broadcast.

/// Calls `row` for every row of `shape` in row-major order, with the offset of its first cell in each of `N` tensors.
///
/// A row is one index of all axes but the last. `strides` holds, for each tensor, one stride per axis of `shape`, in
/// cells. A shape without axes is one row.
pub fn each<const N: usize>(
    shape: &[usize],
    strides: [&[usize]; N],
    mut row: impl FnMut([usize; N]),
) {
    if shape.contains(&0) {
        return;
    }
    let outer = &shape[..shape.len().saturating_sub(1)];
    let mut index = vec![0; outer.len()];
    let mut first = [0; N];
    loop {
        row(first);
        // Advance the innermost axis that is not at its end, and reset all axes within it to 0.
        let Some(axis) = (0..outer.len()).rev().find(|&axis| {
            let more = index[axis] + 1 < outer[axis];
            if !more {
                for (first, strides) in first.iter_mut().zip(strides) {
                    *first -= index[axis] * strides[axis];
                }
                index[axis] = 0;
            }
            more
        }) else {
            return;
        };
        index[axis] += 1;
        for (first, strides) in first.iter_mut().zip(strides) {
            *first += strides[axis];
        }
    }
}

/// The cells of `data` in the order of `shape`, with the given stride per axis; 0 for a broadcast axis.
pub fn gathered(data: &[f32], shape: &[usize], strides: &[usize]) -> Vec<f32> {
    let mut cells = Vec::with_capacity(shape.iter().product());
    let (width, step) = match (shape.last(), strides.last()) {
        (Some(&width), Some(&step)) => (width, step),
        _ => (1, 1),
    };
    each(shape, [strides], |[first]| match step {
        0 => cells.resize(cells.len() + width, data[first]),
        1 => cells.extend_from_slice(&data[first..first + width]),
        _ => cells.extend(data[first..].iter().step_by(step).take(width)),
    });
    cells
}

/// The strides of a contiguous tensor of shape `x` when it is broadcast to `wide`: 0 along broadcast axes. `None` if
/// the shapes do not fit.
pub fn broadcast(x: &[usize], wide: &[usize]) -> Option<Vec<usize>> {
    let skip = wide.len().checked_sub(x.len())?;
    let mut strides = vec![0; wide.len()];
    let mut step = 1;
    for (axis, &size) in x.iter().enumerate().rev() {
        match size {
            _ if size == wide[skip + axis] => strides[skip + axis] = step,
            1 => {}
            _ => return None,
        }
        step *= size;
    }
    Some(strides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_begin_where_the_strides_lead() {
        let mut begun = Vec::new();
        each(&[2, 3, 4], [&[12, 4, 1], &[0, 1, 0]], |first| {
            begun.push(first)
        });
        assert_eq!(begun, [[0, 0], [4, 1], [8, 2], [12, 0], [16, 1], [20, 2]]);
        each(&[2, 0], [&[1, 1]], |_| panic!("an empty tensor has no row"));
        let mut scalars = 0;
        each(&[], [&[]], |_| scalars += 1);
        assert_eq!(scalars, 1);
    }

    #[test]
    fn cells_come_in_the_order_of_the_shape() {
        let data = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        // A matrix [2, 3]: as stored, transposed, and with its first column broadcast.
        assert_eq!(gathered(&data, &[2, 3], &[3, 1]), data);
        let transposed = [0.0, 3.0, 1.0, 4.0, 2.0, 5.0];
        assert_eq!(gathered(&data, &[3, 2], &[1, 3]), transposed);
        assert_eq!(gathered(&data, &[2, 2], &[3, 0]), [0.0, 0.0, 3.0, 3.0]);
        assert_eq!(gathered(&data[..1], &[], &[]), [0.0]);
    }

    #[test]
    fn broadcast_axes_have_stride_zero() {
        assert_eq!(broadcast(&[3, 1], &[2, 3, 4]), Some(vec![0, 1, 0]));
        assert_eq!(broadcast(&[], &[2]), Some(vec![0]));
        assert_eq!(broadcast(&[3], &[2]), None);
        assert_eq!(broadcast(&[1, 2], &[2]), None);
    }
}
