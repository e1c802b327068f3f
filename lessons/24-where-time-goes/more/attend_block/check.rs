//! The challenge: attention block by block, and blocks that distinguish it from its mistakes.

use transformer_tutor::tensor::{Tensor, random};

mod given;
mod reference;
#[path = "exercise.rs"]
mod starter;

pub use given::State;

/// The signature of the function to write.
pub type BlockFn = fn(&mut State, &[f32], &[Vec<f32>], &[Vec<f32>]) -> Vec<f32>;

transformer_tutor::task! { attend_block: BlockFn = reference::attend_block;
    |attend| TASK.compared_in_parts(attend, &CASES, 1e-5, run)
}

/// Lengths of the blocks, d_k, d_v, and the size of the query. Of a negative size, the query is −1 times the first key,
/// so the first score is negative.
type Case = (&'static [usize], usize, usize, f32);

/// The cases to try. Blocks of one token come first: there it makes no difference whether the state is corrected for each
/// token or for each block, so a mistake in either way is recognised.
const CASES: [(&str, Case); 9] = [
    ("one block of one token", (&[1], 4, 3, 1.0)),
    ("three blocks of one token", (&[1, 1, 1], 4, 3, 2.0)),
    ("one block of five tokens", (&[5], 4, 3, 1.0)),
    ("blocks of 3, 1 and 4 tokens", (&[3, 1, 4], 4, 3, 2.0)),
    ("an empty block between two", (&[2, 0, 2], 4, 2, 1.0)),
    ("an empty block at the start", (&[0, 2, 1], 4, 2, 1.0)),
    ("a negative score", (&[1, 1], 2, 2, -1.0)),
    ("scores of several hundreds", (&[4, 4, 4], 16, 2, 200.0)),
    ("2,000 tokens, 100 at a time", (&[100; 20], 4, 2, 1.0)),
];

/// The query, and all keys and values, one row per token.
fn rows(tokens: usize, d_k: usize, d_v: usize, size: f32) -> [Tensor; 3] {
    [
        random::normal(&[1, d_k], size, 41, "query"),
        random::normal(&[tokens, d_k], 1.0, 41, "key"),
        random::normal(&[tokens, d_v], 1.0, 41, "value"),
    ]
}

/// Context and state after every block.
fn run(&(lengths, d_k, d_v, size): &Case, attend: BlockFn) -> [(&'static str, Tensor); 4] {
    let [mut query, keys, values] = rows(lengths.iter().sum(), d_k, d_v, size.abs());
    if size < 0.0 {
        query = Tensor::from_fn(&[1, d_k], |i| -keys.at(i));
    }
    let of = |rows: &Tensor| -> Vec<Vec<f32>> {
        let rows = rows.data().chunks(rows.last());
        rows.map(<[f32]>::to_vec).collect()
    };
    let (keys, values) = (of(&keys), of(&values));
    let mut state = State::default();
    let mut at = 0;
    let [mut contexts, mut largest, mut sums, mut mixed] = [const { Vec::new() }; 4];
    for length in lengths {
        let block = at..at + length;
        let (keys, values) = (&keys[block.clone()], &values[block]);
        contexts.extend(attend(&mut state, query.data(), keys, values));
        at += length;
        largest.push(state.largest);
        sums.push(state.sum);
        mixed.extend_from_slice(&state.mixed);
    }
    let row = |cells: Vec<f32>| Tensor::new(&[cells.len()], cells);
    [
        (", the context after each block", row(contexts)),
        (", the largest score after each block", row(largest)),
        (", the sum of the weights after each block", row(sums)),
        (", the mixed values after each block", row(mixed)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::autograd::Tape;
    use transformer_tutor::nn::attention::attention;

    #[test]
    fn the_context_after_all_blocks_is_that_of_the_whole_row_of_scores() {
        for (says, (lengths, d_k, d_v, size)) in &CASES[..4] {
            let tape = Tape::eval(&Default::default());
            let tensors = rows(lengths.iter().sum(), *d_k, *d_v, *size);
            let [query, key, value] = tensors.map(|t| {
                let shape = [1, 1, t.shape()[0], t.last()];
                tape.input("rows", t.reshape(&shape), &["b", "h", "t", "k"])
            });
            let whole = attention(&query, &key, &value, None, 0.0).context.value();
            let [(_, contexts), ..] = run(&(lengths, *d_k, *d_v, *size), reference::attend_block);
            let last = &contexts.data()[contexts.len() - d_v..];
            for (a, b) in whole.data().iter().zip(last) {
                assert!((a - b).abs() < 1e-5, "{says}");
            }
        }
    }

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("`sum` 1.368"));
        let mut state = State::default();
        let mut read =
            |key, value| reference::attend_block(&mut state, &[1.0], &[vec![key]], &[vec![value]]);
        read(0.0, 2.0);
        assert!((read(1.0, 4.0)[0] - 3.462).abs() < 5e-4);
        assert_eq!(state.largest, 1.0);
        assert!((state.sum - 1.368).abs() < 5e-4 && (state.mixed[0] - 4.736).abs() < 5e-4);
    }
}
