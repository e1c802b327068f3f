//! The warm-up: Xavier initialisation, and shapes that distinguish it from its mistakes.

use transformer_tutor::tensor::Tensor;

mod reference;
#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type InitFn = fn(usize, usize, &mut dyn FnMut() -> f32) -> Tensor;

transformer_tutor::task! { xavier_uniform: InitFn = reference::xavier_uniform;
    |init| TASK.compared(init, &CASES, 1e-6, run)
}

/// Cases to try: `[fan_in, fan_out]`. In the first, all mistakes have different limits.
const CASES: [(&str, [usize; 2]); 6] = [
    ("3 inputs, 5 outputs", [3, 5]),
    ("4 inputs, 2 outputs", [4, 2]),
    ("8 inputs, 32 outputs", [8, 32]),
    ("as many outputs as inputs", [6, 6]),
    ("one input and one output", [1, 1]),
    ("200 inputs, one output", [200, 1]),
];

/// Cells for the numbers 0, 0.37, 0.74, 0.11, … from a generator that is easy to follow by hand.
fn run(&[fan_in, fan_out]: &[usize; 2], init: InitFn) -> Tensor {
    let mut turn = 0;
    let mut uniform = || {
        let hundredths = turn * 37 % 100;
        turn += 1;
        hundredths as f32 / 100.0
    };
    init(fan_in, fan_out, &mut uniform)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::params::xavier_bound;

    #[test]
    fn the_reference_has_the_engines_limit() {
        for (says, [fan_in, fan_out]) in CASES {
            let made = reference::xavier_uniform(fan_in, fan_out, &mut || 1.0);
            assert_eq!(made.shape(), [fan_out, fan_in]);
            let limit = xavier_bound(&[fan_out, fan_in]);
            assert!(
                made.data().iter().all(|x| (x - limit).abs() < 1e-6),
                "{says}"
            );
        }
    }

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("begin with the cells −1, 0, 1"));
        let mut numbers = [0.0, 0.5, 1.0, 0.2, 0.2, 0.2, 0.2, 0.2].into_iter();
        let made = reference::xavier_uniform(4, 2, &mut || numbers.next().expect("eight cells"));
        assert_eq!(made.data()[..3], [-1.0, 0.0, 1.0]);
    }
}
