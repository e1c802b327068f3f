//! The linear map `y = x Wᵀ + b`.

use crate::autograd::Var;
use crate::params::{Init, Param, Params};

/// A weight `[out, in]`, as PyTorch stores it, and a bias `[out]` unless there is none.
pub struct Linear {
    /// `[out, in]`.
    pub weight: Param,
    /// `[out]`.
    pub bias: Option<Param>,
}

impl Linear {
    /// A map from `inputs` to `outputs` channels: Xavier-uniform weight, bias zero.
    pub fn new(params: &mut Params, inputs: usize, outputs: usize, bias: bool) -> Self {
        let weight = params.add("weight", &[outputs, inputs], &["", ""], Init::XavierUniform);
        let bias = bias.then(|| params.add("bias", &[outputs], &[""], Init::Constant(0.0)));
        Self { weight, bias }
    }

    // ANCHOR: forward
    /// `[…, in]` becomes `[…, out]`.
    #[track_caller]
    pub fn forward(&self, x: &Var) -> Var {
        let y = x.matmul_t(&x.tape().param(self.weight));
        match self.bias {
            Some(bias) => y.add(&x.tape().param(bias)),
            None => y,
        }
    }
    // ANCHOR_END: forward
}
