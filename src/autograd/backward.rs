//! The backward pass: from the gradient of one step to that of everything it was computed from.

use super::{Nature, Origin};
use crate::tensor::threads::check;
use crate::tensor::{Tensor, vector};

/// What the backward pass needs of a recorded step.
pub(super) struct Recorded<'a> {
    pub value: &'a Tensor,
    pub origin: &'a Origin,
    /// Whether a parameter or an input to be differentiated lies upstream.
    pub differentiable: bool,
}

// ANCHOR: walk
/// The gradients of `Σ step · upstream` by every step up to `from`; `None` where there is no influence.
pub(super) fn backpropagate(
    steps: &[Recorded<'_>],
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

/// Adds a gradient to those of earlier uses: a tensor that is used twice gets the sum of both.
pub(super) fn accumulate(sum: &mut Option<Tensor>, dx: Tensor) {
    match sum {
        Some(sum) => vector::add(sum.data_mut(), dx.data()),
        None => *sum = Some(dx),
    }
}
// ANCHOR_END: walk

/// Whether gradients pass through a step of this origin and nature, given whether they pass its inputs.
pub(super) fn passes(origin: &Origin, nature: Nature, through: impl Fn(usize) -> bool) -> bool {
    let numbers = matches!(nature, Nature::Signed | Nature::Probability);
    numbers
        && match origin {
            Origin::Parameter(_) => true,
            Origin::Input => nature == Nature::Signed,
            Origin::Constant => false,
            Origin::Computed(made) => made.inputs.iter().any(|&i| through(i)),
        }
}
