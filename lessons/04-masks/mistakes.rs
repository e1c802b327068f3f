//! The classic mistakes in the future mask, each with the reference's signature. The stage has switches for them, and
//! the exercise recognises them. All but `flat` return `[1, length, length]`.

use transformer_tutor::tensor::Tensor;

/// The signature of the reference.
pub type Mask = fn(usize) -> Tensor;

/// Every mistake, by the name of the switch that turns it on. The last two do no harm on the stage, which has no
/// switches for them.
pub static ALL: [(&str, Mask); 7] = [
    ("no-future", no_future),
    ("reversed", reversed),
    ("strict", strict),
    ("upper", upper),
    ("anti-diagonal", anti_diagonal),
    ("flat", flat),
    ("as-bias", as_bias),
];

fn cells(length: usize, open: impl Fn(usize, usize) -> bool) -> Tensor {
    let cell = |i: &[usize]| if open(i[1], i[2]) { 1.0 } else { 0.0 };
    Tensor::from_fn(&[1, length, length], cell)
}

/// Lets every token see every token: there is no mask.
pub fn no_future(length: usize) -> Tensor {
    cells(length, |_, _| true)
}

/// Writes 1 for "blocked", in code that reads 1 as "may be seen".
pub fn reversed(length: usize) -> Tensor {
    cells(length, |row, column| column > row)
}

/// Hides each token from itself, so the first sees nothing at all.
pub fn strict(length: usize) -> Tensor {
    cells(length, |row, column| column < row)
}

/// Swaps rows and columns: every token sees itself and what comes after it.
pub fn upper(length: usize) -> Tensor {
    cells(length, |row, column| column >= row)
}

/// Mirrors the triangle: the first token sees all, the last only the first.
pub fn anti_diagonal(length: usize) -> Tensor {
    cells(length, |row, column| row + column < length)
}

/// Returns the correct values as a matrix `[length, length]`, without the axis that broadcasts over the batch.
pub fn flat(length: usize) -> Tensor {
    cells(length, |row, column| column <= row).reshape(&[length, length])
}

/// Returns the form that is added to scores: 0 where a token may be seen, −1e9 elsewhere.
pub fn as_bias(length: usize) -> Tensor {
    cells(length, |row, column| column <= row).map(|open| if open == 1.0 { 0.0 } else { -1e9 })
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, Mask); 7] = [
    (
        "Your rows open one token too many, the next one. A token sees itself and the tokens before it.",
        |length| cells(length, |row, column| column <= row + 1),
    ),
    (
        "These are numbers to be added to scores, 0 and −∞. This function only marks which token may read which: 1 may, 0 may not.",
        |length| as_bias(length).map(|bias| if bias == 0.0 { 0.0 } else { f32::NEG_INFINITY }),
    ),
    (
        "You add an axis for the heads. The shape is [1, length, length]: attention adds that axis itself.",
        |length| cells(length, |row, column| column <= row).reshape(&[1, 1, length, length]),
    ),
    (
        "Your row and column are the first two numbers of the index. The first is the leading axis: row and column are the second and third.",
        |length| cells(length, |row, _| row == 0),
    ),
    (
        "Your rows sum to 1, like attention weights. A mask has 1 for every token that may be seen; softmax makes the weights later.",
        |length| {
            let open = cells(length, |row, column| column <= row);
            Tensor::from_fn(open.shape(), |i| open.at(i) / (i[1] + 1) as f32)
        },
    ),
    (
        "A token sees only itself and the token before it. It sees all tokens before it.",
        |length| cells(length, |row, column| column <= row && row <= column + 1),
    ),
    (
        "You hide the first token from the others. It is an ordinary token: all later tokens see it.",
        |length| {
            cells(length, |row, column| {
                column <= row && (column > 0 || row == 0)
            })
        },
    ),
];
