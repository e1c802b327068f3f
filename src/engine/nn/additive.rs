//! Additive attention (Bahdanau et al. 2015), the older way to score a query against a key.

use super::attention::{Attention, BLOCKED};
use crate::autograd::Var;
use crate::params::{Init, Param, Params};

/// `score(q, k) = v · tanh(W_q q + W_k k)`.
pub struct AdditiveAttention {
    /// `[hidden, d_k]`.
    pub query: Param,
    /// `[hidden, d_k]`.
    pub key: Param,
    /// `[hidden, 1]`.
    pub score: Param,
}

impl AdditiveAttention {
    /// Creates the linear maps for queries and keys of width `d_k`, which are compared in `hidden` channels.
    pub fn new(params: &mut Params, d_k: usize, hidden: usize) -> Self {
        Self {
            query: params.add("query", &[hidden, d_k], &["d", "k"], Init::XavierUniform),
            key: params.add("key", &[hidden, d_k], &["d", "k"], Init::XavierUniform),
            score: params.add("score", &[hidden, 1], &["d", ""], Init::XavierUniform),
        }
    }

    // ANCHOR: forward
    /// Attends like [`attention`](super::attention::attention), with one head: `query [b, t, k]`,
    /// `key [b, s, k]`, `value [b, s, k]`. The intermediate `pairs` has `b · t · s · hidden` cells.
    #[track_caller]
    pub fn forward(&self, query: &Var, key: &Var, value: &Var, mask: Option<&Var>) -> Attention {
        let tape = query.tape();
        let q = query.matmul_t(&tape.param(self.query)).unsqueeze(2); // [b, t, 1, hidden]
        let k = key.matmul_t(&tape.param(self.key)).unsqueeze(1); //     [b, 1, s, hidden]
        let pairs = q.add(&k).tanh().named("pairs"); //                  [b, t, s, hidden]
        let scores = pairs.matmul(&tape.param(self.score)); //           [b, t, s, 1]
        let shape = scores.shape();
        let scores = scores
            .reshape(&shape[..3], &["b", "t", "s"])
            .named("scores");
        let masked = match mask {
            Some(mask) => scores.mask_fill(mask, BLOCKED).named("masked"),
            None => scores,
        };
        let weights = masked.softmax().named("weights");
        let context = weights.matmul(value).named("context");
        Attention { context, weights }
    }
    // ANCHOR_END: forward
}
