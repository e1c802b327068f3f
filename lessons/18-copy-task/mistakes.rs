//! The classic mistakes in a training batch, each with the reference's signature.

use transformer_tutor::data::copy::{CopyBatch, copy_batch};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

/// The signature of the function that makes a batch.
pub type BatchFn = fn(&Tensor) -> CopyBatch;

/// Every mistake, by the name of the switch that turns it on.
pub static ALL: [(&str, BatchFn); 5] = [
    ("no-future", no_future),
    ("no-shift", no_shift),
    ("strict-past", strict_past),
    ("no-start", no_start),
    ("count-padding", count_padding),
];

/// The batch with a different target, masked to what `sees` allows, without padding.
fn masked(batch: CopyBatch, tgt: Tensor, sees: fn(&[usize]) -> bool) -> CopyBatch {
    let tgt_mask = Tensor::from_fn(batch.tgt_mask.shape(), |i| {
        f32::from(sees(i) && tgt.at(&[i[0], i[2]]) != PAD)
    });
    CopyBatch {
        tgt,
        tgt_mask,
        ..batch
    }
}

/// Masks only the padding of the target: every position sees what is to come.
pub fn no_future(words: &Tensor) -> CopyBatch {
    let batch = copy_batch(words);
    let tgt = batch.tgt.clone();
    masked(batch, tgt, |_| true)
}

/// Lets the decoder read the very tokens that it must predict.
pub fn no_shift(words: &Tensor) -> CopyBatch {
    let batch = copy_batch(words);
    let tgt = batch.tgt_y.clone();
    masked(batch, tgt, |i| i[2] <= i[1])
}

/// Hides each position from itself, so that the first sees nothing at all.
pub fn strict_past(words: &Tensor) -> CopyBatch {
    let batch = copy_batch(words);
    let tgt = batch.tgt.clone();
    masked(batch, tgt, |i| i[2] < i[1])
}

/// Leaves the first column as drawn.
pub fn no_start(words: &Tensor) -> CopyBatch {
    let first = |x: &Tensor| {
        Tensor::from_fn(x.shape(), |i| match i[1] {
            0 => words.at(&[i[0], 0]),
            _ => x.at(i),
        })
    };
    let batch = copy_batch(words);
    CopyBatch {
        src: first(&batch.src),
        tgt: first(&batch.tgt),
        ..batch
    }
}

/// Counts padding as tokens.
pub fn count_padding(words: &Tensor) -> CopyBatch {
    let batch = copy_batch(words);
    CopyBatch {
        ntokens: batch.tgt_y.len(),
        ..batch
    }
}

/// The batch with a different target mask: 1 where `sees` is true for the decoder's input and the index.
fn seeing(words: &Tensor, sees: fn(&Tensor, &[usize]) -> bool) -> CopyBatch {
    let batch = copy_batch(words);
    let tgt_mask = Tensor::from_fn(batch.tgt_mask.shape(), |i| f32::from(sees(&batch.tgt, i)));
    CopyBatch { tgt_mask, ..batch }
}

fn real(ids: &Tensor) -> usize {
    ids.data().iter().filter(|&&id| id != PAD).count()
}

/// Other common mistakes, each with the message that the check gives.
pub static UNSWITCHED: [(&str, BatchFn); 15] = [
    (
        "Your src_mask is inverted: 1 marks a token that may be seen, 0 padding.",
        |words| {
            let batch = copy_batch(words);
            let src_mask = batch.src_mask.map(|x| 1.0 - x);
            CopyBatch { src_mask, ..batch }
        },
    ),
    (
        "Your tgt_mask is inverted: 1 marks a token that may be seen, 0 padding and future.",
        |words| {
            let batch = copy_batch(words);
            let tgt_mask = batch.tgt_mask.map(|x| 1.0 - x);
            CopyBatch { tgt_mask, ..batch }
        },
    ),
    (
        "Both your masks are inverted, as in PyTorch's key_padding_mask. Here 1 marks a token that may be seen.",
        |words| {
            let batch = copy_batch(words);
            let [src_mask, tgt_mask] =
                [&batch.src_mask, &batch.tgt_mask].map(|mask| mask.map(|x| 1.0 - x));
            CopyBatch {
                src_mask,
                tgt_mask,
                ..batch
            }
        },
    ),
    (
        "You put START before the words, so the last column is lost. Write START over the first column, and keep the others.",
        |words| {
            let moved = Tensor::from_fn(words.shape(), |i| words.at(&[i[0], i[1].max(1) - 1]));
            copy_batch(&moved)
        },
    ),
    (
        "You count the tokens that the decoder reads. ntokens counts those that it must predict: the cells of tgt_y that are not padding.",
        |words| {
            let batch = copy_batch(words);
            let ntokens = real(&batch.tgt);
            CopyBatch { ntokens, ..batch }
        },
    ),
    (
        "Your tgt_mask hides only the future. It must hide padding too.",
        |words| seeing(words, |_, i| i[2] <= i[1]),
    ),
    (
        "Your tgt_mask looks for padding at the position that attends, the row. Look at the token that is seen, the column.",
        |words| seeing(words, |tgt, i| i[2] <= i[1] && tgt.at(&i[..2]) != PAD),
    ),
    (
        "You swapped row and column in your tgt_mask: a position sees itself and the future. It should see itself and what comes before it.",
        |words| seeing(words, |tgt, i| i[2] >= i[1] && tgt.at(&[i[0], i[2]]) != PAD),
    ),
    (
        "Your src still has the first column of the words. It should begin with START too.",
        |words| CopyBatch {
            src: words.clone(),
            ..copy_batch(words)
        },
    ),
    (
        "Your tgt_y is the same as tgt, so the decoder must predict the very tokens that it reads. tgt_y is src without its first column.",
        |words| {
            let batch = copy_batch(words);
            CopyBatch {
                tgt_y: batch.tgt.clone(),
                ntokens: real(&batch.tgt),
                ..batch
            }
        },
    ),
    (
        "You count the tokens of src, among them START. ntokens counts the predictions: the cells of tgt_y that are not padding.",
        |words| {
            let batch = copy_batch(words);
            let ntokens = real(&batch.src);
            CopyBatch { ntokens, ..batch }
        },
    ),
    (
        "Your tgt_mask hides the padding of sentence 0 in every sentence. Each sentence has its own padding: use the batch index too.",
        |words| seeing(words, |tgt, i| i[2] <= i[1] && tgt.at(&[0, i[2]]) != PAD),
    ),
    (
        "Your tgt_mask looks for padding in tgt_y, where it begins one position earlier. The decoder attends to tgt: look there.",
        |words| {
            let batch = copy_batch(words);
            let sees = |i: &[usize]| i[2] <= i[1] && batch.tgt_y.at(&[i[0], i[2]]) != PAD;
            let tgt_mask = Tensor::from_fn(batch.tgt_mask.shape(), |i| f32::from(sees(i)));
            CopyBatch { tgt_mask, ..batch }
        },
    ),
    (
        "Your tgt doesn't begin with START. The decoder must read something before the first token: cut tgt from src, not from the words.",
        |words| {
            let batch = copy_batch(words);
            let tgt = Tensor::from_fn(batch.tgt.shape(), |i| words.at(i));
            masked(batch, tgt, |i| i[2] <= i[1])
        },
    ),
    (
        "Your src_mask hides nothing. It must hide padding: 1 marks a token that may be seen, 0 padding.",
        |words| {
            let batch = copy_batch(words);
            let src_mask = Tensor::ones(batch.src_mask.shape());
            CopyBatch { src_mask, ..batch }
        },
    ),
];
