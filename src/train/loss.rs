//! The loss of a batch of predictions.

use crate::autograd::Var;

// ANCHOR: forward
/// Mean cross-entropy: `−log p(target)` over all positions, in nats.
///
/// `logits [batch, length, vocabulary]`, `targets [batch, length]` as ids; every position counts.
#[track_caller]
pub fn cross_entropy(logits: &Var, targets: &Var) -> Var {
    logits
        .log_softmax()
        .pick(targets)
        .mean()
        .scale(-1.0)
        .named("loss")
}
// ANCHOR_END: forward

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::params::Params;
    use crate::tensor::Tensor;

    #[test]
    fn equal_logits_cost_the_logarithm_of_the_vocabulary() {
        let tape = Tape::eval(&Params::default());
        let logits = tape.input("logits", Tensor::zeros(&[1, 2, 8]), &["b", "t", "v"]);
        let targets = tape.ids("targets", Tensor::new(&[1, 2], vec![3.0, 5.0]), &["b", "t"]);
        let loss = cross_entropy(&logits, &targets);
        assert!((loss.value().at(&[]) - 8.0_f32.ln()).abs() < 1e-6);
        let grads = loss.backward();
        let d = grads.get(&logits).unwrap();
        // (p − 1 at the target) / 2 positions.
        assert!((d.at(&[0, 0, 3]) - (0.125 - 1.0) / 2.0).abs() < 1e-6);
        assert!((d.at(&[0, 0, 0]) - 0.125 / 2.0).abs() < 1e-6);
    }
}
