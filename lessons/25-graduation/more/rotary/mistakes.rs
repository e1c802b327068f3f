//! The classic mistakes in rotary positions.

use transformer_tutor::autograd::Var;
use transformer_tutor::tensor::Tensor;

/// The signature of the function to write.
pub type RotaryFn = fn(&Var, usize) -> Var;

/// Every mistake, by the key of its diagnosis.
pub static ALL: [(&str, RotaryFn); 7] = [
    ("backwards", |x, first| {
        turned(x, |t| (first + t) as f64, pairs, -1.0, neighbours)
    }),
    ("no-first", |x, _| {
        turned(x, |t| t as f64, pairs, 1.0, neighbours)
    }),
    ("from-1", |x, first| {
        turned(x, |t| (first + t + 1) as f64, pairs, 1.0, neighbours)
    }),
    ("halves", |x, first| {
        turned(x, |t| (first + t) as f64, halves, 1.0, across)
    }),
    ("angle-per-channel", |x, first| {
        turned(
            x,
            |t| (first + t) as f64,
            |channel, d| 2.0 * channel as f64 / d as f64,
            1.0,
            neighbours,
        )
    }),
    ("half-the-exponent", |x, first| {
        turned(
            x,
            |t| (first + t) as f64,
            |channel, d| (channel / 2) as f64 / d as f64,
            1.0,
            neighbours,
        )
    }),
    // Rotates the whole sentence by one angle.
    ("one-position", |x, first| {
        turned(x, |_| first as f64, pairs, 1.0, neighbours)
    }),
];

/// Exponent of a channel that is paired with its neighbour.
fn pairs(channel: usize, d: usize) -> f64 {
    (channel / 2 * 2) as f64 / d as f64
}

/// Exponent of a channel that is paired with the one half a row away.
fn halves(channel: usize, d: usize) -> f64 {
    (channel % (d / 2) * 2) as f64 / d as f64
}

/// Maps a channel to its partner in the rotation, and to the partner's sign.
type Partner = fn(usize, usize) -> (usize, f32);

/// Pairs channels 2i and 2i + 1.
fn neighbours(channel: usize, _: usize) -> (usize, f32) {
    (
        channel ^ 1,
        if channel.is_multiple_of(2) { -1.0 } else { 1.0 },
    )
}

/// Pairs channels i and i + d/2.
fn across(channel: usize, d: usize) -> (usize, f32) {
    (
        (channel + d / 2) % d,
        if channel < d / 2 { -1.0 } else { 1.0 },
    )
}

fn turned(
    x: &Var,
    position: impl Fn(usize) -> f64,
    exponent: impl Fn(usize, usize) -> f64,
    sign: f64,
    partner: Partner,
) -> Var {
    let d = x.value().last();
    let waves = |t: usize, channel: usize| {
        let angle = position(t) / 10_000_f64.powf(exponent(channel, d));
        [angle.cos(), sign * angle.sin()]
    };
    mixed(x, waves, partner)
}

/// Multiplies every channel by the first of its `waves`, and adds its partner times the second.
fn mixed(x: &Var, waves: impl Fn(usize, usize) -> [f64; 2], partner: Partner) -> Var {
    let (length, d) = (x.shape()[2], x.value().last());
    let table = |which: usize| Tensor::from_fn(&[length, d], |i| waves(i[0], i[1])[which] as f32);
    let quarter = Tensor::from_fn(&[d, d], |i| match partner(i[0], d) {
        (from, sign) if from == i[1] => sign,
        _ => 0.0,
    });
    let tape = x.tape();
    let cos = tape.constant("cos", table(0), &["t", "k"]);
    let sin = tape.constant("sin", table(1), &["t", "k"]);
    let quarter = tape.constant("quarter", quarter, &["k", "k"]);
    x.mul(&cos).add(&x.matmul_t(&quarter).mul(&sin))
}

/// Correct angle of a channel at a position.
fn angle(position: usize, channel: usize, d: usize) -> f64 {
    position as f64 / 10_000_f64.powf(pairs(channel, d))
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, RotaryFn); 12] = [
    (
        "The minus is missing: the first channel of a pair becomes a cos θ − b sin θ, the second b cos θ + a sin θ.",
        |x, first| {
            let position = |t: usize| (first + t) as f64;
            turned(x, position, pairs, 1.0, |c, d| (neighbours(c, d).0, 1.0))
        },
    ),
    (
        "Your exponent divides by the channels of all heads. Divide by d_k, those of one head.",
        |x, first| {
            let heads = x.shape()[1] as f64;
            let exponent = |channel, d| pairs(channel, d) / heads;
            turned(x, |t| (first + t) as f64, exponent, 1.0, neighbours)
        },
    ),
    (
        "Your exponent is channel / d_k, so the two channels of a pair have different angles. It is 2i / d_k for both channels, 2i and 2i + 1.",
        |x, first| {
            let exponent = |channel: usize, d: usize| channel as f64 / d as f64;
            turned(x, |t| (first + t) as f64, exponent, 1.0, neighbours)
        },
    ),
    (
        "All your pairs turn at one speed: 2i / d_k is 0 in whole numbers. Convert both to f64 before you divide.",
        |x, first| turned(x, |t| (first + t) as f64, |_, _| 0.0, 1.0, neighbours),
    ),
    (
        "You exchanged sine and cosine. A channel is multiplied by cos θ and its partner by sin θ: at position 0 the row stays as it is.",
        |x, first| {
            let d = x.value().last();
            let angle = |t: usize, channel: usize| angle(first + t, channel, d);
            mixed(x, |t, c| [angle(t, c).sin(), angle(t, c).cos()], neighbours)
        },
    ),
    (
        "You take the angle for degrees and convert it. It is in radians already, as sin and cos expect.",
        |x, first| {
            let position = |t: usize| ((first + t) as f64).to_radians();
            turned(x, position, pairs, 1.0, neighbours)
        },
    ),
    (
        "You pair channel i with channel i + d/2, but your angles are those of neighbours. Here 2i and 2i + 1 are a pair.",
        |x, first| turned(x, |t| (first + t) as f64, pairs, 1.0, across),
    ),
    (
        "You add sines and cosines to the channels, as sinusoidal positions do. Rotary positions turn the channels: multiply by them.",
        |x, first| {
            let d = x.value().last();
            let table = Tensor::from_fn(&[x.shape()[2], d], |i| {
                let (sin, cos) = angle(first + i[0], i[1], d).sin_cos();
                (if i[1].is_multiple_of(2) { sin } else { cos }) as f32
            });
            x.add(&x.tape().constant("positions", table, &["t", "k"]))
        },
    ),
    (
        "You turn every row by the angle of the last position. The row at place t has position first + t.",
        |x, first| {
            let last = (first + x.shape()[2] - 1) as f64;
            turned(x, |_| last, pairs, 1.0, neighbours)
        },
    ),
    (
        "You multiply the angle by 2π, as if it counted whole turns. It is in radians already.",
        |x, first| {
            let position = |t: usize| std::f64::consts::TAU * (first + t) as f64;
            turned(x, position, pairs, 1.0, neighbours)
        },
    ),
    (
        "You turn only the first pair. Every pair turns, each at its own speed.",
        |x, first| {
            let d = x.value().last();
            let angle = |t: usize, channel: usize| match channel {
                0 | 1 => angle(first + t, channel, d),
                _ => 0.0,
            };
            mixed(x, |t, c| [angle(t, c).cos(), angle(t, c).sin()], neighbours)
        },
    ),
    (
        "You add the place in the sentence to the angle. It is part of the position: (first + t) / 10000^(2i / d_k).",
        |x, first| {
            let d = x.value().last();
            let angle = |t: usize, channel: usize| angle(first, channel, d) + t as f64;
            mixed(x, |t, c| [angle(t, c).cos(), angle(t, c).sin()], neighbours)
        },
    ),
];
