//! The linear map `y = x Wᵀ + b`.

use serde::{Deserialize, Serialize};

use crate::autograd::Var;
use crate::ops::LINEAR;
use crate::params::{Init, Param, Params};

/// A weight `[out, in]`, as PyTorch stores it, and an optional bias `[out]`.
pub struct Linear {
    /// `[out, in]`.
    pub weight: Param,
    /// `[out]`.
    pub bias: Option<Param>,
}

/// Whether a linear map has a bias, and how it is initialised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bias {
    /// No bias: the projections of TensorFlow's attention.
    None,
    /// Zeros: TensorFlow's other maps.
    Zero,
    /// Uniform within ±1/√in: PyTorch's `nn.Linear`, and so the Annotated Transformer.
    Uniform,
}

impl Linear {
    /// Creates a map from one named axis to another, say `("d", 512)` to `("f", 2048)`, with a
    /// Xavier-uniform weight.
    pub fn new(
        params: &mut Params,
        (from, inputs): (&'static str, usize),
        (to, outputs): (&'static str, usize),
        bias: Bias,
    ) -> Self {
        let weight = params.add(
            "weight",
            &[outputs, inputs],
            &[to, from],
            Init::XavierUniform,
        );
        let begin = match bias {
            Bias::None => None,
            Bias::Zero => Some(Init::Constant(0.0)),
            Bias::Uniform => Some(Init::Uniform(1.0 / (inputs as f32).sqrt())),
        };
        let bias = begin.map(|init| params.add("bias", &[outputs], &[to], init));
        Self { weight, bias }
    }

    /// Maps `[…, in]` to `[…, out]`, in one step on a fused tape.
    #[track_caller]
    pub fn forward(&self, x: &Var) -> Var {
        let tape = x.tape();
        if let Some(bias) = self.bias
            && let Some(own) = tape.replacement(&LINEAR)
        {
            return x.linear_by(own.function, &tape.param(self.weight), &tape.param(bias));
        }
        match self.bias {
            Some(bias) if tape.is_fused() => x.linear(&tape.param(self.weight), &tape.param(bias)),
            _ => self.in_steps(x),
        }
    }

    // ANCHOR: forward
    /// Maps `[…, in]` to `[…, out]`.
    #[track_caller]
    fn in_steps(&self, x: &Var) -> Var {
        let y = x.matmul_t(&x.tape().param(self.weight));
        match self.bias {
            Some(bias) => y.add(&x.tape().param(bias)),
            None => y,
        }
    }
    // ANCHOR_END: forward
}
