//# Marks the future instead of the past: uses the triangle above the diagonal, like np.triu(k=1), without inverting it.
//= reversed
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        let (row, column) = (i[1], i[2]);
        if column > row { 1.0 } else { 0.0 }
    })
}
//# Swaps row and column: a token sees itself and what follows.
//= upper
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        let (target, source) = (i[2], i[1]);
        if source <= target { 1.0 } else { 0.0 }
    })
}
//# Does not let a token see itself.
//= strict
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| if i[2] < i[1] { 1.0 } else { 0.0 })
}
//# Lets every token see one token too many: the next one, which it must predict.
//= classic-0
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        if i[2] <= i[1] + 1 { 1.0 } else { 0.0 }
    })
}
//# Returns what is added to the scores, 0 and −∞, instead of 1 and 0.
//= as-bias classic-1
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        if i[2] <= i[1] { 0.0 } else { f32::NEG_INFINITY }
    })
}
//# Leaves out the leading batch axis.
//= flat
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[length, length], |i| if i[0] >= i[1] { 1.0 } else { 0.0 })
}
//# Adds a heads axis as well.
//= classic-2
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, 1, length, length], |i| {
        if i[2] >= i[3] { 1.0 } else { 0.0 }
    })
}
//# Forgets the leading axis in the index: compares the sentence with the row.
//= classic-3
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        let (row, column) = (i[0], i[1]);
        if column <= row { 1.0 } else { 0.0 }
    })
}
//# Divides each row among the visible tokens, as if the mask already held weights.
//= classic-4
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        let visible = i[1] + 1;
        if i[2] < visible { 1.0 / visible as f32 } else { 0.0 }
    })
}
//# Shows only the last token of the past: every token sees itself and the one before.
//= classic-5
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        let (row, column) = (i[1], i[2]);
        if column == row || column + 1 == row { 1.0 } else { 0.0 }
    })
}
//# Hides the first token from the others, because the start symbol is not a word.
//= classic-6
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |i| {
        let (row, column) = (i[1], i[2]);
        let start = column == 0 && row > 0;
        if column <= row && !start { 1.0 } else { 0.0 }
    })
}
//# Mirrors the triangle: the number of visible tokens shrinks from row to row instead of growing.
//= anti-diagonal
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    // Every step leaves one token fewer to look at.
    Tensor::from_fn(&[1, length, length], |i| {
        if i[2] < length - i[1] { 1.0 } else { 0.0 }
    })
}
//# Marks what is blocked, the future, with 1, as np.triu(k=1) and PyTorch's boolean masks do.
//= reversed
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |index| {
        let (row, column) = (index[1], index[2]);
        if column > row { 1.0 } else { 0.0 }
    })
}
//# Forgets the leading axis in the index, and compares batch and row instead of row and column.
//= classic-3
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |index| {
        let (row, column) = (index[0], index[1]);
        if column <= row { 1.0 } else { 0.0 }
    })
}
//# Lets a token see the next one too, because that is the one to predict.
//= classic-0
use transformer_tutor::tensor::Tensor;

pub fn subsequent_mask(length: usize) -> Tensor {
    Tensor::from_fn(&[1, length, length], |index| {
        let (row, column) = (index[1], index[2]);
        if column <= row + 1 { 1.0 } else { 0.0 }
    })
}
