//! What panels are multiplied by, put side by side in the order in which the tiles read it.

use std::arch::x86_64::*;

use super::{COLUMNS, Cells, LANES, Line, ROWS, VECTORS, fetch};

/// Puts `terms` terms of `wide` columns side by side, from line `begin` on: `[wide / COLUMNS, terms, COLUMNS]`.
#[target_feature(enable = "avx512f")]
pub(super) fn pack_columns(
    b: Cells<'_>,
    (first, terms): (usize, usize),
    (left, wide): (usize, usize),
    (panels, begin): (&mut Vec<Line>, usize),
) {
    let size = terms * VECTORS;
    let end = begin + wide.div_ceil(COLUMNS) * size;
    if panels.len() < end {
        panels.resize(end, Line([0.0; LANES]));
    }
    let panels = panels[begin..end].chunks_exact_mut(size).enumerate();
    let panels = panels.map(|(n, panel)| (n * COLUMNS, COLUMNS.min(wide - n * COLUMNS), panel));
    if b.along == 1 {
        let mut panels: Vec<_> = panels.collect();
        // Some terms at a time: whole rows are read one behind another, while these terms stay in the nearest cache.
        for term in (0..terms).step_by(LANES) {
            let end = terms.min(term + LANES);
            for (column, width, panel) in &mut panels {
                let (lines, _) = panel.as_chunks_mut::<VECTORS>();
                for (term, lines) in (term..end).zip(&mut lines[term..end]) {
                    let at = (first + term) * b.down + left + *column;
                    fetch::<VECTORS>(b.data.as_ptr().wrapping_add(at + LANES * b.down));
                    let (whole, rest) = b.data[at..][..*width].as_chunks::<LANES>();
                    for (line, cells) in lines.iter_mut().zip(whole) {
                        line.0 = *cells;
                    }
                    if !rest.is_empty() {
                        lines[whole.len()].0[..rest.len()].copy_from_slice(rest);
                    }
                }
            }
        }
        return;
    }
    for (column, width, panel) in panels {
        for term in (0..terms).step_by(LANES) {
            let count = LANES.min(terms - term);
            for v in 0..width.div_ceil(LANES) {
                let at = (left + column + v * LANES) * b.along + first + term;
                let columns = LANES.min(width - v * LANES);
                let lines = &mut panel[term * VECTORS + v..][..(count - 1) * VECTORS + 1];
                let to = (lines.as_mut_ptr().cast(), COLUMNS);
                // SAFETY: the slice has a line for each of `count` terms, four apart.
                unsafe { turn((&b.data[at..], b.along), (columns, count), to, 0xffff) };
            }
        }
    }
}

/// Puts `rows` rows of `count` cells, both at most [`LANES`] and `down` apart, as columns into `count` rows at `to`,
/// `apart` apart. Beyond the mask `kept` these are not written; it lets through `rows` cells, or with zeros all.
///
/// The rows at `to` must be there as far as the mask lets through.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn turn(
    (data, down): (&[f32], usize),
    (rows, count): (usize, usize),
    (to, apart): (*mut f32, usize),
    kept: __mmask16,
) {
    let mask = 0xffff_u16 >> (LANES - count);
    let mut x = [_mm512_setzero_ps(); LANES];
    for (row, x) in x.iter_mut().enumerate() {
        // Rows that are not there let nothing through; so the loop has one length, and its vectors stay in registers.
        let (row, mask) = if row < rows { (row, mask) } else { (0, 0) };
        fetch::<1>(data.as_ptr().wrapping_add(row * down + 2 * LANES));
        // SAFETY: the slice has `count` cells, and the mask lets through as many.
        *x = unsafe { _mm512_maskz_loadu_ps(mask, data[row * down..][..count].as_ptr()) };
    }
    // Cells of two rows, then of four, side by side in each quarter of a vector; then the quarters.
    let mut pairs = [_mm512_setzero_pd(); LANES];
    for i in (0..LANES).step_by(2) {
        pairs[i] = _mm512_castps_pd(_mm512_unpacklo_ps(x[i], x[i + 1]));
        pairs[i + 1] = _mm512_castps_pd(_mm512_unpackhi_ps(x[i], x[i + 1]));
    }
    let mut fours = x;
    for i in (0..LANES).step_by(4) {
        for n in 0..2 {
            let (one, other) = (pairs[i + n], pairs[i + n + 2]);
            fours[i + 2 * n] = _mm512_castpd_ps(_mm512_unpacklo_pd(one, other));
            fours[i + 2 * n + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(one, other));
        }
    }
    let mut columns = x;
    for i in 0..4 {
        let [a, b, c, d] = [fours[i], fours[i + 4], fours[i + 8], fours[i + 12]];
        let (one, other) = (
            _mm512_shuffle_f32x4(a, b, 0x88),
            _mm512_shuffle_f32x4(c, d, 0x88),
        );
        columns[i] = _mm512_shuffle_f32x4(one, other, 0x88);
        columns[i + 8] = _mm512_shuffle_f32x4(one, other, 0xdd);
        let (one, other) = (
            _mm512_shuffle_f32x4(a, b, 0xdd),
            _mm512_shuffle_f32x4(c, d, 0xdd),
        );
        columns[i + 4] = _mm512_shuffle_f32x4(one, other, 0x88);
        columns[i + 12] = _mm512_shuffle_f32x4(one, other, 0xdd);
    }
    for (n, column) in columns.into_iter().enumerate().take(count) {
        // SAFETY: the caller has said that these rows are there.
        unsafe { _mm512_mask_storeu_ps(to.add(n * apart), kept, column) };
    }
}

/// Puts `terms` terms of `tall` rows side by side: `[tall / ROWS, terms, ROWS]`.
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn pack_rows(
    a: Cells<'_>,
    (first, terms): (usize, usize),
    (top, tall): (usize, usize),
    strips: &mut Vec<f32>,
) {
    let size = terms * ROWS;
    let end = tall.div_ceil(ROWS) * size;
    if strips.len() < end {
        strips.resize(end, 0.0);
    }
    // Some terms at a time: they stay in the nearest cache from strip to strip.
    for term in (0..terms).step_by(LANES) {
        let count = LANES.min(terms - term);
        for (n, strip) in strips[..end].chunks_exact_mut(size).enumerate() {
            let row = top + n * ROWS;
            let rows = ROWS.min(top + tall - row);
            let from = &a.data[(first + term) * a.along + row..][..(count - 1) * a.along + rows];
            let to = &mut strip[term * ROWS..][..count * ROWS];
            for i in 0..count {
                fetch::<1>(from.as_ptr().wrapping_add((i + LANES) * a.along));
                // SAFETY: the slices have `count` terms, of `rows` and of `ROWS` cells: what the masks let through.
                unsafe {
                    let at = from.as_ptr().add(i * a.along);
                    let cells = _mm256_maskz_loadu_ps(0xff >> (8 - rows), at);
                    _mm256_mask_storeu_ps(to.as_mut_ptr().add(i * ROWS), 0xff >> (8 - ROWS), cells);
                }
            }
        }
    }
}
