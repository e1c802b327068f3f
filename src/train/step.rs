//! One training step: a batch is cut into a fixed number of shards, each runs forward and backward on a thread of
//! its own, and the gradients are added in the shards' order. So the sums, and their bits, do not depend on how
//! many threads there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::autograd::Tape;
use crate::ops::{Smoothing, Spread};
use crate::params::{Param, Params};
use crate::tensor::threads::{check, together};
use crate::tensor::{Tensor, alone, shared, threads, vector};
use crate::transformer::Transformer;

pub use crate::data::batch::{Batch, PAD};

/// What one batch gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The smoothed loss a target token, in nats.
    pub loss: f64,
    /// `−log p` of the right word, a target token, in nats.
    pub nats: f64,
    /// Target tokens.
    pub tokens: usize,
}

/// How the loss is smoothed, and how the work is cut.
#[derive(Clone, Copy, Debug)]
pub struct StepOptions {
    /// ε of label smoothing.
    pub smoothing: f32,
    /// Over which words it is spread.
    pub spread: Spread,
    /// Parts of a batch; other numbers give other rounding. They are shared among the threads of whoever calls
    /// ([`crate::tensor::on_threads`]), any number of which gives the same bits.
    pub shards: usize,
}

impl StepOptions {
    /// How many shards `batch` is cut into: none without a sentence.
    fn shards_of(&self, batch: &Batch) -> usize {
        self.shards.clamp(1, batch.sentences().max(1))
    }
}

/// The gradients of the parameters, in order, gathered over shards.
pub type Gradients = Vec<Option<Tensor>>;

/// Forward and backward over `batch` in training mode; `seed` draws the dropout. The gradients are those of the
/// mean loss a token, where `tokens` is what the mean is taken over (more than the batch's own where several
/// batches make one update), and are added to `gradients`.
pub fn gradients(
    model: &Transformer,
    params: &Params,
    batch: &Batch,
    tokens: usize,
    seed: u64,
    options: &StepOptions,
    gradients: &mut Gradients,
) -> Measured {
    gradients.resize(params.len(), None);
    let gathered = Gathering::new(std::mem::take(gradients));
    let (loss, nats) = in_shards(batch, options, |shard, part| {
        let tape = training_tape(params, seed, shard);
        let found = loss(model, &tape, &part, options, 1.0 / tokens as f32);
        let value = f64::from(found.loss.value().at(&[]));
        tape.backward_into(&found.loss, |param, grad| {
            gathered.add(shard, param, grad);
        });
        gathered.end(shard);
        (value, found.nats)
    });
    *gradients = gathered.finish();
    let own = batch.target_tokens();
    Measured {
        loss: loss * tokens as f64 / own.max(1) as f64,
        nats: nats / own.max(1) as f64,
        tokens: own,
    }
}

/// The tape of one shard of a training step.
fn training_tape(params: &Params, seed: u64, shard: usize) -> Tape {
    Tape::train(params, mixed(seed, shard as u64)).fused()
}

/// The name of the first tensor that holds NaN or an infinity when [`gradients`] runs the same again: with the same
/// shards, fused steps and dropout, forward and then backward. `None` where every tensor is finite (their sum need
/// not be).
pub fn first_not_finite(
    model: &Transformer,
    params: &Params,
    batch: &Batch,
    tokens: usize,
    seed: u64,
    options: &StepOptions,
) -> Option<String> {
    let bad = |x: &Tensor| x.data().iter().any(|x| !x.is_finite());
    let shards = options.shards_of(batch);
    (0..shards).find_map(|shard| {
        let tape = training_tape(params, seed, shard);
        let part = batch.part(shard, shards);
        let found = loss(model, &tape, &part, options, 1.0 / tokens as f32);
        let trace = tape.trace();
        if let Some(step) = trace.steps().iter().find(|step| bad(&step.value)) {
            return Some(step.name.clone());
        }
        let grads = trace.gradients(found.loss.id(), &[]);
        // The walk goes from the last step to the first.
        let last = grads
            .iter()
            .rposition(|grad| grad.as_ref().is_some_and(bad))?;
        Some(format!("the gradient of {}", trace.steps()[last].name))
    })
}

/// Runs `work` on every shard of `batch`, begun in order on this thread's threads, and adds up the two numbers that
/// each gives, in order. A shard that panics ends the others, and its panic goes on here.
fn in_shards(
    batch: &Batch,
    options: &StepOptions,
    work: impl Fn(usize, Batch) -> (f64, f64) + Sync,
) -> (f64, f64) {
    let shards = options.shards_of(batch);
    let next = AtomicUsize::new(0);
    let sums = Mutex::new(vec![(0.0, 0.0); shards]);
    let turns = || {
        loop {
            check();
            let shard = next.fetch_add(1, Ordering::SeqCst);
            if shard >= shards {
                return;
            }
            let found = work(shard, batch.part(shard, shards));
            lock(&sums)[shard] = found;
        }
    };
    together(threads().min(shards), |_| alone(turns));
    let sums = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    sums.iter().fold((0.0, 0.0), |(l, n), s| (l + s.0, n + s.1))
}

/// The loss of `batch` without training.
pub fn evaluate(
    model: &Transformer,
    params: &Params,
    batch: &Batch,
    options: &StepOptions,
) -> Measured {
    let own = batch.target_tokens().max(1);
    let (loss, nats) = in_shards(batch, options, |_, part| {
        let tape = Tape::eval(params).fused();
        let found = loss(model, &tape, &part, options, 1.0 / own as f32);
        (f64::from(found.loss.value().at(&[])), found.nats)
    });
    Measured {
        loss,
        nats: nats / own as f64,
        tokens: own,
    }
}

/// The loss of `batch` on `tape`, each word's multiplied by `factor`.
pub fn loss(
    model: &Transformer,
    tape: &Tape,
    batch: &Batch,
    options: &StepOptions,
    factor: f32,
) -> crate::ops::Loss {
    let (read, predict) = batch.shifted();
    let src = tape.ids("src", batch.src.clone(), &["b", "s"]);
    let tgt = tape.ids("tgt", read, &["b", "t"]);
    let targets = tape.ids("targets", predict, &["b", "t"]);
    let (src_mask, tgt_mask) = (model.src_mask(&src), model.tgt_mask(&tgt));
    let memory = model.encode(&src, &src_mask);
    let hidden = model.decode(&memory, &src_mask, &tgt, &tgt_mask);
    let smoothing = Smoothing {
        epsilon: options.smoothing,
        spread: options.spread,
        padding: PAD,
        factor,
    };
    let weight = tape.param(model.generator.weight);
    let bias = model.generator.bias.map(|bias| tape.param(bias));
    hidden.smoothed_loss(&weight, bias.as_ref(), &targets, smoothing)
}

/// The root of the sum of all squares of the gradients, in f64; the parts are added in order, whichever thread summed
/// them.
pub fn norm(gradients: &Gradients) -> f64 {
    /// Cells that one thread takes at a time.
    const PART: usize = 1 << 16;
    let parts: Vec<&[f32]> = gradients
        .iter()
        .flatten()
        .flat_map(|grad| grad.data().chunks(PART))
        .collect();
    let mut sums = vec![0.0_f64; parts.len()];
    shared(sums.iter_mut().zip(parts).collect(), |(sum, part)| {
        let rows = part.chunks(1 << 12);
        *sum = rows.map(|row| f64::from(vector::dot(row, row))).sum();
    });
    sums.iter().sum::<f64>().sqrt()
}

/// Another seed for every number: splitmix64.
pub fn mixed(seed: u64, n: u64) -> u64 {
    let mut x = seed.wrapping_add((n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Adds the shards' gradients as they come, each parameter's in the shards' order.
struct Gathering {
    slots: Vec<Mutex<Slot>>,
    turn: Condvar,
    /// Guards nothing; what waiting shards sleep on.
    gate: Mutex<()>,
}

/// A parameter's gradient as far as it is added up.
struct Slot {
    /// The shard that comes next.
    turn: usize,
    sum: Option<Tensor>,
}

impl Gathering {
    fn new(before: Gradients) -> Self {
        let slot = |sum| Mutex::new(Slot { turn: 0, sum });
        Self {
            slots: before.into_iter().map(slot).collect(),
            turn: Condvar::new(),
            gate: Mutex::new(()),
        }
    }

    /// Adds what a shard hands over, after the shards before it.
    fn add(&self, shard: usize, param: Param, grad: Tensor) {
        let mut slot = self.wait_for_turn(shard, param.index());
        match &mut slot.sum {
            Some(sum) => vector::add(sum.data_mut(), grad.data()),
            empty => *empty = Some(grad),
        }
        slot.turn += 1;
        drop(slot);
        self.ring();
    }

    /// After the last gradient of a shard. A parameter that it did not use has the gradient 0 there: nothing is added,
    /// and the next shard's turn comes.
    fn end(&self, shard: usize) {
        for n in 0..self.slots.len() {
            if lock(&self.slots[n]).turn <= shard {
                self.wait_for_turn(shard, n).turn += 1;
            }
        }
        self.ring();
    }

    /// Waits until the shards before have added theirs. They have begun before this one, so they will, or panic.
    fn wait_for_turn(&self, shard: usize, n: usize) -> MutexGuard<'_, Slot> {
        /// Nobody rings for a shard that panicked: after so long it is looked for.
        const LOOK: Duration = Duration::from_millis(20);
        let mut gate = lock(&self.gate);
        loop {
            let slot = lock(&self.slots[n]);
            if slot.turn == shard {
                return slot;
            }
            drop(slot);
            let waited = self.turn.wait_timeout(gate, LOOK);
            let (guard, late) = waited.unwrap_or_else(PoisonError::into_inner);
            drop(guard);
            if late.timed_out() {
                check();
            }
            gate = lock(&self.gate);
        }
    }

    /// Wakes the shards that wait.
    fn ring(&self) {
        // Taken for a moment: between a waiting shard's look and its sleep nobody may ring.
        drop(lock(&self.gate));
        self.turn.notify_all();
    }

    fn finish(self) -> Gradients {
        let slots = self.slots.into_iter();
        let sum = |slot: Mutex<Slot>| {
            slot.into_inner()
                .unwrap_or_else(PoisonError::into_inner)
                .sum
        };
        slots.map(sum).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc;

    use super::*;
    use crate::params::Init;
    use crate::tensor::on_threads;
    use crate::tensor::threads::{message, quiet};
    use crate::transformer::Config;

    fn batch() -> Batch {
        let pairs: Vec<(Vec<u32>, Vec<u32>)> = (0..7)
            .map(|n| {
                (
                    (3..6 + n % 4).collect(),
                    [1].into_iter().chain(4..7 + n % 3).chain([2]).collect(),
                )
            })
            .collect();
        let pairs: Vec<(&[u32], &[u32])> = pairs.iter().map(|(s, t)| (&s[..], &t[..])).collect();
        Batch::new(&pairs)
    }

    const OPTIONS: StepOptions = StepOptions {
        smoothing: 0.1,
        spread: Spread::All,
        shards: 4,
    };

    fn model() -> (Transformer, Params) {
        let mut params = Params::new(3);
        let model = Transformer::new(&mut params, &Config::annotated(12, 12).sized(2, 16, 32, 4));
        (model, params)
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let (model, params) = model();
        let run = |threads| {
            let mut grads = Vec::new();
            let tokens = batch().target_tokens();
            let found = on_threads(threads, || {
                gradients(&model, &params, &batch(), tokens, 5, &OPTIONS, &mut grads)
            });
            (found, grads)
        };
        let one = run(1);
        assert!(
            one.1.iter().all(Option::is_some),
            "every parameter was used"
        );
        assert!(run(2) == one && run(4) == one && run(9) == one);
    }

    #[test]
    fn the_fused_shards_have_the_gradients_of_one_visible_run() {
        let (mut model, params) = model();
        model.config.dropout = 0.0;
        let config = Config {
            dropout: 0.0,
            ..model.config.clone()
        };
        let model = Transformer::new(&mut Params::layout(), &config);
        let tokens = batch().target_tokens();
        let mut grads = Vec::new();
        let found = gradients(&model, &params, &batch(), tokens, 5, &OPTIONS, &mut grads);
        let tape = Tape::eval(&params);
        let (read, predict) = batch().shifted();
        let src = tape.ids("src", batch().src, &["b", "s"]);
        let tgt = tape.ids("tgt", read, &["b", "t"]);
        let pass = model.forward(&src, &tgt);
        let targets = tape.ids("targets", predict, &["b", "t"]);
        let smooth = targets.smooth_targets(12, 0.1, Spread::All, 0.0);
        let whole = pass
            .log_probs
            .kl_divergence(&smooth)
            .scale(1.0 / tokens as f32)
            .backward();
        for (param, name, _) in params.iter() {
            let (a, b) = (
                grads[param.index()].as_ref().unwrap(),
                whole.param(param).unwrap(),
            );
            for (a, b) in a.data().iter().zip(b.data()) {
                assert!((a - b).abs() < 2e-6, "{name}: {a} {b}");
            }
        }
        let same = evaluate(&model, &params, &batch(), &OPTIONS);
        assert!((same.loss - found.loss).abs() < 1e-5 && (same.nats - found.nats).abs() < 1e-5);
    }

    #[test]
    fn parts_keep_every_sentence_and_drop_columns_of_padding() {
        let whole = batch();
        let parts: Vec<Batch> = (0..3).map(|n| whole.part(n, 3)).collect();
        assert_eq!(parts.iter().map(Batch::sentences).sum::<usize>(), 7);
        assert_eq!(
            parts.iter().map(Batch::target_tokens).sum::<usize>(),
            whole.target_tokens()
        );
        assert_eq!(whole.part(0, 7).src.shape(), [1, 3]);
        let (read, predict) = whole.part(0, 7).shifted();
        assert_eq!(
            (read.data(), predict.data()),
            (&[1.0, 4.0, 5.0, 6.0][..], &[4.0, 5.0, 6.0, 2.0][..])
        );
    }
    /// What `work` comes to, or a panic here where it hangs.
    fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
        let (send, found) = mpsc::channel();
        std::thread::spawn(move || send.send(work()));
        let found = found.recv_timeout(Duration::from_secs(30));
        found.expect("it ends instead of waiting for ever")
    }

    #[test]
    fn a_shard_that_panics_ends_the_step_with_its_own_message() {
        for which in 0..4 {
            let said = in_time(move || {
                let (model, params) = model();
                let gathered = Gathering::new(vec![None; params.len()]);
                let step = || {
                    in_shards(&batch(), &OPTIONS, |shard, part| {
                        // The others may wait for it already.
                        std::thread::sleep(Duration::from_millis(if shard == which {
                            30
                        } else {
                            0
                        }));
                        assert!(shard != which, "shard {shard} has had enough");
                        let tape = training_tape(&params, 5, shard);
                        let found = loss(&model, &tape, &part, &OPTIONS, 1.0);
                        tape.backward_into(&found.loss, |param, grad| {
                            gathered.add(shard, param, grad);
                        });
                        gathered.end(shard);
                        (0.0, 0.0)
                    })
                };
                let step = || on_threads(4, step);
                quiet(|| catch_unwind(AssertUnwindSafe(step)).map_err(message))
            });
            let words = format!("shard {which} has had enough");
            assert_eq!(said.unwrap_err().as_deref(), Some(&*words));
        }
    }

    #[test]
    fn a_word_outside_the_vocabulary_ends_a_step_on_any_number_of_threads() {
        for threads in [1, 2, 4] {
            let said = in_time(move || {
                let (model, params) = model();
                let mut batch = batch();
                batch.src.data_mut()[0] = 99.0;
                let step = || {
                    on_threads(threads, || {
                        gradients(&model, &params, &batch, 1, 5, &OPTIONS, &mut Vec::new())
                    })
                };
                quiet(|| catch_unwind(AssertUnwindSafe(step)).map_err(message))
            });
            let said = said.unwrap_err().unwrap();
            assert!(said.contains("99"), "{said}");
        }
    }

    #[test]
    fn a_parameter_that_a_shard_does_not_use_has_the_gradient_zero_there() {
        let sums = in_time(|| {
            let mut params = Params::new(0);
            let [x, unused] =
                ["x", "unused"].map(|name| params.add(name, &[1], &["d"], Init::Constant(1.0)));
            let gathered = Gathering::new(vec![None; 2]);
            let gradient = |value| Tensor::new(&[1], vec![value]);
            on_threads(4, || {
                in_shards(&batch(), &OPTIONS, |shard, _| {
                    // The first begins last, so that the others wait.
                    std::thread::sleep(Duration::from_millis(if shard == 0 { 20 } else { 0 }));
                    if shard % 2 == 1 {
                        gathered.add(shard, x, gradient(shard as f32));
                    }
                    gathered.end(shard);
                    (0.0, 0.0)
                })
            });
            let _ = unused;
            gathered.finish()
        });
        assert_eq!(sums, [Some(Tensor::new(&[1], vec![4.0])), None]);
    }
}
