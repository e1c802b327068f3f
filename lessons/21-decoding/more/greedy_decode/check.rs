//! The warm-up: greedy decoding, and models that distinguish it from its mistakes.

use std::cell::Cell;

use transformer_tutor::tensor::Tensor;
use transformer_tutor::text::vocabulary::{BOS, EOS, PAD};

mod reference;
#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type GreedyFn = fn(&dyn Fn(&[usize]) -> Vec<f32>, usize) -> Vec<usize>;

transformer_tutor::task! { greedy_decode: GreedyFn = reference::greedy_decode;
    |greedy| TASK.compared_in_parts(greedy, &CASES, 1e-6, run)
}

/// Number of ids.
const VOCABULARY: usize = 8;

/// Behaviours of the models to try.
#[derive(Clone, Copy)]
enum Model {
    /// Writes the ids in turn, one per step, and then repeats the last one.
    Says(&'static [usize]),
    /// Like [`Says`](Self::Says), with padding more probable than anything else.
    PadsToo(&'static [usize]),
    /// Finds several tokens equally probable, given by their ids.
    Undecided(&'static [usize]),
    /// Finds the token after the last one most probable.
    Counts,
    /// Knows `BOS` and predicts it again.
    BeginsAgain,
}
use Model::{BeginsAgain, Counts, PadsToo, Says, Undecided};

/// Models to try, with one limit after another.
const CASES: [(&str, (Model, &[usize])); 10] = [
    ("5 6 7 and EOS, limit 9", (Says(&[5, 6, 7, EOS, 4]), &[9])),
    (
        "a model that counts on from the last token, limit 4",
        (Counts, &[4]),
    ),
    ("EOS at once, limit 5", (Says(&[EOS]), &[5])),
    ("a model that never ends, limit 6", (Says(&[5]), &[6])),
    ("5 6 and EOS, limit 2", (Says(&[5, 6, EOS]), &[2])),
    // Writing a token at limit 0 only is a different mistake from writing one too many at both.
    ("limit 0, then limit 1", (Says(&[6]), &[0, 1])),
    (
        "padding most probable, limit 5",
        (PadsToo(&[4, 5, EOS]), &[5]),
    ),
    (
        "4, 5 and 7 equally probable, limit 3",
        (Undecided(&[4, 5, 7]), &[3]),
    ),
    ("a model that writes BOS, limit 3", (BeginsAgain, &[3])),
    (
        "EOS most probable with 0.37, limit 3",
        (Undecided(&[EOS]), &[3]),
    ),
];

impl Model {
    fn log_probs(self, tokens: &[usize]) -> Vec<f32> {
        let mut row: Vec<f32> = (0..VOCABULARY).map(|id| -4.0 - 0.1 * id as f32).collect();
        let turn = tokens.len() - 1;
        let at_turn = |all: &[usize]| all[turn.min(all.len() - 1)];
        match self {
            Says(all) => row[at_turn(all)] = -0.5,
            PadsToo(all) => {
                row[at_turn(all)] = -0.5;
                row[0] = -0.1;
            }
            Undecided(all) => all.iter().for_each(|&id| row[id] = -1.0),
            Counts => row[3 + (tokens[turn] + 1) % 5] = -0.5,
            BeginsAgain => row[BOS] = -0.5,
        }
        row
    }
}

/// The output, and how often the model was called.
fn run(&(model, limits): &(Model, &[usize]), greedy: GreedyFn) -> [(&'static str, Tensor); 2] {
    let asked = Cell::new(0);
    let next = |tokens: &[usize]| {
        assert!(
            tokens.first() == Some(&BOS),
            "the model reads BOS first; it was given {tokens:?}"
        );
        asked.set(asked.get() + 1);
        assert!(
            asked.get() <= 100,
            "the model was asked 100 times: nothing ends the loop"
        );
        model.log_probs(tokens)
    };
    let written = limits.iter().flat_map(|&limit| greedy(&next, limit));
    let written: Vec<f32> = written.map(|id| id as f32).collect();
    [
        (", what is written", Tensor::new(&[written.len()], written)),
        (
            ", how often the model is asked",
            Tensor::scalar(asked.get() as f32),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("write `[3, 3]`"));
        let written = reference::greedy_decode(&|_| vec![-0.1, -3.0, -2.0, -1.0, -1.0], 2);
        assert_eq!(written, [3, 3]);
    }
}
