//! The loss of a batch of predictions.

use crate::autograd::Var;

// ANCHOR: forward
/// Mean cross-entropy in nats: `−Σ weight · log p(target) / Σ weight`.
///
/// `logits [batch, length, vocabulary]`, `targets [batch, length]` as ids. `weights [batch, length]`
/// says how much each position counts: the mask of real tokens leaves padding out. `None` counts all.
/// Panics if nothing counts, or if the weights have not the shape of the targets.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;
    use crate::params::Params;
    use crate::tensor::Tensor;

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
            check::op(&[check::normal(&[2, 3, 4])], |tape, v| {
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
}
