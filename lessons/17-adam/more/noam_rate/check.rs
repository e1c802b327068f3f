//! The warm-up: the paper's learning rate, and steps that distinguish it from its mistakes.

use transformer_tutor::tensor::Tensor;
use transformer_tutor::train::schedule::noam_rate;

#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type RateFn = fn(usize, usize, f64, usize) -> f64;

transformer_tutor::task! { noam_rate: RateFn = noam_rate;
    |rate| TASK.compared(rate, &CASES, 1e-5, run)
}

/// Width, factor, warm-up, and the steps whose rates are compared.
type Case = (usize, f64, usize, &'static [usize]);

/// The cases to try.
const CASES: [(&str, Case); 5] = [
    (
        "the paper's rates times 10⁷: d_model 512, 4,000 steps of warm-up",
        (
            512,
            1.0,
            4000,
            &[
                1, 100, 3999, 4000, 4001, 6000, 8000, 10_000, 20_000, 100_000,
            ],
        ),
    ),
    (
        "TensorFlow's rates times 10⁷: factor 2, 16,000 steps of warm-up",
        (1024, 2.0, 16_000, &[1, 16_000, 32_000]),
    ),
    (
        "a small model's rates times 10⁷",
        (16, 0.5, 25, &[1, 5, 25, 100, 400]),
    ),
    (
        "a warm-up of one step, rates times 10⁷",
        (64, 1.0, 1, &[1, 2, 9]),
    ),
    (
        "step 0, which counts as step 1, rates times 10⁷",
        (64, 1.0, 10, &[0, 1]),
    ),
];

/// Rates in ten-millionths, as the names of the cases say, so that the first steps count as much as the highest.
fn run(&(d_model, factor, warmup, steps): &Case, rate: RateFn) -> Tensor {
    let rates = steps
        .iter()
        .map(|&step| rate(step, d_model, factor, warmup));
    Tensor::new(
        &[steps.len()],
        rates.map(|rate| (rate * 1e7) as f32).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("has the rate 0.025"));
        assert!((noam_rate(100, 16, 1.0, 25) - 0.025).abs() < 1e-12);
    }
}
