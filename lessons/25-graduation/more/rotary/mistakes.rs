//! The classic mistakes of rotary positions.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

/// The signature of what is to be written.
pub type RotaryFn = fn(&Var, usize) -> Var;

/// Every mistake by the key of its diagnosis.
pub static ALL: [(&str, RotaryFn); 7] = [
    ("backwards", |x, first| {
        turned(x, |t| (first + t) as f64, pairs, -1.0, false)
    }),
    ("no-first", |x, _| {
        turned(x, |t| t as f64, pairs, 1.0, false)
    }),
    ("from-1", |x, first| {
        turned(x, |t| (first + t + 1) as f64, pairs, 1.0, false)
    }),
    ("halves", |x, first| {
        turned(x, |t| (first + t) as f64, halves, 1.0, true)
    }),
    ("angle-per-channel", |x, first| {
        turned(
            x,
            |t| (first + t) as f64,
            |channel, d| 2.0 * channel as f64 / d as f64,
            1.0,
            false,
        )
    }),
    ("half-the-exponent", |x, first| {
        turned(
            x,
            |t| (first + t) as f64,
            |channel, d| (channel / 2) as f64 / d as f64,
            1.0,
            false,
        )
    }),
    // The sentence is turned as a whole.
    ("one-position", |x, first| {
        turned(x, |_| first as f64, pairs, 1.0, false)
    }),
];

/// The exponent of a channel whose pair is its neighbour.
fn pairs(channel: usize, d: usize) -> f64 {
    (channel / 2 * 2) as f64 / d as f64
}

/// The exponent of a channel whose pair stands half a row further.
fn halves(channel: usize, d: usize) -> f64 {
    (channel % (d / 2) * 2) as f64 / d as f64
}

fn turned(
    x: &Var,
    position: impl Fn(usize) -> f64,
    exponent: fn(usize, usize) -> f64,
    sign: f64,
    in_halves: bool,
) -> Var {
    let (length, d) = (x.shape()[2], x.value().last());
    let table = |wave: fn(f64) -> f64, sign: f64| {
        Tensor::from_fn(&[length, d], |i| {
            let angle = position(i[0]) / 10_000_f64.powf(exponent(i[1], d));
            (sign * wave(angle)) as f32
        })
    };
    let partner = |channel: usize| match in_halves {
        true => ((channel + d / 2) % d, channel < d / 2),
        false => (channel ^ 1, channel.is_multiple_of(2)),
    };
    let quarter = Tensor::from_fn(&[d, d], |i| match partner(i[0]) {
        (from, first) if from == i[1] => {
            if first {
                -1.0
            } else {
                1.0
            }
        }
        _ => 0.0,
    });
    let tape = x.tape();
    let cos = tape.constant("cos", table(f64::cos, 1.0), &["t", "k"]);
    let sin = tape.constant("sin", table(f64::sin, sign), &["t", "k"]);
    let quarter = tape.constant("quarter", quarter, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&quarter).mul(&sin))
}
