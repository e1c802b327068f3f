//! The challenge: rotary positions, and shapes that distinguish them from their mistakes.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::nn::rotary::{angle, rotary};
use transformer_tutor::tensor::{Tensor, random};

#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type RotaryFn = fn(&Var, usize) -> Var;

transformer_tutor::task! { rotary: RotaryFn = rotary;
    |rotary| TASK.compared_recorded(rotary, &CASES, 1e-4, run)
}

/// Cases to try: a shape, and the first position. In the first case any two mistakes differ. With 2 heads, the channels
/// of all heads would be twice d_k, and from position 0, a row's index would equal its position.
const CASES: [(&str, ([usize; 4], usize)); 5] = [
    (
        "2 sentences, 3 heads, 6 channels, positions from 2 on",
        ([2, 3, 5, 6], 2),
    ),
    ("positions from 7 on", ([1, 2, 4, 8], 7)),
    ("one position, as with a cache", ([1, 1, 1, 4], 30)),
    ("rows of 2 channels", ([1, 1, 6, 2], 0)),
    ("100 positions of 16 channels", ([1, 1, 100, 16], 0)),
];

fn run(&(shape, first): &([usize; 4], usize), rotary: RotaryFn) -> Recorded {
    let tape = Tape::eval(&Default::default());
    let x = random::normal(&shape, 1.0, 23, "x");
    let x = tape.input("x", x, &["b", "h", "t", "k"]);
    Recorded::new(&tape, &[("", &rotary(&x, first))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::tensor::Tensor;

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("becomes `[0.540, 0.841]`"));
        let tape = Tape::eval(&Default::default());
        let row = Tensor::new(&[1, 1, 1, 2], vec![1.0, 0.0]);
        let turned = rotary(&tape.input("x", row, &["b", "h", "t", "k"]), 1).value();
        assert!((turned.data()[0] - 0.540).abs() < 5e-4);
        assert!((turned.data()[1] - 0.841).abs() < 5e-4);
    }
}
