//! RMSNorm (Zhang and Sennrich 2019): layer normalisation that subtracts no mean and adds no bias.

use crate::autograd::Var;
use crate::tensor::Tensor;

crate::reference! { "rms_norm";
// ANCHOR: forward
/// `scale ⊙ x / √(mean(x²) + ε)`, separately for each row of the last axis. `x […, d_model]` keeps
/// its shape; `scale [d_model]`.
#[track_caller]
pub fn rms_norm(x: &Var, scale: &Var, epsilon: f32) -> Var {
    let epsilon = x.tape().constant("epsilon", Tensor::scalar(epsilon), &[]);
    let mean_square = x.mul(x).row_mean().named("mean_square");
    let rms = mean_square.add(&epsilon).sqrt().named("rms");
    x.div(&rms).named("normal").mul(scale).named("norm")
}
// ANCHOR_END: forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;

    #[test]
    fn every_row_has_rms_one_and_keeps_its_signs() {
        let tape = Tape::eval(&Default::default());
        let x = tape.input(
            "x",
            check::normal(&[2, 3, 8]).map(|x| 5.0 * x + 2.0),
            &["b", "t", "d"],
        );
        let scale = tape.input("scale", Tensor::from_fn(&[8], |_| 1.0), &["d"]);
        let y = rms_norm(&x, &scale, 0.0).value();
        for (y, x) in y.data().chunks(8).zip(x.value().data().chunks(8)) {
            let square: f32 = y.iter().map(|y| y * y).sum();
            assert!((square / 8.0 - 1.0).abs() < 1e-5, "{square}");
            assert!(y.iter().zip(x).all(|(y, x)| (y > &0.0) == (x > &0.0)));
        }
    }

    #[test]
    fn rms_norm_and_its_gradient() {
        let inputs = [check::normal(&[2, 3, 5]), check::normal(&[5])];
        check::op(&inputs, |_, v| rms_norm(&v[0], &v[1], 0.1));
    }
}
