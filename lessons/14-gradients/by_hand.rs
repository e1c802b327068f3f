//! The backward pass through both networks, recorded as ordinary steps, so that the origin of every gradient can be
//! explained. It is checked against the tape's own backward pass.

use transformer_tutor::autograd::{Grads, Var};
use transformer_tutor::lesson::measure::largest_difference;
use transformer_tutor::tensor::Tensor;

use super::check::BackwardFn;
use super::networks::{HeadRun, TinyRun};

/// Largest difference between a gradient by hand and the tape's.
fn apart(by_hand: &Var, by_tape: Option<&Tensor>) -> f64 {
    let by_hand = by_hand.value();
    let none = Tensor::zeros(by_hand.shape());
    largest_difference(&by_hand, by_tape.unwrap_or(&none))
}

/// Mistakes in the backward pass through the tiny network.
#[derive(Clone, Copy, Default)]
pub struct Wrong {
    /// Whether the second use of the error overwrites the first.
    pub overwrite: bool,
    /// Whether ReLU passes every gradient.
    pub open: bool,
}

/// Goes back through the tiny network; returns the largest difference from the tape's own gradients.
pub fn tiny(run: &TinyRun, grads: &Grads, wrong: Wrong) -> f64 {
    let tape = run.loss.tape();
    // The loss is the sum of the squares, so its gradient with respect to each is 1.
    let d_square = tape.constant("d_square", Tensor::ones(&[1, 1]), &["t", "o"]);
    // In error · error, the derivative with respect to each factor is the other factor.
    let first = d_square.mul(&run.error).named("d_error_first");
    let second = d_square.mul(&run.error).named("d_error_second");
    let d_error = if wrong.overwrite {
        second.scale(1.0)
    } else {
        first.add(&second)
    };
    let d_error = d_error.named("d_error");
    let d_out = d_error.transpose().matmul(&run.hidden).named("d_v");
    let d_hidden = d_error.matmul(&run.out).named("d_hidden");
    let d_pre = if wrong.open {
        d_hidden.scale(1.0)
    } else {
        d_hidden.mul(&run.hidden.not_equal(0.0).named("open"))
    };
    let d_pre = d_pre.named("d_pre");
    // With only one row, nothing has to be summed for the bias.
    let _ = d_pre.reshape(&[3], &["f"]).named("d_bias");
    let d_weight = d_pre.transpose().matmul(&run.x).named("d_weight");
    let d_x = d_pre.matmul(&run.weight).named("d_x");
    let pairs = [
        (&d_error, grads.get(&run.error)),
        (&d_out, grads.get(&run.out)),
        (&d_hidden, grads.get(&run.hidden)),
        (&d_weight, grads.get(&run.weight)),
        (&d_x, grads.get(&run.x)),
    ];
    let far = pairs.into_iter().map(|(hand, tape)| apart(hand, tape));
    far.fold(0.0, f64::max)
}

/// Goes back through the head's softmax to queries, keys and their biases; returns the largest difference from the
/// tape's gradients.
pub fn head(run: &HeadRun, grads: &Grads, softmax: BackwardFn) -> f64 {
    let tape = run.loss.tape();
    let d_weights = grads.get(&run.weights).expect("the loss depends on them");
    let d_weights = tape.constant("d_weights", d_weights.clone(), &["b", "t", "s"]);
    let d_scaled = softmax(&run.weights, &d_weights);
    let factor = (run.query.value().last() as f32).sqrt().recip();
    let d_query = d_scaled.matmul(&run.key).scale(factor).named("d_query");
    let d_key = d_scaled.transpose().matmul(&run.query).scale(factor);
    let d_key = d_key.named("d_key").with_axes(&["b", "s", "k"]);
    // A bias is added to every row, so its gradient is the sum over all rows.
    let sum_rows = |d: &Var, name: &str| {
        let rows = d.shape()[1] as f32;
        d.transpose().row_mean().scale(rows).named(name)
    };
    sum_rows(&d_query, "d_query_bias");
    sum_rows(&d_key, "d_key_bias");
    let pairs = [(&d_query, &run.query), (&d_key, &run.key)];
    let far = pairs.map(|(hand, var)| apart(hand, grads.get(var)));
    far.into_iter().fold(0.0, f64::max)
}
