//! The check of the exercise on costs: takes any implementation.

use transformer_tutor::lesson::Outcome;
use transformer_tutor::lesson::exercise::{Task, attempt, compare, diagnose};
use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::cost::{Cost, attention_cost};

use super::{mistakes, starter};

/// Sentences, words that look, words looked at, channels, heads. No count can stand for another, and all costs are
/// whole numbers that f32 holds.
const CASES: [(&str, [usize; 5]); 6] = [
    ("three sentences, two heads", [3, 5, 7, 8, 2]),
    ("one sentence", [1, 4, 6, 12, 3]),
    ("one word that looks", [2, 1, 9, 16, 4]),
    ("one word looked at", [2, 7, 1, 10, 5]),
    ("self-attention", [5, 6, 6, 14, 7]),
    ("one head", [4, 3, 5, 6, 1]),
];

/// What there is to write.
pub static TASK: Task<mistakes::CostFn> = Task {
    reference: attention_cost,
    starter: starter::attention_cost,
    mistakes: &mistakes::ALL,
    check: |function| check(function),
};

/// Whether `implementation` counts as the reference does.
pub fn check(implementation: impl Fn(usize, usize, usize, usize, usize) -> Cost) -> Outcome {
    let mut got = Vec::new();
    for (says, [b, t, s, d, h]) in CASES {
        got.push(attempt(says, || implementation(b, t, s, d, h))?);
    }
    let tensor = |costs: &[Cost]| {
        let cells = costs.iter().flat_map(|c| [c.flops as f32, c.bytes as f32]);
        Tensor::new(&[costs.len(), 2], cells.collect())
    };
    let all = |cost: mistakes::CostFn| CASES.map(|(_, [b, t, s, d, h])| cost(b, t, s, d, h));
    let expected = all(attention_cost);
    for (n, (says, sizes)) in CASES.into_iter().enumerate() {
        let [b, t, s, d, h] = sizes;
        let says = format!(
            "{says} (batch {b}, target {t}, source {s}, d_model {d}, heads {h}), cell 0 the operations, cell 1 the bytes"
        );
        let (right, mine) = (tensor(&expected[n..=n]), tensor(&got[n..=n]));
        compare(&says, &right, &mine, 0.0).map_err(|failure| {
            // A mistake is known by what it does to all cases together.
            let known = mistakes::ALL
                .iter()
                .filter_map(|(name, mistake)| Some((*name, tensor(&all(*mistake)))));
            diagnose(failure, &tensor(&got), known)
        })?;
    }
    Ok(())
}
