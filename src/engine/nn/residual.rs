//! The residual connection around every sublayer, with LayerNorm before the sublayer or after the sum.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

use super::layer_norm::LayerNorm;
use crate::autograd::{Component, Var};
use crate::params::Params;
use crate::tensor::vector;

/// Where the LayerNorm of a sublayer is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NormPlace {
    /// `x + dropout(sublayer(norm(x)))`: the code of the Annotated Transformer and TensorFlow's official Transformer.
    Pre,
    /// `norm(x + dropout(sublayer(x)))`: the paper (Vaswani et al. 2017, 3.1).
    Post,
}

/// The component [`residual`], which a tape may replace.
pub const RESIDUAL: Component<ResidualFn> = Component::new("residual");

/// The component [`post_norm`], which a tape may replace.
pub const POST_NORM: Component<ResidualFn> = Component::new("post_norm");

/// The signature of [`residual`] and [`post_norm`], with the sublayer as a trait object.
pub type ResidualFn = fn(&Var, &LayerNorm, f32, &dyn Fn(&Var) -> Var) -> Var;

/// `x + sublayer(x)`, with LayerNorm before the sublayer or after the sum.
pub struct Residual {
    /// The LayerNorm.
    pub norm: LayerNorm,
    /// Where the LayerNorm is applied.
    pub place: NormPlace,
    /// The fraction of the sublayer's output that training drops before it is added.
    pub dropout: f32,
}

impl Residual {
    // ANCHOR: forward
    /// Adds the output of `sublayer` to `x`; both have the shape `[batch, length, d_model]`. Calls
    /// [`residual`] or [`post_norm`], or the tape's replacement for it.
    #[track_caller]
    pub fn forward(&self, x: &Var, sublayer: impl FnOnce(&Var) -> Var) -> Var {
        let component = match self.place {
            NormPlace::Pre => &RESIDUAL,
            NormPlace::Post => &POST_NORM,
        };
        if let Some(own) = x.tape().replacement(component) {
            let sublayer = Cell::new(Some(sublayer));
            return (own.function)(x, &self.norm, self.dropout, &|x| {
                sublayer.take().expect("the sublayer can be called once")(x)
            });
        }
        match self.place {
            NormPlace::Pre => residual(x, &self.norm, self.dropout, sublayer),
            NormPlace::Post => post_norm(x, &self.norm, self.dropout, sublayer),
        }
    }
    // ANCHOR_END: forward

    /// [`Residual::forward`] for plain rows and without dropout, for decoding, which runs without a tape.
    pub fn rows(
        &self,
        params: &Params,
        mut x: Vec<f32>,
        sublayer: impl FnOnce(&[f32]) -> Vec<f32>,
    ) -> Vec<f32> {
        match self.place {
            NormPlace::Pre => {
                let mut normed = x.clone();
                self.norm.rows(params, &mut normed);
                vector::add(&mut x, &sublayer(&normed));
            }
            NormPlace::Post => {
                let y = sublayer(&x);
                vector::add(&mut x, &y);
                self.norm.rows(params, &mut x);
            }
        }
        x
    }
}

crate::reference! { "residual";
// ANCHOR: pre
/// `x + dropout(sublayer(norm(x)))`; keeps the shape `[batch, length, d_model]`.
#[track_caller]
pub fn residual(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = sublayer(&norm.forward(x)).dropout(dropout);
    x.add(&y).named("residual")
}
// ANCHOR_END: pre
}

// ANCHOR: post
/// `norm(x + dropout(sublayer(x)))`: the paper's form.
#[track_caller]
pub fn post_norm(
    x: &Var,
    norm: &LayerNorm,
    dropout: f32,
    sublayer: impl FnOnce(&Var) -> Var,
) -> Var {
    let y = sublayer(x).dropout(dropout);
    norm.forward(&x.add(&y).named("residual"))
}
// ANCHOR_END: post
