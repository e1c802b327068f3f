//! The leak indicator: which input positions influence which output positions, measured with the engine's own backward
//! pass. Under a correct mask, forbidden cells are exactly 0.

use super::{Body, Picture};
use crate::autograd::{Nature, Var};
use crate::tensor::Tensor;

// ANCHOR: influence
/// `[t, s]`: how strongly position s of `input [b, s, e]` moves position t of `output [b, t, d]`, in
/// one sentence: the size (root of the sum of squares) of the Jacobian block ∂output_t / ∂input_s.
///
/// Runs the backward pass once for every number of the output, so keep d small.
#[track_caller]
pub fn influence(output: &Var, input: &Var, sentence: usize) -> Tensor {
    let (out_shape, in_shape) = (output.shape(), input.shape());
    let (&[batch, rows, width], &[_, columns, channels]) = (&out_shape[..], &in_shape[..]) else {
        panic!("influence: output {out_shape:?} and input {in_shape:?} must be [batch, length, d]");
    };
    assert!(sentence < batch, "influence: no sentence {sentence}");
    let mut squares = Tensor::zeros(&[rows, columns]);
    for row in 0..rows {
        for channel in 0..width {
            // A gradient of 1 at one number of the output, 0 elsewhere, becomes a row of the Jacobian.
            let mut one_hot = Tensor::zeros(&out_shape);
            let at = one_hot.offset(&[sentence, row, channel]);
            one_hot.data_mut()[at] = 1.0;
            let grads = output.backward_from(&one_hot);
            let Some(dx) = grads.get(input) else { continue };
            let first = sentence * columns * channels;
            let dx = dx.data()[first..first + columns * channels].chunks(channels);
            let sums = squares.data_mut()[row * columns..].iter_mut();
            for (sum, dx) in sums.zip(dx) {
                *sum += dx.iter().map(|d| d * d).sum::<f32>();
            }
        }
    }
    squares.map(f32::sqrt)
}
// ANCHOR_END: influence

/// Largest influence among the cells that `allowed [t, s]` forbids (0); 0 if there is no leak. NaN counts as an
/// infinite leak, because it rules nothing out.
#[track_caller]
pub fn largest(influence: &Tensor, allowed: &Tensor) -> f32 {
    let forbidden = influence.zip(allowed, |x, ok| match (ok != 0.0, x.is_nan()) {
        (true, _) => 0.0,
        (false, true) => f32::INFINITY,
        (false, false) => x,
    });
    forbidden.data().iter().copied().fold(0.0, f32::max)
}

/// The indicator as a picture named `leak`: one row per output position and one column per input position, labelled
/// with `words` (one per position, or none). The note on each forbidden cell gives the reason, `why(row, column)`, and
/// says whether the cell leaks.
pub fn picture(
    influence: &Tensor,
    allowed: &Tensor,
    words: (&[String], &[String]),
    why: impl Fn(usize, usize) -> String,
) -> Picture {
    let (rows, columns) = (influence.shape()[0], influence.shape()[1]);
    let leaks = |i: usize, j: usize| {
        let x = influence.at(&[i, j]);
        allowed.at(&[i, j]) == 0.0 && (x.is_nan() || x != 0.0)
    };
    let note = |i: usize, j: usize| match (allowed.at(&[i, j]) == 0.0, leaks(i, j)) {
        (false, _) => String::new(),
        (true, false) => why(i, j),
        (true, true) => format!("leak: {}", why(i, j)),
    };
    let notes: Vec<Vec<String>> = (0..rows)
        .map(|i| (0..columns).map(|j| note(i, j)).collect())
        .collect();
    let leaking = (0..rows * columns).filter(|n| leaks(n / columns, n % columns));
    let says = match leaking.count() {
        0 => "No leak found: every cell that must be 0 is 0 to the last bit.".to_owned(),
        count => format!(
            "A leak: {count} cells that must be 0 are not. The largest is {:.4}.",
            largest(influence, allowed)
        ),
    };
    Picture::new(
        "leak",
        "Leak indicator: how much each output (row) depends on each input (column)",
        says,
        Body::matrix(
            influence.clone(),
            Nature::Signed,
            ("output", words.0.to_vec()),
            ("input", words.1.to_vec()),
        )
        .noted(notes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::Tape;
    use crate::nn::attention::attention;
    use crate::params::Params;
    use crate::tensor::random;
    use crate::testing::assert_starts_with;

    fn attended(mask: Option<Tensor>) -> Tensor {
        let tape = Tape::eval(&Params::new(0));
        let x = random::normal(&[2, 5, 4], 1.0, 3, "x");
        let x = tape.input("x", x, &["b", "t", "k"]);
        let mask = mask.map(|mask| tape.mask("mask", mask, &["", "t", "t"]));
        let y = attention(&x, &x, &x, mask.as_ref(), 0.0).context;
        influence(&y, &x, 1)
    }

    fn past() -> Tensor {
        Tensor::from_fn(&[1, 5, 5], |i| if i[2] <= i[1] { 1.0 } else { 0.0 })
    }

    #[test]
    fn a_causal_mask_is_tight_and_every_allowed_cell_counts() {
        let influence = attended(Some(past()));
        let allowed = past().reshape(&[5, 5]);
        assert_eq!(largest(&influence, &allowed), 0.0);
        for (x, ok) in influence.data().iter().zip(allowed.data()) {
            assert_eq!(*x > 0.0, *ok == 1.0);
        }
    }

    #[test]
    fn without_a_mask_every_future_cell_leaks() {
        let allowed = past().reshape(&[5, 5]);
        let influence = attended(None);
        assert!(largest(&influence, &allowed) > 0.01);
        let picture = picture(&influence, &allowed, (&[], &[]), |_, _| "future".to_owned());
        assert_starts_with(&picture.says, "A leak: 10 cells");
        let Body::Matrix { notes, .. } = picture.body else {
            panic!("the indicator is a matrix");
        };
        assert_eq!(
            (notes[0][1].as_str(), notes[1][0].as_str()),
            ("leak: future", "")
        );
    }

    #[test]
    fn influence_is_the_slope() {
        // y = 3x at each position: the diagonal blocks are 3·I, of size √(9 + 9), and all others 0.
        let tape = Tape::eval(&Params::new(0));
        let x = tape.input("x", Tensor::ones(&[1, 3, 2]), &["b", "t", "d"]);
        let jacobian = influence(&x.scale(3.0), &x, 0);
        let expected = |i: &[usize]| if i[0] == i[1] { 18_f32.sqrt() } else { 0.0 };
        assert_eq!(jacobian, Tensor::from_fn(&[3, 3], expected));
    }

    #[test]
    fn nan_counts_as_a_leak() {
        let influence = Tensor::new(&[1, 2], vec![1.0, f32::NAN]);
        let allowed = Tensor::new(&[1, 2], vec![1.0, 0.0]);
        assert_eq!(largest(&influence, &allowed), f32::INFINITY);
    }
}
