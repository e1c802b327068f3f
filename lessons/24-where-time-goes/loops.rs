//! Matrix products with loops, to race against libraries: `a [n, k] · b [k, m]` is `out [n, m]`, row-major.

// ANCHOR: naive
/// The definition: every cell is a row times a column, one after another.
pub fn naive(a: &[f32], b: &[f32], out: &mut [f32], [n, k, m]: [usize; 3]) {
    for i in 0..n {
        for j in 0..m {
            // Goes down a column of b: every number comes from a different cache line.
            out[i * m + j] = (0..k).map(|x| a[i * k + x] * b[x * m + j]).sum();
        }
    }
}
// ANCHOR_END: naive

/// Rows of `b` that stay in the cache while they are used.
const BLOCK: usize = 64;
/// Columns of a block: 64 · 256 numbers are 64 KiB.
const WIDE: usize = 256;

// ANCHOR: blocked
/// The same products in a different order: a block of b is used for all rows of a before the next
/// is read.
pub fn blocked(a: &[f32], b: &[f32], out: &mut [f32], [n, k, m]: [usize; 3]) {
    out.fill(0.0);
    for first in (0..k).step_by(BLOCK) {
        for left in (0..m).step_by(WIDE) {
            let (end, right) = (k.min(first + BLOCK), m.min(left + WIDE));
            for i in 0..n {
                let row = &mut out[i * m + left..i * m + right];
                for x in first..end {
                    let factor = a[i * k + x];
                    // Goes along a row of b: neighbours, several at a time.
                    for (sum, b) in row.iter_mut().zip(&b[x * m + left..x * m + right]) {
                        *sum += factor * b;
                    }
                }
            }
        }
    }
}
// ANCHOR_END: blocked
