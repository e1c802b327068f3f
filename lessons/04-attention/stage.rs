//! Lesson 04: scaled dot-product attention at the standard sizes.

use crate::autograd::{Tape, Var};
use crate::lesson::{Exercise, Knob, Lesson, Mistake, Range, Run, Settings, Stage};
use crate::nn::attention::{Attention, attention};
use crate::nn::masks;
use crate::params::Params;
use crate::tensor::{Tensor, random};

pub mod check;
mod experiments;
pub mod mistakes;
mod sentences;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use sentences::BATCH;

pub static LESSON: Lesson = Lesson {
    number: 4,
    name: "attention",
    title: "Scaled dot-product attention",
    minutes: 35,
    needs: &["embeddings", "positional-encoding", "masks"],
    gains: "You can say where every attention weight comes from, why scores are divided by √d_k, and write it yourself.",
    text: include_str!("lesson.md"),
    quiz: include_str!("quiz.toml"),
    stage: || Box::new(AttentionStage),
    mistakes: &MISTAKES,
    exercise: Exercise {
        name: "attention",
        task: "Write scaled dot-product attention: scores, scale, mask, softmax, dropout, and the mixture of the values.",
        starter: include_str!("exercise.rs"),
        solution: "src/nn/attention.rs:forward",
        hints: [
            "Which two tensors meet in a score, and along which axis are they multiplied and added up?",
            "A score is the dot product of one query row with one key row: rows meet rows. What divides it depends on the width of one row.",
            "The line for the scores is query.matmul_t(key); scale it by 1 over the root of the query's last axis, before you mask.",
            "let d_k = query.value().last() as f32; scores.scale(1.0 / d_k.sqrt()); then mask_fill(mask, BLOCKED) if there is a mask, softmax, dropout(dropout), matmul(value).",
        ],
        why: "Every output row is a mixture of value rows. The softmax makes the shares of the mixture positive with sum 1, the division keeps it able to learn, and −1e9 before the softmax leaves blocked keys a share of exactly 0.",
        reference: || check::check(attention),
        unsolved: || check::check(starter::attention),
    },
};

static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "no-scale",
        title: "forget to divide by √d_k",
        watch: "The weights harden: in most rows one key takes nearly everything.",
        effect: "mean(weights * (1 - weights)) < 0.04",
        settings: &[],
        hint: "Your scores are √d_k times too large: divide them by the square root of the key's width before the softmax.",
        check: Some(|| check::check(mistakes::no_scale)),
    },
    Mistake {
        name: "scale-by-model",
        title: "divide by √d_model instead of √d_k",
        watch: "The weights become nearly equal: the heads' widths were counted together.",
        effect: "std(scaled) < 0.5",
        settings: &[],
        hint: "You divided by the root of all heads' channels together. One head's dot product adds up d_k products, so √d_k is its spread.",
        check: Some(|| check::check(mistakes::scale_by_model)),
    },
    Mistake {
        name: "wrong-axis",
        title: "softmax over the queries instead of the keys",
        watch: "The sums move: columns sum to 1, rows no longer do.",
        effect: "abs(sum(weights[0,0,0,:]) - 1) > 0.01",
        settings: &[],
        hint: "Your columns sum to 1, not your rows. The row is the one who asks; its shares run along the last axis, over the keys.",
        check: Some(|| check::check(mistakes::wrong_axis)),
    },
    Mistake {
        name: "mask-after",
        title: "mask after the softmax",
        watch: "Padded sentences: the row sums fall below 1, for the share that went to padding is thrown away.",
        effect: "sum(weights[1,0,0,:]) < 0.99",
        settings: &[],
        hint: "Your masked rows do not sum to 1. Block the scores before the softmax, then the softmax shares the whole among the rest.",
        check: Some(|| check::check(mistakes::mask_after)),
    },
    Mistake {
        name: "not-transposed",
        title: "do not transpose the keys",
        watch: "Rows of 64 meet columns of 11: the shapes do not fit, and that is luck. With 64 keys it would run, and be wrong.",
        effect: "fails",
        settings: &[],
        hint: "You multiplied query rows with key columns. A score compares one query row with one key row: transpose the keys, or use matmul_t.",
        check: Some(|| check::check(mistakes::not_transposed)),
    },
    Mistake {
        name: "reversed-mask",
        title: "take 1 for blocked",
        watch: "Only the padding is seen: the words get weight 0.",
        effect: "max(weights[1,0,:,0]) == 0",
        settings: &[],
        hint: "Your mask works the wrong way round: 1 means may be seen. mask_fill writes where the mask is 0.",
        check: Some(|| check::check(mistakes::reversed_mask)),
    },
    Mistake {
        name: "no-mask",
        title: "forget the mask",
        watch: "Sentence 1 is short: now its padding gets weight too.",
        effect: "min(weights[1,0,:,10]) > 0",
        settings: &[],
        hint: "You did not use the mask: padded keys still get a share. Fill the blocked scores with BLOCKED before the softmax.",
        check: Some(|| check::check(mistakes::no_mask)),
    },
];

static KNOBS: [Knob; 6] = [
    Knob {
        name: "example",
        about: "the standard sizes, or a worked example of 2 rows by 6 columns with q = k = v",
        range: Range::Choice(&["standard", "worked"]),
        default: "standard",
    },
    Knob {
        name: "heads",
        about: "heads that share d_model 512",
        range: Range::Whole {
            least: 1,
            most: 512,
            stops: &[1, 2, 4, 7, 8, 16, 32, 64],
        },
        default: "8",
    },
    Knob {
        name: "d_k",
        about: "width of a query and a key; 0 is 512 / heads, the usual share",
        range: Range::Whole {
            least: 0,
            most: 512,
            stops: &[0, 3, 4, 16, 64, 128],
        },
        default: "0",
    },
    Knob {
        name: "target",
        about: "queries: words of the target sentence",
        range: Range::Whole {
            least: 1,
            most: 40,
            stops: &[1, 5, 10, 11, 20],
        },
        default: "10",
    },
    Knob {
        name: "source",
        about: "keys and values: words of the source sentence, padded",
        range: Range::Whole {
            least: 1,
            most: 40,
            stops: &[1, 5, 10, 11, 20],
        },
        default: "11",
    },
    Knob {
        name: "seed",
        about: "which random queries, keys and values",
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
        let tape = Tape::eval(&Params::default());
        let attend = variant(settings);
        let (target, source) = if settings.text("example") == "worked" {
            let x = Tensor::from_fn(&[1, 1, 2, 6], |i| (i[2] * 6 + i[3]) as f32 / 10.0);
            let query = tape.input("query", x.clone(), &["b", "h", "t", "k"]);
            let key = tape.input("key", x.clone(), &["b", "h", "s", "k"]);
            let value = tape.input("value", x, &["b", "h", "s", "k"]);
            attend(&query, &key, &value, None, 0.0);
            (2, 2)
        } else {
            standard(&tape, settings, attend)?
        };
        let mut trace = tape.trace();
        if settings.text("example") == "standard" {
            let words = |length, english| {
                (0..BATCH)
                    .map(|b| sentences::words(b, length, english))
                    .collect()
            };
            trace = trace
                .label("s", words(source, false))
                .label("t", words(target, true));
        }
        Ok(Run {
            trace,
            pictures: experiments::pictures(),
            leak: None,
        })
    }

    fn fact(&self, name: &str, _: &Run, settings: &Settings) -> Option<f64> {
        let (word, rest) = name.split_once('_').unwrap_or((name, ""));
        let numbers: Vec<f64> = rest.split('_').filter_map(|n| n.parse().ok()).collect();
        let width = |d_k: f64| experiments::WIDTHS.iter().position(|&w| w as f64 == d_k);
        match (word, &numbers[..]) {
            ("width", []) => Some((512 / settings.whole("heads")) as f64),
            ("spread", [d_k]) => Some(experiments::SPREAD.std[width(*d_k)?].0),
            ("tamed", [d_k]) => Some(experiments::SPREAD.std[width(*d_k)?].1),
            ("entropy", []) if rest == "hard" => Some(experiments::SPREAD.entropy.0),
            ("entropy", []) if rest == "soft" => Some(experiments::SPREAD.entropy.1),
            ("slope", []) if rest == "hard" => Some(experiments::SPREAD.slope.0),
            ("slope", []) if rest == "soft" => Some(experiments::SPREAD.slope.1),
            ("saturated", [factor, place]) => Some(f64::from(
                experiments::saturated(*factor).0[*place as usize],
            )),
            ("jacobian", [factor]) => Some(f64::from(experiments::saturated(*factor).1)),
            ("bilinear", []) if rest == "difference" => Some(experiments::BILINEAR.0),
            ("bytes", [n, additive]) => {
                Some(experiments::bytes(*n as usize, *additive == 1.0) as f64)
            }
            _ => None,
        }
    }
}

type Attend = fn(&Var, &Var, &Var, Option<&Var>, f32) -> Attention;

/// The sound function, or the first mistake that is on.
fn variant(settings: &Settings) -> Attend {
    let broken: [(&str, Attend); 7] = [
        ("no-scale", mistakes::no_scale),
        ("scale-by-model", mistakes::scale_by_model),
        ("wrong-axis", mistakes::wrong_axis),
        ("mask-after", mistakes::mask_after),
        ("not-transposed", mistakes::not_transposed),
        ("reversed-mask", mistakes::reversed_mask),
        ("no-mask", mistakes::no_mask),
    ];
    broken
        .into_iter()
        .find(|(name, _)| settings.broken(name))
        .map_or(attention, |(_, f)| f)
}

/// The standard run; returns the lengths of target and source.
fn standard(tape: &Tape, settings: &Settings, attend: Attend) -> Result<(usize, usize), String> {
    let (heads, seed) = (settings.whole("heads"), settings.whole("seed") as u64);
    let (target, source) = (settings.whole("target"), settings.whole("source"));
    if 512 % heads != 0 {
        return Err(format!(
            "Hidden size (512) must be divisible by the number of heads ({heads}): every head gets an equal share of the columns, and {heads} equal shares of 512 do not exist. Try 8."
        ));
    }
    let share = 512 / heads;
    let d_k = if settings.whole("d_k") == 0 {
        share
    } else {
        settings.whole("d_k")
    };
    let draw = |name: &str, length: usize, width: usize| {
        random::normal(&[BATCH, heads, length, width], 1.0, seed, name)
    };
    let query = tape.input("query", draw("query", target, d_k), &["b", "h", "t", "k"]);
    let key = tape.input("key", draw("key", source, d_k), &["b", "h", "s", "k"]);
    let value = tape.input("value", draw("value", source, share), &["b", "h", "s", "k"]);
    let src = tape.ids("src", sentences::ids(source), &["b", "s"]);
    let mask = masks::src_mask(&src).unsqueeze(1).named("mask");
    attend(&query, &key, &value, Some(&mask), 0.0);
    Ok((target, source))
}
