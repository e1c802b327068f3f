//! The challenge: cross-entropy with its gradient, and batches that distinguish it from its mistakes.

use transformer_tutor::tensor::{Tensor, random};

mod reference;
#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type CrossEntropyFn = fn(&Tensor, &[usize], usize) -> (f32, Tensor);

transformer_tutor::task! { cross_entropy: CrossEntropyFn = reference::cross_entropy;
    |loss| TASK.compared_in_parts(loss, &CASES, 1e-5, run)
}

/// Vocabulary size, size of the logits, targets, and id of padding. Of a negative size, the logits lie around −1,000.
type Case = (usize, f32, &'static [usize], usize);

/// The cases to try.
const CASES: [(&str, Case); 8] = [
    ("one position of 4 tokens", (4, 1.0, &[2], 0)),
    ("three positions", (5, 2.0, &[1, 4, 2], 0)),
    (
        "two of four positions are padding",
        (6, 1.5, &[3, 0, 5, 0], 0),
    ),
    ("padding has id 3", (5, 1.0, &[0, 3, 1], 3)),
    ("a vocabulary of 200", (200, 1.0, &[17, 199, 0], 5)),
    ("logits around 1,000", (5, 500.0, &[1, 2, 3, 4], 0)),
    ("all logits around −1,000", (5, -1.5, &[1, 2, 3, 4], 0)),
    ("every target is padding", (4, 1.0, &[0, 0], 0)),
];

fn logits(vocabulary: usize, size: f32, rows: usize) -> Tensor {
    let around = if size < 0.0 { -1000.0 } else { 0.0 };
    random::normal(&[rows, vocabulary], size.abs(), 11, "logits").map(|x| x + around)
}

fn run(
    &(vocabulary, size, targets, padding): &Case,
    loss: CrossEntropyFn,
) -> [(&'static str, Tensor); 2] {
    let logits = logits(vocabulary, size, targets.len());
    let (loss, gradient) = loss(&logits, targets, padding);
    [
        (", the loss", Tensor::scalar(loss)),
        (", the gradient by the logits", gradient),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::autograd::Tape;
    use transformer_tutor::params::Params;
    use transformer_tutor::train::loss;

    #[test]
    fn the_reference_is_the_tapes_loss_with_its_gradient() {
        for (says, (vocabulary, size, targets, padding)) in &CASES[..5] {
            let x = logits(*vocabulary, *size, targets.len());
            let (own, slope) = reference::cross_entropy(&x, targets, *padding);
            let tape = Tape::eval(&Params::default());
            let ids = Tensor::new(
                &[targets.len()],
                targets.iter().map(|&t| t as f32).collect(),
            );
            let real = ids.map(|id| f32::from(u8::from(id != *padding as f32)));
            let x = tape.input("logits", x, &["n", "v"]);
            let ids = tape.ids("targets", ids, &["n"]);
            let real = tape.constant("real", real, &["n"]);
            let loss_and_gradient = loss::cross_entropy(&x, &ids, Some(&real));
            assert!(
                (loss_and_gradient.value().at(&[]) - own).abs() < 1e-5,
                "{says}"
            );
            let grads = loss_and_gradient.backward();
            let expected = grads.get(&x).expect("the logits have a gradient");
            for (e, g) in expected.data().iter().zip(slope.data()) {
                assert!((e - g).abs() < 1e-6, "{says}");
            }
        }
    }

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("the loss is 0.693"));
        let logits = Tensor::new(&[1, 3], vec![0.0, 0.0, 2.0_f32.ln()]);
        let (loss, gradient) = reference::cross_entropy(&logits, &[2], 9);
        assert!((loss - 0.693).abs() < 5e-4);
        for (g, e) in gradient.data().iter().zip([0.25, 0.25, -0.5]) {
            assert!((g - e).abs() < 1e-6);
        }
    }
}
