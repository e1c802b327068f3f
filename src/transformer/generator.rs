//! From the decoder's vectors to tokens (Vaswani et al. 2017, 3.4).

use super::config::{Config, Tying};
use crate::autograd::{Component, Var};
use crate::nn::linear::{Bias, Linear};
use crate::params::{Init, Param, Params};

/// [`next_words`], which a tape may have another function for.
pub const NEXT_WORDS: Component<fn(&Generator, &Var) -> Var> = Component::new("next_words");

/// A linear map to one number for each token; with tied weights, the embedding matrix itself.
pub struct Generator {
    /// `[vocabulary, d_model]`: a row for each token.
    pub weight: Param,
    /// `[vocabulary]`.
    pub bias: Option<Param>,
}

impl Generator {
    /// A map of its own, or `table` where the config ties them; then a bias is initialised to zero.
    pub fn new(params: &mut Params, config: &Config, table: Param) -> Self {
        let (words, bias) = (config.tgt_vocab, config.generator_bias);
        if config.tying == Tying::None {
            let Linear { weight, bias } = params.scoped("proj", |p| {
                Linear::new(p, ("d", config.d_model), ("v", words), bias)
            });
            return Self { weight, bias };
        }
        let zeros = |p: &mut Params| p.add("bias", &[words], &["v"], Init::Constant(0.0));
        Self {
            weight: table,
            bias: (bias != Bias::None).then(|| params.scoped("proj", zeros)),
        }
    }

    // ANCHOR: logits
    /// `hidden [batch, target, d_model]` becomes `[batch, target, vocabulary]`: how well each token's
    /// row fits.
    #[track_caller]
    pub fn logits(&self, hidden: &Var) -> Var {
        let tape = hidden.tape();
        let fit = hidden.matmul_t(&tape.param(self.weight));
        match self.bias {
            Some(bias) => fit.named("fit").add(&tape.param(bias)).named("logits"),
            None => fit.named("logits"),
        }
    }
    // ANCHOR_END: logits

    /// See [`next_words`].
    #[track_caller]
    pub fn forward(&self, hidden: &Var) -> Var {
        match hidden.tape().replacement(&NEXT_WORDS) {
            Some(own) => (own.function)(self, hidden),
            None => next_words(self, hidden),
        }
    }
}

crate::reference! { "next_words";
// ANCHOR: forward
/// The logarithm of each next token's probability: `hidden [batch, target, d_model]` becomes `[batch,
/// target, vocabulary]`, and every row of `exp` of it sums to 1.
#[track_caller]
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    hidden.tape().scoped("generator", || {
        let logits = generator.logits(hidden);
        logits.log_softmax().named("log_probs")
    })
}
// ANCHOR_END: forward
}
