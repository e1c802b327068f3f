//! Lesson 03: batches and masks at the standard sizes.

use crate::lesson::{Exercise, Knob, Lesson, Range, Run, Settings, Stage};
use crate::nn::masks::subsequent_mask;
use crate::ops;

mod board;
pub mod check;
mod experiments;
pub mod mistakes;
mod pictures;
mod record;
mod sentences;
#[path = "exercise.rs"]
mod starter;
mod switches;
#[cfg(test)]
mod tests;

pub static LESSON: Lesson = Lesson {
    number: 3,
    name: "masks",
    title: "Batches and masks",
    minutes: 35,
    needs: &["embeddings"],
    gains: "You can make the masks of a Transformer from padded ids, say for any blocked cell why it is blocked, and find a leak.",
    text: include_str!("lesson.md"),
    quiz: include_str!("quiz.toml"),
    stage: || Box::new(Masks),
    mistakes: &switches::MISTAKES,
    exercise: Some(Exercise {
        name: "subsequent_mask",
        task: "Write the mask that hides the future: subsequent_mask(length) returns [1, length, length].",
        starter: include_str!("exercise.rs"),
        solution: "src/ops/causal.rs:subsequent",
        hints: [
            "Take a sentence of three words. Which of them may the first see, and which the last?",
            "The row is the word that reads, the column the word that is read. Only a comparison of these two numbers decides.",
            "A cell is open where its column is not greater than its row; the diagonal is open.",
            "Tensor::from_fn(&[1, length, length], |i| if i[2] <= i[1] { 1.0 } else { 0.0 })",
        ],
        why: "A word that sees only itself and what came before can be trained at every position at once, and still learns nothing that it would not know when it speaks.",
        reference: || check::check(subsequent_mask),
        unsolved: || check::check(starter::subsequent_mask),
    }),
};

static KNOBS: [Knob; 8] = [
    Knob {
        name: "example",
        about: "which batch: 30 pairs of sentences, the ids of TensorFlow's tests, or one pair",
        range: Range::Choice(&["standard", "tf", "one"]),
        default: "standard",
    },
    Knob {
        name: "mix",
        about: "which sentences: as they come, few long among short ones, or all of one length",
        range: Range::Choice(&["natural", "skewed", "alike"]),
        default: "natural",
    },
    Knob {
        name: "batching",
        about: "how the ten batches are cut: as sentences arrive, or sorted by length",
        range: Range::Choice(&["arrival", "by-length"]),
        default: "arrival",
    },
    Knob {
        name: "heads",
        about: "heads that share one mask",
        range: Range::Whole {
            least: 1,
            most: 16,
            stops: &[1, 2, 4, 8, 16],
        },
        default: "8",
    },
    Knob {
        name: "sentence",
        about: "which sentence of the batch the board and the leak meter show",
        range: Range::Whole {
            least: 0,
            most: 29,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 20, 29],
        },
        default: "0",
    },
    Knob {
        name: "fill",
        about: "what blocked scores become",
        range: Range::Choice(&["-inf", "-1e9", "-1e4", "-1e3", "-100", "-10"]),
        default: "-1e9",
    },
    Knob {
        name: "logits",
        about: "how large the scores are (their standard deviation)",
        range: Range::Real {
            least: 0.01,
            most: 1e6,
            stops: &[1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6],
        },
        default: "1",
    },
    Knob {
        name: "seed",
        about: "which random sentences and scores",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];

struct Masks;

impl Stage for Masks {
    fn knobs(&self) -> &'static [Knob] {
        &KNOBS
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        pictures::run(record::record(settings)?, settings)
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let made = || record::record(settings).ok();
        let scramble = || Some(experiments::scramble(&made()?, settings));
        let five = |open, fill, size| {
            let seed = settings.whole("seed") as u64;
            experiments::five(open, fill, size, seed)
        };
        let apart =
            |open, fill, size| f64::from(experiments::largest_difference(&five(open, fill, size)));
        let share = |of: fn(&[sentences::Pair]) -> f64| Some(of(&made()?.pairs));
        match name {
            "leak" => run.leak.map(f64::from),
            "pad_share" => share(|pairs| sentences::pad_share(&pairs[..sentences::BATCH])),
            "pad_share_all" => Some(pictures::total_pad_share(&made()?)),
            "blocked_share" => {
                let made = made()?;
                let weights = run.trace.tensor("self.weights")?;
                Some(experiments::blocked_share(weights, &made.rules))
            }
            "scrambled_encoder" => Some(scramble()?.encoder.into()),
            "scrambled_decoder" => Some(scramble()?.decoder.into()),
            "scrambled_pad" => Some(scramble()?.pad.into()),
            "pad_loss_weight" => Some(scramble()?.loss_weight.into()),
            "pads_in_the_past" => Some(experiments::pads_in_the_past(&made()?) as f64),
            "whole_row" => Some(five(pictures::NONE, -1e9, 1.0).0.data()[0].into()),
            "whole_row_nan" => {
                let row = five(pictures::NONE, f32::NEG_INFINITY, 1.0).0;
                Some(f64::from(u8::from(row.data().iter().all(|x| x.is_nan()))))
            }
            "apart_open" => Some(apart(pictures::PART, -1e9, 1.0)),
            "apart_whole" => Some(apart(pictures::NONE, -1e9, 1.0)),
            "apart_whole_weak" => Some(apart(pictures::NONE, -1e4, 1.0)),
            "apart_whole_large" => Some(apart(pictures::NONE, -1e9, 1000.0)),
            "open_in_20" => Some(ops::subsequent_mask(20).sum()),
            "sunk_weak" => Some(experiments::sunk(
                &made()?,
                -1e4,
                1e5,
                settings.whole("seed") as u64,
            )),
            "sunk_low" => Some(experiments::sunk(
                &made()?,
                -1e9,
                1e5,
                settings.whole("seed") as u64,
            )),
            // What the first word of sentence 0 gives to words that it must not see.
            "future_of_first" => {
                let weights = run.trace.tensor("self.weights")?;
                let row = &weights.data()[1..weights.last()];
                Some(row.iter().map(|&x| f64::from(x)).sum())
            }
            _ => None,
        }
    }
}
