//! Layer normalisation (Ba et al. 2016): every token's vector to mean 0 and deviation 1, then scaled
//! and moved by learned vectors.

use crate::autograd::Var;
use crate::ops::Deviation;
use crate::params::{Init, Param, Params};

/// `scale ⊙ (x − mean) / spread + bias`; [`Deviation`] says which spread.
pub struct LayerNorm {
    /// `[d_model]`, ones at first: γ, the Annotated Transformer's `a_2`.
    pub scale: Param,
    /// `[d_model]`, zeros at first: β, the Annotated Transformer's `b_2`.
    pub bias: Param,
    /// Unbiased with ε outside the root, or population with ε inside.
    pub deviation: Deviation,
    /// Added against division by 0.
    pub epsilon: f32,
}

impl LayerNorm {
    /// A norm over `d_model` channels.
    pub fn new(params: &mut Params, d_model: usize, deviation: Deviation, epsilon: f32) -> Self {
        Self {
            scale: params.add("scale", &[d_model], &["d"], Init::Constant(1.0)),
            bias: params.add("bias", &[d_model], &["d"], Init::Constant(0.0)),
            deviation,
            epsilon,
        }
    }

    // ANCHOR: forward
    /// `[…, d_model]` stays so; every row of the last axis is normalised by itself.
    #[track_caller]
    pub fn forward(&self, x: &Var) -> Var {
        let tape = x.tape();
        let normal = x.normalize(self.deviation, self.epsilon).named("normal");
        let scaled = normal.mul(&tape.param(self.scale)).named("scaled_normal");
        scaled.add(&tape.param(self.bias)).named("norm")
    }
    // ANCHOR_END: forward
}
