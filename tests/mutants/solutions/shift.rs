//# What the decoder reads and what it must predict are swapped.
//= backwards
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# Nothing is shifted: the decoder must predict the token that it reads.
//= classic-0
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# Both are shifted, so the decoder never reads the start token.
//= no-shift
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The decoder reads the whole sentence; only the prediction is cut.
//= keep-last
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# Both keep the full length, and the prediction is padded at its end.
//= classic-1
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length], |i| {
        if i[1] + 1 < length {
            ids.at(&[i[0], i[1] + 1])
        } else {
            PAD
        }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# All positions are counted, including padding.
//= count-padding
use transformer_tutor::nn::masks::Shifted;
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y.len();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The tokens are counted in what the decoder reads instead of what it predicts.
//= classic-2
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The tokens are counted in the whole ids, so the start tokens count too.
//= classic-3
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = ids.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The padding is counted instead of the tokens.
//= classic-4
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y.data().iter().filter(|&&id| id == PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The end token is not counted, as if it were not predicted.
//= classic-5
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y
        .data()
        .iter()
        .filter(|&&id| id != PAD && id != 2.0)
        .count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The end token of every sentence is cut from what the decoder reads, wherever it is.
//= classic-6
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| {
        if ids.at(i) == 2.0 { PAD } else { ids.at(i) }
    });
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# Only the first sentence's tokens are counted.
//= classic-7
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = (0..length - 1)
        .filter(|&t| tgt_y.at(&[0, t]) != PAD)
        .count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The prediction is rolled instead of shifted, so the first token comes back at the end.
//= roll
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| {
        ids.at(&[i[0], (i[1] + 1) % (length - 1)])
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# Sentences are cut off instead of tokens, because the slice is along the first axis.
//=
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch - 1, length], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch - 1, length], |i| ids.at(&[i[0] + 1, i[1]]));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The prediction is two tokens ahead.
//= two-on
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 2], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 2], |i| ids.at(&[i[0], i[1] + 2]));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# Only the last token of each sentence must be predicted; the rest of the prediction is padding.
//=
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| {
        let next = ids.at(&[i[0], i[1] + 1]);
        let last = i[1] + 2 == length || ids.at(&[i[0], i[1] + 2]) == PAD;
        if last { next } else { PAD }
    });
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The number of tokens is that of the longest sentence instead of the sum over all.
//=
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = (0..batch)
        .map(|b| {
            (0..length - 1)
                .filter(|&t| tgt_y.at(&[b, t]) != PAD)
                .count()
        })
        .max()
        .unwrap_or(0);
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# The decoder reads padding at the front instead of the start token.
//=
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;
pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| {
        if i[1] == 0 { PAD } else { ids.at(i) }
    });
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted {
        tgt,
        tgt_y,
        ntokens,
    }
}
//# Counts the tokens that the decoder reads instead of those that it must predict.
//= classic-2
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1]]));
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt.data().iter().filter(|&&id| id != PAD).count();
    Shifted { tgt, tgt_y, ntokens }
}
//# Removes the end token from every row of what the decoder reads, instead of cutting off only the last column.
//= classic-6
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

const END: f32 = 2.0;

pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| {
        let id = ids.at(&[i[0], i[1]]);
        if id == END { PAD } else { id }
    });
    let tgt_y = Tensor::from_fn(&[batch, length - 1], |i| ids.at(&[i[0], i[1] + 1]));
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted { tgt, tgt_y, ntokens }
}
//# Returns the same tokens to read and to predict, as if the loss shifted the labels.
//= classic-0 no-shift
use transformer_tutor::nn::masks::{PAD, Shifted};
use transformer_tutor::tensor::Tensor;

pub fn shift(ids: &Tensor) -> Shifted {
    let (batch, length) = (ids.shape()[0], ids.shape()[1]);
    let tgt = Tensor::from_fn(&[batch, length - 1], |i| ids.at(i));
    let tgt_y = tgt.clone();
    let ntokens = tgt_y.data().iter().filter(|&&id| id != PAD).count();
    Shifted { tgt, tgt_y, ntokens }
}
