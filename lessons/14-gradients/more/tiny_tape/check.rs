//! The challenge: a tape of numbers, and formulas that distinguish it from its mistakes.

use std::cell::RefCell;

use transformer_tutor::tensor::Tensor;

mod part_two;
mod reference;
#[path = "exercise.rs"]
mod starter;

pub use transformer_tutor::lesson::tiny_tape::Record;
use transformer_tutor::lesson::tiny_tape::TapeFn;

transformer_tutor::task! { tiny_tape: TapeFn = reference::tiny_tape;
    |tape| {
        TASK.compared_in_parts(tape, &CASES, 1e-5, run)?;
        part_two::check(tape, reference::tiny_tape, part_two::LIMIT)
    }
}

/// A step to record.
enum Step {
    Is(f64),
    Add(usize, usize),
    Mul(usize, usize),
}
use Step::{Add, Is, Mul};

/// The steps, and the places whose gradients are requested, in turn.
type Case = (&'static [Step], &'static [usize]);

/// The cases to try.
const CASES: [(&str, Case); 13] = [
    ("a + b", (&[Is(2.0), Is(5.0), Add(0, 1)], &[2])),
    ("a · b", (&[Is(2.0), Is(5.0), Mul(0, 1)], &[2])),
    ("a · b, both 3", (&[Is(3.0), Is(3.0), Mul(0, 1)], &[2])),
    (
        "(a + b) · c with a negative c",
        (&[Is(2.0), Is(5.0), Is(-4.0), Add(0, 1), Mul(3, 2)], &[4]),
    ),
    ("x + x", (&[Is(3.0), Add(0, 0)], &[1])),
    ("x · x + x", (&[Is(3.0), Mul(0, 0), Add(1, 0)], &[2])),
    (
        "(a + b) · c, asked twice",
        (&[Is(2.0), Is(-1.5), Is(4.0), Add(0, 1), Mul(3, 2)], &[4, 4]),
    ),
    (
        "a · b + a · c, and each product by itself",
        (
            &[Is(2.0), Is(-3.0), Is(0.5), Mul(0, 1), Mul(0, 2), Add(3, 4)],
            &[5, 3, 4],
        ),
    ),
    (
        "(a + b) · a, whose a gets a gradient before its sum is reached",
        (&[Is(2.0), Is(5.0), Add(0, 1), Mul(2, 0)], &[3]),
    ),
    (
        "a number that has no influence",
        (&[Is(1.5), Is(7.0), Mul(0, 0), Is(2.0)], &[2]),
    ),
    (
        "x to the power of 8 by squaring",
        (&[Is(1.25), Mul(0, 0), Mul(1, 1), Mul(2, 2)], &[3, 0]),
    ),
    ("a · b with a = 0", (&[Is(0.0), Is(5.0), Mul(0, 1)], &[2])),
    (
        "s · (s + a) and (s + a) · s with s = a · b",
        (
            &[Is(2.0), Is(5.0), Mul(0, 1), Add(2, 0), Mul(2, 3), Mul(3, 2)],
            &[4, 5],
        ),
    ),
];

fn run(&(steps, asked): &Case, tape: TapeFn) -> [(&'static str, Tensor); 3] {
    let mut tape = tape();
    let places = steps.iter().map(|step| match *step {
        Is(value) => tape.input(value),
        Add(a, b) => tape.add(a, b),
        Mul(a, b) => tape.mul(a, b),
    });
    let row = |cells: Vec<f32>| Tensor::new(&[cells.len()], cells);
    let places = row(places.map(|place| place as f32).collect());
    let values = row((0..steps.len())
        .map(|place| tape.value(place) as f32)
        .collect());
    let gradients = asked.iter().flat_map(|&of| tape.gradients(of));
    let gradients = row(gradients.map(|g| g as f32).collect());
    [
        (", the places that are returned", places),
        (", the values", values),
        (", the gradients", gradients),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(steps: &[Step], tape: &mut dyn Record, nudged: usize, by: f64) -> Vec<f64> {
        for (place, step) in steps.iter().enumerate() {
            let at = match *step {
                Is(value) if place == nudged => tape.input(value + by),
                Is(value) => tape.input(value),
                Add(a, b) => tape.add(a, b),
                Mul(a, b) => tape.mul(a, b),
            };
            assert_eq!(at, place);
        }
        (0..steps.len()).map(|place| tape.value(place)).collect()
    }

    #[test]
    fn the_references_gradients_are_the_slopes_of_finite_differences() {
        for (says, (steps, asked)) in &CASES {
            let mut tape = reference::tiny_tape();
            values(steps, &mut *tape, usize::MAX, 0.0);
            for &of in *asked {
                let gradients = tape.gradients(of);
                for place in (0..steps.len()).filter(|&p| matches!(steps[p], Is(_))) {
                    let at = |by| values(steps, &mut *reference::tiny_tape(), place, by)[of];
                    let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                    assert!((gradients[place] - slope).abs() < 1e-6, "{says}");
                }
            }
        }
    }

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("`gradients(2)` is `[7, 1, 1]`"));
        let mut tape = reference::tiny_tape();
        let x = tape.input(3.0);
        let square = tape.mul(x, x);
        let sum = tape.add(square, x);
        assert_eq!(tape.gradients(sum), [7.0, 1.0, 1.0]);
    }
}
