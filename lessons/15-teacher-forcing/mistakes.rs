//! The classic mistakes in the shift, each with the reference's signature.

use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

/// The signature of the shift.
pub type ShiftFn = fn(&Tensor) -> Shifted;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, ShiftFn); 6] = [
    ("no-shift", no_shift),
    ("backwards", backwards),
    ("keep-last", keep_last),
    ("roll", roll),
    ("two-on", two_on),
    ("count-padding", count_padding),
];

/// Columns `first` to `end`.
fn cut(ids: &Tensor, first: usize, end: usize) -> Tensor {
    Tensor::from_fn(&[ids.shape()[0], end - first], |i| {
        ids.at(&[i[0], i[1] + first])
    })
}

fn counted(tgt: Tensor, tgt_y: Tensor) -> Shifted {
    let ntokens = tokens(&tgt_y);
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}

/// The correct cuts with a different count, computed from them.
fn counting(ids: &Tensor, count: impl Fn(&Shifted) -> usize) -> Shifted {
    let made = counted(cut(ids, 0, ids.last() - 1), cut(ids, 1, ids.last()));
    let ntokens = count(&made);
    Shifted { ntokens, ..made }
}

fn tokens(ids: &Tensor) -> usize {
    ids.data().iter().filter(|&&id| id != PAD).count()
}

/// Reads the very tokens that it should predict.
pub fn no_shift(ids: &Tensor) -> Shifted {
    counted(cut(ids, 1, ids.last()), cut(ids, 1, ids.last()))
}

/// Reads the next token and must predict the previous one.
pub fn backwards(ids: &Tensor) -> Shifted {
    counted(cut(ids, 1, ids.last()), cut(ids, 0, ids.last() - 1))
}

/// Reads the last token too, after which nothing comes.
pub fn keep_last(ids: &Tensor) -> Shifted {
    counted(ids.clone(), cut(ids, 1, ids.last()))
}

/// Rolls the row, so that the start comes after the end.
pub fn roll(ids: &Tensor) -> Shifted {
    let rolled = |i: &[usize]| ids.at(&[i[0], (i[1] + 1) % ids.last()]);
    counted(ids.clone(), Tensor::from_fn(ids.shape(), rolled))
}

/// Shifts by two tokens instead of one.
pub fn two_on(ids: &Tensor) -> Shifted {
    counted(cut(ids, 0, ids.last() - 2), cut(ids, 2, ids.last()))
}

/// Counts padding as tokens.
pub fn count_padding(ids: &Tensor) -> Shifted {
    counting(ids, |made| made.tgt_y.len())
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, ShiftFn); 12] = [
    (
        "You shift nothing: the decoder reads the token that it must predict. Begin tgt_y one token later.",
        |ids| counted(cut(ids, 0, ids.last() - 1), cut(ids, 0, ids.last() - 1)),
    ),
    (
        "You keep the full length and fill tgt_y with padding. Both tensors should be one token shorter than the ids.",
        |ids| {
            let made = cut(ids, 1, ids.last());
            let filled = |i: &[usize]| if i[1] < made.last() { made.at(i) } else { PAD };
            counted(ids.clone(), Tensor::from_fn(ids.shape(), filled))
        },
    ),
    (
        "You count the tokens of tgt, which the decoder reads. Count those of tgt_y, which it predicts.",
        |ids| counting(ids, |made| tokens(&made.tgt)),
    ),
    (
        "You count the tokens of the whole ids. The start tokens are never predicted: count those of tgt_y.",
        |ids| counting(ids, |_| tokens(ids)),
    ),
    (
        "You count the padding. Count the predictions that are not padding.",
        |ids| counting(ids, |made| made.tgt_y.len() - made.ntokens),
    ),
    (
        "You do not count the end tokens. The end of a sentence is predicted, too.",
        |ids| counting(ids, |made| made.ntokens - ids.shape()[0]),
    ),
    (
        "Your tgt has padding in place of the end tokens. Cut off the last column, and keep the rest as it is.",
        |ids| {
            let tgt = cut(ids, 0, ids.last() - 1).map(|id| if id == 2.0 { PAD } else { id });
            counted(tgt, cut(ids, 1, ids.last()))
        },
    ),
    (
        "You count the tokens of the first sentence. Count those of all sentences.",
        |ids| {
            counting(ids, |made| {
                let row = &made.tgt_y.data()[..made.tgt_y.last()];
                tokens(&Tensor::new(&[row.len()], row.to_vec()))
            })
        },
    ),
    (
        "ntokens is the length of the longest sentence. Count all tokens that must be predicted, in all sentences.",
        |ids| {
            counting(ids, |shifted| {
                let rows = shifted.tgt_y.data().chunks(shifted.tgt_y.last());
                let real = rows.map(|row| row.iter().filter(|&&id| id != PAD).count());
                real.max().unwrap_or(0)
            })
        },
    ),
    (
        "You count the tokens of the first sentence and multiply by the number of sentences. Sentences differ in length: count each one.",
        |ids| {
            counting(ids, |made| {
                let row = &made.tgt_y.data()[..made.tgt_y.last()];
                tokens(&Tensor::new(&[row.len()], row.to_vec())) * ids.shape()[0]
            })
        },
    ),
    (
        "Your tgt_y runs on from one sentence into the next: you cut a flat list into rows of length − 1. Cut each row on its own.",
        |ids| {
            let length = ids.last() - 1;
            let run_on = |i: &[usize]| ids.data()[i[0] * length + i[1] + 1];
            let shape = [ids.shape()[0], length];
            counted(cut(ids, 0, length), Tensor::from_fn(&shape, run_on))
        },
    ),
    (
        "Your decoder reads padding first. It reads START: cut off the last column, and keep the rest as it is.",
        |ids| {
            let length = ids.last() - 1;
            let tgt = cut(ids, 0, length);
            let padded = Tensor::from_fn(tgt.shape(), |i| if i[1] == 0 { PAD } else { tgt.at(i) });
            counted(padded, cut(ids, 1, ids.last()))
        },
    ),
];
