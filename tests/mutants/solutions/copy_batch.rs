//# Inverts the masks as in PyTorch's key_padding_mask: 1 where a cell is hidden.
//= classic-2
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 0.0 } else { 1.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 0.0 } else { 1.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Puts START before the words and drops the last one, instead of overwriting the first.
//= classic-3
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(&[i[0], i[1] - 1]) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Counts the tokens that the decoder reads instead of those that it must predict.
//= classic-4
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Counts all cells to be predicted, including padding.
//= count-padding
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().len();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Tests for padding at the position that attends (the row) instead of at the token that is seen (the column).
//= classic-6
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[1]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Hides only the future and forgets the padding in the target's mask.
//= classic-5
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Hides the position itself too: it may see only the tokens before it.
//= strict-past
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] < i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Takes the padding of the target's mask from what is to be predicted instead of from what is read.
//=
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt_y.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Keeps the words as the source, as in translation, so that only the decoder starts with START.
//= no-start classic-8
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        words.at(i)
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| {
        if i[1] == 0 { START } else { src.at(i) }
    });
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Removes the last real token of each row from the decoder's input instead of the last column.
//=
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| {
        let last = i[1] + 1 == length || src.at(&[i[0], i[1] + 1]) == PAD;
        if last { PAD } else { src.at(&[i[0], i[1]]) }
    });
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Does not shift: the decoder must predict the tokens that it reads.
//= no-shift classic-9
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Treats START as a special token that need not be seen, and hides it in the source's mask like padding.
//=
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        let id = src.at(&[i[0], i[2]]);
        if id != PAD && id != START { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Swaps query and key in the target's mask: a position sees itself and what follows.
//= no-future classic-7
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let read = length - 1;
    let src = Tensor::from_fn(&[batch, length], |i| {
        if i[1] == 0 { START } else { words.at(i) }
    });
    let tgt = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, read], |i| src.at(&[i[0], i[1] + 1]));
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt_mask = Tensor::from_fn(&[batch, read, read], |i| {
        if i[2] >= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch { src, src_mask, tgt, tgt_y, tgt_mask, ntokens }
}

//# Blocks the rows of padding in the target mask instead of its columns: tests the position that attends, not the token seen.
//= classic-6
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let src = Tensor::from_fn(&[batch, length], |i| if i[1] == 0 { START } else { words.at(i) });
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1] + 1]));
    let tgt_mask = Tensor::from_fn(&[batch, length - 1, length - 1], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[1]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch {
        src,
        src_mask,
        tgt,
        tgt_y,
        tgt_mask,
        ntokens,
    }
}
//# Lets a position see only what lies strictly before it, not itself.
//= strict-past
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let src = Tensor::from_fn(&[batch, length], |i| if i[1] == 0 { START } else { words.at(i) });
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| src.at(&[i[0], i[1] + 1]));
    let tgt_mask = Tensor::from_fn(&[batch, length - 1, length - 1], |i| {
        if i[2] < i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch {
        src,
        src_mask,
        tgt,
        tgt_y,
        tgt_mask,
        ntokens,
    }
}
//# Puts the start symbol only into the decoder's input and leaves the random words of the source as they are.
//= classic-8 no-start
use transformer_tutor::data::copy::{CopyBatch, START};
use transformer_tutor::nn::masks::PAD;
use transformer_tutor::tensor::Tensor;

pub fn copy_batch(words: &Tensor) -> CopyBatch {
    let (batch, length) = (words.shape()[0], words.shape()[1]);
    let src = words.clone();
    let src_mask = Tensor::from_fn(&[batch, 1, length], |i| {
        if src.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| if i[1] == 0 { START } else { words.at(i) });
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| words.at(&[i[0], i[1] + 1]));
    let tgt_mask = Tensor::from_fn(&[batch, length - 1, length - 1], |i| {
        if i[2] <= i[1] && tgt.at(&[i[0], i[2]]) != PAD { 1.0 } else { 0.0 }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    CopyBatch {
        src,
        src_mask,
        tgt,
        tgt_y,
        tgt_mask,
        ntokens,
    }
}
