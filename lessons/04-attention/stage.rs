//! Lesson 04: scaled dot-product attention at the standard sizes.

use crate::autograd::Tape;
use crate::lesson::{Exercise, Knob, Lesson, Mistake, Range, Run, Settings, Stage};
use crate::nn::attention::attention;
use crate::nn::masks;
use crate::params::Params;
use crate::tensor::{Tensor, random};

pub mod check;
pub mod mistakes;
#[path = "exercise.rs"]
mod starter;

pub static LESSON: Lesson = Lesson {
    number: 4,
    name: "attention",
    title: "Scaled dot-product attention",
    minutes: 35,
    needs: &[],
    gains: "You can say where every attention weight comes from, and why the scores are divided by √d_k.",
    text: include_str!("lesson.md"),
    quiz: include_str!("quiz.toml"),
    stage: || Box::new(AttentionStage),
    mistakes: &MISTAKES,
    exercise: Exercise {
        name: "attention",
        task: "Write scaled dot-product attention.",
        starter: include_str!("exercise.rs"),
        solution: "src/nn/attention.rs:forward",
        hints: [
            "Which two tensors meet in a score, and over which axis are they multiplied?",
            "A score is a dot product of one query row with one key row; there is an operation for rows meeting rows.",
            "Divide by the square root of the last axis of the query before you mask.",
            "query.matmul_t(key).scale(1.0 / (d_k as f32).sqrt()), then mask_fill, softmax, matmul(value).",
        ],
        why: "Each output row is a mixture of value rows, and the weights of the mixture sum to 1.",
        reference: || check::check(attention),
        unsolved: || check::check(starter::attention),
    },
};

static MISTAKES: [Mistake; 1] = [Mistake {
    name: "no-scale",
    title: "forget to divide by √d_k",
    watch: "The weights harden: in most rows one key takes nearly everything.",
    effect: "mean(weights * (1 - weights)) < 0.05",
    settings: &[],
    hint: "Your scores are √d_k times too large: divide them by the square root of the key width before the softmax.",
    check: Some(|| check::check(mistakes::no_scale)),
}];

static KNOBS: [Knob; 2] = [
    Knob {
        name: "heads",
        about: "heads that share d_model 512; d_k = 512 / heads",
        range: Range::Whole {
            least: 1,
            most: 512,
            stops: &[1, 2, 4, 8, 16, 32, 64],
        },
        default: "8",
    },
    Knob {
        name: "seed",
        about: "which random numbers",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];

struct AttentionStage;

impl Stage for AttentionStage {
    fn knobs(&self) -> &'static [Knob] {
        &KNOBS
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (heads, seed) = (settings.whole("heads"), settings.whole("seed") as u64);
        if 512 % heads != 0 {
            return Err(format!(
                "Hidden size (512) must be divisible by the number of heads ({heads}): each head gets an equal share of the columns."
            ));
        }
        let d_k = 512 / heads;
        let tape = Tape::eval(&Params::new(seed));
        let draw =
            |name: &str, length: usize| random::normal(&[30, heads, length, d_k], 1.0, seed, name);
        let query = tape.input("query", draw("query", 10), &["b", "h", "t", "k"]);
        let key = tape.input("key", draw("key", 11), &["b", "h", "s", "k"]);
        let value = tape.input("value", draw("value", 11), &["b", "h", "s", "k"]);
        let src = Tensor::from_fn(&[30, 11], |i| if i[1] < 11 - i[0] % 4 { 1.0 } else { 0.0 });
        let mask = masks::src_mask(&tape.ids("src", src, &["b", "s"]))
            .unsqueeze(1)
            .named("mask");
        let attend = if settings.broken("no-scale") {
            mistakes::no_scale
        } else {
            attention
        };
        attend(&query, &key, &value, Some(&mask), 0.0);
        Ok(Run {
            trace: tape.trace(),
            ..Run::default()
        })
    }
}
