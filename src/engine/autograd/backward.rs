//! The backward pass: from the gradient of one step to those of every step from which it was computed.

use super::{Gradient, Nature, Origin, Tape, Var};
use crate::params::Param;
use crate::tensor::threads::check;
use crate::tensor::{Tensor, vector};

/// What the backward pass needs from a recorded step.
pub(super) struct WalkedStep<'a> {
    pub value: &'a Tensor,
    pub origin: &'a Origin,
    /// True if it depends on a parameter or a differentiable input.
    pub differentiable: bool,
}

// ANCHOR: walk
/// The gradients of `Σ step · upstream` with respect to every step up to `from`; `None` where a
/// step has no influence.
pub(super) fn backpropagate(
    steps: &[WalkedStep<'_>],
    from: usize,
    upstream: &Tensor,
) -> Vec<Option<Tensor>> {
    let mut grads: Vec<Option<Tensor>> = vec![None; steps.len()];
    grads[from] = Some(upstream.clone());
    for id in (0..=from).rev() {
        check();
        let step = &steps[id];
        let (Origin::Computed(made), Some(dy)) = (step.origin, &grads[id]) else {
            continue;
        };
        if !step.differentiable {
            continue;
        }
        let value = |i: usize| steps[i].value.clone();
        let dxs = made.run(step.value, value, |op, run| op.backward(run, dy));
        for (&input, dx) in made.inputs.iter().zip(dxs) {
            let Some(dx) = dx.filter(|_| steps[input].differentiable) else {
                continue;
            };
            assert_eq!(dx.shape(), steps[input].value.shape(), "{}", made.op.name());
            accumulate(&mut grads[input], dx);
        }
    }
    grads
}

/// Adds a gradient to those from other uses: a tensor that is used twice gets the sum of both.
pub(super) fn accumulate(sum: &mut Option<Tensor>, dx: Tensor) {
    match sum {
        Some(sum) => vector::add(sum.data_mut(), dx.data()),
        None => *sum = Some(dx),
    }
}
// ANCHOR_END: walk

/// True if a step of this origin and nature has a gradient, given whether each of its inputs has one.
pub(super) fn is_differentiable(
    origin: &Origin,
    nature: Nature,
    input: impl Fn(usize) -> bool,
) -> bool {
    let numbers = matches!(nature, Nature::Signed | Nature::Probability);
    numbers
        && match origin {
            Origin::Parameter(_) => true,
            Origin::Input => nature == Nature::Signed,
            Origin::Constant => false,
            Origin::Computed(made) => made.inputs.iter().any(|&i| input(i)),
        }
}

impl Tape {
    /// Backpropagates from `loss`, a single number, and passes the gradient of every parameter that it depends on to
    /// `take` as soon as it is complete, last recorded first. Each step's values are freed when they are no longer
    /// needed, so nothing can be read from this tape afterwards.
    #[track_caller]
    pub fn backward_streaming(&self, loss: &Var, mut take: impl FnMut(Param, Gradient)) {
        let mut recording = self.0.borrow_mut();
        let nodes = &mut recording.nodes;
        assert!(
            nodes[loss.id].value.len() == 1,
            "backward: a loss is one number, this has shape {:?}",
            nodes[loss.id].value.shape()
        );
        nodes.truncate(loss.id + 1);
        let mut grads: Vec<Option<Gradient>> = nodes.iter().map(|_| None).collect();
        let one = Tensor::ones(nodes[loss.id].value.shape());
        grads[loss.id] = Some(Gradient::Dense(one));
        while let Some(node) = nodes.pop() {
            check();
            let Some(dy) = grads[nodes.len()].take().filter(|_| node.differentiable) else {
                continue;
            };
            match node.origin {
                Origin::Parameter(param) => take(param, dy),
                Origin::Computed(made) => {
                    let dy = dy.into_dense();
                    let value = |i: usize| nodes[i].value.clone();
                    let dxs = made.run(&node.value, value, |op, run| op.gradients(run, &dy));
                    drop((dy, node.value, made.saved));
                    for (input, dx) in made.inputs.into_iter().zip(dxs) {
                        if let Some(dx) = dx.filter(|_| nodes[input].differentiable) {
                            dx.gather(&mut grads[input]);
                        }
                    }
                }
                Origin::Input | Origin::Constant => {}
            }
        }
    }
}
