//! The backward pass of softmax in visible steps. The tape's version, in one step, is in `src/engine/ops/softmax.rs`.

use crate::autograd::Var;

crate::reference! { "softmax_backward";
// ANCHOR: forward
/// The gradient with respect to the input of a softmax over the last axis, row by row:
/// `dx = y ⊙ (dy − Σ dy ⊙ y)`.
///
/// `y […, n]` is the result of the softmax, `dy […, n]` the gradient of the loss with respect to
/// `y`. Every row of `dx` sums to 0, because every row of `y` sums to 1.
#[track_caller]
pub fn softmax_backward(y: &Var, dy: &Var) -> Var {
    let n = y.value().last() as f32;
    // The average of the row's gradients, weighted by y. The sum of a row is n times its mean.
    let pull = dy.mul(y).row_mean().scale(n).named("pull");
    y.mul(&dy.sub(&pull).named("d_centred")).named("d_scaled")
}
// ANCHOR_END: forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;
    use crate::params::Params;

    #[test]
    fn it_gives_what_the_tape_gives() {
        let tape = Tape::eval(&Params::default());
        let x = tape.input("x", check::normal(&[2, 3, 5]), &["b", "t", "s"]);
        let upstream = check::normal(&[2, 3, 5]).map(|u| 2.0 * u + 0.5);
        let y = x.softmax();
        let dy = tape.constant("dy", upstream.clone(), &["b", "t", "s"]);
        let by_hand = softmax_backward(&y, &dy).value();
        let grads = y.backward_from(&upstream);
        let by_tape = grads.get(&x).expect("y depends on x");
        for (a, b) in by_hand.data().iter().zip(by_tape.data()) {
            assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    }
}
