//! Count what an attention layer costs. Save, and the check runs.

use transformer_tutor::transformer::cost::Cost;

/// The six products of an attention layer: W_Q, W_K, W_V, scores, context, W_O.
///
/// `batch` sentences of `target` words look at `source` words each; `d_model` channels are dealt out to `heads`. Give
/// the operations of all six together (a multiplication and an addition are two), and the bytes: every product reads
/// both factors and writes its result, each number once, as f32. Biases, mask, scale and softmax are left out.
///
/// What you can use: whole numbers, `Cost { flops, bytes }`, and `+` between costs.
pub fn attention_cost(
    batch: usize,
    target: usize,
    source: usize,
    d_model: usize,
    heads: usize,
) -> Cost {
    let _ = (batch, target, source, d_model, heads);
    todo!("count one product, then add up six")
}
