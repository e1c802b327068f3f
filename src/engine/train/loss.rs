//! Cross-entropy loss, with and without label smoothing.

use crate::autograd::Var;
use crate::ops::Spread;
use crate::tensor::Tensor;

// ANCHOR: forward
/// Mean cross-entropy in nats: `−Σ weight · log p(target) / Σ weight`.
///
/// `logits [batch, length, vocabulary]`, `targets [batch, length]` as ids. `weights [batch, length]`
/// says how much each position counts: the mask of real tokens omits padding. `None` counts all.
/// Panics if no position counts, or if the shapes of `weights` and `targets` differ.
#[track_caller]
pub fn cross_entropy(logits: &Var, targets: &Var, weights: Option<&Var>) -> Var {
    let log_probs = logits.log_softmax().pick(targets).named("log_probs");
    let Some(weights) = weights else {
        return log_probs.mean().scale(-1.0).named("loss");
    };
    assert!(
        weights.shape() == targets.shape(),
        "cross_entropy: weights {:?} must have the shape of the targets {:?}",
        weights.shape(),
        targets.shape()
    );
    let count = weights.value().sum();
    assert!(
        count > 0.0,
        "cross_entropy: no position of {:?} counts",
        weights.shape()
    );
    let counted = log_probs.mul(weights).named("counted");
    counted.sum().scale((-1.0 / count) as f32).named("loss")
}
// ANCHOR_END: forward

crate::reference! { "smoothed_targets";
// ANCHOR: smoothed
/// Label smoothing as in the Annotated Transformer: target ids `[…]` become distributions
/// `[…, vocabulary]`.
///
/// The right token keeps `1 − smoothing`; all others except padding share the rest equally. A row
/// whose target is padding is 0.
pub fn smoothed_targets(
    targets: &Tensor,
    vocabulary: usize,
    smoothing: f32,
    padding: usize,
) -> Tensor {
    let share = smoothing / (vocabulary as f32 - 2.0);
    let rows = targets.data().iter().flat_map(|&target| {
        (0..vocabulary).map(move |word| {
            if target as usize == padding || word == padding {
                0.0
            } else if word == target as usize {
                1.0 - smoothing
            } else {
                share
            }
        })
    });
    let shape = [targets.shape(), &[vocabulary]].concat();
    Tensor::new(&shape, rows.collect())
}
// ANCHOR_END: smoothed
}

// ANCHOR: forms
/// Mean loss per token in nats, as in the implementation that distributes ε like `spread`: a KL
/// divergence (Annotated Transformer), a cross-entropy minus a constant (TensorFlow), or a
/// cross-entropy (PyTorch, fairseq).
///
/// `log_probs` and the smoothed `targets` are `[…, vocabulary]`; `words` is how many rows count.
#[track_caller]
pub fn smoothed_mean(
    log_probs: &Var,
    targets: &Var,
    smoothing: f32,
    spread: Spread,
    words: f64,
) -> Var {
    let share = words.recip() as f32;
    if spread == Spread::NoPadding {
        let divergence = log_probs.kl_divergence(targets).named("divergence");
        return divergence.scale(share).named("loss");
    }
    let agreement = log_probs.mul(targets).named("weighted").sum();
    let cross_entropy = agreement.named("agreement").scale(-share);
    if spread == Spread::All {
        return cross_entropy.named("loss");
    }
    let vocabulary = log_probs.value().last();
    let constant = Tensor::scalar(normaliser(vocabulary, smoothing) as f32);
    let constant = log_probs.tape().constant("normaliser", constant, &[]);
    let cross_entropy = cross_entropy.named("cross_entropy");
    cross_entropy.sub(&constant).named("loss")
}

/// Constant that TensorFlow's official Transformer subtracts: the cross-entropy, in nats, of a
/// prediction that equals the smoothed target.
pub fn normaliser(vocabulary: usize, smoothing: f32) -> f64 {
    let (right, others) = (1.0 - f64::from(smoothing), vocabulary as f64 - 1.0);
    let other = f64::from(smoothing) / others;
    // TensorFlow adds 1e-20 to avoid the logarithm of 0.
    -(right * right.ln() + others * other * (other + 1e-20).ln())
}
// ANCHOR_END: forms

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;
    use crate::params::Params;

    #[test]
    fn equal_logits_cost_the_logarithm_of_the_vocabulary() {
        let tape = Tape::eval(&Params::default());
        let logits = tape.input("logits", Tensor::zeros(&[1, 2, 8]), &["b", "t", "v"]);
        let targets = tape.ids("targets", Tensor::new(&[1, 2], vec![3.0, 5.0]), &["b", "t"]);
        let loss = cross_entropy(&logits, &targets, None);
        assert!((loss.value().at(&[]) - 8.0_f32.ln()).abs() < 1e-6);
        let grads = loss.backward();
        let d = grads.get(&logits).expect("the loss depends on the logits");
        // (p − 1 at the target) / 2 positions.
        assert!((d.at(&[0, 0, 3]) - (0.125 - 1.0) / 2.0).abs() < 1e-6);
        assert!((d.at(&[0, 0, 0]) - 0.125 / 2.0).abs() < 1e-6);
    }

    #[test]
    fn padding_with_weight_0_neither_costs_nor_learns() {
        let tape = Tape::eval(&Params::default());
        let values = Tensor::new(&[1, 2, 2], vec![0.0, 0.0, 9.0, -9.0]);
        let logits = tape.input("logits", values, &["b", "t", "v"]);
        let targets = tape.ids("targets", Tensor::new(&[1, 2], vec![1.0, 1.0]), &["b", "t"]);
        let real = Tensor::new(&[1, 2], vec![1.0, 0.0]);
        let loss = cross_entropy(
            &logits,
            &targets,
            Some(&tape.mask("real", real, &["b", "t"])),
        );
        assert!((loss.value().at(&[]) - 2.0_f32.ln()).abs() < 1e-6);
        let grads = loss.backward();
        let d = grads.get(&logits).expect("the loss depends on the logits");
        assert_eq!(d.data()[2..], [0.0, 0.0]);
        assert!((d.at(&[0, 0, 1]) + 0.5).abs() < 1e-6);
    }

    #[test]
    fn the_loss_and_its_gradient() {
        for weighted in [false, true] {
            check::op(&[check::normal(&[2, 3, 4])], move |tape, v| {
                let ids = vec![3.0, 0.0, 1.0, 2.0, 2.0, 0.0];
                let targets = tape.ids("targets", Tensor::new(&[2, 3], ids), &["b", "t"]);
                let real = Tensor::new(&[2, 3], vec![1.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
                let real = tape.mask("real", real, &["b", "t"]);
                cross_entropy(&v[0], &targets, weighted.then_some(&real))
            });
        }
    }

    #[test]
    #[should_panic(expected = "no position of [1, 1] counts")]
    fn a_batch_of_padding_alone_is_refused() {
        let tape = Tape::eval(&Params::default());
        let logits = tape.input("logits", Tensor::zeros(&[1, 1, 2]), &["b", "t", "v"]);
        let targets = tape.ids("targets", Tensor::zeros(&[1, 1]), &["b", "t"]);
        let real = tape.mask("real", Tensor::zeros(&[1, 1]), &["b", "t"]);
        cross_entropy(&logits, &targets, Some(&real));
    }

    #[test]
    fn the_written_out_targets_are_the_operations() {
        let ids = Tensor::new(&[2, 3], vec![1.0, 0.0, 5.0, 3.0, 2.0, 0.0]);
        let tape = Tape::eval(&Params::default());
        let by_op = tape.ids("ids", ids.clone(), &["b", "t"]).smooth_targets(
            6,
            0.3,
            Spread::NoPadding,
            0.0,
        );
        let by_hand = smoothed_targets(&ids, 6, 0.3, 0);
        assert_eq!(by_hand.shape(), [2, 3, 6]);
        assert_eq!(by_hand.data(), by_op.value().data());
    }

    /// For logits .1 .2 .7 −.3 1 over 5 words and ε .1, these are the losses that `metrics.py` of TensorFlow's official
    /// Transformer and fairseq's criterion give.
    #[test]
    fn one_row_costs_what_the_other_systems_say() {
        let cost = |target: f32, spread| {
            let tape = Tape::eval(&Params::default());
            let logits = Tensor::new(&[1, 5], vec![0.1, 0.2, 0.7, -0.3, 1.0]);
            let log_probs = tape.input("logits", logits, &["t", "v"]).log_softmax();
            let ids = tape.ids("ids", Tensor::new(&[1], vec![target]), &["t"]);
            let smooth = ids.smooth_targets(5, 0.1, spread, 0.0);
            f64::from(
                smoothed_mean(&log_probs, &smooth, 0.1, spread, 1.0)
                    .value()
                    .at(&[]),
            )
        };
        assert!((cost(2.0, Spread::Others) - 0.935_338).abs() < 1e-5);
        assert!((cost(4.0, Spread::Others) - 0.672_838).abs() < 1e-5);
        assert!((cost(2.0, Spread::All) - 1.390_050).abs() < 1e-5);
        assert!((normaliser(5, 0.1) - 0.463_712).abs() < 1e-5);
        assert!((normaliser(33_708, 0.1) - 1.367_629).abs() < 1e-5);
    }

    #[test]
    fn tensorflows_constant_makes_its_cross_entropy_a_divergence() {
        let loss = |divergence| {
            let tape = Tape::eval(&Params::default());
            let logits = Tensor::from_fn(&[4, 7], |i| (i[0] * 3 + i[1]) as f32 % 2.5);
            let log_probs = tape.input("logits", logits, &["t", "v"]).log_softmax();
            let ids = tape.ids("ids", Tensor::new(&[4], vec![2.0, 0.0, 6.0, 1.0]), &["t"]);
            let smooth = ids.smooth_targets(7, 0.2, Spread::Others, 0.0);
            let loss = if divergence {
                log_probs.kl_divergence(&smooth).scale(1.0 / 3.0)
            } else {
                smoothed_mean(&log_probs, &smooth, 0.2, Spread::Others, 3.0)
            };
            loss.value().at(&[])
        };
        assert!((loss(true) - loss(false)).abs() < 1e-6);
    }
}
