//! A training with the learner's functions in step with the same training by the references, and the search for the
//! function that makes a difference.

use std::cell::RefCell;

use super::order::{Figure, LossDifference, ROUNDING, Trained};
use super::pace::{TIMED, Times, seconds_of_step, timed};
use super::parts::{Mine, Parts};
use super::training::{MORE_STEPS, State, TrainingRun};
use super::xor;
use crate::lesson::exercise::attempt;
use crate::lesson::training_loop;

/// Number of epochs into which a `training_loop` of the learner's own divides the updates.
const EPOCHS: usize = 4;

/// Number of updates between two snapshots of the references' training.
const BETWEEN_SNAPSHOTS: usize = 20;

/// Number of updates for which functions are tried from a snapshot.
const TRIED: usize = 3;

/// Number of steps after which training may have amplified rounding beyond [`ROUNDING`].
const EARLY: usize = 20;

/// Number of updates between two reported losses.
const BETWEEN_REPORTS: usize = 20;

/// Trains with the learner's functions and with the references, step by step; `report` gets lines with the losses of
/// some steps and, after the first ones, the time per step.
pub fn beside_reference(mine: &Mine, steps: usize, seed: u64, report: fn(&str)) -> Trained {
    let mut run = InStep {
        own: TrainingRun::new(mine.parts, steps, seed),
        reference: TrainingRun::new(Parts::default(), steps, seed),
        mine,
        steps,
        seed,
        report,
        times: Times::default(),
        batches: vec![],
        snapshots: vec![],
        validated: RefCell::default(),
        out: Trained::default(),
    };
    let by_loop = run.train();
    run.out.right = [run.own.right(), run.reference.right()];
    run.out.parting = run.parting();
    let mut figures: Vec<Figure> = by_loop.into_iter().collect();
    figures.extend(run.figures());
    Trained {
        figures,
        without_gradient: run.own.without_gradient,
        calls: run.own.calls,
        ..run.out
    }
}

struct InStep<'a> {
    own: TrainingRun,
    reference: TrainingRun,
    mine: &'a Mine,
    steps: usize,
    seed: u64,
    report: fn(&str),
    /// Time of the steps so far.
    times: Times,
    /// Batches of the learner's training so far, in order.
    batches: Vec<usize>,
    /// The references' training before every [`BETWEEN_SNAPSHOTS`]th update.
    snapshots: Vec<State>,
    /// Held-out losses that the learner's loop has measured.
    validated: RefCell<Vec<f64>>,
    out: Trained,
}

impl training_loop::Training for InStep<'_> {
    fn batches(&self, epoch: usize) -> Vec<usize> {
        assert!(
            (1..=EPOCHS).contains(&epoch),
            "training_loop asked for the batches of epoch {epoch}; there are the epochs 1 to {EPOCHS}"
        );
        let start = |epoch| self.steps * epoch / EPOCHS;
        (start(epoch - 1)..start(epoch)).collect()
    }

    fn step(&mut self, batch: usize) -> f64 {
        assert!(
            self.batches.len() < self.steps,
            "training_loop made more than the {} steps of {EPOCHS} epochs",
            self.steps
        );
        if self.has_diverged() {
            return f64::NAN;
        }
        let step = self.batches.len();
        if step.is_multiple_of(BETWEEN_SNAPSHOTS) {
            self.snapshots.push(self.reference.state());
        }
        self.batches.push(batch);
        let own = timed(&mut self.times.own, || self.own.step_on(batch));
        let reference = timed(&mut self.times.reference, || self.reference.step_on(step));
        self.report(step + 1, own, reference);
        self.out.reference.push(reference);
        if own.is_finite() {
            self.out.losses.push(own);
        }
        own
    }

    fn validate(&self) -> f64 {
        let loss = self.own.held_out_loss();
        self.validated.borrow_mut().push(loss);
        loss
    }

    fn weights(&self) -> Vec<f32> {
        self.own.weights()
    }
}

impl InStep<'_> {
    /// True once a loss of the learner's training was NaN or infinite.
    fn has_diverged(&self) -> bool {
        self.out.losses.len() < self.out.reference.len()
    }

    /// Reports the losses of every [`BETWEEN_REPORTS`]th step and, after the first [`TIMED`] steps of more, their time.
    fn report(&self, step: usize, own: f64, reference: f64) {
        if step == 1 || step.is_multiple_of(BETWEEN_REPORTS) {
            (self.report)(&format!("{step:>6}  {own:>10.6}  {reference:>10.6}"));
        }
        if step == TIMED && self.steps > TIMED {
            let state = self.reference.state();
            let seconds_of = |name: &str| seconds_of_step(name, self.mine, &state);
            let left = self.steps - TIMED;
            let sentences = self.times.sentences(left, &self.mine.own, seconds_of);
            sentences.iter().for_each(|line| (self.report)(line));
        }
    }

    /// Runs all updates: by the learner's loop, whose figure is returned, or one batch after another.
    fn train(&mut self) -> Option<Figure> {
        let Some(train) = self.mine.parts.training_loop else {
            for batch in 0..self.steps {
                training_loop::Training::step(self, batch);
            }
            return None;
        };
        // With this patience the loop never ends early.
        let trained = train(self, EPOCHS, EPOCHS + 1);
        let (made, all) = (self.batches.len(), self.steps);
        assert!(
            made == all || self.has_diverged(),
            "training_loop made {made} of the {all} steps of {EPOCHS} epochs; its patience of {} epochs can't have run out",
            EPOCHS + 1
        );
        let expected = self.own.weights().len();
        let length = trained.weights.len();
        assert!(
            length == expected,
            "training_loop returned {length} weights; the model has {expected}"
        );
        let last = self.own.held_out_loss();
        let best = self.validated.take().into_iter().fold(last, f64::min);
        self.own.set_weights(&trained.weights);
        self.own.calls.insert("training_loop".to_owned(), 1);
        Some(Figure {
            name: "training_loop".to_owned(),
            what: "the loss of new sentences with the weights that it returned, in nats per token"
                .to_owned(),
            own: Some(self.own.held_out_loss()).filter(|loss| loss.is_finite()),
            reference: best,
        })
    }

    /// Figures of the trained model from the learner's functions that its losses don't depend on. Counts their calls.
    fn figures(&mut self) -> Vec<Figure> {
        let mut figures = Vec::new();
        let own = &mut self.own;
        let mut push = |name: &str, what: String, own: Option<f64>, reference| {
            figures.push(Figure {
                name: name.to_owned(),
                what,
                own: own.filter(|own| own.is_finite()),
                reference,
            });
        };
        if let Some(function) = own.parts.cross_entropy {
            let (log_probs, targets) = own.held_out();
            // Log-probabilities are logits, too: their softmax gives the probabilities.
            let loss = attempt("", || f64::from(function(&log_probs, &targets, 0).0)).ok();
            let what = "the loss of new sentences, in nats per token".to_owned();
            push("cross_entropy", what, loss, own.held_out_loss());
            own.calls.insert("cross_entropy".to_owned(), 1);
        }
        if self.mine.own.contains(&"training_step") {
            let loss = attempt("", || own.loss_after_more(own.parts.training_step)).ok();
            let reference = own.loss_after_more(Parts::default().training_step);
            let what = format!("the loss after {MORE_STEPS} more updates");
            push("training_step", what, loss, reference);
            own.calls.insert("training_step".to_owned(), MORE_STEPS);
        }
        if let Some(tape) = own.parts.tiny_tape {
            let loss = attempt("", || xor::loss_on(tape)).ok();
            let what = format!(
                "the squared error of a small network that learned XOR on your tape, after {} updates",
                xor::UPDATES
            );
            push("tiny_tape", what, loss, xor::REFERENCE);
            own.calls.insert("tiny_tape".to_owned(), xor::UPDATES + 1);
        }
        figures
    }

    /// What the learner's functions do on their own, where the losses part by more than rounding.
    fn parting(&self) -> Option<LossDifference> {
        let far = |(own, reference): (&f64, &f64)| (own - reference).abs() > ROUNDING;
        let mut pairs = self.out.losses.iter().zip(&self.out.reference);
        let first = pairs
            .position(far)
            .or_else(|| self.has_diverged().then_some(self.out.losses.len()))?;
        let from_start = || self.compared(None, 0..first + 1);
        if first < EARLY {
            return Some(from_start());
        }
        // Rounding has grown by now, so the functions are tried from states of the references' training.
        let from_snapshot = |state: &State| {
            let start = state.updates;
            let range = start..(start + TRIED).min(self.out.reference.len());
            let expected = &self.out.reference[range.clone()];
            let all = self.losses(self.mine.parts, Some(state), range);
            let at = all.map_or(Some(0), |all| {
                all.iter().zip(expected).position(|(own, reference)| {
                    let far = (own - reference).abs();
                    far.is_nan() || far > ROUNDING
                })
            })?;
            Some(self.compared(Some(state), start..start + at + 1))
        };
        let from_snapshots = self.snapshots.iter().find_map(from_snapshot);
        from_snapshots.or_else(|| self.has_diverged().then(from_start))
    }

    /// Differences at the last step of `range` with one of the learner's functions at a time.
    fn compared(&self, from: Option<&State>, range: std::ops::Range<usize>) -> LossDifference {
        let expected = self.out.reference[range.end - 1];
        let alone = |name: &&str| {
            let parts = Parts::default().with(name, &self.mine.parts);
            let losses = self.losses(parts, from, range.clone());
            let last = losses.and_then(|losses| losses.last().copied());
            let far = last.map(|loss| (loss - expected).abs());
            ((*name).to_owned(), far.filter(|far| far.is_finite()))
        };
        LossDifference {
            step: range.end,
            by_part: self.mine.own.iter().map(alone).collect(),
        }
    }

    /// Losses of the steps of `range` with `parts`, from a state before its first step; `None` if a function panics. The
    /// batches are those of the learner's loop if that is among `parts`.
    fn losses(
        &self,
        parts: Parts,
        from: Option<&State>,
        range: std::ops::Range<usize>,
    ) -> Option<Vec<f64>> {
        let run = || {
            let mut run = TrainingRun::new(parts, self.steps, self.seed);
            if let Some(state) = from {
                run = run.continued(state);
            }
            let batch = |step| match parts.training_loop {
                Some(_) => self.batches[step],
                None => step,
            };
            range.map(|step| run.step_on(batch(step))).collect()
        };
        attempt("", run).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::lesson::mine::SEED;
    use crate::lesson::training_loop::Trained as Best;
    use crate::nn::linear::Linear;
    use crate::ops::Deviation;
    use crate::params::{Params, xavier_bound};
    use crate::tensor::Tensor;

    #[test]
    fn equal_functions_give_equal_bits_and_a_wrong_optimizer_parts_at_its_first_step() {
        let trained = |mine: &Mine| beside_reference(mine, 3, SEED, |_| {});
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
        let trained = beside_reference(&mine, 4, SEED, |_| {});
        assert_eq!(trained.parting, None, "{:?}", trained.losses);
        let names = [
            "linear",
            "layer_norm_backward",
            "xavier_uniform",
            "cross_entropy",
            "training_step",
        ];
        assert!(names.iter().all(|name| trained.calls[*name] > 0));
        assert!(
            trained.figures.iter().all(Figure::agrees),
            "{:?}",
            trained.figures
        );
        assert_eq!(trained.figures.len(), 2);
    }

    /// Runs every epoch, with the batches in the order that `order` makes of them, and returns the last weights.
    fn all_epochs(
        run: &mut dyn training_loop::Training,
        epochs: usize,
        order: impl Fn(&mut Vec<usize>),
    ) -> Best {
        for epoch in 1..=epochs {
            let mut batches = run.batches(epoch);
            order(&mut batches);
            for batch in batches {
                run.step(batch);
            }
        }
        Best {
            weights: run.weights(),
            loss: run.validate(),
            epoch: epochs,
            losses: vec![],
        }
    }

    fn with_loop(training_loop: training_loop::LoopFn) -> Mine {
        let mut mine = Mine {
            own: vec!["training_loop", "shift"],
            ..Mine::default()
        };
        mine.parts.training_loop = Some(training_loop);
        mine
    }

    #[test]
    fn a_loop_of_the_learners_own_drives_the_training_to_the_same_bits() {
        let mine = with_loop(|run, epochs, _| all_epochs(run, epochs, |_| {}));
        let trained = beside_reference(&mine, 10, SEED, |_| {});
        assert_eq!((trained.losses.len(), trained.parts_at()), (10, None));
        let [figure] = &trained.figures[..] else {
            panic!("{:?}", trained.figures)
        };
        assert_eq!(figure.name, "training_loop");
        assert!(figure.agrees(), "{figure:?}");
        assert_eq!(trained.calls["training_loop"], 1);
    }

    #[test]
    fn the_function_that_makes_the_losses_part_is_named_where_it_begins() {
        let mut gradient = Mine {
            own: vec!["linear", "layer_norm_backward"],
            parts: with_own_gradients(),
        };
        gradient.parts.layer_norm_backward =
            Some(|x, scale, _, _| [x, scale, scale].map(|of| Tensor::zeros(of.shape())));
        let mut softmax = Mine {
            own: vec!["shift", "softmax_backward"],
            ..Mine::default()
        };
        softmax.parts.softmax_backward = |y, dy| y.mul(dy).scale(-1.0);
        let mut rate = Mine {
            own: vec!["noam_rate", "shift"],
            ..Mine::default()
        };
        rate.parts.noam_rate = |step, d_model, factor, warmup| {
            crate::train::schedule::noam_rate(step.min(warmup), d_model, factor, warmup)
        };
        let order = |run: &mut dyn training_loop::Training, epochs, _| {
            all_epochs(run, epochs, |batches| batches.reverse())
        };
        // The first loss is before any update, and the rate is wrong only after its warm-up.
        for (mine, updates, name, begins) in [
            (gradient, 8, "layer_norm_backward", 2..8),
            (softmax, 8, "softmax_backward", 2..8),
            (rate, 90, "noam_rate", 61..90),
            (with_loop(order), 12, "training_loop", 1..12),
        ] {
            let trained = beside_reference(&mine, updates, SEED, |_| {});
            let parting = trained.parting.expect(name);
            assert_eq!(parting.culprits().collect::<Vec<_>>(), [name]);
            assert!(begins.contains(&parting.step), "{name}: {}", parting.step);
        }
    }

    #[test]
    fn a_wrong_step_and_a_loop_that_returns_the_first_weights_give_another_figure() {
        let mut step = Mine {
            own: vec!["training_step"],
            ..Mine::default()
        };
        step.parts.training_step = |_, _, _, _, _, _| 0.5;
        let first = |run: &mut dyn training_loop::Training, epochs, _| Best {
            weights: run.weights(),
            ..all_epochs(run, epochs, |_| {})
        };
        for mine in [step, with_loop(first)] {
            let trained = beside_reference(&mine, 12, SEED, |_| {});
            assert_eq!(trained.parting, None);
            assert!(!trained.figures[0].agrees(), "{:?}", trained.figures);
        }
    }

    #[test]
    #[should_panic(expected = "training_loop made 9 of the 12 steps")]
    fn a_loop_that_leaves_an_epoch_out_is_told_how_many_steps_are_missing() {
        let mine = with_loop(|run, epochs, _| all_epochs(run, epochs - 1, |_| {}));
        beside_reference(&mine, 12, SEED, |_| {});
    }
}
