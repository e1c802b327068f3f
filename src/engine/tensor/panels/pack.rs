//! Packing of the operands into the order in which the tiles read them.

use super::chip::{Chip, fetch};
use std::ops::Range;

use super::{Cells, LINE, Line, ROWS, Target};

/// Terms that are packed at a time: they stay in the L1 cache from panel to panel.
const AT_ONCE: usize = 16;

/// Packs terms of columns into `panels`, from line `begin` on: `[columns / COLUMNS, terms, COLUMNS]`.
///
/// # Safety
///
/// [`Chip::is_here`] must be true.
#[inline(always)]
pub(super) unsafe fn pack_columns<C: Chip>(
    b: Cells<'_>,
    terms: Range<usize>,
    columns: Range<usize>,
    panels: &mut Vec<Line>,
    begin: usize,
) {
    let (first, terms) = (terms.start, terms.len());
    let (left, wide) = (columns.start, columns.len());
    let lines = C::COLUMNS / LINE;
    let size = terms * lines;
    let end = begin + wide.div_ceil(C::COLUMNS) * size;
    if panels.len() < end {
        panels.resize(end, Line([0.0; LINE]));
    }
    let panels = panels[begin..end].chunks_exact_mut(size).enumerate();
    let panels = panels.map(|(n, panel)| {
        let width = C::COLUMNS.min(wide - n * C::COLUMNS);
        (n * C::COLUMNS, width, panel)
    });
    if b.along == 1 {
        let mut panels: Vec<_> = panels.collect();
        // A few terms at a time, so that whole rows are read one after another.
        for term in (0..terms).step_by(AT_ONCE) {
            let end = terms.min(term + AT_ONCE);
            for (column, width, panel) in &mut panels {
                let panel = panel[term * lines..end * lines].chunks_exact_mut(lines);
                for (term, lines) in (term..end).zip(panel) {
                    let at = (first + term) * b.down + left + *column;
                    let ahead = at + AT_ONCE * b.down;
                    fetch(b.data.as_ptr().wrapping_add(ahead), C::COLUMNS);
                    let (whole, rest) = b.data[at..][..*width].as_chunks::<LINE>();
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
        for term in (0..terms).step_by(C::LANES) {
            let count = C::LANES.min(terms - term);
            for v in (0..width).step_by(C::LANES) {
                let at = (left + column + v) * b.along + first + term;
                let columns = C::LANES.min(width - v);
                let lines = &mut panel[term * lines..][..count * lines];
                // SAFETY: the chip is the caller's guarantee, and `lines` has room for all columns of `count` terms.
                unsafe {
                    let from = Cells {
                        data: &b.data[at..],
                        down: b.along,
                        along: 1,
                    };
                    let to = Target {
                        at: lines.as_mut_ptr().cast::<f32>().add(v),
                        down: C::COLUMNS,
                    };
                    C::turn(from, columns, count, to, C::LANES);
                }
            }
        }
    }
}

/// Packs terms of rows into `strips`: `[rows / ROWS, terms, ROWS]`.
///
/// # Safety
///
/// [`Chip::is_here`] must be true.
#[inline(always)]
pub(super) unsafe fn pack_rows<C: Chip>(
    a: Cells<'_>,
    terms: Range<usize>,
    rows: Range<usize>,
    strips: &mut Vec<f32>,
) {
    let (first, terms) = (terms.start, terms.len());
    let size = terms * ROWS;
    let end = rows.len().div_ceil(ROWS) * size;
    if strips.len() < end {
        strips.resize(end, 0.0);
    }
    for term in (0..terms).step_by(AT_ONCE) {
        let count = AT_ONCE.min(terms - term);
        for (n, strip) in strips[..end].chunks_exact_mut(size).enumerate() {
            let row = rows.start + n * ROWS;
            let tall = ROWS.min(rows.end - row);
            let from = &a.data[(first + term) * a.along + row..][..(count - 1) * a.along + tall];
            let to = &mut strip[term * ROWS..][..count * ROWS];
            for i in 0..count {
                fetch(from.as_ptr().wrapping_add((i + AT_ONCE) * a.along), 1);
                // SAFETY: the chip is the caller's guarantee, and the slices have `count` terms, of `tall` cells in
                // `from` and of `ROWS` cells in `to`.
                unsafe {
                    let from = from.as_ptr().add(i * a.along);
                    C::copy_rows(from, tall, to.as_mut_ptr().add(i * ROWS));
                }
            }
        }
    }
}
