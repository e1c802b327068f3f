//! The functions of a model that are exercises.

use crate::autograd::{Tape, Var};
use crate::data::batch::Batch;
use crate::data::batches;
use crate::data::copy::{self, CopyBatch};
use crate::decode::stepwise::{self, StepFn};
use crate::lesson::tiny_tape::TapeFn;
use crate::lesson::training_loop::LoopFn;
use crate::nn::attention::{self, ATTENTION, AttentionFn};
use crate::nn::embeddings::{self, SCALE_EMBEDDINGS};
use crate::nn::feed_forward::{self, FEED_FORWARD, FeedForward};
use crate::nn::layer_norm::{self, LAYER_NORM, LayerNormFn};
use crate::nn::masks::{self, SUBSEQUENT_MASK, Shifted};
use crate::nn::multi_head_attention::{self, MULTI_HEAD_ATTENTION, MultiHeadFn};
use crate::nn::positional_encoding::{self, POSITIONAL_ENCODING};
use crate::nn::residual::{self, RESIDUAL, ResidualFn};
use crate::nn::softmax_backward;
use crate::ops::{
    BackwardFn, LAYER_NORM_BACKWARD, LINEAR, LinearFn, NormBackwardFn, SOFTMAX_BACKWARD,
};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::adam::{self, Adam, AdamFn};
use crate::train::{loss, schedule, training_step};
use crate::transformer::decoder::{self, DECODER_LAYER, DecoderLayerFn};
use crate::transformer::encoder::{self, ENCODER_LAYER, EncoderLayer};
use crate::transformer::generator::{self, Generator, NEXT_WORDS};
use crate::transformer::{self, PASS, Pass, Transformer};

/// Signature of greedy decoding.
pub type GreedyFn = fn(&dyn Fn(&[usize]) -> Vec<f32>, usize) -> Vec<usize>;

/// Signature of Xavier initialisation.
pub type XavierFn = fn(usize, usize, &mut dyn FnMut() -> f32) -> Tensor;

/// Signature of cross-entropy with its gradient.
pub type CrossEntropyFn = fn(&Tensor, &[usize], usize) -> (f32, Tensor);

/// Signature of a training step.
pub type TrainingStepFn = fn(&Transformer, &mut Params, &mut Adam, &Batch, f32, u64) -> f32;

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $reference:expr;)*) => {
        /// The functions of a model, its training and its search, each named after its exercise; the references by
        /// default. `None` if the engine has no function of this form and does the same in its own.
        #[derive(Clone, Copy)]
        pub struct Parts {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Default for Parts {
            fn default() -> Self {
                Self { $($name: $reference,)* }
            }
        }

        impl Parts {
            /// Exercises that have a place in the model, in the order of the lessons.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// A copy with the function `name` taken from `other`. Panics if there is no such part.
            #[must_use]
            pub fn with(self, name: &str, other: &Self) -> Self {
                match name {
                    $(stringify!($name) => Self { $name: other.$name, ..self },)*
                    _ => panic!("there is no part {name}"),
                }
            }
        }
    };
}

parts! {
    /// Lesson 01: ids to vectors.
    scale_embeddings: fn(&Var, &Var) -> Var = embeddings::scale_embeddings;
    /// Lesson 02: the positional encodings.
    positional_encoding: fn(usize, usize) -> Tensor = positional_encoding::positional_encoding;
    /// Lesson 03.
    attention: AttentionFn = attention::by_hand::attention;
    /// Lesson 04: the mask over the future.
    subsequent_mask: fn(usize) -> Tensor = masks::subsequent_mask;
    /// Lesson 05.
    multi_head_attention: MultiHeadFn = multi_head_attention::multi_head_attention;
    /// Lesson 07.
    feed_forward: fn(&FeedForward, &Var) -> Var = feed_forward::feed_forward;
    /// Lesson 08.
    layer_norm: LayerNormFn = layer_norm::layer_norm;
    /// Lesson 09: around every sublayer.
    residual: ResidualFn = |x, norm, dropout, sublayer| residual::residual(x, norm, dropout, sublayer);
    /// Lesson 10.
    encoder_layer: fn(&EncoderLayer, &Var, &Var) -> Var = encoder::encoder_layer;
    /// Lesson 11.
    decoder_layer: DecoderLayerFn = decoder::decoder_layer;
    /// Lesson 12: vectors to log-probabilities.
    next_words: fn(&Generator, &Var) -> Var = generator::next_words;
    /// Lesson 13: the forward pass.
    pass: fn(&Transformer, &Var, &Var) -> Pass = transformer::pass;
    /// Lesson 13: the first weights.
    xavier_uniform: Option<XavierFn> = None;
    /// Lesson 14: the gradient through attention's softmax.
    softmax_backward: BackwardFn = softmax_backward::softmax_backward;
    /// Lesson 14: every linear map with a bias, in training.
    linear: Option<LinearFn> = None;
    /// Lesson 14: the gradients of layer normalisation, in training.
    layer_norm_backward: Option<NormBackwardFn> = None;
    /// Lesson 14: a tape of numbers, on which a small network learns XOR.
    tiny_tape: Option<TapeFn> = None;
    /// Lesson 15: what the decoder reads, and what it must predict.
    shift: fn(&Tensor) -> Shifted = masks::shift;
    /// Lesson 16: the target distributions of the loss.
    smoothed_targets: fn(&Tensor, usize, f32, usize) -> Tensor = loss::smoothed_targets;
    /// Lesson 16: the loss of held-out sentences.
    cross_entropy: Option<CrossEntropyFn> = None;
    /// Lesson 17: the update of the weights.
    adam_step: AdamFn = adam::adam_step;
    /// Lesson 17: the learning rate of each update.
    noam_rate: fn(usize, usize, f64, usize) -> f64 = schedule::noam_rate;
    /// Lesson 18: a batch of the copy task.
    copy_batch: fn(&Tensor) -> CopyBatch = copy::copy_batch;
    /// Lesson 20: the sentences of each batch.
    cut_batches: fn(&[(usize, usize)], usize) -> Vec<Vec<usize>> = batches::cut;
    /// Lesson 20: an update with the engine's optimizer, after the training.
    training_step: TrainingStepFn = training_step::training_step;
    /// Lesson 20: the epochs of the training, and the best weights.
    training_loop: Option<LoopFn> = None;
    /// Lesson 21: a step of beam search.
    beam_step: StepFn = stepwise::beam_step;
    /// Lesson 21: a second translation, token by token.
    greedy_decode: Option<GreedyFn> = None;
}

impl Parts {
    /// Makes every layer on `tape` use these functions.
    #[must_use]
    pub fn on(&self, tape: Tape) -> Tape {
        tape.replace(&SCALE_EMBEDDINGS, self.scale_embeddings);
        tape.replace(&POSITIONAL_ENCODING, self.positional_encoding);
        tape.replace(&SUBSEQUENT_MASK, self.subsequent_mask);
        tape.replace(&ATTENTION, self.attention);
        tape.replace(&MULTI_HEAD_ATTENTION, self.multi_head_attention);
        tape.replace(&FEED_FORWARD, self.feed_forward);
        tape.replace(&LAYER_NORM, self.layer_norm);
        tape.replace(&RESIDUAL, self.residual);
        tape.replace(&ENCODER_LAYER, self.encoder_layer);
        tape.replace(&DECODER_LAYER, self.decoder_layer);
        tape.replace(&NEXT_WORDS, self.next_words);
        tape.replace(&PASS, self.pass);
        tape.replace(&SOFTMAX_BACKWARD, self.softmax_backward);
        tape
    }

    /// [`Parts::on`] for a tape whose gradients are taken: maps and norms, too, use these functions.
    #[must_use]
    pub fn on_training(&self, tape: Tape) -> Tape {
        let tape = self.on(tape);
        if let Some(linear) = self.linear {
            tape.replace(&LINEAR, linear);
        }
        if let Some(backward) = self.layer_norm_backward {
            tape.replace(&LAYER_NORM_BACKWARD, backward);
        }
        tape
    }
}

/// A full set of parts, and which of them are the learner's.
#[derive(Clone, Default)]
pub struct Mine {
    /// All functions.
    pub parts: Parts,
    /// The learner's functions, by the names of their exercises.
    pub own: Vec<&'static str>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transformer::Config;

    fn run(config: &Config, tape: &dyn Fn(&Params) -> Tape) -> [Tensor; 3] {
        let mut params = Params::new(7);
        let model = Transformer::new(&mut params, config);
        let tape = tape(&params);
        let ids = |name: &str, rows: &[f32]| {
            tape.ids(
                name,
                Tensor::new(&[2, rows.len() / 2], rows.to_vec()),
                &["b", "s"],
            )
        };
        let src = ids("src", &[5.0, 3.0, 2.0, 4.0, 6.0, 0.0]);
        let tgt = ids("tgt", &[1.0, 4.0, 6.0, 7.0, 1.0, 8.0, 0.0, 0.0]);
        let pass = model.forward(&src, &tgt);
        [pass.memory, pass.hidden, pass.log_probs].map(|x| x.value())
    }

    /// Uses the engine's own LayerNorm, which computes in a different order from the exercise's.
    fn without_norm(tape: Tape) -> Tape {
        let norm: LayerNormFn = |x, scale, bias, epsilon| {
            let normal = x.normalize(crate::ops::Deviation::Unbiased, epsilon);
            normal.mul(scale).add(bias)
        };
        tape.replace(&LAYER_NORM, norm);
        tape
    }

    #[test]
    fn all_references_are_the_engines_model_to_the_bit_but_for_the_norm() {
        let config = Config::annotated(11, 11).sized(2, 16, 32, 4);
        let engine = run(&config, &|params| Tape::eval(params));
        let parts = Parts::default();
        let same_order = run(&config, &|params| {
            without_norm(parts.on(Tape::eval(params)))
        });
        assert_eq!(engine, same_order);
        let own_norm = run(&config, &|params| parts.on(Tape::eval(params)));
        for (a, b) in engine.iter().zip(&own_norm) {
            let far = a.data().iter().zip(b.data()).map(|(a, b)| (a - b).abs());
            assert!(far.fold(0.0, f32::max) < 1e-5);
        }
    }

    #[test]
    fn norms_with_the_populations_deviation_and_marians_positions_are_the_engines_to_rounding() {
        let phrasebook = Config {
            deviation: crate::ops::Deviation::Population,
            ..Config::annotated(11, 11).sized(2, 16, 32, 4)
        };
        let marian = Config {
            masks: crate::transformer::config::Masks::Fill,
            ..Config::marian(11).sized(2, 16, 32, 4)
        };
        for config in [phrasebook, marian] {
            let engine = run(&config, &|params| Tape::eval(params));
            let own = run(&config, &|params| Parts::default().on(Tape::eval(params)));
            for (a, b) in engine.iter().zip(&own) {
                let far = a.data().iter().zip(b.data()).map(|(a, b)| (a - b).abs());
                assert!(far.fold(0.0, f32::max) < 1e-4);
            }
        }
    }

    #[test]
    fn every_part_that_runs_on_a_tape_is_called() {
        let config = Config::annotated(11, 11).sized(2, 16, 32, 4);
        let mut params = Params::new(7);
        let model = Transformer::new(&mut params, &config);
        let tape = Parts::default().on(Tape::eval(&params));
        let ids = tape.ids("ids", Tensor::new(&[1, 2], vec![1.0, 4.0]), &["b", "s"]);
        model.forward(&ids, &ids);
        let calls = tape.calls();
        assert!(calls.values().all(|&calls| calls > 0), "{calls:?}");
        // Two encoder layers with two sublayers each, and two decoder layers with three.
        assert_eq!((calls["attention"], calls["residual"]), (6, 10));
        assert!(calls.keys().all(|name| Parts::NAMES.contains(name)));
    }
}
