//! The generator, which turns the decoder's vectors into log-probabilities of tokens (Vaswani et al. 2017, 3.4).

use super::config::{Config, Tying};
use crate::autograd::{Component, Var};
use crate::nn::linear::{Bias, Linear};
use crate::params::{Init, Param, Params};

/// The component [`next_words`], which a tape may replace.
pub const NEXT_WORDS: Component<fn(&Generator, &Var) -> Var> = Component::new("next_words");

/// A linear map to one logit per token; with tied weights, the embedding matrix itself.
pub struct Generator {
    /// `[vocabulary, d_model]`: one row per token.
    pub weight: Param,
    /// `[vocabulary]`.
    pub bias: Option<Param>,
}

impl Generator {
    /// Creates a separate map, or uses `table` if `config` ties the two; in that case a bias is initialised to zero.
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
    /// The logit of each token: `hidden [batch, target, d_model]` → `[batch, target, vocabulary]`.
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

    /// Calls [`next_words`], or the tape's replacement for it.
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
/// The log-probability of each next token, `[batch, target, vocabulary]`, for
/// `hidden [batch, target, d_model]`. The exponentials of every row sum to 1.
#[track_caller]
pub fn next_words(generator: &Generator, hidden: &Var) -> Var {
    hidden.tape().scoped("generator", || {
        let logits = generator.logits(hidden);
        logits.log_softmax().named("log_probs")
    })
}
// ANCHOR_END: forward
}
