//! The exercise: the subsequent mask, and lengths that distinguish it from its mistakes.

use transformer_tutor::nn::masks::subsequent_mask as reference;
use transformer_tutor::tensor::Tensor;

use super::starter;

/// Lengths to try. At 4 all known mistakes differ; 1 has no future at all; the others catch a mask built for one
/// length.
const LENGTHS: [(&str, usize); 6] = [
    ("subsequent_mask(4)", 4),
    ("subsequent_mask(1)", 1),
    ("subsequent_mask(7)", 7),
    ("subsequent_mask(2)", 2),
    ("subsequent_mask(5)", 5),
    ("subsequent_mask(20)", 20),
];

/// The signature of the reference.
pub type Mask = fn(usize) -> Tensor;

transformer_tutor::task! { subsequent_mask: Mask = reference;
    |mask| TASK.compared(mask, &LENGTHS, 0.0, |&length, mask| mask(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(n: usize, cell: impl Fn(usize, usize) -> f32) -> Tensor {
        Tensor::from_fn(&[1, n, n], |i| cell(i[1], i[2]))
    }

    fn opened(n: usize, open: impl Fn(usize, usize) -> bool) -> Tensor {
        table(n, |row, column| f32::from(u8::from(open(row, column))))
    }

    #[test]
    fn small_changes_of_the_right_answer_fail() {
        let right: Mask = |n| table(n, |r, c| if c <= r { 1.0 } else { 0.0 });
        assert!((TASK.check)(right).is_ok());
        let wrong: [Mask; 12] = [
            |n| opened(n, |r, c| c <= r + 1),
            |n| opened(n, |r, c| c < r || r == 0),
            |n| table(n, |r, c| if c <= r { 1.0 } else { -1e9 }),
            |n| table(n, |r, c| if c <= r { 2.0 } else { 0.0 }),
            |n| table(n, |r, c| if c <= r { 1.0 } else { f32::NAN }),
            |n| opened(n, |r, c| c <= r && n <= 7),
            |n| opened(n, |r, c| c <= r && r < 10),
            |n| opened(n, |r, c| c <= r && r - c < 5),
            |n| opened(n, |r, c| r + c + 1 >= n),
            |n| reference(n).reshape(&[n, n, 1]),
            |n| reference(n).reshape(&[1, 1, n, n]),
            |_| reference(4),
        ];
        for (number, mask) in wrong.into_iter().enumerate() {
            assert!((TASK.check)(mask).is_err(), "change {number} passes");
        }
    }
}
