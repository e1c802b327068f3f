//! How far log-probabilities are from a distribution (Kullback and Leibler 1951):
//! `y = Σ t · (log t − log p)` over all cells, with `0 · log 0 = 0`.

use crate::autograd::{Explanation, Op, Var};
use crate::tensor::{Axes, Tensor};

struct KlDivergence;

impl Var {
    // ANCHOR: forward
    /// One number, in nats: the sum over all rows of `self`, log-probabilities `[…, v]`, against the
    /// distributions `targets […, v]`; a row of zeros counts nothing.
    #[track_caller]
    pub fn kl_divergence(&self, targets: &Var) -> Var {
        let (log_p, t) = (self.value(), targets.value());
        assert!(
            log_p.shape() == t.shape(),
            "kl_divergence: log-probabilities {:?} and targets {:?} must have one shape",
            log_p.shape(),
            t.shape()
        );
        let cells = log_p.data().iter().zip(t.data()).filter(|(_, t)| **t > 0.0);
        let sum: f64 = cells
            .map(|(&log_p, &t)| f64::from(t) * (f64::from(t).ln() - f64::from(log_p)))
            .sum();
        self.tape()
            .record(KlDivergence, &[self, targets], Tensor::scalar(sum as f32))
    }
    // ANCHOR_END: forward
}

impl Op for KlDivergence {
    fn name(&self) -> &'static str {
        "kl_divergence"
    }

    fn again(&self, inputs: &[Var], _: &Tensor) -> Var {
        inputs[0].kl_divergence(&inputs[1])
    }

    // ANCHOR: backward
    // forward was y = Σ t (log t − log p), so d(log p) = −t dy; targets are given, not learned
    fn backward(&self, inputs: &[Tensor], _: &Tensor, dy: &Tensor) -> Vec<Option<Tensor>> {
        let dy = dy.data()[0];
        vec![Some(inputs[1].map(|t| -t * dy)), None]
    }
    // ANCHOR_END: backward

    fn explain(&self, inputs: &[Tensor], _: &Tensor, _: &[usize]) -> Explanation {
        let (log_p, t) = (&inputs[0], &inputs[1]);
        let counted = t.indices().filter(|i| t.at(i) > 0.0);
        let none = Explanation::new("zero").constant("zero", 0.0);
        let sum = Explanation::new("sum(t * (log(t) - log_p))");
        let sum = counted.fold(sum, |e, i| {
            e.cell("log_p", 0, log_p, &i).cell("t", 1, t, &i)
        });
        if sum.terms.is_empty() { none } else { sum }
    }

    fn axes(&self, _: &[Axes], _: &Tensor) -> Axes {
        Vec::new()
    }

    fn flops(&self, inputs: &[Tensor], _: &Tensor) -> u64 {
        4 * inputs[0].len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;

    #[test]
    fn kl_divergence_and_its_gradient() {
        let targets = [0.5, 0.25, 0.25, 0.0, 0.0, 0.0, 0.1, 0.0, 0.9];
        check::op(&[check::normal(&[3, 3])], |tape, v| {
            let t = Tensor::new(&[3, 3], targets.to_vec());
            v[0].log_softmax()
                .kl_divergence(&tape.constant("t", t, &["", ""]))
        });
    }

    #[test]
    fn equal_distributions_are_no_distance_apart() {
        let tape = Tape::eval(&Default::default());
        let p = Tensor::new(&[1, 2], vec![0.25, 0.75]);
        let log_p = tape.input("log_p", p.map(f32::ln), &["t", "v"]);
        let kl = log_p.kl_divergence(&tape.constant("p", p, &["t", "v"]));
        assert!(kl.value().at(&[]).abs() < 1e-7);
    }
}
