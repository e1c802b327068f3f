//! The exercise: an alignment read off attention, and cases that distinguish it from its mistakes.

use transformer_tutor::decode::align::{Links, alignment};
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

/// The signature of an alignment.
pub type AlignFn = fn(&Tensor, &[(usize, usize)]) -> (Links, f64);

transformer_tutor::task! { alignment: AlignFn = alignment;
    |align| TASK.compared_together(align, &CASES, 1e-5, says, run)
}

/// A case: name from which the weights are drawn (`None`: equal weights), `[heads, positions, source]` with one
/// position more than target tokens, and the true links.
type Case = (Option<&'static str>, [usize; 3], &'static [(usize, usize)]);

const ONE: &str = "one head, 5 words";
const MORE: &str = "three heads, more source words than target words";
const SEVERAL: &str = "two heads, words that translate to several";

const TWO: &str = "one head, two source words";

const CASES: [(&str, Case); 5] = [
    (ONE, (Some(ONE), [1, 6, 4], &[(0, 0), (2, 1), (1, 3)])),
    (
        MORE,
        (
            Some(MORE),
            [3, 5, 8],
            &[(0, 0), (4, 1), (4, 2), (7, 3), (5, 0), (6, 1), (1, 1)],
        ),
    ),
    (
        SEVERAL,
        (
            Some(SEVERAL),
            [2, 9, 6],
            &[(0, 0), (0, 1), (3, 2), (2, 5), (5, 7)],
        ),
    ),
    (TWO, (Some(TWO), [1, 9, 2], &[(1, 0), (0, 2)])),
    (
        "equal weights",
        (None, [2, 4, 3], &[(0, 0), (1, 1), (0, 2)]),
    ),
];

fn says(says: &str, _: &Case) -> String {
    format!("{says} (first the error, then source and target of each link)")
}

fn run((drawn, shape, truth): &Case, align: AlignFn) -> Tensor {
    let weights = match drawn {
        Some(site) => random::normal(shape, 1.0, 21, site).map(|x| x.exp() / 9.0),
        None => Tensor::full(shape, 1.0 / shape[2] as f32),
    };
    let (predicted, error) = align(&weights, truth);
    let links = predicted.iter().flat_map(|&(s, t)| [s as f32, t as f32]);
    let cells: Vec<f32> = [error as f32].into_iter().chain(links).collect();
    Tensor::new(&[cells.len()], cells)
}
