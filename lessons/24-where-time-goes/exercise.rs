//! Count what an attention layer costs. In the course, or under `exercise watch`, every save is checked.

use transformer_tutor::transformer::cost::Cost;

/// The cost of the six matrix products of an attention layer: W_Q, W_K, W_V, scores, context, W_O.
///
/// - `batch` sentences of `target` tokens each attend to `source` tokens
/// - `d_model` channels are split into `heads` heads
///
/// You return `Cost { flops: u64, bytes: u64 }` of all six together. A multiplication and an addition are two
/// operations. Every product reads both factors and writes its result, each number once, as f32. A weight matrix is
/// read once for the whole batch. Biases, mask, scale and softmax are left out.
///
/// An example: `attention_cost(1, 1, 1, 2, 1)` has 40 flops and 168 bytes.
///
/// # Guidance
///
/// A product of `[rows, inner]` and `[inner, columns]` has `2 · rows · inner · columns` operations.
///
/// What you can use: integers, and `a + b` of two costs.
pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let _ = (batch, target, source, d_model, heads);
    todo!("write attention_cost")
}
