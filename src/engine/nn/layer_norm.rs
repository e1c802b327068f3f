//! Layer normalisation (Ba et al. 2016): brings every token's vector to mean 0 and standard deviation 1, then scales
//! and shifts it by learned vectors.

use crate::autograd::{Component, Var};
use crate::ops::{Deviation, LAYER_NORM_BACKWARD, layer_norm_rows};
use crate::params::{Init, Param, Params};
use crate::tensor::Tensor;

/// The component [`layer_norm`], which a tape may replace.
pub const LAYER_NORM: Component<LayerNormFn> = Component::new("layer_norm");

/// The signature of [`layer_norm`].
pub type LayerNormFn = fn(&Var, &Var, &Var, f32) -> Var;

/// `scale ⊙ (x − mean) / std + bias`, with the standard deviation that [`Deviation`] selects.
pub struct LayerNorm {
    /// `[d_model]`, initialised to ones: γ, the Annotated Transformer's `a_2`.
    pub scale: Param,
    /// `[d_model]`, initialised to zeros: β, the Annotated Transformer's `b_2`.
    pub bias: Param,
    /// Unbiased with ε outside the square root, or population with ε inside.
    pub deviation: Deviation,
    /// ε, which prevents division by 0.
    pub epsilon: f32,
}

impl LayerNorm {
    /// Creates a LayerNorm over `d_model` channels.
    pub fn new(params: &mut Params, d_model: usize, deviation: Deviation, epsilon: f32) -> Self {
        Self {
            scale: params.add("scale", &[d_model], &["d"], Init::Constant(1.0)),
            bias: params.add("bias", &[d_model], &["d"], Init::Constant(0.0)),
            deviation,
            epsilon,
        }
    }

    /// Normalises each row of the last axis separately, in one step on a fused tape; keeps the shape `[…, d_model]`.
    #[track_caller]
    pub fn forward(&self, x: &Var) -> Var {
        let y = self.normalized(x);
        if self.deviation == Deviation::Population
            && let Some(own) = x.tape().replacement(&LAYER_NORM_BACKWARD)
        {
            let (scale, bias) = (x.tape().param(self.scale), x.tape().param(self.bias));
            return y.with_norm_backward(own.function, [x, &scale, &bias], self.epsilon);
        }
        y
    }

    /// [`LayerNorm::forward`] with the gradients of its own steps.
    #[track_caller]
    fn normalized(&self, x: &Var) -> Var {
        let tape = x.tape();
        if let Some(own) = tape.replacement(&LAYER_NORM) {
            let (scale, bias) = (tape.param(self.scale), tape.param(self.bias));
            return (own.function)(x, &self.for_unbiased(&scale), &bias, self.epsilon);
        }
        if !tape.is_fused() {
            return self.in_steps(x);
        }
        let (scale, bias) = (tape.param(self.scale), tape.param(self.bias));
        x.layer_norm(&scale, &bias, self.deviation, self.epsilon)
            .named("norm")
    }

    /// Normalises plain rows in place, for decoding, which runs without a tape.
    pub fn rows(&self, params: &Params, x: &mut [f32]) {
        let (scale, bias) = (params.get(self.scale), params.get(self.bias));
        layer_norm_rows(x, scale, bias, self.deviation, self.epsilon);
    }

    /// Returns the scale with which [`layer_norm`], the unbiased form, gives the result of this LayerNorm. The unbiased
    /// standard deviation is √(d / (d − 1)) times the population's; ε enters differently, a relative error of about ε.
    fn for_unbiased(&self, scale: &Var) -> Var {
        let d = scale.value().last() as f32;
        match self.deviation {
            Deviation::Unbiased => scale.clone(),
            Deviation::Population => scale.scale((d / (d - 1.0)).sqrt()).named("scale_unbiased"),
        }
    }

    // ANCHOR: forward
    /// Normalises each row of the last axis separately; keeps the shape `[…, d_model]`.
    #[track_caller]
    fn in_steps(&self, x: &Var) -> Var {
        let tape = x.tape();
        let normal = x.normalize(self.deviation, self.epsilon).named("normal");
        let scaled = normal.mul(&tape.param(self.scale)).named("scaled_normal");
        scaled.add(&tape.param(self.bias)).named("norm")
    }
    // ANCHOR_END: forward
}

crate::reference! { "layer_norm";
// ANCHOR: by_hand
/// The Annotated Transformer's form, step by step: `scale ⊙ (x − mean) / (std + ε) + bias`, with
/// the unbiased standard deviation. `x […, d_model]`, `scale` and `bias [d_model]`.
#[track_caller]
pub fn layer_norm(x: &Var, scale: &Var, bias: &Var, epsilon: f32) -> Var {
    let mean = x.row_mean().named("mean");
    let std = x.row_std(Deviation::Unbiased).named("std");
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let centred = x.sub(&mean).named("centred");
    let normal = centred.div(&std.add(&epsilon)).named("normal");
    normal.mul(scale).add(bias).named("norm")
}
// ANCHOR_END: by_hand
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;

    #[test]
    fn the_steps_by_hand_give_what_the_layer_gives_gradients_too() {
        let mut params = Params::new(2);
        let norm = LayerNorm::new(&mut params, 6, Deviation::Unbiased, 1e-3);
        params.set(norm.scale, check::normal(&[6]));
        params.set(norm.bias, check::normal(&[6]).map(|x| x + 1.0));
        let tape = Tape::eval(&params);
        let x = tape.input("x", check::normal(&[2, 3, 6]), &["b", "t", "d"]);
        let layer = norm.forward(&x);
        let hand = layer_norm(&x, &tape.param(norm.scale), &tape.param(norm.bias), 1e-3);
        let upstream = check::normal(&[2, 3, 6]);
        let near = |a: &Tensor, b: &Tensor| {
            a.data()
                .iter()
                .zip(b.data())
                .all(|(a, b)| (a - b).abs() < 1e-5)
        };
        assert!(near(&layer.value(), &hand.value()));
        let (a, b) = (
            layer.backward_from(&upstream),
            hand.backward_from(&upstream),
        );
        assert!(near(a.get(&x).unwrap(), b.get(&x).unwrap()));
        for param in [norm.scale, norm.bias] {
            assert!(near(a.param(param).unwrap(), b.param(param).unwrap()));
        }
    }
}
