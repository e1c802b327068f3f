//! Compares products with the definition and with the BLAS, bit for bit.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ShapeBuilder};

use super::super::portable;
use super::*;

mod plain;

use plain::Plain;

/// Thirds, which must be rounded in binary, so that a different order of summation shows. If `turned`, columns are
/// contiguous.
fn numbers(rows: usize, columns: usize, turned: bool) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns).set_f(turned), |(i, j)| {
        ((i * 31 + j * 17) % 101) as f32 / 150.0 - 1.0 / 3.0
    })
}

/// Sizes at and next to every limit: rows and columns of a tile, terms per block, what is packed together, strides that
/// are too long to read in place, few rows of many terms.
const SIZES: [(usize, usize, usize); 16] = [
    (2, 1, 2),
    (3, 20, 15),
    (4, 384, 16),
    (5, 385, 17),
    (6, 480, 63),
    (7, 481, 64),
    (13, 864, 65),
    (12, 865, 48),
    (241, 3, 81),
    (247, 33, 34),
    (9, 40, 513),
    (8, 17, 640),
    (5, 10, 1030),
    (601, 5, 33),
    (70, 300, 101),
    (130, 520, 50),
];

/// Runs `check` for each of [`SIZES`], with each side stored by rows and by columns.
fn each(check: impl Fn(Array2<f32>, Array2<f32>)) {
    for (n, k, m) in SIZES {
        for turned in 0..4 {
            let a = numbers(n, k, turned & 1 == 1);
            check(a, numbers(k, m, turned & 2 == 2));
        }
    }
}

/// The bits of `a · b` added to `first`, or, if that is `None`, written to memory full of NaN.
fn by_panels<C: Chip>(a: &Array2<f32>, b: &Array2<f32>, first: Option<f32>) -> Vec<u32> {
    let before = first.map_or(Before::Nothing, |_| Before::Sums);
    let first = MaybeUninit::new(first.unwrap_or(f32::NAN));
    let mut out = vec![first; a.nrows() * b.ncols()];
    assert!(product_on::<C>(
        a.view(),
        b.view(),
        before,
        Blocks::of::<C>(),
        &mut out
    ));
    bits(out)
}

/// The bits of cells that were all initialised when their vector was created.
fn bits(cells: Vec<MaybeUninit<f32>>) -> Vec<u32> {
    // SAFETY: callers create the vector from initialised cells.
    let bits = |cell: MaybeUninit<f32>| unsafe { cell.assume_init() }.to_bits();
    cells.into_iter().map(bits).collect()
}

/// The definition: sums of [`Chip::TERMS`] terms, added in order.
fn by_definition<C: Chip>(a: &Array2<f32>, b: &Array2<f32>, first: Option<f32>) -> Vec<u32> {
    let cell = |i: usize, j: usize| {
        let (mut sum, mut done) = (first, 0);
        while done < a.ncols() {
            let left = a.ncols() - done;
            let end = if left <= C::MOST {
                a.ncols()
            } else {
                done + C::TERMS
            };
            let terms = (done..end).fold(0.0_f32, |s, k| a[[i, k]].mul_add(b[[k, j]], s));
            sum = Some(sum.map_or(terms, |sum| sum + terms));
            done = end;
        }
        sum.expect("there are terms").to_bits()
    };
    let cells = 0..a.nrows() * b.ncols();
    cells
        .map(|at| cell(at / b.ncols(), at % b.ncols()))
        .collect()
}

/// Checks that every cell is written and is the sum of its terms in order.
fn follows_the_definition<C: Chip>() {
    if !C::is_here() {
        return;
    }
    each(|a, b| {
        for first in [None, Some(0.7)] {
            let same = by_panels::<C>(&a, &b, first) == by_definition::<C>(&a, &b, first);
            assert!(same, "{:?} · {:?}, {first:?}", a.dim(), b.dim());
        }
    });
}

/// Checks that a sum in one block has the bits of the portable product.
fn in_order_has_the_bits_of_the_portable_product<C: Chip>() {
    if !C::is_here() {
        return;
    }
    each(|a, b| {
        let whole = Blocks::one(a.ncols());
        for first in [0.0, 1.0] {
            let before = [Before::Nothing, Before::Sums][first as usize];
            let mut portable = vec![0.7; a.nrows() * b.ncols()];
            let mut out: Vec<_> = portable.iter().copied().map(MaybeUninit::new).collect();
            portable::packed(a.view(), b.view(), first, &mut portable);
            assert!(product_on::<C>(a.view(), b.view(), before, whole, &mut out));
            let same = portable.iter().map(|x| x.to_bits()).eq(bits(out));
            assert!(same, "{:?} · {:?}, {first}", a.dim(), b.dim());
        }
    });
}

#[test]
fn in_order_has_the_bits_of_the_portable_product_on_every_chip() {
    in_order_has_the_bits_of_the_portable_product::<Avx512>();
    in_order_has_the_bits_of_the_portable_product::<Avx2>();
    in_order_has_the_bits_of_the_portable_product::<Plain>();
}

#[test]
fn avx512_follows_the_definition() {
    follows_the_definition::<Avx512>();
}

#[test]
fn avx2_follows_the_definition() {
    follows_the_definition::<Avx2>();
}

/// Tests the loops with the sizes of AVX-512 on chips without it.
#[test]
fn wide_tiles_follow_the_definition_on_every_chip() {
    follows_the_definition::<Plain>();
}

/// Checks that every cell of `x · panels` is one uninterrupted sum of its terms in order.
fn packed_follows_the_definition<C: Chip>() {
    if !C::is_here() {
        return;
    }
    for (rows, inner, columns) in SIZES {
        let (x, w) = (numbers(rows, inner, false), numbers(inner, columns, false));
        let mut panels = vec![0.0; columns.next_multiple_of(C::COLUMNS) * inner];
        for ((k, j), cell) in w.indexed_iter() {
            panels[(j / C::COLUMNS * inner + k) * C::COLUMNS + j % C::COLUMNS] = *cell;
        }
        let mut out = vec![MaybeUninit::new(f32::NAN); rows * columns];
        let cells = x.as_slice().expect("its rows lie side by side");
        packed_on::<C>(cells, &panels, inner, columns, &mut out);
        let definition = (0..rows * columns).map(|at| {
            let (i, j) = (at / columns, at % columns);
            (0..inner).fold(0.0_f32, |sum, k| x[[i, k]].mul_add(w[[k, j]], sum))
        });
        let same = definition.map(f32::to_bits).eq(bits(out));
        assert!(same, "{rows}×{inner} · {inner}×{columns}");
    }
}

#[test]
fn packed_products_follow_the_definition() {
    packed_follows_the_definition::<Avx512>();
    packed_follows_the_definition::<Avx2>();
    packed_follows_the_definition::<Plain>();
}

/// Sizes that BLIS packs with every set of kernels. With AVX2 it computes smaller products differently and sums some in
/// a different order.
const PACKED: [(usize, usize, usize); 3] = [(301, 520, 530), (260, 1030, 280), (401, 300, 305)];

#[test]
fn the_bits_are_those_of_the_blas() {
    let same = |a: Array2<f32>, b: Array2<f32>| {
        for first in [None, Some(0.7)] {
            // ndarray calls the BLAS if a side is longer than 7.
            let mut c = Array2::from_elem((a.nrows(), b.ncols()), first.unwrap_or(0.0));
            general_mat_mul(1.0, &a, &b, first.map_or(0.0, |_| 1.0), &mut c);
            let expected: Vec<u32> = c.iter().map(|x| x.to_bits()).collect();
            let ours = match blas::kernels() {
                Some(Kernels::Skx) => by_panels::<Avx512>(&a, &b, first),
                Some(Kernels::Haswell) => by_panels::<Avx2>(&a, &b, first),
                None => return,
            };
            assert!(ours == expected, "{:?} · {:?}", a.dim(), b.dim());
        }
    };
    if blas::kernels() == Some(Kernels::Skx) {
        each(same);
    }
    for (n, k, m) in PACKED {
        for turned in 0..4 {
            let a = numbers(n, k, turned & 1 == 1);
            same(a, numbers(k, m, turned & 2 == 2));
        }
    }
}

#[test]
fn vectors_and_views_with_gaps_are_left_to_the_blas() {
    let (a, b) = (numbers(4, 6, false), numbers(6, 4, false));
    let refused = |a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>| {
        let mut out = vec![MaybeUninit::new(7.0); a.nrows() * b.ncols()];
        let done = product_on::<Plain>(a, b, Before::Nothing, Blocks::of::<Plain>(), &mut out);
        // SAFETY: every cell was initialised when the vector was created.
        let kept = |cell: &MaybeUninit<f32>| unsafe { cell.assume_init() } == 7.0;
        !done && out.iter().all(kept)
    };
    use ndarray::s;
    assert!(refused(a.slice(s![..1, ..]), b.view()));
    assert!(refused(a.view(), b.slice(s![.., ..1])));
    assert!(refused(a.slice(s![.., ..3]), b.slice(s![..3, ..])));
}
