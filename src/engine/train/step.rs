//! One training step: the gradients of a batch, computed in parallel.
//!
//! The batch is cut into a fixed number of shards. Each runs forward and backward on one thread, and the gradients are
//! added in the order of the shards, so the result is the same to the last bit for any number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::autograd::{Gradient, Tape};
use crate::ops::{Smoothing, Spread};
use crate::params::{Param, Params};
use crate::tensor::threads::{check, lock, together};
use crate::tensor::{Tensor, alone, shared, threads, vector};
use crate::transformer::Transformer;

pub use crate::data::batch::{Batch, PAD};

/// Loss of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Label-smoothed loss per target token, in nats.
    pub loss: f64,
    /// Mean `−log p` of the right token, in nats.
    pub nats: f64,
    /// Number of target tokens.
    pub tokens: usize,
}

impl Measured {
    /// The mean over all tokens of these batches.
    pub fn mean(batches: impl IntoIterator<Item = Self>) -> Self {
        let (mut loss, mut nats, mut tokens) = (0.0, 0.0, 0);
        for batch in batches {
            loss += batch.loss * batch.tokens as f64;
            nats += batch.nats * batch.tokens as f64;
            tokens += batch.tokens;
        }
        Self {
            loss: loss / tokens.max(1) as f64,
            nats: nats / tokens.max(1) as f64,
            tokens,
        }
    }
}

/// How the loss is smoothed and the work is divided.
#[derive(Clone, Copy, Debug)]
pub struct StepOptions {
    /// ε of label smoothing.
    pub smoothing: f32,
    /// Tokens over which ε is distributed.
    pub spread: Spread,
    /// Number of shards per batch, which affects rounding. They are shared among the caller's threads
    /// ([`crate::tensor::on_threads`]), whose number changes no bit of the result.
    pub shards: usize,
}

impl StepOptions {
    /// Number of shards that `batch` is cut into: at least 1, and at most one per sentence.
    fn shards_of(&self, batch: &Batch) -> usize {
        self.shards.clamp(1, batch.sentences().max(1))
    }
}

/// One gradient per parameter, in order, summed over shards.
pub type Gradients = Vec<Option<Tensor>>;

/// A forward and backward pass over a batch, in training mode.
#[derive(Clone, Copy)]
pub struct StepJob<'a> {
    /// The model.
    pub model: &'a Transformer,
    /// Its parameters.
    pub params: &'a Params,
    /// The sentences.
    pub batch: &'a Batch,
    /// Number of target tokens that the loss is a mean over. If several batches make one update, it is the number of all
    /// of their tokens.
    pub tokens: usize,
    /// Seed of the dropout.
    pub seed: u64,
    /// How the loss is smoothed and the batch is cut.
    pub options: StepOptions,
}

impl StepJob<'_> {
    /// Runs the job on the caller's threads and adds the gradients of the mean loss to `gradients`.
    pub fn gradients(&self, gradients: &mut Gradients) -> Measured {
        gradients.resize(self.params.len(), None);
        let sum = OrderedSum::new(std::mem::take(gradients));
        let (loss, nats) = in_shards(self.batch, &self.options, |shard, part| {
            let (tape, found) = self.forward(shard, &part);
            let value = f64::from(found.loss.value().at(&[]));
            tape.backward_streaming(&found.loss, |param, grad| {
                sum.add(shard, param, grad);
            });
            sum.end(shard);
            (value, found.nats)
        });
        *gradients = sum.finish();
        let own = self.batch.target_tokens();
        Measured {
            loss: loss * self.tokens as f64 / own.max(1) as f64,
            nats: nats / own.max(1) as f64,
            tokens: own,
        }
    }

    /// Repeats the computation of [`StepJob::gradients`], with the same shards, fused steps and dropout, and returns the
    /// name of the first tensor, forward and then backward, that holds NaN or an infinite value.
    ///
    /// Returns `None` if every tensor is finite; their sum may not be.
    pub fn first_not_finite(&self) -> Option<String> {
        let shards = self.options.shards_of(self.batch);
        (0..shards).find_map(|shard| {
            let (tape, found) = self.forward(shard, &self.batch.part(shard, shards));
            let trace = tape.trace();
            if let Some(step) = trace.steps().iter().find(|step| !step.value.is_finite()) {
                return Some(step.name.clone());
            }
            let grads = trace.gradients(found.loss.id(), &[]);
            // The backward pass goes from the last step to the first.
            let last = grads
                .iter()
                .rposition(|grad| grad.as_ref().is_some_and(|x| !x.is_finite()))?;
            Some(format!("the gradient of {}", trace.steps()[last].name))
        })
    }

    /// Records the loss of `part`, which is shard number `shard`, on a new tape.
    fn forward(&self, shard: usize, part: &Batch) -> (Tape, crate::ops::Loss) {
        let tape = Tape::train(self.params, derive_seed(self.seed, shard as u64)).fused();
        let factor = 1.0 / self.tokens as f32;
        let loss = loss(self.model, &tape, part, &self.options, factor);
        (tape, loss)
    }
}

/// Runs `work` on every shard of `batch`, starting them in order on the caller's threads, and adds up the two numbers
/// that each returns, in order. If a shard panics, the others stop and the panic is propagated.
fn in_shards(
    batch: &Batch,
    options: &StepOptions,
    work: impl Fn(usize, Batch) -> (f64, f64) + Sync,
) -> (f64, f64) {
    let shards = options.shards_of(batch);
    let next = AtomicUsize::new(0);
    let sums = Mutex::new(vec![(0.0, 0.0); shards]);
    let take_shards = || {
        loop {
            check();
            let shard = next.fetch_add(1, Ordering::SeqCst);
            if shard >= shards {
                return;
            }
            let result = work(shard, batch.part(shard, shards));
            lock(&sums)[shard] = result;
        }
    };
    together(threads().min(shards), |_| alone(take_shards));
    let sums = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    sums.iter().fold((0.0, 0.0), |(l, n), s| (l + s.0, n + s.1))
}

/// Computes the loss of `batch` without dropout or gradients.
pub fn evaluate(
    model: &Transformer,
    params: &Params,
    batch: &Batch,
    options: &StepOptions,
) -> Measured {
    let tokens = batch.target_tokens();
    let divisor = tokens.max(1);
    let (loss, nats) = in_shards(batch, options, |_, part| {
        let tape = Tape::eval(params).fused();
        let batch_loss = loss(model, &tape, &part, options, 1.0 / divisor as f32);
        (f64::from(batch_loss.loss.value().at(&[])), batch_loss.nats)
    });
    Measured {
        loss,
        nats: nats / divisor as f64,
        tokens,
    }
}

/// Records the loss of `batch` on `tape`, with each token's loss multiplied by `factor`.
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

/// Euclidean norm of all gradients together, in f64. Partial sums are added in order, whichever thread computed them.
pub fn norm(gradients: &Gradients) -> f64 {
    /// Number of elements that a thread sums at a time.
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

/// Derives a different seed for every `n` (splitmix64).
pub fn derive_seed(seed: u64, n: u64) -> u64 {
    let mut x = seed.wrapping_add((n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Sums gradients as the shards deliver them, for each parameter in the order of the shards.
struct OrderedSum {
    slots: Vec<Mutex<Slot>>,
    changed: Condvar,
    /// Protects no data; `changed` needs a mutex to wait with.
    gate: Mutex<()>,
}

/// Running sum of a parameter's gradient.
struct Slot {
    /// Shard whose turn it is to add its gradient.
    next_shard: usize,
    sum: Option<Tensor>,
}

impl OrderedSum {
    fn new(before: Gradients) -> Self {
        let slot = |sum| Mutex::new(Slot { next_shard: 0, sum });
        Self {
            slots: before.into_iter().map(slot).collect(),
            changed: Condvar::new(),
            gate: Mutex::new(()),
        }
    }

    /// Adds the gradient of a shard, after those of the shards before it.
    fn add(&self, shard: usize, param: Param, grad: Gradient) {
        // Taken out, so that the slot is not locked while `add_to` multiplies and other shards check their turn.
        let before = self.wait_for_turn(shard, param.index()).sum.take();
        let sum = match before {
            Some(mut sum) => {
                grad.add_to(&mut sum);
                sum
            }
            None => grad.into_dense(),
        };
        let mut slot = lock(&self.slots[param.index()]);
        slot.sum = Some(sum);
        slot.next_shard += 1;
        drop(slot);
        self.wake();
    }

    /// Ends a shard after its last gradient. Parameters that it did not use have gradient 0 there, so their turn only
    /// passes to the next shard.
    fn end(&self, shard: usize) {
        for n in 0..self.slots.len() {
            if lock(&self.slots[n]).next_shard <= shard {
                self.wait_for_turn(shard, n).next_shard += 1;
            }
        }
        self.wake();
    }

    /// Waits until all earlier shards have added theirs. They started before this one, so they will do so, or panic.
    fn wait_for_turn(&self, shard: usize, n: usize) -> MutexGuard<'_, Slot> {
        /// How often to check whether a shard has panicked, because a panic does not wake the others.
        const LOOK: Duration = Duration::from_millis(20);
        let mut gate = lock(&self.gate);
        loop {
            let slot = lock(&self.slots[n]);
            if slot.next_shard == shard {
                return slot;
            }
            drop(slot);
            let waited = self.changed.wait_timeout(gate, LOOK);
            let (guard, late) = waited.unwrap_or_else(PoisonError::into_inner);
            drop(guard);
            if late.timed_out() {
                check();
            }
            gate = lock(&self.gate);
        }
    }

    /// Wakes the waiting shards.
    fn wake(&self) {
        // Locked briefly, so that no wake-up falls between a shard's check of its turn and its sleep.
        drop(lock(&self.gate));
        self.changed.notify_all();
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

#[cfg(test)]
mod tests;
