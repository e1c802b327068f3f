//! Attention's operations on short rows, with AVX-512.
//!
//! The loops of `vector.rs` copy a short row to a buffer that fills a vector and add up its lanes one by one. Here rows
//! are read under a mask and stay in registers. The bits are those of the loops.

use std::arch::x86_64::*;

use super::mask::MaskRow;

/// Number of cells in a vector.
pub const LANES: usize = 16;

/// True if this chip has the features that the functions below need.
pub fn is_here() -> bool {
    is_x86_feature_detected!("avx512f")
}

/// [`masked_softmax`](super::vector::masked_softmax) of at most [`LANES`] cells.
#[target_feature(enable = "avx512f")]
pub fn masked_softmax(row: &mut [f32], scale: f32, mask: Option<MaskRow<'_>>) {
    let cells = load(row, f32::NEG_INFINITY);
    let lanes_used = lanes(row.len());
    let scaled = _mm512_mask_mul_ps(cells, lanes_used, cells, _mm512_set1_ps(scale));
    let scores = match mask {
        Some(MaskRow::Keep(mask)) => {
            let zero = _mm512_setzero_ps();
            let blocked = _mm512_mask_cmp_ps_mask::<_CMP_EQ_OQ>(lanes_used, load(mask, 1.0), zero);
            _mm512_mask_blend_ps(blocked, scaled, _mm512_set1_ps(-1e9))
        }
        Some(MaskRow::Bias(bias)) => {
            _mm512_mask_add_ps(scaled, lanes_used, scaled, load(bias, 0.0))
        }
        None => scaled,
    };
    let max = _mm512_set1_ps(_mm512_reduce_max_ps(scores));
    let powers = exp(_mm512_sub_ps(scores, max));
    let share = _mm512_set1_ps(1.0 / _mm512_reduce_add_ps(powers));
    store(row, _mm512_mul_ps(powers, share));
}

/// [`softmax_back`](super::vector::softmax_back) of at most [`LANES`] cells.
#[target_feature(enable = "avx512f")]
pub fn softmax_back(slope: &mut [f32], weights: &[f32], kept: Option<&[f32]>, scale: f32) {
    let (mut d, w) = (load(slope, 0.0), load(weights, 0.0));
    if let Some(kept) = kept {
        d = _mm512_mul_ps(d, load(kept, 0.0));
    }
    let along = _mm512_set1_ps(_mm512_reduce_add_ps(_mm512_mul_ps(d, w)));
    let d = _mm512_mul_ps(w, _mm512_sub_ps(d, along));
    store(slope, _mm512_mul_ps(d, _mm512_set1_ps(scale)));
}

/// The mask of the first `cells` lanes.
pub fn lanes(cells: usize) -> __mmask16 {
    assert!(
        (1..=LANES).contains(&cells),
        "a vector does not hold {cells} cells"
    );
    0xffff >> (LANES - cells)
}

/// Loads the cells into a vector, padded with `fill`.
#[target_feature(enable = "avx512f")]
fn load(cells: &[f32], fill: f32) -> __m512 {
    let fill = _mm512_set1_ps(fill);
    // SAFETY: the mask lets through exactly the cells of the slice; the others are not read.
    unsafe { _mm512_mask_loadu_ps(fill, lanes(cells.len()), cells.as_ptr()) }
}

#[target_feature(enable = "avx512f")]
fn store(cells: &mut [f32], x: __m512) {
    // SAFETY: the mask lets through exactly the cells of the slice; the others are not written.
    unsafe { _mm512_mask_storeu_ps(cells.as_mut_ptr(), lanes(cells.len()), x) };
}

/// `eˣ` of every cell, with the same steps as `exp` in `vector.rs`.
#[target_feature(enable = "avx512f")]
fn exp(x: __m512) -> __m512 {
    let (mul, add, all) = (_mm512_mul_ps, _mm512_add_ps, _mm512_set1_ps);
    let round = all(12_582_912.0);
    let inside = _mm512_min_ps(all(88.0), _mm512_max_ps(all(-87.0), x));
    let shifted = add(mul(inside, all(std::f32::consts::LOG2_E)), round);
    let n = _mm512_sub_ps(shifted, round);
    let r = _mm512_sub_ps(inside, mul(n, all(0.693_359_4)));
    let r = add(r, mul(n, all(2.121_944_4e-4)));
    let p = add(mul(all(1.987_569_1e-4), r), all(1.398_199_9e-3));
    let p = add(mul(p, r), all(8.333_452e-3));
    let p = add(mul(p, r), all(4.166_579_6e-2));
    let p = add(mul(p, r), all(1.666_666_5e-1));
    let p = add(mul(p, r), all(5e-1));
    let power = add(add(mul(mul(p, r), r), r), all(1.0));
    let bits = _mm512_sub_epi32(_mm512_castps_si512(shifted), _mm512_set1_epi32(0x4B40_0000));
    let bits = _mm512_slli_epi32::<23>(_mm512_add_epi32(bits, _mm512_set1_epi32(127)));
    let whole = _mm512_mul_ps(power, _mm512_castsi512_ps(bits));
    let low = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(x, all(-87.0));
    _mm512_mask_blend_ps(low, whole, _mm512_setzero_ps())
}

#[cfg(test)]
mod tests {
    use crate::tensor::mask::MaskRow;
    use crate::tensor::vector;

    /// A kind of mask.
    type Of = fn(&[f32]) -> MaskRow<'_>;

    /// `row` at the end of a longer one, which the loops compute, and whose other cells contribute nothing.
    fn longer(row: &[f32], fill: f32) -> Vec<f32> {
        [vec![fill; super::LANES], row.to_vec()].concat()
    }

    /// `n` numbers that depend on the seed.
    fn some(n: usize, seed: usize) -> Vec<f32> {
        let cell = |i| ((i * 7919 + seed * 104_729) % 2003) as f32 / 91.0 - 11.0;
        (0..n).map(cell).collect()
    }

    #[test]
    fn short_rows_have_the_bits_of_the_loops() {
        let bits = |row: &[f32]| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        for n in 1..=super::LANES {
            for seed in 0..20 {
                let spread = [1.0, 0.01, 12.0, 1e30][seed % 4];
                let row: Vec<f32> = some(n, seed).iter().map(|x| x * spread).collect();
                let seen: Vec<f32> = (0..n).map(|i| f32::from((i + seed) % 3 != 0)).collect();
                let masks: [Option<(Vec<f32>, Of)>; 3] = [
                    None,
                    Some((seen, |cells| MaskRow::Keep(cells))),
                    Some((some(n, seed + 7), |cells| MaskRow::Bias(cells))),
                ];
                for mask in masks {
                    let (mut short, mut long) = (row.clone(), longer(&row, f32::NEG_INFINITY));
                    // The other cells are not blocked: at −1e9 they would count if the whole row is blocked.
                    let more = mask.as_ref().map(|(cells, of)| (longer(cells, 1.0), *of));
                    let on = |mask: &Option<(Vec<f32>, Of)>, row: &mut [f32]| {
                        let mask = mask.as_ref().map(|(cells, of)| of(cells));
                        vector::masked_softmax(row, 0.3, mask);
                    };
                    on(&mask, &mut short);
                    on(&more, &mut long);
                    assert_eq!(bits(&short), bits(&long[super::LANES..]), "{n} {row:?}");

                    for kept in [None, Some(some(n, seed + 3))] {
                        let (mut slope, mut more) = (row.clone(), longer(&row, 0.0));
                        let rest = kept.as_ref().map(|kept| longer(kept, 0.0));
                        vector::softmax_back(&mut slope, &short, kept.as_deref(), 0.7);
                        vector::softmax_back(&mut more, &long, rest.as_deref(), 0.7);
                        assert_eq!(bits(&slope), bits(&more[super::LANES..]), "{n}");
                    }
                }
            }
        }
        let mut not_a_number = [1.0, f32::NAN, 3.0];
        vector::masked_softmax(&mut not_a_number, 1.0, None);
        assert!(not_a_number.iter().all(|x| x.is_nan()));
    }
}
