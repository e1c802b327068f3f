//! The operations, one file each: formula and source, forward, backward, explain, tests.
//!
//! Every operation is a method of [`Var`](crate::autograd::Var), so that a layer reads like its
//! formula: `query.matmul_t(key).scale(1.0 / √d_k).mask_fill(mask, −1e9).softmax().matmul(value)`.

mod add;
mod and;
mod attend;
mod causal;
mod div;
mod dropout;
mod embedding;
mod exp;
mod expand;
mod gelu;
mod kl_divergence;
mod layer_norm;
mod linear;
mod log;
mod log_softmax;
mod mask_fill;
mod matmul;
mod matmul_t;
mod mean;
mod mul;
mod normalize;
mod not_equal;
mod permute;
mod pick;
mod relu;
mod reshape;
mod row_mean;
mod row_std;
mod rows;
mod scale;
mod shift_right;
mod silu;
mod sinusoid;
mod smooth_targets;
mod smoothed_loss;
mod softmax;
mod sqrt;
mod sub;
mod sum;
mod tanh;

pub use causal::subsequent_mask;
pub use gelu::Gelu;
pub use row_std::Deviation;
pub use sinusoid::Layout;
pub use smooth_targets::Spread;
pub use smoothed_loss::{Loss, Smoothing};

#[cfg(test)]
pub(crate) mod check;
