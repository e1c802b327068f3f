//! The warm-up: softmax over one row, and rows that distinguish it from its mistakes.

use transformer_tutor::tensor::Tensor;

mod reference;
#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type SoftmaxFn = fn(&[f32]) -> Vec<f32>;

transformer_tutor::task! { softmax: SoftmaxFn = reference::softmax;
    |softmax| TASK.compared(softmax, &CASES, 1e-6, run)
}

const BLOCKED: f32 = f32::NEG_INFINITY;

/// Rows of scores to try. In the first, any two mistakes that affect every row give different results. In the row of
/// scores far apart, the mean is so low that subtracting it overflows.
const CASES: [(&str, &[f32]); 10] = [
    ("scores of both signs", &[-1.5, 0.25, 2.0, -0.5, 1.25]),
    ("the scores [0, 0, 1]", &[0.0, 0.0, 1.0]),
    ("four equal scores", &[3.0; 4]),
    ("a single score of 7", &[7.0]),
    ("no score at all", &[]),
    ("scores around 1,000", &[1000.0, 1001.0, 998.5]),
    ("scores around -1,000", &[-1000.0, -1001.0, -998.5]),
    ("scores that lie far apart", &[-300.0, 60.0, -10.0, 59.0]),
    ("the second score blocked", &[0.5, BLOCKED, 1.5]),
    ("every score blocked", &[BLOCKED; 3]),
];

fn run(scores: &&[f32], softmax: SoftmaxFn) -> Tensor {
    let weights = softmax(scores);
    Tensor::new(&[weights.len()], weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::tensor::vector;

    #[test]
    fn the_reference_is_the_engines_softmax() {
        for (says, scores) in CASES.iter().filter(|(_, scores)| !scores.is_empty()) {
            let mut row = scores.to_vec();
            vector::softmax(&mut row);
            let engine = row.iter().all(|x| x.is_finite());
            for (own, engine_s) in reference::softmax(scores).iter().zip(&row) {
                assert!(!engine || (own - engine_s).abs() < 1e-6, "{says}");
            }
        }
    }

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("give `[0.212, 0.212, 0.576]`"));
        let weights = reference::softmax(&[0.0, 0.0, 1.0]);
        let rounded: Vec<String> = weights.iter().map(|w| format!("{w:.3}")).collect();
        assert_eq!(rounded, ["0.212", "0.212", "0.576"]);
    }
}
