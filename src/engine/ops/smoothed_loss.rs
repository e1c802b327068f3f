//! The loss over a vocabulary in one step: `logits = x Wᵀ + b`, softmax, and cross-entropy against smoothed targets.
//!
//! It is computed in blocks of rows, so that the logits of a whole batch are never in memory at once.

use super::smooth_targets::Spread;
use crate::autograd::{Combination, Explanation, Op, OpRun, Var};
use crate::tensor::{Axes, Tensor, matmul, vector};

/// Number of rows whose logits are in memory at once.
const BLOCK: usize = 256;

/// How targets are smoothed and weighted.
#[derive(Clone, Copy, Debug)]
pub struct Smoothing {
    /// ε, the probability taken from the right token.
    pub epsilon: f32,
    /// The tokens over which ε is spread.
    pub spread: Spread,
    /// The id of padding, which does not count.
    pub padding: usize,
    /// The factor of every token's loss; 1 / tokens gives the mean.
    pub factor: f32,
}

struct SmoothedLoss {
    smoothing: Smoothing,
    /// Whether to compute the gradients along with the loss, while p − target is in memory.
    training: bool,
}

/// The result of [`Var::smoothed_loss`].
pub struct Loss {
    /// `Σ factor · cross-entropy`, one number, in nats.
    pub loss: Var,
    /// `Σ −log p(target)` over all tokens that count, without smoothing or factor, for perplexity.
    pub nats: f64,
}

/// A smoothed target distribution.
struct Shares {
    /// Probability of the right token.
    right: f32,
    /// Probability of every other token.
    other: f32,
    /// Probability of padding.
    padding: f32,
}

impl Smoothing {
    /// The target distribution over `vocabulary` tokens.
    fn shares(&self, vocabulary: usize) -> Shares {
        let (v, epsilon) = (vocabulary as f32, self.epsilon);
        let (right, other, padding) = match self.spread {
            Spread::NoPadding => (1.0 - epsilon, epsilon / (v - 2.0), 0.0),
            Spread::Others => (1.0 - epsilon, epsilon / (v - 1.0), epsilon / (v - 1.0)),
            Spread::All => (1.0 - epsilon + epsilon / v, epsilon / v, epsilon / v),
        };
        Shares {
            right,
            other,
            padding,
        }
    }
}

impl Var {
    /// The loss of predicting the ids `targets [batch, length]` from the decoder's vectors `self [batch, length, d]`,
    /// with the generator's `weight [vocabulary, d]` and `bias [vocabulary]`.
    #[track_caller]
    pub fn smoothed_loss(
        &self,
        weight: &Var,
        bias: Option<&Var>,
        targets: &Var,
        smoothing: Smoothing,
    ) -> Loss {
        let op = SmoothedLoss {
            smoothing,
            training: self.tape().dropout_seed().is_some(),
        };
        let loss = match bias {
            Some(bias) => self.apply(op, &[weight, targets, bias]),
            None => self.apply(op, &[weight, targets]),
        };
        let nats = loss.saved(NATS).sum();
        Loss { loss, nats }
    }
}

/// Index of the saved loss of every row, times the factor.
const COSTS: usize = 0;
/// Index of the saved `−log p(target)` of every row.
const NATS: usize = 1;
/// First index of the saved gradients with respect to `x`, `W` and `b`, in training.
const GRADS: usize = 2;

impl SmoothedLoss {
    // ANCHOR: work
    /// Computes logits, softmax and loss block by block, and with `back` the gradients too. Returns
    /// what a run saves: losses, nats, gradients.
    fn work(&self, inputs: &[Tensor], back: bool) -> Vec<Tensor> {
        let (smoothing, bias) = (&self.smoothing, inputs.get(3));
        let (x, w, targets) = (&inputs[0], &inputs[1], &inputs[2]);
        let (words, d) = (w.shape()[0], w.last());
        let Shares {
            right,
            other,
            padding: on_padding,
        } = smoothing.shares(words);
        let rows = x.len() / d;
        let weight = matmul::matrix(w.data(), words, d);
        let zeros = |x: &Tensor| back.then(|| Tensor::zeros(x.shape()));
        let (mut dx, mut dw, mut db) = (zeros(x), Vec::new(), bias.and_then(zeros));
        let (mut costs, mut nats) = (vec![0.0; rows], vec![0.0; rows]);
        let mut logits = Vec::new();
        for first in (0..rows).step_by(BLOCK) {
            let block = (rows - first).min(BLOCK);
            let cells = matmul::matrix(&x.data()[first * d..(first + block) * d], block, d);
            matmul::product_in(cells, weight.reversed_axes(), &mut logits);
            // Finish each row while it is in the L1 and L2 caches: a block is far larger.
            for (i, row) in logits.chunks_mut(words).enumerate() {
                let target = targets.data()[first + i] as usize;
                assert!(
                    target < words,
                    "loss: there is no word {target} among {words}"
                );
                if target == smoothing.padding {
                    row.fill(0.0);
                    continue;
                }
                let (total, max) = vector::biased(row, bias.map(Tensor::data));
                let (at_target, at_padding) = (row[target], row[smoothing.padding]);
                let (log_sum, share) = vector::exponentials(row, max);
                let others = total - at_target - at_padding;
                let spread = right + other * (words as f32 - 2.0) + on_padding;
                costs[first + i] = smoothing.factor
                    * (spread * log_sum
                        - right * at_target
                        - other * others
                        - on_padding * at_padding);
                nats[first + i] = log_sum - at_target;
                if back {
                    // The gradient with respect to the logits is p − target.
                    vector::share_shift_scaled(row, share, other, smoothing.factor);
                    row[target] -= smoothing.factor * (right - other);
                    row[smoothing.padding] -= smoothing.factor * (on_padding - other);
                }
                if let Some(db) = &mut db {
                    vector::add(db.data_mut(), row);
                }
            }
            if let Some(dx) = &mut dx {
                let slopes = matmul::matrix(&logits, block, words);
                let dx = &mut dx.data_mut()[first * d..(first + block) * d];
                matmul::product_into(slopes, weight, 0.0, dx);
                match first {
                    0 => matmul::product_in(slopes.reversed_axes(), cells, &mut dw),
                    _ => matmul::product_into(slopes.reversed_axes(), cells, 1.0, &mut dw),
                }
            }
        }
        let dw = back.then(|| {
            dw.resize(w.len(), 0.0); // if there are no rows
            Tensor::new(w.shape(), dw)
        });
        let saved = [costs, nats].map(|cells| Tensor::new(&[rows], cells));
        let grads = [dx, dw, db].into_iter().flatten();
        saved.into_iter().chain(grads).collect()
    }
    // ANCHOR_END: work
}

impl Op for SmoothedLoss {
    fn name(&self) -> &'static str {
        "smoothed_loss"
    }

    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        Tensor::scalar(self.work(inputs, false)[COSTS].sum() as f32)
    }

    // ANCHOR: forward
    // Σ factor · cross-entropy of the softmax of x Wᵀ + b against the smoothed targets, row by row.
    fn forward_saving(&self, inputs: &[Tensor]) -> (Tensor, Vec<Tensor>) {
        let saved = self.work(inputs, self.training);
        (Tensor::scalar(saved[COSTS].sum() as f32), saved)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was Σ factor · cross-entropy, so dlogits = factor · (p − target) · dy
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let dy = dy.data()[0];
        let scaled = |g: &Tensor| {
            Some(if dy == 1.0 {
                g.clone()
            } else {
                g.map(|x| x * dy)
            })
        };
        let mut grads: Vec<_> = match &run.saved[GRADS..] {
            [] => self.work(run.inputs, true)[GRADS..]
                .iter()
                .map(scaled)
                .collect(),
            saved => saved.iter().map(scaled).collect(),
        };
        grads.insert(2, None); // the targets
        grads
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, _: &[usize]) -> Explanation {
        let sum = Explanation::of(Combination::Sum, "sum(cost)");
        let costs = run.saved[COSTS].data().iter();
        costs.fold(sum, |sum, &cost| sum.constant("cost", cost))
    }

    fn flops(&self, inputs: &[Tensor], _: &Tensor) -> u64 {
        let cells = (inputs[0].len() / inputs[0].last().max(1) * inputs[1].shape()[0]) as u64;
        cells * (2 * inputs[0].last() as u64 + 5) * if self.training { 3 } else { 1 }
    }

    fn axes(&self, _: &[Axes], _: &Tensor) -> Axes {
        Vec::new()
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, ids, numbers};
    use crate::autograd::Tape;

    let spreads = [Spread::NoPadding, Spread::Others, Spread::All].into_iter();
    let cases = spreads.flat_map(|spread| {
        let smoothing = |factor| Smoothing {
            epsilon: 0.1,
            spread,
            padding: 0,
            factor,
        };
        let words = ids(&[2, 3], &[3.0, 1.0, 0.0, 4.0, 6.0, 2.0]);
        let (x, w, b) = (numbers(&[2, 3, 4]), numbers(&[7, 4]), numbers(&[7]));
        let (short, long) = (smoothing(0.25), smoothing(1.0 / 300.0));
        let (plain, biased) = (
            move |_: &Tape, v: &[Var]| v[0].smoothed_loss(&v[1], None, &v[2], short).loss,
            move |_: &Tape, v: &[Var]| v[0].smoothed_loss(&v[1], Some(&v[3]), &v[2], short).loss,
        );
        let many = |n: usize| (0..n).map(|i| (i % 5) as f32).collect::<Vec<_>>();
        [
            Case::new(
                "two sentences",
                [x.clone(), w.clone(), words.clone()],
                plain,
            ),
            Case::new("a bias", [x, w, words, b], biased),
            Case::new(
                "batch 1, length 1",
                [numbers(&[1, 1, 3]), numbers(&[5, 3]), ids(&[1, 1], &[4.0])],
                plain,
            ),
            Case::new(
                "padding alone costs nothing",
                [
                    numbers(&[1, 2, 3]),
                    numbers(&[5, 3]),
                    ids(&[1, 2], &[0.0; 2]),
                ],
                plain,
            ),
            Case::new(
                "more rows than a block",
                [
                    numbers(&[1, 300, 1]),
                    numbers(&[5, 1]),
                    ids(&[1, 300], &many(300)),
                ],
                move |_, v| v[0].smoothed_loss(&v[1], None, &v[2], long).loss,
            ),
        ]
    });
    cases.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;
    use crate::params::Params;

    const SPREADS: [Spread; 3] = [Spread::NoPadding, Spread::Others, Spread::All];

    fn smoothing(spread: Spread) -> Smoothing {
        Smoothing {
            epsilon: 0.1,
            spread,
            padding: 0,
            factor: 0.25,
        }
    }

    fn targets(tape: &Tape) -> Var {
        tape.ids(
            "targets",
            Tensor::new(&[2, 3], vec![3.0, 1.0, 0.0, 4.0, 6.0, 2.0]),
            &["b", "t"],
        )
    }

    #[test]
    fn gradients_worked_out_later_are_those_worked_out_along_with_the_loss() {
        let params = Params::default();
        let [later, along] = [Tape::eval(&params), Tape::train(&params, 1)].map(|tape| {
            let x = tape.input("x", check::normal(&[2, 3, 4]), &["b", "t", "d"]);
            let w = tape.input("w", check::normal(&[7, 4]), &["v", "d"]);
            let loss = x.smoothed_loss(&w, None, &targets(&tape), smoothing(Spread::All));
            let grads = loss.loss.backward();
            [&x, &w].map(|var| grads.get(var).cloned())
        });
        assert!(later.iter().all(Option::is_some));
        assert_eq!(later, along);
    }

    #[test]
    fn it_equals_what_is_composed_of_visible_steps_but_for_the_targets_own_entropy() {
        for spread in SPREADS {
            let tape = Tape::train(&Params::default(), 1);
            let x = tape.input("x", check::normal(&[2, 3, 4]), &["b", "t", "d"]);
            let w = tape.input("w", check::normal(&[7, 4]), &["v", "d"]);
            let fused = x.smoothed_loss(&w, None, &targets(&tape), smoothing(spread));
            let log_probs = x.matmul_t(&w).log_softmax();
            let smooth = targets(&tape).smooth_targets(7, 0.1, spread, 0.0);
            let kl = log_probs.kl_divergence(&smooth);
            let entropy: f64 = smooth
                .value()
                .data()
                .iter()
                .filter(|t| **t > 0.0)
                .map(|&t| -f64::from(t) * f64::from(t).ln())
                .sum();
            let composed = 0.25 * (f64::from(kl.value().at(&[])) + entropy);
            assert!(
                (f64::from(fused.loss.value().at(&[])) - composed).abs() < 1e-5,
                "{spread:?}"
            );
            let (one, other) = (fused.loss.backward(), kl.scale(0.25).backward());
            for var in [&x, &w] {
                let pairs = one
                    .get(var)
                    .unwrap()
                    .data()
                    .iter()
                    .zip(other.get(var).unwrap().data());
                assert!(
                    pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-6),
                    "{spread:?}"
                );
            }
        }
    }
}
