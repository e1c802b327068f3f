//! The exercise: the cost of an attention layer, and cases that distinguish it from its mistakes.

use transformer_tutor::tensor::Tensor;
use transformer_tutor::transformer::cost::{Cost, attention_cost};

use super::starter;

/// The signature of [`attention_cost`](transformer_tutor::transformer::cost::attention_cost).
pub type CostFn = fn(usize, usize, usize, usize, usize) -> Cost;

transformer_tutor::task! { attention_cost: CostFn = attention_cost;
    |cost| TASK.compared_together(cost, &CASES, 0.0, says, run)
}

/// Cases to try: `[batch, target, source, d_model, heads]`. Apart from the equal lengths in self-attention, the numbers
/// in a case differ, so that mixing two up shows. All costs but the last are integers exact in f32.
const CASES: [(&str, [usize; 5]); 8] = [
    ("three sentences, two heads", [3, 5, 7, 8, 2]),
    ("one sentence", [1, 4, 6, 12, 3]),
    ("one word that looks", [2, 1, 9, 16, 4]),
    ("one word looked at", [2, 7, 1, 10, 5]),
    ("self-attention", [5, 6, 6, 14, 7]),
    ("one head", [4, 3, 5, 6, 1]),
    // More operations than a u32 can count.
    ("a large layer", [8, 512, 256, 1024, 16]),
    // Sums of such products are rounded in f32.
    ("odd lengths", [7, 513, 259, 1023, 11]),
];

fn says(says: &str, [b, t, s, d, h]: &[usize; 5]) -> String {
    format!(
        "{says} (batch {b}, target {t}, source {s}, d_model {d}, heads {h}), cell 0 the operations, cell 1 the bytes"
    )
}

fn run(&[b, t, s, d, h]: &[usize; 5], cost: CostFn) -> Tensor {
    let cost = cost(b, t, s, d, h);
    Tensor::new(&[1, 2], vec![cost.flops as f32, cost.bytes as f32])
}
