//! The operations, one file each: formula and source, forward, backward, explain, tests.
//!
//! Every operation is a method of [`Var`](crate::autograd::Var), so that a layer reads like its
//! formula: `query.matmul_t(key).scale(1.0 / √d_k).mask_fill(mask, −1e9).softmax().matmul(value)`.

mod add;
mod and;
mod causal;
mod dropout;
mod embedding;
mod expand;
mod log_softmax;
mod mask_fill;
mod matmul;
mod matmul_t;
mod mean;
mod mul;
mod not_equal;
mod permute;
mod pick;
mod reshape;
mod rows;
mod scale;
mod sinusoid;
mod softmax;
mod sum;
mod tanh;

pub use causal::subsequent_mask;
pub use sinusoid::Layout;

#[cfg(test)]
pub(crate) mod check;
