//! The classic mistakes in the position table, each with the reference's signature.

use transformer_tutor::tensor::Tensor;

/// The signature of the position table.
pub type TableFn = fn(usize, usize) -> Tensor;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, TableFn); 5] = [
    ("own-frequency", own_frequency),
    ("from-one", from_one),
    ("small-base", small_base),
    ("swapped", swapped),
    ("half-exponent", half_exponent),
];

/// A table `[length, d_model]` of `position / base^exponent`, sines in even columns and cosines in odd ones. `first` is
/// the position of row 0, and `exponent` maps a column to d_model times its exponent.
fn table(
    [length, d_model]: [usize; 2],
    first: usize,
    base: f64,
    exponent: impl Fn(usize) -> usize,
) -> Tensor {
    Tensor::from_fn(&[length, d_model], |i| {
        let rate = base.powf(-(exponent(i[1]) as f64 / d_model as f64));
        wave((i[0] + first) as f64 * rate, i[1] % 2 == 1)
    })
}

fn wave(angle: f64, cosine: bool) -> f32 {
    (if cosine { angle.cos() } else { angle.sin() }) as f32
}

/// The correct sines and cosines, but of `changed` angles.
fn waves([length, d_model]: [usize; 2], changed: impl Fn(f64) -> f64) -> Tensor {
    Tensor::from_fn(&[length, d_model], |i| {
        wave(changed(angle(i[0], i[1], d_model)), i[1] % 2 == 1)
    })
}

/// Correct angle of a cell.
fn angle(position: usize, column: usize, d_model: usize) -> f64 {
    position as f64 / 10_000_f64.powf(in_pairs(column) as f64 / d_model as f64)
}

/// Exponent of a column times d_model: 2i for columns 2i and 2i + 1.
fn in_pairs(column: usize) -> usize {
    column / 2 * 2
}

/// Gives every column its own frequency: the exponent is 2·column/d_model, not 2·(column/2)/d_model.
pub fn own_frequency(length: usize, d_model: usize) -> Tensor {
    table([length, d_model], 0, 10_000.0, |column| 2 * column)
}

/// Counts positions from 1.
pub fn from_one(length: usize, d_model: usize) -> Tensor {
    table([length, d_model], 1, 10_000.0, in_pairs)
}

/// Uses base 1000 instead of 10000. (Base 100 would be the same as half the exponent.)
pub fn small_base(length: usize, d_model: usize) -> Tensor {
    table([length, d_model], 0, 1000.0, in_pairs)
}

/// Puts cosines in the even columns.
pub fn swapped(length: usize, d_model: usize) -> Tensor {
    let sound = table([length, d_model], 0, 10_000.0, in_pairs);
    Tensor::from_fn(sound.shape(), |i| sound.at(&[i[0], i[1] ^ 1]))
}

/// Uses the exponent i/d_model instead of 2i/d_model.
pub fn half_exponent(length: usize, d_model: usize) -> Tensor {
    table([length, d_model], 0, 10_000.0, |column| column / 2)
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, TableFn); 11] = [
    (
        "Your exponent is column / d_model. The two columns of a pair share a frequency: 2i / d_model for columns 2i and 2i + 1.",
        |length, d_model| table([length, d_model], 0, 10_000.0, |column| column),
    ),
    (
        "Your sines are in the first half of the columns and your cosines in the second, as in Tensor2Tensor. Here they alternate.",
        halves,
    ),
    (
        "You multiply the position by 10000^(2i / d_model). Divide by it.",
        |length, d_model| table([length, d_model], 0, 1e-4, in_pairs),
    ),
    (
        "Your exponent is 4i / d_model: the even column of a pair is 2i already, and you double it again.",
        |length, d_model| {
            table([length, d_model], 0, 10_000.0, |column| {
                2 * in_pairs(column)
            })
        },
    ),
    (
        "All your pairs have the same frequency: 2i / d_model is 0 in integer division. Convert both to f64 before you divide.",
        |length, d_model| table([length, d_model], 0, 10_000.0, |_| 0),
    ),
    (
        "You treat the angle as degrees and convert it. It is already in radians, as sin and cos expect.",
        |length, d_model| waves([length, d_model], f64::to_radians),
    ),
    (
        "You divide the positions by the length of the table. A position is a whole number: 0, 1, 2, …",
        |length, d_model| waves([length, d_model], |angle| angle / length as f64),
    ),
    (
        "You choose sine or cosine by position. Choose by column: sine in even columns, cosine in odd ones.",
        |length, d_model| {
            Tensor::from_fn(&[length, d_model], |i| {
                wave(angle(i[0], i[1], d_model), i[0] % 2 == 1)
            })
        },
    ),
    (
        "Your row 0 is all zeros. Position 0 is a position like the others: its sines are 0 and its cosines 1.",
        |length, d_model| {
            let sound = waves([length, d_model], |angle| angle);
            Tensor::from_fn(sound.shape(), |i| if i[0] == 0 { 0.0 } else { sound.at(i) })
        },
    ),
    (
        "You divide by the number of pairs minus one, so that the last pair reaches 10000. The exponent is 2i / d_model.",
        |length, d_model| {
            Tensor::from_fn(&[length, d_model], |i| {
                let pairs = (d_model / 2).max(2) - 1;
                let exponent = (i[1] / 2) as f64 / pairs as f64;
                let angle = i[0] as f64 / 10_000_f64.powf(exponent);
                wave(angle, i[1] % 2 == 1)
            })
        },
    ),
    (
        "Two mistakes at once: sine and cosine have changed places, and your positions count from 1.",
        |length, d_model| {
            let turned = swapped(length + 1, d_model);
            Tensor::from_fn(&[length, d_model], |i| turned.at(&[i[0] + 1, i[1]]))
        },
    ),
];

fn halves(length: usize, d_model: usize) -> Tensor {
    let sound = table([length, d_model], 0, 10_000.0, in_pairs);
    let half = d_model / 2;
    Tensor::from_fn(sound.shape(), |i| {
        if i[1] < half {
            sound.at(&[i[0], 2 * i[1]])
        } else {
            sound.at(&[i[0], 2 * (i[1] - half) + 1])
        }
    })
}
