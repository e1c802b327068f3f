//! A model that can switch between the choices of 2017 and those of today.

use serde::Deserialize;
use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::data::copy::CopyBatch;
use transformer_tutor::nn::activation::Activation;
use transformer_tutor::nn::embeddings::Embeddings;
use transformer_tutor::nn::feed_forward::FeedForward;
use transformer_tutor::nn::grouped_query::GroupedQueryAttention;
use transformer_tutor::nn::layer_norm::LayerNorm;
use transformer_tutor::nn::linear::{Bias, Linear};
use transformer_tutor::nn::masks;
use transformer_tutor::nn::positional_encoding::PositionalEncoding;
use transformer_tutor::ops::{Deviation, Layout};
use transformer_tutor::params::{Init, Param, Params};
use transformer_tutor::tensor::Tensor;

use super::attending::{Broken, attend};

/// LayerNorm, with mean and bias, or RMSNorm, without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NormKind {
    Layer,
    Rms,
}

/// Whether positions are added, or queries and keys are rotated instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Positions {
    Added,
    Rotary,
}

/// Whether there are two stacks, or one that reads source and target as one sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stack {
    Two,
    One,
}

/// The choices for a model.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub norm: NormKind,
    pub positions: Positions,
    /// Number of heads of keys and values.
    pub groups: usize,
    pub stack: Stack,
}

impl Choice {
    /// Number of key and value heads for `heads` query heads: as many, if the small model has as many.
    pub fn groups_of(self, heads: usize) -> usize {
        if self.groups == SMALL.heads {
            heads
        } else {
            self.groups
        }
    }
}

/// Sizes of a model.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub vocabulary: usize,
    pub layers: usize,
    pub d_model: usize,
    pub d_ff: usize,
    pub heads: usize,
}

/// Sizes that learn to copy within seconds.
pub const SMALL: Sizes = Sizes {
    vocabulary: 11,
    layers: 2,
    d_model: 32,
    d_ff: 64,
    heads: 4,
};

/// The paper's base model with a vocabulary of ten thousand.
pub const BASE: Sizes = Sizes {
    vocabulary: 10_000,
    layers: 6,
    d_model: 512,
    d_ff: 2048,
    heads: 8,
};

// ANCHOR: norm
/// Normalisation of either kind.
enum Norm {
    Layer(LayerNorm),
    Rms(Param),
}
// ANCHOR_END: norm

struct Layer {
    attention: Vec<(Norm, GroupedQueryAttention)>,
    feed_forward: (Norm, FeedForward),
}

/// The model.
pub struct Modern {
    choice: Choice,
    sizes: Sizes,
    broken: Broken,
    tables: Vec<Embeddings>,
    /// The encoder's layers and its normalisation on top; `None` if there is one stack.
    encoder: Option<(Vec<Layer>, Norm)>,
    decoder: (Vec<Layer>, Norm),
    /// Map from vectors to tokens.
    pub generator: Linear,
}

fn norm(params: &mut Params, choice: Choice, sizes: Sizes) -> Norm {
    params.scoped("norm", |p| match choice.norm {
        NormKind::Rms => Norm::Rms(p.add("scale", &[sizes.d_model], &["d"], Init::Constant(1.0))),
        NormKind::Layer => Norm::Layer(LayerNorm::new(p, sizes.d_model, Deviation::Unbiased, 1e-6)),
    })
}

fn layer(params: &mut Params, choice: Choice, sizes: Sizes, attentions: &[&str]) -> Layer {
    let attention = attentions.iter().map(|name| {
        params.scoped(name, |p| {
            let norm = norm(p, choice, sizes);
            let groups = choice.groups_of(sizes.heads);
            let mut maps =
                GroupedQueryAttention::new(p, sizes.heads, groups, sizes.d_model, Bias::Uniform);
            maps.rotary = choice.positions == Positions::Rotary;
            (norm, maps)
        })
    });
    Layer {
        attention: attention.collect(),
        feed_forward: params.scoped("feed_forward", |p| {
            let norm = norm(p, choice, sizes);
            let (d, f) = (sizes.d_model, sizes.d_ff);
            let maps = FeedForward::new(p, d, f, Bias::Uniform, Activation::Relu, 0.0);
            (norm, maps)
        }),
    }
}

fn stack(
    params: &mut Params,
    name: &str,
    (choice, sizes): (Choice, Sizes),
    layers: usize,
    attentions: &[&str],
) -> (Vec<Layer>, Norm) {
    params.scoped(name, |params| {
        let layers = (0..layers).map(|n| {
            let name = format!("layers.{n}");
            params.scoped(&name, |p| layer(p, choice, sizes, attentions))
        });
        (layers.collect(), norm(params, choice, sizes))
    })
}

impl Modern {
    /// Builds the model in `params`. One stack has as many layers as two have together.
    pub fn new(params: &mut Params, choice: Choice, sizes: Sizes, broken: Broken) -> Self {
        let (words, d, n) = (sizes.vocabulary, sizes.d_model, sizes.layers);
        let table = |p: &mut Params| Embeddings::new(p, words, d, Init::XavierUniform);
        let mut tables = |names: &[&str]| {
            names
                .iter()
                .map(|name| params.scoped(name, table))
                .collect()
        };
        let both = (choice, sizes);
        let (tables, encoder, decoder) = match choice.stack {
            Stack::One => {
                let tables = tables(&["embed"]);
                (
                    tables,
                    None,
                    stack(params, "decoder", both, 2 * n, &["self_attn"]),
                )
            }
            Stack::Two => {
                let tables = tables(&["src_embed", "tgt_embed"]);
                let encoder = stack(params, "encoder", both, n, &["self_attn"]);
                let attentions = ["self_attn", "src_attn"];
                (
                    tables,
                    Some(encoder),
                    stack(params, "decoder", both, n, &attentions),
                )
            }
        };
        let generator = params.scoped("generator", |p| {
            Linear::new(p, ("d", d), ("v", words), Bias::Uniform)
        });
        Self {
            choice,
            sizes,
            broken,
            tables,
            encoder,
            decoder,
            generator,
        }
    }

    fn normed(&self, norm: &Norm, x: &Var) -> Var {
        match norm {
            Norm::Layer(norm) => norm.forward(x),
            Norm::Rms(scale) => (self.broken.norm)(x, &x.tape().param(*scale), self.broken.epsilon),
        }
    }

    /// Embeds tokens; at this size they are not multiplied by √d_model (lesson 18 says why).
    fn embed(&self, name: &str, table: &Embeddings, ids: &Var) -> Var {
        ids.tape().scoped(name, || {
            let words = ids.tape().param(table.table).embedding(ids);
            let words = words.named("embedded");
            if self.choice.positions == Positions::Rotary {
                return words;
            }
            let positions = PositionalEncoding {
                max_len: words.shape()[1],
                d_model: self.sizes.d_model,
                layout: Layout::Interleaved,
                first: 0,
            };
            positions.forward(&words)
        })
    }

    /// Runs a stack on `x`; in each layer, every attention after the first attends to `memory`.
    fn run(
        &self,
        name: &str,
        (layers, top): &(Vec<Layer>, Norm),
        mut x: Var,
        mask: &Var,
        memory: Option<(&Var, &Var)>,
    ) -> Var {
        let tape = x.tape().clone();
        for (n, layer) in layers.iter().enumerate() {
            for (at, (norm, maps)) in layer.attention.iter().enumerate() {
                let part = ["self_attn", "src_attn"][at];
                x = tape.scoped(&format!("{name}.layers.{n}.{part}"), || {
                    let query = self.normed(norm, &x);
                    let (seen, mask) = match (at, memory) {
                        (1, Some((memory, mask))) => (memory, mask),
                        _ => (&query, mask),
                    };
                    x.add(&attend(maps, &query, seen, mask, &self.broken))
                        .named("residual")
                });
            }
            let (norm, maps) = &layer.feed_forward;
            x = tape.scoped(&format!("{name}.layers.{n}.feed_forward"), || {
                x.add(&maps.forward(&self.normed(norm, &x)))
                    .named("residual")
            });
        }
        tape.scoped(name, || self.normed(top, &x))
    }

    /// Hidden vectors of the input, and the ids to predict there, 0 where nothing counts.
    pub fn hidden(&self, tape: &Tape, batch: &CopyBatch) -> (Var, Tensor) {
        let Some(encoder) = &self.encoder else {
            let (ids, targets) = in_a_row(batch);
            let ids = tape.ids("ids", ids, &["b", "t"]);
            let mask = tape.causal(ids.shape()[1]).named("past");
            let x = self.embed("embed", &self.tables[0], &ids);
            return (self.run("decoder", &self.decoder, x, &mask, None), targets);
        };
        let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
        let tgt = tape.ids("tgt", batch.tgt.clone(), &["b", "t"]);
        let (src_mask, tgt_mask) = (masks::src_mask(&src), masks::tgt_mask(&tgt));
        let x = self.embed("src_embed", &self.tables[0], &src);
        let memory = self.run("encoder", encoder, x, &src_mask, None);
        let x = self.embed("tgt_embed", &self.tables[1], &tgt);
        let seen = Some((&memory, &src_mask));
        let hidden = self.run("decoder", &self.decoder, x, &tgt_mask, seen);
        (hidden, batch.tgt_y.clone())
    }
}

// ANCHOR: in_a_row
/// Source and target as one sequence, and the token to predict at each position: none in the
/// source.
fn in_a_row(batch: &CopyBatch) -> (Tensor, Tensor) {
    let (rows, source) = (batch.src.shape()[0], batch.src.last());
    let shape = [rows, source + batch.tgt.last()];
    let pick = |i: &[usize], target: &Tensor| target.at(&[i[0], i[1] - source]);
    let ids = Tensor::from_fn(&shape, |i| {
        if i[1] < source {
            batch.src.at(i)
        } else {
            pick(i, &batch.tgt)
        }
    });
    let targets = Tensor::from_fn(&shape, |i| {
        if i[1] < source {
            masks::PAD
        } else {
            pick(i, &batch.tgt_y)
        }
    });
    (ids, targets)
}
// ANCHOR_END: in_a_row
