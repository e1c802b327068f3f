//! A small translator with some of its parts: which parts a rung has, and how the others are left out.

use std::sync::Mutex;

use super::rung::{Fault, Rung};
use crate::autograd::{Tape, Var};
use crate::lesson::memo::Memo;
use crate::lesson::short_run::{self, Learner, open_mask};
use crate::nn::attention::{BLOCKED, attention};
use crate::nn::layer_norm::LAYER_NORM;
use crate::nn::residual::RESIDUAL;
use crate::tensor::Tensor;
use crate::text::vocabulary::EOS;
use crate::train::config::TrainConfig;
use crate::train::step::{Batch, PAD};
use crate::transformer::decoder::{DECODER_LAYER, DecoderLayer};
use crate::transformer::encoder::{ENCODER_LAYER, EncoderLayer};
use crate::transformer::{POSITION_TABLE, Transformer};

/// Everything that the training of such a translator depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Built {
    /// The parts it has.
    pub rung: Rung,
    /// What is wrong with it.
    pub fault: Option<Fault>,
    /// Seed of the weights and of the order of the sentences.
    pub seed: u64,
}

impl short_run::Recipe for Built {
    const STEPS: usize = 800;
    const EVERY: usize = 80;
    const RUNS: Memo<Mutex<Learner<Self>>> = Memo::new("so far: runs");

    fn config(&self) -> TrainConfig {
        TrainConfig {
            layers: 2,
            d_model: 64,
            d_ff: 128,
            heads: if self.rung < Rung::FourHeads { 1 } else { 4 },
            dropout: 0.1,
            batch_tokens: 512,
            steps: Self::STEPS,
            rate: 0.005,
            warmup: 40,
            smoothing: 0.0,
            shards: 1,
            seed: self.seed,
            ..TrainConfig::default()
        }
    }

    fn shifted(&self, batch: &Batch) -> (Tensor, Tensor) {
        let (read, predict) = batch.shifted();
        if self.fault != Some(Fault::NoShift) {
            return (read, predict);
        }
        // A shorter sentence has its end token among those that are read, but it is not counted.
        let same = read.map(|id| if id as usize == EOS { PAD as f32 } else { id });
        (read, same)
    }

    fn hidden(&self, model: &Transformer, src: &Var, tgt: &Var) -> Var {
        self.leave_out(src.tape());
        let src_mask = model.src_mask(src);
        let tgt_mask = match self.fault {
            Some(Fault::NoMask) => open_mask(tgt),
            _ => model.tgt_mask(tgt),
        };
        let memory = model.encode(src, &src_mask);
        model.decode(&memory, &src_mask, tgt, &tgt_mask)
    }
}

impl Built {
    /// Replaces on `tape` what the model lacks.
    fn leave_out(self, tape: &Tape) {
        if self.rung < Rung::Positions {
            let nowhere = |config: &crate::transformer::Config, length| {
                Tensor::zeros(&[length, config.d_model])
            };
            tape.replace(&POSITION_TABLE, nowhere);
        }
        match self.rung {
            Rung::Echo => {
                tape.replace(&ENCODER_LAYER, |_, x, _| x.clone());
                tape.replace(&DECODER_LAYER, |_, x, _, _, _| x.clone());
            }
            Rung::Average | Rung::Positions => {
                tape.replace(&ENCODER_LAYER, |_, x, _| x.clone());
                tape.replace(&DECODER_LAYER, averaging_layer);
            }
            Rung::Similar => {
                tape.replace(&ENCODER_LAYER, |_, x, _| x.clone());
                tape.replace(&DECODER_LAYER, comparing_layer);
            }
            Rung::OneHead => {
                tape.replace(&ENCODER_LAYER, |_, x, _| x.clone());
                tape.replace(&DECODER_LAYER, |layer, x, memory, mask, _| {
                    cross_attention(layer, x, memory, mask)
                });
            }
            Rung::SelfAttention | Rung::FourHeads => {
                tape.replace(&ENCODER_LAYER, attending_encoder);
                tape.replace(&DECODER_LAYER, attending_decoder);
            }
            Rung::Complete => {}
        }
        match self.fault {
            Some(Fault::NoResidual) => tape.replace(&RESIDUAL, |x, norm, dropout, sublayer| {
                sublayer(&norm.forward(x)).dropout(dropout)
            }),
            Some(Fault::NoNorm) => tape.replace(&LAYER_NORM, |x, _, _, _| x.clone()),
            Some(Fault::NoShift | Fault::NoMask) | None => {}
        }
    }
}

/// A decoder layer that adds the average of `memory`, without looking at `x`.
fn averaging_layer(layer: &DecoderLayer, x: &Var, memory: &Var, mask: &Var, _: &Var) -> Var {
    let tape = x.tape();
    tape.scoped("src_attn", || {
        layer.sublayer[1].forward(x, |x| {
            let equal = Tensor::zeros(&[x.shape()[0], x.shape()[1], memory.shape()[1]]);
            let scores = tape.constant("scores", equal, &["b", "t", "s"]);
            let weights = scores.mask_fill(mask, BLOCKED).softmax().named("weights");
            weights.matmul(memory).named("context")
        })
    })
}

/// A decoder layer in which each row attends to the rows of `memory` that resemble it.
fn comparing_layer(layer: &DecoderLayer, x: &Var, memory: &Var, mask: &Var, _: &Var) -> Var {
    x.tape().scoped("src_attn", || {
        layer.sublayer[1].forward(x, |x| {
            attention(x, memory, memory, Some(mask), layer.src_attn.dropout).context
        })
    })
}

fn cross_attention(layer: &DecoderLayer, x: &Var, memory: &Var, mask: &Var) -> Var {
    x.tape().scoped("src_attn", || {
        layer.sublayer[1].forward(x, |x| {
            layer.src_attn.forward(x, memory, memory, Some(mask)).output
        })
    })
}

fn attending_encoder(layer: &EncoderLayer, x: &Var, mask: &Var) -> Var {
    x.tape().scoped("self_attn", || {
        layer.sublayer[0].forward(x, |x| layer.self_attn.forward(x, x, x, Some(mask)).output)
    })
}

fn attending_decoder(
    layer: &DecoderLayer,
    x: &Var,
    memory: &Var,
    src_mask: &Var,
    tgt_mask: &Var,
) -> Var {
    let x = x.tape().scoped("self_attn", || {
        layer.sublayer[0].forward(x, |x| {
            layer.self_attn.forward(x, x, x, Some(tgt_mask)).output
        })
    });
    cross_attention(layer, &x, memory, src_mask)
}
