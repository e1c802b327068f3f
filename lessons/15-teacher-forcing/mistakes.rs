//! The classic mistakes of the shift, each a function of the reference's signature.

use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

/// The signature of the shift.
pub type ShiftFn = fn(&Tensor) -> Shifted;

/// Every mistake by the name of its switch.
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
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}

/// Reads the very tokens that it should predict.
pub fn no_shift(ids: &Tensor) -> Shifted {
    counted(cut(ids, 1, ids.last()), cut(ids, 1, ids.last()))
}

/// Reads what comes next, and should predict what came before.
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

/// One token too far.
pub fn two_on(ids: &Tensor) -> Shifted {
    counted(cut(ids, 0, ids.last() - 2), cut(ids, 2, ids.last()))
}

/// Padding counts as tokens.
pub fn count_padding(ids: &Tensor) -> Shifted {
    let made = counted(cut(ids, 0, ids.last() - 1), cut(ids, 1, ids.last()));
    Shifted {
        ntokens: made.tgt_y.len(),
        ..made
    }
}
