//! The names of attention heads, and models in which some heads are switched off.

use std::fmt;

use super::Transformer;
use crate::params::Params;
use crate::tensor::Tensor;

/// A use of attention in the Transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttentionKind {
    /// Self-attention of the encoder.
    Encoder,
    /// Masked self-attention of the decoder.
    Decoder,
    /// Attention of the decoder to the encoder's output.
    Cross,
}

impl AttentionKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Encoder, Self::Decoder, Self::Cross];

    /// Name with which the names of its heads begin.
    pub fn name(self) -> &'static str {
        match self {
            Self::Encoder => "encoder",
            Self::Decoder => "decoder",
            Self::Cross => "cross",
        }
    }

    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its scope in a layer: the prefix of the names of its steps and parameters.
    pub fn scope(self, layer: usize) -> String {
        match self {
            Self::Encoder => format!("encoder.layers.{layer}.self_attn"),
            Self::Decoder => format!("decoder.layers.{layer}.self_attn"),
            Self::Cross => format!("decoder.layers.{layer}.src_attn"),
        }
    }

    /// Number of layers of a model that have it.
    pub fn layers(self, model: &Transformer) -> usize {
        match self {
            Self::Encoder => model.config.encoder_layers(),
            Self::Decoder | Self::Cross => model.config.layers,
        }
    }
}

/// An attention head: its use, layer and number, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Use of the attention.
    pub kind: AttentionKind,
    /// Layer of its stack.
    pub layer: usize,
    /// Number within its layer.
    pub head: usize,
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.kind.name(), self.layer, self.head)
    }
}

/// Every head of a model.
pub fn every(model: &Transformer) -> Vec<Head> {
    let mut all = Vec::new();
    for kind in AttentionKind::ALL {
        for layer in 0..kind.layers(model) {
            all.extend((0..model.config.heads).map(|head| Head { kind, layer, head }));
        }
    }
    all
}

/// Parses a list of heads separated by spaces, such as `cross`, `cross.1` or `cross.1.0`; or `none`.
pub fn parse(words: &str, model: &Transformer) -> Result<Vec<Head>, String> {
    let mut parsed = Vec::new();
    for word in words.split_whitespace().filter(|word| *word != "none") {
        let mut parts = word.split('.');
        let kind = parts.next().and_then(AttentionKind::named);
        let numbers: Option<Vec<usize>> = parts.map(|p| p.parse().ok()).collect();
        let heads = model.config.heads;
        let layers = kind.unwrap_or(AttentionKind::Encoder).layers(model);
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
        parsed.extend(every(model).into_iter().filter(named));
    }
    Ok(parsed)
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
        let name = format!("{}.output.weight", head.kind.scope(head.layer));
        let weight = params.find(&name).expect("every attention has a W_O");
        let columns = params.get(weight).last();
        for row in params.get_mut(weight).data_mut().chunks_mut(columns) {
            row[head.head * d_k..(head.head + 1) * d_k].fill(0.0);
        }
    }
    params
}
