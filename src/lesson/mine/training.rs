//! Training on the copy task with a learner's parts: batches, shift, layers, targets and optimizer.

use std::collections::BTreeMap;

use super::order::{Figure, Parting, Trained};
use super::parts::{Mine, Parts, TrainingStepFn, XavierFn};
use crate::autograd::{Grads, Tape};
use crate::data::batch::Batch;
use crate::data::copy::{CopyBatch, START, copy_batch, copy_words};
use crate::lesson::copying::{BATCH, LENGTH, VOCABULARY, words};
use crate::lesson::exercise::attempt;
use crate::ops::{Deviation, Spread};
use crate::params::Params;
use crate::tensor::{Tensor, alone, random};
use crate::train::adam::{Adam, Rules};
use crate::train::loss::smoothed_mean;
use crate::transformer::{Config, Transformer};

/// Default number of updates, as in lesson 18.
pub const STEPS: usize = 240;
/// Default seed of weights and sentences, as in lesson 18.
pub const SEED: u64 = 7;

/// Factor and warm-up steps of the learning-rate schedule.
const FACTOR: f64 = 0.5;
const WARMUP: usize = 60;
/// Label smoothing.
const SMOOTHING: f32 = 0.1;
/// Number of updates by `training_step` after the training, and their learning rate.
const MORE_STEPS: usize = 3;
const MORE_RATE: f32 = 1e-3;
/// Number of held-out sentences that the trained model copies.
const HELD_OUT: usize = 20;

/// A training run in progress.
pub struct Training {
    parts: Parts,
    model: Transformer,
    params: Params,
    /// The optimizer's first and second moments, with all parameters flattened into one row.
    moments: [Tensor; 2],
    /// All sentences, `[sentences, length]`.
    pool: Tensor,
    /// Sentence numbers of each batch.
    batches: Vec<Vec<usize>>,
    seed: u64,
    done: usize,
    without_gradient: Vec<String>,
    calls: BTreeMap<String, usize>,
}

impl Training {
    /// A model of lesson 18's size, with two layers, 32 channels and 4 heads, and its sentences, cut into batches.
    /// Panics if `parts` cuts no batches, or batches with sentences that do not exist.
    pub fn new(parts: Parts, steps: usize, seed: u64) -> Self {
        let mut config = Config::annotated(VOCABULARY, VOCABULARY).sized(2, 32, 64, 4);
        config.dropout = 0.0;
        // layer_norm_backward is for this form, and the learner's layer_norm serves both.
        config.deviation = Deviation::Population;
        let mut params = Params::new(seed);
        let model = Transformer::new(&mut params, &config);
        if let Some(xavier) = parts.xavier_uniform {
            initialise(&mut params, xavier, seed);
        }
        let all = (1..=steps).flat_map(|step| words(seed, step).data().to_vec());
        let pool = Tensor::new(&[steps * BATCH, LENGTH], all.collect());
        let lengths = vec![(LENGTH, LENGTH); steps * BATCH];
        let batches = (parts.cut_batches)(&lengths, BATCH * LENGTH);
        assert!(
            batches.iter().any(|batch| !batch.is_empty()),
            "cut_batches returned no batch"
        );
        let beyond = batches.iter().flatten().find(|&&n| n >= lengths.len());
        assert!(
            beyond.is_none(),
            "cut_batches returned the pair {beyond:?}; the last one is {}",
            lengths.len() - 1
        );
        let count = params.count();
        Self {
            parts,
            model,
            params,
            moments: [Tensor::zeros(&[count]), Tensor::zeros(&[count])],
            pool,
            batches: batches.into_iter().filter(|b| !b.is_empty()).collect(),
            seed,
            done: 0,
            without_gradient: vec![],
            calls: BTreeMap::new(),
        }
    }

    /// Performs one update and returns the loss before it, in nats per token.
    pub fn step(&mut self) -> f64 {
        // Matrices this small are not worth a second thread.
        alone(|| self.update())
    }

    fn update(&mut self) -> f64 {
        let picked = &self.batches[self.done % self.batches.len()];
        let cell = |i: &[usize]| self.pool.at(&[picked[i[0]], i[1]]);
        let batch = (self.parts.copy_batch)(&Tensor::from_fn(&[picked.len(), LENGTH], cell));
        let shifted = (self.parts.shift)(&batch.src);
        let tape = self.parts.on_training(Tape::train(&self.params, self.seed));
        let src = tape.ids("src", batch.src, &["b", "s"]);
        let src_mask = tape.mask("src_mask", batch.src_mask, &["b", "1", "s"]);
        let tgt = tape.ids("tgt", shifted.tgt, &["b", "t"]);
        let tgt_mask = tape.mask("tgt_mask", batch.tgt_mask, &["b", "t", "t"]);
        let memory = self.model.encode(&src, &src_mask);
        let hidden = self.model.decode(&memory, &src_mask, &tgt, &tgt_mask);
        let log_probs = self.model.generator.forward(&hidden);
        let targets = (self.parts.smoothed_targets)(&shifted.tgt_y, VOCABULARY, SMOOTHING, 0);
        let targets = tape.constant("targets", targets, &["b", "t", "v"]);
        let count = shifted.ntokens as f64;
        let loss = smoothed_mean(&log_probs, &targets, SMOOTHING, Spread::NoPadding, count);
        let value = f64::from(loss.value().at(&[]));
        let grads = loss.backward();
        if self.done == 0 {
            self.look(&tape, &grads);
        }
        self.done += 1;
        self.move_weights(&grads);
        value
    }

    /// Records, in the first step, which functions ran and which parameters got no gradient.
    fn look(&mut self, tape: &Tape, grads: &Grads) {
        let calls = tape.calls().into_iter();
        self.calls = calls.map(|(name, n)| (name.to_owned(), n)).collect();
        for name in [
            "copy_batch",
            "shift",
            "smoothed_targets",
            "adam_step",
            "noam_rate",
        ] {
            self.calls.insert(name.to_owned(), 1);
        }
        // Called for the whole run, before its first step.
        self.calls.insert("cut_batches".to_owned(), 1);
        if self.parts.xavier_uniform.is_some() {
            let matrices = self.params.iter().filter(|(_, _, value)| value.rank() == 2);
            self.calls
                .insert("xavier_uniform".to_owned(), matrices.count());
        }
        for (param, name, _) in self.params.iter() {
            if !grads.param(param).is_some_and(Tensor::is_finite) {
                self.without_gradient.push(name.to_owned());
            }
        }
    }

    /// Updates all parameters as one row, because the optimizer treats every scalar separately.
    fn move_weights(&mut self, grads: &Grads) {
        let (mut x, mut gradient) = (Vec::new(), Vec::new());
        for (param, _, value) in self.params.iter() {
            x.extend_from_slice(value.data());
            match grads.param(param) {
                Some(grad) => gradient.extend_from_slice(grad.data()),
                None => gradient.resize(x.len(), 0.0),
            }
        }
        let rules = Rules {
            rate: (self.parts.noam_rate)(self.done, self.model.config.d_model, FACTOR, WARMUP)
                as f32,
            beta1: 0.9,
            beta2: 0.98,
            epsilon: 1e-9,
            decay: 0.0,
        };
        let tape = Tape::eval(&Params::default());
        let row = |name, value: Tensor| tape.input(name, value, &["w"]);
        let shape = [x.len()];
        let moved = (self.parts.adam_step)(
            &row("x", Tensor::new(&shape, x)),
            &row("gradient", Tensor::new(&shape, gradient)),
            &row("m", self.moments[0].clone()),
            &row("v", self.moments[1].clone()),
            i32::try_from(self.done).unwrap_or(i32::MAX),
            &rules,
        );
        let [x, m, v] = [moved.x, moved.m, moved.v].map(|moved| moved.value());
        for (name, tensor) in [("x", &x), ("m", &m), ("v", &v)] {
            assert!(
                tensor.shape() == shape,
                "adam_step: {name} has the shape {:?}; it must be that of the weights, {shape:?}",
                tensor.shape()
            );
        }
        let mut rest = x.data();
        for tensor in self.params.tensors_mut() {
            let (cells, others) = rest.split_at(tensor.len());
            tensor.data_mut().copy_from_slice(cells);
            rest = others;
        }
        self.moments = [m, v];
    }

    /// Share of tokens that the model copies correctly, over twenty held-out sentences, not counting the start token.
    pub fn right(&self) -> f64 {
        let src = self.held_out_batch().src;
        let mut said = vec![vec![START]; HELD_OUT];
        for length in 1..LENGTH {
            let tape = self.parts.on(Tape::eval(&self.params));
            let read = tape.ids("src", src.clone(), &["b", "s"]);
            let tgt = Tensor::new(&[HELD_OUT, length], said.concat());
            let tgt = tape.ids("tgt", tgt, &["b", "t"]);
            let log_probs = alone(|| self.model.forward(&read, &tgt)).log_probs.value();
            assert!(
                log_probs.shape() == [HELD_OUT, length, VOCABULARY],
                "pass: the log-probabilities have the shape {:?}; it must be [batch, target, tgt_vocab], here {:?}",
                log_probs.shape(),
                [HELD_OUT, length, VOCABULARY]
            );
            let rows = log_probs.data().chunks(VOCABULARY);
            for (row, said) in rows.skip(length - 1).step_by(length).zip(&mut said) {
                said.push(crate::lesson::largest(row) as f32);
            }
        }
        let said = said.concat();
        let same = src.data().iter().zip(&said).filter(|(a, b)| a == b).count();
        (same - HELD_OUT) as f64 / (HELD_OUT * (LENGTH - 1)) as f64
    }

    /// Figures of the trained model from the functions of `own` that its losses don't depend on. Counts their calls.
    fn figures(&mut self, own: &[&str]) -> Vec<Figure> {
        let mut figures = Vec::new();
        let mut push = |name: &str, what: &str, own: Option<f64>, reference| {
            figures.push(Figure {
                name: name.to_owned(),
                what: what.to_owned(),
                own: own.filter(|own| own.is_finite()),
                reference,
            });
        };
        if let Some(function) = self.parts.cross_entropy {
            let (log_probs, targets) = self.held_out();
            let rows = log_probs.data().chunks(VOCABULARY).zip(&targets);
            let reference = rows.map(|(row, &id)| -f64::from(row[id])).sum::<f64>();
            // Log-probabilities are logits, too: their softmax gives the probabilities.
            let found = attempt("", || f64::from(function(&log_probs, &targets, 0).0)).ok();
            let what = "the loss of new sentences, in nats per token";
            push(
                "cross_entropy",
                what,
                found,
                reference / targets.len() as f64,
            );
            self.calls.insert("cross_entropy".to_owned(), 1);
        }
        if own.contains(&"training_step") {
            let found = attempt("", || self.loss_after_more(self.parts.training_step)).ok();
            let reference = self.loss_after_more(Parts::default().training_step);
            let what = "the loss after three more updates";
            push("training_step", what, found, reference);
            self.calls.insert("training_step".to_owned(), MORE_STEPS);
        }
        figures
    }

    /// Log-probabilities `[tokens, vocabulary]` of held-out sentences, and the tokens to predict.
    fn held_out(&self) -> (Tensor, Vec<usize>) {
        let batch = self.held_out_batch();
        let tape = self.parts.on(Tape::eval(&self.params));
        let src = tape.ids("src", batch.src, &["b", "s"]);
        let tgt = tape.ids("tgt", batch.tgt, &["b", "t"]);
        let log_probs = alone(|| self.model.forward(&src, &tgt)).log_probs.value();
        let targets = batch.tgt_y.data().iter().map(|&id| id as usize);
        let tokens = log_probs.len() / VOCABULARY;
        (log_probs.reshape(&[tokens, VOCABULARY]), targets.collect())
    }

    fn held_out_batch(&self) -> CopyBatch {
        let words = copy_words(HELD_OUT, LENGTH, VOCABULARY, self.seed, "held out");
        copy_batch(&words)
    }

    /// Loss of the last of some further updates by `step` on a copy of the model's weights. The layers are the engine's,
    /// because `step` makes its own tape.
    fn loss_after_more(&self, step: TrainingStepFn) -> f64 {
        let mut params = self.params.clone();
        let mut adam = Adam::new(&params);
        let src = self.held_out_batch().src;
        let batch = Batch {
            tgt: src.clone(),
            src,
        };
        let mut update = |_| {
            step(
                &self.model,
                &mut params,
                &mut adam,
                &batch,
                MORE_RATE,
                self.seed,
            )
        };
        let losses = alone(|| (0..MORE_STEPS).map(&mut update).last());
        losses.map_or(f64::NAN, f64::from)
    }

    /// Trains with the learner's functions and with the references, step by step; `seen` gets the step and both losses.
    pub fn beside_reference(
        mine: &Mine,
        steps: usize,
        seed: u64,
        mut seen: impl FnMut(usize, [f64; 2]),
    ) -> Trained {
        let mut own = Self::new(mine.parts, steps, seed);
        let mut reference = Self::new(Parts::default(), steps, seed);
        let mut out = Trained::default();
        for step in 1..=steps {
            let losses = [own.step(), reference.step()];
            seen(step, losses);
            out.reference.push(losses[1]);
            if !losses[0].is_finite() {
                break;
            }
            out.losses.push(losses[0]);
        }
        out.right = [own.right(), reference.right()];
        out.figures = own.figures(&mine.own);
        out.without_gradient = own.without_gradient;
        out.calls = own.calls;
        out.parting = out.parts_beyond_rounding_at().map(|step| {
            let alone = |name: &&str| {
                let parts = Parts::default().with(name, &mine.parts);
                let expected = out.reference[step - 1];
                let loss = attempt("", || Self::new(parts, steps, seed).loss_at(step)).ok();
                let far = loss.map(|loss| (loss - expected).abs());
                ((*name).to_owned(), far.filter(|far| far.is_finite()))
            };
            Parting {
                step,
                by_part: mine.own.iter().map(alone).collect(),
            }
        });
        out
    }

    /// Loss of step `step` of a run that begins.
    fn loss_at(mut self, step: usize) -> f64 {
        (1..step).for_each(|_| {
            self.step();
        });
        self.step()
    }
}

/// Gives all matrices the numbers of `xavier`, from the random numbers that the engine draws for them.
fn initialise(params: &mut Params, xavier: XavierFn, seed: u64) {
    let matrices: Vec<_> = params
        .iter()
        .filter(|(_, _, value)| value.rank() == 2)
        .map(|(param, name, value)| (param, name.to_owned(), value.shape().to_vec()))
        .collect();
    for (param, name, shape) in matrices {
        // Uniform between −½ and ½.
        let drawn = random::uniform(&shape, 0.5, seed, &name);
        let mut numbers = drawn.data().iter().map(|x| x + 0.5).cycle();
        let mut uniform = || numbers.next().unwrap_or(0.0);
        let weight = xavier(shape[1], shape[0], &mut uniform);
        assert!(
            weight.shape() == shape,
            "xavier_uniform: the weight has the shape {:?}; it must be [fan_out, fan_in], here {shape:?}",
            weight.shape()
        );
        params.set(param, weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::linear::Linear;
    use crate::params::xavier_bound;
    use crate::train::schedule::noam_rate;

    #[test]
    fn the_references_train_as_the_engine_does_to_rounding() {
        let mut own = Training::new(Parts::default(), 6, SEED);
        // The same loop with the engine's own layers, softmax gradient and optimizer.
        let mut engine = Training::new(Parts::default(), 6, SEED);
        let mut adam = Adam::new(&engine.params);
        for step in 1..=6 {
            let loss = own.step();
            let batch = copy_batch(&words(SEED, step));
            let tape = Tape::train(&engine.params, SEED);
            let src = tape.ids("src", batch.src, &["b", "s"]);
            let tgt = tape.ids("tgt", batch.tgt, &["b", "t"]);
            let log_probs = engine.model.forward(&src, &tgt).log_probs;
            let targets = tape.ids("tgt_y", batch.tgt_y, &["b", "t"]);
            let targets = targets.smooth_targets(VOCABULARY, SMOOTHING, Spread::NoPadding, 0.0);
            let words = batch.ntokens as f64;
            let expected = smoothed_mean(&log_probs, &targets, SMOOTHING, Spread::NoPadding, words);
            let value = f64::from(expected.value().at(&[]));
            assert!((loss - value).abs() < 1e-4, "step {step}: {loss} {value}");
            let rate = noam_rate(step, 32, FACTOR, WARMUP) as f32;
            adam.step(&mut engine.params, &expected.backward(), rate);
        }
        assert_eq!(own.without_gradient, Vec::<String>::new());
        assert!(own.calls.values().all(|&n| n > 0 || own.calls["pass"] == 0));
    }

    #[test]
    fn equal_functions_give_equal_bits_and_a_wrong_optimizer_parts_at_its_first_step() {
        let trained = |mine: &Mine| Training::beside_reference(mine, 3, SEED, |_, _| {});
        let same = trained(&Mine::default());
        assert_eq!(same.parts_at(), None);
        let mut mine = Mine::default();
        mine.parts.adam_step = |x, gradient, m, v, step, rules| {
            let ascent = gradient.scale(-1.0);
            crate::train::adam::adam_step(x, &ascent, m, v, step, rules)
        };
        // The first loss is computed before any update.
        assert_eq!(trained(&mine).parts_at(), Some(2));
    }

    /// Right solutions of the exercises for which the engine has no function of their form.
    fn with_own_gradients() -> Parts {
        Parts {
            xavier_uniform: Some(|fan_in, fan_out, uniform| {
                let bound = xavier_bound(&[fan_out, fan_in]);
                Tensor::from_fn(&[fan_out, fan_in], |_| (2.0 * uniform() - 1.0) * bound)
            }),
            linear: Some(|x, weight, bias, dy| {
                let mut params = Params::default();
                let weight = params.insert("weight", weight.clone(), &["o", "i"]);
                let bias = params.insert("bias", bias.clone(), &["o"]);
                let tape = Tape::eval(&params);
                let x = tape.input("x", x.clone(), &["n", "i"]);
                let map = Linear {
                    weight,
                    bias: Some(bias),
                };
                let y = map.forward(&x);
                let grads = y.backward_from(dy);
                let of = |param| grads.param(param).expect("y depends on it").clone();
                let dx = grads.get(&x).expect("y depends on x").clone();
                (y.value(), [dx, of(weight), of(bias)])
            }),
            layer_norm_backward: Some(|x, scale, epsilon, dy| {
                let tape = Tape::eval(&Params::default());
                let [x, scale, bias] = [
                    ("x", x.clone()),
                    ("scale", scale.clone()),
                    ("bias", Tensor::zeros(scale.shape())),
                ]
                .map(|(name, value)| {
                    let axes = vec![""; value.rank()];
                    tape.input(name, value, &axes)
                });
                let y = x.layer_norm(&scale, &bias, Deviation::Population, epsilon);
                let grads = y.backward_from(dy);
                [&x, &scale, &bias].map(|of| grads.get(of).expect("y depends on it").clone())
            }),
            cross_entropy: Some(|logits, targets, _| {
                let rows = logits.data().chunks(logits.last()).zip(targets);
                let sum: f32 = rows.map(|(row, &id)| -row[id]).sum();
                (sum / targets.len() as f32, Tensor::zeros(logits.shape()))
            }),
            ..Parts::default()
        }
    }

    #[test]
    fn first_weights_maps_and_gradients_of_the_learners_own_train_as_the_references_do() {
        let mine = Mine {
            parts: with_own_gradients(),
            own: vec!["training_step"],
        };
        let found = Training::beside_reference(&mine, 4, SEED, |_, _| {});
        assert_eq!(found.parts_beyond_rounding_at(), None, "{:?}", found.losses);
        let names = [
            "linear",
            "layer_norm_backward",
            "xavier_uniform",
            "cross_entropy",
            "training_step",
        ];
        assert!(names.iter().all(|name| found.calls[*name] > 0));
        assert!(
            found.figures.iter().all(Figure::agrees),
            "{:?}",
            found.figures
        );
        assert_eq!(found.figures.len(), 2);
    }

    #[test]
    fn wrong_gradients_of_a_map_and_a_norm_are_named() {
        let mut mine = Mine {
            own: vec!["linear", "layer_norm_backward"],
            ..Mine::default()
        };
        mine.parts = with_own_gradients();
        mine.parts.layer_norm_backward =
            Some(|x, scale, _, _| [x, scale, scale].map(|of| Tensor::zeros(of.shape())));
        let found = Training::beside_reference(&mine, 8, SEED, |_, _| {});
        let parting = found.parting.expect("a gradient is missing");
        assert_eq!(
            parting.culprits().collect::<Vec<_>>(),
            ["layer_norm_backward"]
        );
    }

    #[test]
    fn a_wrong_training_step_gives_another_figure() {
        let mut mine = Mine {
            own: vec!["training_step"],
            ..Mine::default()
        };
        mine.parts.training_step = |_, _, _, _, _, _| 0.5;
        let found = Training::beside_reference(&mine, 1, SEED, |_, _| {});
        assert_eq!(found.figures[0].name, "training_step");
        assert!(!found.figures[0].agrees());
    }

    #[test]
    fn the_function_that_makes_the_losses_part_is_named() {
        let mut mine = Mine {
            own: vec!["shift", "softmax_backward"],
            ..Mine::default()
        };
        mine.parts.softmax_backward = |y, dy| y.mul(dy).scale(-1.0);
        let found = Training::beside_reference(&mine, 8, SEED, |_, _| {});
        let parting = found.parting.expect("the gradient is wrong");
        assert_eq!(parting.culprits().collect::<Vec<_>>(), ["softmax_backward"]);
        assert_eq!(parting.by_part[0], ("shift".to_owned(), Some(0.0)));
        assert!(parting.step > 1, "the first loss is before any update");
    }
}
