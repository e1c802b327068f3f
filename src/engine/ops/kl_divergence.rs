//! The Kullback–Leibler divergence of log-probabilities from a distribution (Kullback and Leibler 1951):
//! `y = Σ t · (log t − log p)` over all cells, with `0 · log 0 = 0`.

use crate::autograd::{Combination, Explanation, Op, OpRun, Var};
use crate::tensor::Tensor;

struct KlDivergence;

impl Var {
    /// Sums the divergence of all rows of `self`, log-probabilities `[…, v]`, from the distributions
    /// `targets […, v]` into one number, in nats; a row of zeros contributes nothing.
    #[track_caller]
    pub fn kl_divergence(&self, targets: &Var) -> Var {
        self.apply(KlDivergence, &[targets])
    }
}

impl Op for KlDivergence {
    fn name(&self) -> &'static str {
        "kl_divergence"
    }

    // ANCHOR: forward
    // y = Σ t (log t − log p), in nats, over […, v]; a row of zeros in t contributes nothing.
    fn forward(&self, inputs: &[Tensor]) -> Tensor {
        let (log_p, t) = (&inputs[0], &inputs[1]);
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
        Tensor::scalar(sum as f32)
    }
    // ANCHOR_END: forward

    // ANCHOR: backward
    // forward was y = Σ t (log t − log p), so d(log p) = −t dy; targets are given, not learned
    fn backward(&self, run: OpRun<'_>, dy: &Tensor) -> Vec<Option<Tensor>> {
        let dy = dy.data()[0];
        vec![Some(run.inputs[1].map(|t| -t * dy)), None]
    }
    // ANCHOR_END: backward

    fn explain(&self, run: OpRun<'_>, _: &[usize]) -> Explanation {
        let (log_p, t) = (&run.inputs[0], &run.inputs[1]);
        let counted = t.indices().filter(|i| t.at(i) > 0.0);
        let none = Explanation::new("zero").constant("zero", 0.0);
        let sum = Explanation::of(Combination::Pairs, "sum(t * (log(t) - log_p))");
        let sum = counted.fold(sum, |e, i| {
            e.cell("log_p", 0, log_p, &i).cell("t", 1, t, &i)
        });
        if sum.terms.is_empty() { none } else { sum }
    }

    fn flops(&self, inputs: &[Tensor], _: &Tensor) -> u64 {
        4 * inputs[0].len() as u64
    }
}

#[cfg(test)]
pub(super) fn cases() -> Vec<super::check::Case> {
    use super::check::{Case, given, numbers};

    const SHARES: [f32; 9] = [0.5, 0.25, 0.25, 0.0, 0.0, 0.0, 0.1, 0.0, 0.9];
    let case = |about, shape: &[usize], targets: &[f32]| {
        let targets = given(Tensor::new(shape, targets.to_vec()));
        Case::new(about, [numbers(shape), targets], |_, v| {
            v[0].kl_divergence(&v[1])
        })
    };
    vec![
        case("some words without a share", &[3, 3], &SHARES),
        case("batch 1, length 1", &[1, 1, 2], &[0.75, 0.25]),
        case("padding alone counts nothing", &[1, 2], &[0.0, 0.0]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;

    #[test]
    fn equal_distributions_are_no_distance_apart() {
        let tape = Tape::eval(&Default::default());
        let p = Tensor::new(&[1, 2], vec![0.25, 0.75]);
        let log_p = tape.input("log_p", p.map(f32::ln), &["t", "v"]);
        let kl = log_p.kl_divergence(&tape.constant("p", p, &["t", "v"]));
        assert!(kl.value().at(&[]).abs() < 1e-7);
    }
}
