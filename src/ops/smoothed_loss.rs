//! The loss over a vocabulary in one step: `logits = x Wᵀ + b`, softmax, and the cross-entropy against smoothed
//! targets, in blocks of rows, so that the logits of a whole batch never stand in memory at once.

use super::smooth_targets::Spread;
use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Tensor, matmul, vector};

/// Rows whose logits stand in memory at once.
const BLOCK: usize = 256;

/// What the targets are, and how they count.
#[derive(Clone, Copy, Debug)]
pub struct Smoothing {
    /// The share that is taken from the right word: ε.
    pub epsilon: f32,
    /// Over which words it is spread.
    pub spread: Spread,
    /// The id of padding, which counts nothing.
    pub padding: usize,
    /// What every word's loss is multiplied by: 1 / words makes a mean.
    pub factor: f32,
}

struct SmoothedLoss {
    smoothing: Smoothing,
    /// What every row costs, times the factor.
    costs: Vec<f32>,
    /// The gradients by `x`, `W` and `b`, worked out along with the loss in training.
    grads: Option<Vec<Tensor>>,
}

/// What [`Var::smoothed_loss`] leaves.
pub struct Loss {
    /// `Σ factor · cross-entropy`, one number, in nats.
    pub loss: Var,
    /// `Σ −log p(target)` over all words that count, without smoothing or factor: for perplexity.
    pub nats: f64,
}

impl Smoothing {
    /// What the targets give to the right word, to every other, and to padding.
    fn shares(&self, vocabulary: usize) -> (f32, f32, f32) {
        let (v, epsilon) = (vocabulary as f32, self.epsilon);
        match self.spread {
            Spread::NoPadding => (1.0 - epsilon, epsilon / (v - 2.0), 0.0),
            Spread::Others => (1.0 - epsilon, epsilon / (v - 1.0), epsilon / (v - 1.0)),
            Spread::All => (1.0 - epsilon + epsilon / v, epsilon / v, epsilon / v),
        }
    }
}

impl Var {
    // ANCHOR: forward
    /// `self [batch, length, d]` are the decoder's vectors, `weight [vocabulary, d]` and `bias [vocabulary]` the
    /// generator's, `targets [batch, length]` the ids to be predicted.
    #[track_caller]
    pub fn smoothed_loss(
        &self,
        weight: &Var,
        bias: Option<&Var>,
        targets: &Var,
        smoothing: Smoothing,
    ) -> Loss {
        let training = self.tape().dropout_seed().is_some();
        let (x, w, b) = (self.value(), weight.value(), bias.map(Var::value));
        let done = work(&x, &w, b.as_ref(), &targets.value(), smoothing, training);
        let loss = Tensor::scalar(done.costs.iter().map(|&c| f64::from(c)).sum::<f64>() as f32);
        let op = SmoothedLoss {
            smoothing,
            costs: done.costs,
            grads: done.grads,
        };
        let inputs = match bias {
            Some(bias) => vec![self, weight, targets, bias],
            None => vec![self, weight, targets],
        };
        Loss {
            loss: self.tape().record(op, &inputs, loss),
            nats: done.nats,
        }
    }
    // ANCHOR_END: forward
}

struct Done {
    costs: Vec<f32>,
    nats: f64,
    grads: Option<Vec<Tensor>>,
}

// ANCHOR: work
/// Block by block: logits, softmax, cost; and with `back` the gradients too, since p − target is at hand.
fn work(
    x: &Tensor,
    w: &Tensor,
    b: Option<&Tensor>,
    targets: &Tensor,
    smoothing: Smoothing,
    back: bool,
) -> Done {
    let (words, d) = (w.shape()[0], w.last());
    let (right, other, on_padding) = smoothing.shares(words);
    let rows = x.len() / d;
    let weight = matmul::matrix(w.data(), words, d);
    let mut grads = back.then(|| {
        vec![
            Tensor::zeros(x.shape()),
            Tensor::zeros(w.shape()),
            Tensor::zeros(&[words]),
        ]
    });
    let (mut costs, mut nats) = (vec![0.0; rows], 0.0);
    let mut logits = vec![0.0; rows.min(BLOCK) * words];
    for first in (0..rows).step_by(BLOCK) {
        let block = (rows - first).min(BLOCK);
        let cells = matmul::matrix(&x.data()[first * d..(first + block) * d], block, d);
        let logits = &mut logits[..block * words];
        matmul::product_into(cells, weight.reversed_axes(), 0.0, logits);
        if let Some(b) = b {
            vector::add_to_rows(logits, b.data());
        }
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
            let (at_target, at_padding, total) =
                (row[target], row[smoothing.padding], vector::sum(row));
            let log_sum = vector::softmax(row);
            let others = total - at_target - at_padding;
            let named = if smoothing.padding == target {
                0.0
            } else {
                on_padding * at_padding
            };
            let spread = right + other * (words as f32 - 2.0) + on_padding;
            costs[first + i] =
                smoothing.factor * (spread * log_sum - right * at_target - other * others - named);
            nats += f64::from(log_sum - at_target);
            if back {
                // The gradient by the logits is p − target.
                vector::shift_scaled(row, other, smoothing.factor);
                row[target] -= smoothing.factor * (right - other);
                row[smoothing.padding] -= smoothing.factor * (on_padding - other);
            }
        }
        if let Some(grads) = &mut grads {
            let slopes = matmul::matrix(logits, block, words);
            let dx = &mut grads[0].data_mut()[first * d..(first + block) * d];
            matmul::product_into(slopes, weight, 0.0, dx);
            matmul::product_into(slopes.reversed_axes(), cells, 1.0, grads[1].data_mut());
            if b.is_some() {
                for row in logits.chunks(words) {
                    vector::add(grads[2].data_mut(), row);
                }
            }
        }
    }
    Done { costs, nats, grads }
}
// ANCHOR_END: work

impl Op for SmoothedLoss {
    fn name(&self) -> &'static str {
        "smoothed_loss"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0]
            .smoothed_loss(&inputs[1], inputs.get(3), &inputs[2], self.smoothing)
            .loss
    }

    // ANCHOR: backward
    // forward was Σ factor · cross-entropy, so the gradient by the logits is factor · (p − target) times dy
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let (x, w, targets) = (&inputs[0], &inputs[1], &inputs[2]);
        let grads = match &self.grads {
            Some(grads) => grads.clone(),
            None => work(x, w, inputs.get(3), targets, self.smoothing, true)
                .grads
                .expect("it was asked for"),
        };
        let dy = dy.data()[0];
        let mut grads = grads
            .into_iter()
            .map(|g| if dy == 1.0 { g } else { g.map(|x| x * dy) });
        let (dx, dw) = (grads.next(), grads.next());
        let mut all = vec![dx, dw, None];
        if inputs.len() == 4 {
            all.push(grads.next());
        }
        all
    }
    // ANCHOR_END: backward

    fn explain(&self, _: &[Tensor], _: &Tensor, _: &[usize]) -> Explanation {
        self.costs
            .iter()
            .fold(Explanation::new("sum(cost)"), |sum, &cost| {
                sum.constant("cost", cost)
            })
    }

    fn flops(&self, inputs: &[Tensor], _: &Tensor) -> u64 {
        let cells = (inputs[0].len() / inputs[0].last().max(1) * inputs[1].shape()[0]) as u64;
        cells * (2 * inputs[0].last() as u64 + 5) * if self.grads.is_some() { 3 } else { 1 }
    }

    fn axes(&self, _: &[crate::tensor::Axes], _: &Tensor) -> crate::tensor::Axes {
        vec![]
    }
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
    fn smoothed_loss_and_its_gradient_in_all_three_forms() {
        for spread in SPREADS {
            let inputs = [
                check::normal(&[2, 3, 4]),
                check::normal(&[7, 4]),
                check::normal(&[7]),
            ];
            check::op(&inputs, |tape, v| {
                v[0].smoothed_loss(&v[1], Some(&v[2]), &targets(tape), smoothing(spread))
                    .loss
            });
            check::op(&inputs[..2], |tape, v| {
                v[0].smoothed_loss(&v[1], None, &targets(tape), smoothing(spread))
                    .loss
            });
        }
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
