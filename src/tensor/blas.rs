//! Readies the BLAS before its first call.

#[cfg(feature = "blis")]
extern crate blis_src as _;
#[cfg(feature = "openblas")]
extern crate openblas_src as _;

pub(crate) fn prepare() {}
