//! The BLAS that `matmul` uses: which library is linked, and which of its kernels run.

// A crate that is never named is not linked; these lines bring in `cblas_sgemm`.
#[cfg(all(feature = "accelerate", target_os = "macos"))]
extern crate accelerate_src as _;
#[cfg(feature = "blis")]
extern crate blis_src as _;
#[cfg(feature = "openblas")]
extern crate openblas_src as _;

use std::sync::Once;

/// Chooses the kernels that BLIS uses, before its first product.
///
/// A program should call this at the start of `main`, while there is no other thread. Every product calls it too, for
/// library users and tests that did not. Only the first call has an effect.
///
/// BLIS chooses by vendor and model, which fails on chips newer than BLIS (AMD's Zen 5 gets plain C) and on virtual
/// machines that hide the model (Intel's AVX-512 chips get AVX2 kernels). CPU features are a better guide. A choice
/// that the user has set in the environment is kept.
pub fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let (Some(kernels), None) = (suited(), std::env::var_os(VARIABLE)) {
            // SAFETY: no C code may read the environment at the same time; Rust's readers take a lock. Called from
            // `main`, there is no other thread. Called from the first product, there may be some. Of the C code
            // linked here, the allocator reads the environment when it is loaded and BLIS does in a product, and
            // every product waits for this `Once`. There is no alternative: BLIS reads this variable once and has no
            // function that sets it.
            unsafe { std::env::set_var(VARIABLE, kernels.number()) };
        }
    });
}

/// Environment variable that BLIS reads at its first product, as a number: it takes a word for 0, which is `SKX`.
const VARIABLE: &str = "BLIS_ARCH_TYPE";

/// A set of BLIS kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernels {
    /// For AVX-512.
    Skx,
    /// For AVX2.
    Haswell,
}

impl Kernels {
    /// The number by which BLIS identifies them.
    fn number(self) -> &'static str {
        match self {
            Self::Skx => "0",
            Self::Haswell => "3",
        }
    }
}

/// The kernels for this chip; `None` leaves the choice to BLIS.
#[cfg(target_arch = "x86_64")]
fn suited() -> Option<Kernels> {
    // A BLIS built for one kind of chip (BLIS_CONFNAME) has no other kernels and aborts if asked for them.
    if cfg!(not(feature = "blis")) || option_env!("BLIS_CONFNAME").is_some() {
        return None;
    }
    // The four parts of AVX-512 that the skx kernels are compiled for.
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl");
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    match (avx2, avx512) {
        (true, true) => Some(Kernels::Skx),
        (true, false) => Some(Kernels::Haswell),
        (false, _) => None,
    }
}

/// Returns `None`: on other architectures, BLIS is built for one kind of chip.
#[cfg(not(target_arch = "x86_64"))]
fn suited() -> Option<Kernels> {
    None
}

/// The kernels that BLIS runs on this chip and `tensor::panels` replaces. `None`, so that BLIS itself multiplies, if
/// there are none or the user has named others, or the same ones in a different notation such as `00` and `03`.
#[cfg(all(feature = "blis", target_arch = "x86_64"))]
pub fn kernels() -> Option<Kernels> {
    static KERNELS: std::sync::LazyLock<Option<Kernels>> = std::sync::LazyLock::new(|| {
        prepare();
        let named = std::env::var_os(VARIABLE)?;
        suited().filter(|kernels| named == kernels.number())
    });
    *KERNELS
}

/// The library that multiplies large matrices.
pub const LIBRARY: &str = if cfg!(feature = "blis") {
    "BLIS"
} else if cfg!(feature = "openblas") {
    "OpenBLAS"
} else if cfg!(all(feature = "accelerate", target_os = "macos")) {
    "Accelerate"
} else {
    "none (matrixmultiply)"
};

/// The name of the kernels in use, if the library reports it.
#[cfg(feature = "blis")]
pub fn running() -> Option<String> {
    use std::ffi::{CStr, c_char, c_int};
    // SAFETY: BLIS exports these functions with these types (`arch_t`, an enum, is an int). A wrong id aborts.
    unsafe extern "C" {
        safe fn bli_init();
        safe fn bli_arch_query_id() -> c_int;
        safe fn bli_arch_string(id: c_int) -> *const c_char;
    }
    prepare();
    // BLIS aborts if queried before it is initialised, and there may have been no product to do that.
    bli_init();
    // SAFETY: BLIS returns a pointer to a static string that ends in NUL.
    let name = unsafe { CStr::from_ptr(bli_arch_string(bli_arch_query_id())) };
    Some(name.to_string_lossy().into_owned())
}

/// Returns `None`, because other libraries do not report it.
#[cfg(not(feature = "blis"))]
pub fn running() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use ndarray::linalg::general_mat_mul;
    use ndarray::{Array2, ArrayView2};

    /// `[rows, columns]` of numbers in -1..1 whose products must be rounded: thirds have no finite binary expansion.
    fn some_matrix(rows: usize, columns: usize) -> Array2<f32> {
        Array2::from_shape_fn((rows, columns), |(i, j)| {
            ((i * 31 + j * 17) % 101) as f32 / 150.0 - 1.0 / 3.0
        })
    }

    fn bits_of_product(a: &Array2<f32>, b: &Array2<f32>) -> Vec<u32> {
        super::prepare();
        let mut c = Array2::zeros((a.nrows(), b.ncols()));
        general_mat_mul(1.0, a, b, 0.0, &mut c);
        c.iter().map(|x: &f32| x.to_bits()).collect()
    }

    #[cfg(all(feature = "blis", target_arch = "x86_64"))]
    #[test]
    fn the_kernels_that_run_are_those_that_were_named() {
        bits_of_product(&some_matrix(8, 8), &some_matrix(8, 8)); // BLIS chooses at its first product
        let running = super::running().unwrap();
        let named = std::env::var(super::VARIABLE).unwrap_or_default();
        use super::Kernels::{Haswell, Skx};
        for (kernels, name) in [(Skx, "skx"), (Haswell, "haswell")] {
            assert_eq!(
                named == kernels.number(),
                running == name,
                "{named:?} runs {running:?}"
            );
        }
    }

    // One size per path through BLIS: small (no packing), the per-head product, and one that is packed in blocks.
    const SIZES: [[usize; 3]; 3] = [[10, 64, 11], [33, 65, 47], [300, 512, 96]];

    #[test]
    fn a_product_has_the_same_bits_in_every_thread_and_every_time() {
        for [m, k, n] in SIZES {
            let (a, b) = (some_matrix(m, k), some_matrix(k, n));
            let first = bits_of_product(&a, &b);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for _ in 0..25 {
                            assert!(
                                bits_of_product(&a, &b) == first,
                                "{m}×{k}×{n} differs between runs"
                            );
                        }
                    });
                }
            });
        }
    }

    #[test]
    fn a_product_has_the_same_bits_wherever_its_operands_lie_in_memory() {
        for [m, k, n] in SIZES {
            let (a, b) = (some_matrix(m, k), some_matrix(k, n));
            let first = bits_of_product(&a, &b);
            for offset in [1, 2, 3, 5, 8] {
                let (a, b) = (moved(&a, offset), moved(&b, offset));
                let (a, b) = (view_at(&a, offset, m, k), view_at(&b, offset, k, n));
                let mut room = vec![0.0; offset + m * n];
                let mut c =
                    ndarray::ArrayViewMut2::from_shape((m, n), &mut room[offset..]).unwrap();
                general_mat_mul(1.0, &a, &b, 0.0, &mut c);
                assert!(
                    c.iter().map(|x| x.to_bits()).eq(first.iter().copied()),
                    "{m}×{k}×{n} at {offset} floats"
                );
            }
        }
    }

    fn moved(matrix: &Array2<f32>, offset: usize) -> Vec<f32> {
        std::iter::repeat_n(0.0, offset)
            .chain(matrix.iter().copied())
            .collect()
    }

    fn view_at(numbers: &[f32], offset: usize, rows: usize, columns: usize) -> ArrayView2<'_, f32> {
        ArrayView2::from_shape((rows, columns), &numbers[offset..]).unwrap()
    }
}
