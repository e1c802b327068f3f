//! The trained model with a flaw: other weights or options where these are enough, and otherwise other functions on the
//! tape.

use crate::autograd::{Tape, Var};
use crate::lesson::{Flaw, models};
use crate::nn::layer_norm::LayerNorm;
use crate::nn::multi_head_attention::{
    MULTI_HEAD_ATTENTION, MultiHead, MultiHeadAttention, combine_heads, split_heads,
};
use crate::nn::residual::POST_NORM;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::text::vocabulary::BOS;
use crate::train::checkpoint::Translator;
use crate::transformer::config::Waves;
use crate::transformer::heads::{self, AttentionKind};
use crate::transformer::{Config, POSITION_TABLE, Pass, Transformer, pass};

/// A score that leaves no weight.
const BLOCKED: f32 = -1e9;

/// A model, its weights, and its flaw if it has one.
pub(super) struct Broken {
    pub model: Transformer,
    pub params: Params,
    flaw: Option<Flaw>,
}

impl Broken {
    pub fn new(t: &Translator, flaw: Option<Flaw>) -> Self {
        let mut config = t.model.config.clone();
        match flaw {
            Some(Flaw::NoPositions) => config.waves = Waves::None,
            Some(Flaw::NoEmbeddingScale) => config.scale_embeddings = false,
            _ => {}
        }
        let off = |heads: &str| {
            let heads = heads::parse(heads, &t.model).expect("it has these layers");
            heads::without(&t.params, &t.model, &heads)
        };
        let params = match flaw {
            Some(Flaw::Untrained) => untrained(&config),
            Some(Flaw::NoCross) => off("cross"),
            Some(Flaw::NoFirstCross) => off("cross.0"),
            Some(Flaw::NoLastCross) => off(&format!("cross.{}", config.layers - 1)),
            Some(Flaw::NoEncoderAttention) => off("encoder"),
            Some(Flaw::NoDecoderAttention) => off("decoder"),
            Some(Flaw::NoScale) => {
                let root = ((config.d_model / config.heads) as f32).sqrt();
                scaled(&t.params, "attn.query.", root)
            }
            // Queries of zeros score every key alike.
            Some(Flaw::Average) => scaled(&t.params, "src_attn.query.", 0.0),
            Some(Flaw::NoFeedForward) => scaled(&t.params, "feed_forward.w_2.", 0.0),
            Some(Flaw::NoLastFeedForward) => {
                let last = format!("decoder.layers.{}.feed_forward.w_2.", config.layers - 1);
                scaled(&t.params, &last, 0.0)
            }
            _ => t.params.clone(),
        };
        let model = Transformer::new(&mut Params::layout(), &config);
        Self {
            model,
            params,
            flaw,
        }
    }

    /// True if another mask or other functions break it, so that a search must record each pass.
    pub fn needs_tape(&self) -> bool {
        use Flaw::{
            Mirror, NoFutureMask, NoMean, NoNorm, NoResidual, NoSourcePosition, OneScale, OneTable,
            OthersOnly, Similar,
        };
        matches!(
            self.flaw,
            Some(
                NoFutureMask
                    | Similar
                    | Mirror
                    | OthersOnly
                    | NoSourcePosition
                    | OneTable
                    | NoResidual
                    | NoNorm
                    | NoMean
                    | OneScale
            )
        )
    }

    /// Records the pass over `src` and the tokens before each of `ids`.
    pub fn record(&self, tape: &Tape, src: &[u32], ids: &[u32]) -> Pass {
        self.replace_parts(tape);
        let reads = [&[BOS as u32], &ids[..ids.len() - 1]].concat();
        let src = models::sentence(tape, "src", src, "s");
        let tgt = models::sentence(tape, "tgt", &reads, "t");
        match self.flaw {
            // The target mask hides only padding.
            Some(Flaw::NoFutureMask) => {
                let (src_mask, tgt_mask) = (self.model.src_mask(&src), self.model.src_mask(&tgt));
                self.model.masked(&src, &tgt, &src_mask, &tgt_mask)
            }
            _ => pass(&self.model, &src, &tgt),
        }
    }

    fn replace_parts(&self, tape: &Tape) {
        let every = |kind: AttentionKind| (0..kind.layers(&self.model)).map(move |n| kind.scope(n));
        let (encoder, cross) = (AttentionKind::Encoder, AttentionKind::Cross);
        match self.flaw {
            Some(Flaw::Similar) => every(cross)
                .for_each(|scope| tape.replace_in(&scope, &MULTI_HEAD_ATTENTION, similar)),
            Some(Flaw::OneTable) => every(encoder)
                .chain(every(cross))
                .for_each(|scope| tape.replace_in(&scope, &MULTI_HEAD_ATTENTION, one_table)),
            Some(Flaw::Mirror) => {
                tape.replace_in(&encoder.scope(0), &MULTI_HEAD_ATTENTION, mirror);
            }
            Some(Flaw::OthersOnly) => {
                tape.replace_in(&encoder.scope(0), &MULTI_HEAD_ATTENTION, others_only);
            }
            Some(Flaw::NoSourcePosition) => {
                tape.replace_in("src_embed", &POSITION_TABLE, |config, length| {
                    Tensor::zeros(&[length, config.d_model])
                });
            }
            Some(Flaw::NoResidual) => tape.replace(&POST_NORM, |x, norm, _, sublayer| {
                norm.forward(&sublayer(x))
            }),
            Some(Flaw::NoMean) => tape.replace(&POST_NORM, |x, norm, _, sublayer| {
                let sum = x.add(&sublayer(x)).named("residual");
                let rms = sum.mul(&sum).row_mean().sqrt();
                rescaled(&sum.div(&rms), norm)
            }),
            Some(Flaw::OneScale) => tape.replace(&POST_NORM, |x, norm, _, sublayer| {
                let sum = x.add(&sublayer(x)).named("residual");
                let std = sum.row_std(norm.deviation).mean();
                rescaled(&sum.sub(&sum.row_mean()).div(&std), norm)
            }),
            Some(Flaw::NoNorm) => tape.replace(&POST_NORM, |x, _, _, sublayer| {
                x.add(&sublayer(x)).named("residual")
            }),
            _ => {}
        }
    }
}

/// The learned scale and shift of a LayerNorm.
fn rescaled(x: &Var, norm: &LayerNorm) -> Var {
    let (scale, bias) = (x.tape().param(norm.scale), x.tape().param(norm.bias));
    scale.mul(x).add(&bias).named("norm")
}

fn untrained(config: &Config) -> Params {
    let mut params = Params::new(7);
    Transformer::new(&mut params, config);
    params
}

/// The weights, with those whose names contain `part` multiplied by `factor`.
fn scaled(params: &Params, part: &str, factor: f32) -> Params {
    let mut changed = params.clone();
    for (param, _, _) in params.iter().filter(|(_, name, _)| name.contains(part)) {
        let cells = changed.get_mut(param).data_mut();
        cells.iter_mut().for_each(|x| *x *= factor);
    }
    changed
}

/// The same `x [batch, length, d_model]` for each head: `[batch, heads, length, d_model]`.
fn for_each_head(x: &Var, heads: usize) -> Var {
    let (shape, axes) = (x.shape(), x.axes());
    let repeated = [shape[0], heads, shape[1], shape[2]];
    x.unsqueeze(1)
        .expand(&repeated, &[axes[0], "h", axes[1], axes[2]])
}

/// Softmax of `scores [batch, heads, target, source]` behind a mask that is added, as Marian's are.
fn weights(scores: &Var, mask: Option<&Var>) -> Var {
    let masked = match mask {
        Some(mask) => scores.add(&mask.unsqueeze(1)).named("masked"),
        None => scores.clone(),
    };
    masked.softmax()
}

/// Cross-attention with weights from the embeddings of both sentences, softmax(Y Xᵀ / √d_model), in every head. Values
/// and output are those of the layer.
fn similar(
    maps: &MultiHeadAttention,
    query: &Var,
    _: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let rows = |name: &str| query.tape().named(name).expect("ids were embedded");
    let (y, x) = (rows("tgt_embed.embedded"), rows("src_embed.embedded"));
    let root = (y.value().last() as f32).sqrt();
    let query = y.scale(root.recip()).named("query");
    let query = for_each_head(&query, maps.heads).named("query_heads");
    let key = for_each_head(&x, maps.heads).named("key_heads");
    let weights = weights(&query.matmul_t(&key).named("scaled"), mask).named("weights");
    read(maps, weights, value)
}

/// Attention whose heads all have the mean of their weights.
fn one_table(
    maps: &MultiHeadAttention,
    query: &Var,
    key: &Var,
    value: &Var,
    mask: Option<&Var>,
) -> MultiHead {
    let query = maps.query.forward(query).named("query");
    let key = maps.key.forward(key).named("key");
    let query = split_heads(&query, maps.heads).named("query_heads");
    let key = split_heads(&key, maps.heads).named("key_heads");
    let root = (query.value().last() as f32).sqrt();
    let scores = query.scale(root.recip()).matmul_t(&key).named("scaled");
    let own = weights(&scores, mask).named("own_weights");
    let mean = own.permute(&[0, 2, 3, 1]).row_mean().permute(&[0, 3, 1, 2]);
    let weights = mean.expand(&own.shape(), &own.axes()).named("weights");
    read(maps, weights, value)
}

/// What the heads read by `weights`, through the layer's matrices of values and output.
fn read(maps: &MultiHeadAttention, weights: Var, value: &Var) -> MultiHead {
    let value = maps.value.forward(value).named("value");
    let value = split_heads(&value, maps.heads).named("value_heads");
    let context = combine_heads(&weights.matmul(&value).named("context"));
    MultiHead {
        output: maps.output.forward(&context).named("attended"),
        weights,
    }
}

/// softmax(X Xᵀ) X: self-attention without matrices or division.
fn mirror(maps: &MultiHeadAttention, x: &Var, _: &Var, _: &Var, mask: Option<&Var>) -> MultiHead {
    let query = for_each_head(x, maps.heads).named("query_heads");
    let key = for_each_head(x, maps.heads).named("key_heads");
    let value = split_heads(x, maps.heads).named("value_heads");
    let weights = weights(&query.matmul_t(&key).named("scores"), mask).named("weights");
    let output = combine_heads(&weights.matmul(&value).named("context")).named("attended");
    MultiHead { output, weights }
}

/// [`mirror`] with every token hidden from itself.
fn others_only(
    maps: &MultiHeadAttention,
    x: &Var,
    key: &Var,
    value: &Var,
    _: Option<&Var>,
) -> MultiHead {
    let length = x.shape()[1];
    let itself = Tensor::from_fn(&[1, length, length], |i| {
        if i[1] == i[2] { BLOCKED } else { 0.0 }
    });
    let mask = x.tape().constant("itself", itself, &["", "s", "s"]);
    mirror(maps, x, key, value, Some(&mask))
}
