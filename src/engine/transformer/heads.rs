//! The names of attention heads, and models in which some heads are switched off.

use std::fmt;

use super::Transformer;
use crate::params::Params;
use crate::tensor::Tensor;

/// The three uses of attention, as the names of heads begin.
pub const KINDS: [&str; 3] = ["encoder", "decoder", "cross"];

/// An attention head: its use (an index into [`KINDS`]), layer and number, each counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Index into [`KINDS`].
    pub kind: usize,
    /// Layer of its stack.
    pub layer: usize,
    /// Number within its layer.
    pub head: usize,
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", KINDS[self.kind], self.layer, self.head)
    }
}

/// The scope of one kind of attention in a layer: the prefix of the names of its steps and parameters.
pub fn scope(kind: usize, layer: usize) -> String {
    match kind {
        0 => format!("encoder.layers.{layer}.self_attn"),
        1 => format!("decoder.layers.{layer}.self_attn"),
        _ => format!("decoder.layers.{layer}.src_attn"),
    }
}

/// Every head of a model.
pub fn every(model: &Transformer) -> Vec<Head> {
    let mut all = Vec::new();
    for kind in 0..KINDS.len() {
        for layer in 0..layers(model, kind) {
            all.extend((0..model.config.heads).map(|head| Head { kind, layer, head }));
        }
    }
    all
}

/// Number of layers that have an attention of this kind.
pub fn layers(model: &Transformer, kind: usize) -> usize {
    match kind {
        0 => model.config.encoder_layers(),
        _ => model.config.layers,
    }
}

/// Parses a list of heads separated by spaces, such as `cross`, `cross.1` or `cross.1.0`; or `none`.
pub fn parse(words: &str, model: &Transformer) -> Result<Vec<Head>, String> {
    let mut found = Vec::new();
    for word in words.split_whitespace().filter(|word| *word != "none") {
        let mut parts = word.split('.');
        let kind = parts
            .next()
            .and_then(|p| KINDS.iter().position(|k| *k == p));
        let numbers: Option<Vec<usize>> = parts.map(|p| p.parse().ok()).collect();
        let heads = model.config.heads;
        let layers = layers(model, kind.unwrap_or(0));
        let fits = |n: Option<&usize>, most| n.is_none_or(|n| *n < most);
        let (Some(kind), Some(numbers)) = (kind, numbers) else {
            return Err(unknown(word, layers, heads));
        };
        if numbers.len() > 2 || !fits(numbers.first(), layers) || !fits(numbers.get(1), heads) {
            return Err(unknown(word, layers, heads));
        }
        let named = |h: &Head| {
            h.kind == kind
                && numbers.first().is_none_or(|n| *n == h.layer)
                && numbers.get(1).is_none_or(|n| *n == h.head)
        };
        found.extend(every(model).into_iter().filter(named));
    }
    Ok(found)
}

fn unknown(word: &str, layers: usize, heads: usize) -> String {
    format!(
        "'{word}' names no head: write encoder, decoder or cross, then perhaps a layer from 0 to {} and a head from 0 to {}, as in cross.1.0",
        layers - 1,
        heads - 1
    )
}

/// The attention weights of the first sentence, averaged over the heads: `[rows, columns]`.
pub fn mean(weights: &Tensor) -> Tensor {
    let &[_, heads, rows, columns] = weights.shape() else {
        panic!("weights {:?} are not those of heads", weights.shape());
    };
    Tensor::from_fn(&[rows, columns], |i| {
        let of = |head| weights.at(&[0, head, i[0], i[1]]);
        (0..heads).map(of).sum::<f32>() / heads as f32
    })
}

/// The parameters with these heads switched off, by zeroing the columns of W_O that read their output.
pub fn without(params: &Params, model: &Transformer, off: &[Head]) -> Params {
    let mut params = params.clone();
    let d_k = model.config.d_model / model.config.heads;
    for head in off {
        let name = format!("{}.output.weight", scope(head.kind, head.layer));
        let weight = params.find(&name).expect("every attention has a W_O");
        let columns = params.get(weight).last();
        for row in params.get_mut(weight).data_mut().chunks_mut(columns) {
            row[head.head * d_k..(head.head + 1) * d_k].fill(0.0);
        }
    }
    params
}
