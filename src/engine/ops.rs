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
pub use layer_norm::{LAYER_NORM_BACKWARD, NormBackwardFn, layer_norm_rows};
pub use linear::{LINEAR, LinearFn};
pub use relu::relu;
pub use row_std::Deviation;
pub use sinusoid::{Layout, position_table};
pub use smooth_targets::Spread;
pub use smoothed_loss::{Loss, Smoothing};
pub use softmax::{BackwardFn, SOFTMAX_BACKWARD};

#[cfg(test)]
pub(crate) mod check;

#[cfg(test)]
mod tests {
    use super::check::{self, Case};

    /// Every operation with its test cases, each checked by a test of its own.
    macro_rules! operations {
        ($($name:ident),*) => {
            const CASES: &[(&str, fn() -> Vec<Case>)] = &[$((stringify!($name), crate::ops::$name::cases)),*];
            $(mod $name {
                #[test]
                fn is_checked() {
                    crate::ops::check::all(crate::ops::$name::cases());
                }
            })*
        };
    }

    operations! {
        add, and, attend, causal, div, dropout, embedding, exp, expand, gelu, kl_divergence, layer_norm, linear, log,
        log_softmax, mask_fill, matmul, matmul_t, mean, mul, normalize, not_equal, permute, pick, relu, reshape,
        row_mean, row_std, rows, scale, shift_right, silu, sinusoid, smooth_targets, smoothed_loss, softmax, sqrt,
        sub, sum, tanh
    }

    #[test]
    fn every_operation_of_this_folder_is_checked() {
        let declared = include_str!("ops.rs").lines();
        let declared: Vec<&str> = declared
            .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
            .collect();
        let checked: Vec<&str> = CASES.iter().map(|(name, _)| *name).collect();
        assert_eq!(declared, checked);
    }

    #[test]
    fn every_fault_planted_into_an_operation_is_caught() {
        for (name, cases) in CASES {
            check::plant(name, cases());
        }
    }
}
