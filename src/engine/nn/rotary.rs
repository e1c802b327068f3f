//! Rotary position embedding (Su et al. 2021): queries and keys are rotated by an angle that grows with
//! their position, so that their product depends on the positions only through their distance.

use crate::autograd::Var;
use crate::tensor::Tensor;

/// The angle, in radians, by which pair `pair` of `d_k / 2` is rotated at `position`: the waves of the
/// positional encoding (Vaswani et al. 2017, 3.5), used as rotations.
pub fn angle(position: usize, pair: usize, d_k: usize) -> f64 {
    position as f64 * 10_000_f64.powf(-2.0 * pair as f64 / d_k as f64)
}

crate::reference! { "rotary";
// ANCHOR: forward
/// Rotates channels 2i and 2i + 1 of every row by [`angle`]; `x [batch, heads, length, d_k]` keeps
/// its shape, and its first row has position `first`. Panics if `d_k` is odd.
#[track_caller]
pub fn rotary(x: &Var, first: usize) -> Var {
    let (length, d_k) = (x.shape()[2], x.value().last());
    assert!(
        d_k.is_multiple_of(2),
        "rotary: {d_k} channels cannot be paired; d_k must be even"
    );
    let table = |wave: fn(f64) -> f64| {
        Tensor::from_fn(&[length, d_k], |i| {
            wave(angle(first + i[0], i[1] / 2, d_k)) as f32
        })
    };
    // [out, in]: a quarter turn takes (a, b) to (−b, a).
    let quarter = Tensor::from_fn(&[d_k, d_k], |i| match (i[0] % 2, i[1]) {
        (0, from) if from == i[0] + 1 => -1.0,
        (1, from) if from + 1 == i[0] => 1.0,
        _ => 0.0,
    });
    let tape = x.tape();
    let cos = tape.constant("cos", table(f64::cos), &["t", "k"]);
    let sin = tape.constant("sin", table(f64::sin), &["t", "k"]);
    let quarter = tape.constant("quarter", quarter, &["k", "k"]);
    let turned = x.matmul_t(&quarter).named("quarter_turned").mul(&sin);
    x.mul(&cos).add(&turned).named("turned")
}
// ANCHOR_END: forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::ops::check;

    const AXES: [&str; 4] = ["b", "h", "t", "k"];

    #[test]
    fn lengths_stay_and_position_zero_is_not_turned() {
        let tape = Tape::eval(&Default::default());
        let x = tape.input("x", check::normal(&[1, 2, 5, 6]), &AXES);
        let (x, y) = (x.value(), rotary(&x, 0).value());
        for (x, y) in x.data().chunks(2).zip(y.data().chunks(2)) {
            assert!((x[0].hypot(x[1]) - y[0].hypot(y[1])).abs() < 1e-5);
        }
        assert_eq!(x.data()[..6], y.data()[..6]);
        // The first pair makes a quarter turn in π/2 positions; at position 1 it has turned by one radian.
        let (a, b) = (
            f64::from(x.at(&[0, 0, 1, 0])),
            f64::from(x.at(&[0, 0, 1, 1])),
        );
        let expected = a * 1_f64.cos() - b * 1_f64.sin();
        assert!((f64::from(y.at(&[0, 0, 1, 0])) - expected).abs() < 1e-6);
    }

    #[test]
    fn a_score_depends_on_the_distance_alone() {
        let tape = Tape::eval(&Default::default());
        let q = tape.input("q", check::normal(&[1, 1, 4, 8]), &AXES);
        let k = tape.input("k", check::normal(&[1, 1, 4, 8]).map(|x| x - 0.3), &AXES);
        let scores = |first| rotary(&q, first).matmul_t(&rotary(&k, first)).value();
        let (here, there) = (scores(0), scores(11));
        for (a, b) in here.data().iter().zip(there.data()) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }

    #[test]
    fn rotary_and_its_gradient() {
        check::op(&[check::normal(&[2, 1, 3, 4])], |_, v| rotary(&v[0], 2));
    }
}
