//! Lesson 02: the position table at the standard sizes.

use crate::autograd::Tape;
use crate::lesson::{Exercise, Knob, Lesson, Mistake, Range, Run, Settings, Stage};
use crate::nn::positional_encoding::{PositionalEncoding, positional_encoding};
use crate::ops::Layout;
use crate::params::Params;
use crate::tensor::{Tensor, random};

pub mod check;
mod experiments;
pub mod mistakes;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

pub static LESSON: Lesson = Lesson {
    number: 2,
    name: "positional-encoding",
    title: "Positional encoding",
    minutes: 25,
    needs: &["embeddings"],
    gains: "You can say how order enters a Transformer, why the waves work, and write the table yourself.",
    text: include_str!("lesson.md"),
    quiz: include_str!("quiz.toml"),
    stage: || Box::new(PositionStage),
    mistakes: &MISTAKES,
    exercise: Some(Exercise {
        name: "positional_encoding",
        task: "Write the table of positions: sines in the even columns, cosines in the odd ones.",
        starter: include_str!("exercise.rs"),
        solution: "src/ops/sinusoid.rs:forward",
        hints: [
            "Which two columns turn together, and what is their number i?",
            "Column c belongs to pair i = c / 2 (whole division); even columns are sines, odd ones cosines of the same angle.",
            "The angle is position / 10000^(2i / d_model): write it with (10_000_f64).powf(2.0 * i as f64 / d_model as f64).",
            "Tensor::from_fn(&[length, d_model], |at| { let i = at[1] / 2; let angle = at[0] as f64 / 10_000_f64.powf(2.0 * i as f64 / d_model as f64); if at[1] % 2 == 0 { angle.sin() } else { angle.cos() } as f32 })",
        ],
        why: "A pair of columns is the hand of a clock: sine and cosine of one angle. Clocks of many speeds tell every position apart, and going k positions on turns each hand by an angle that does not depend on where it stood.",
        reference: || check::check(positional_encoding),
        unsolved: || check::check(starter::positional_encoding),
    }),
};

static MISTAKES: [Mistake; 6] = [
    Mistake {
        name: "no-position",
        title: "no positions at all",
        watch: "The table is empty: a word is the same vector wherever it stands.",
        effect: "max(abs(pe)) == 0",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "own-frequency",
        title: "every column with its own frequency",
        watch: "Neighbouring columns no longer turn together: sine and cosine of a pair do not make a circle.",
        effect: "abs(pe[0,5,2]^2 + pe[0,5,3]^2 - 1) > 0.01",
        settings: &[],
        hint: "Each of your columns has its own frequency. Columns 2i and 2i+1 share one: use the pair's number i = column / 2.",
        check: Some(|| check::check(mistakes::own_frequency)),
    },
    Mistake {
        name: "from-one",
        title: "count positions from 1",
        watch: "Row 0 is no longer 0 1 0 1: every row has moved up by one.",
        effect: "pe[0,0,0] > 0.5",
        settings: &[],
        hint: "Your rows are one position ahead: the first position is 0, and its row is 0 1 0 1 ….",
        check: Some(|| check::check(mistakes::from_one)),
    },
    Mistake {
        name: "small-base",
        title: "base 1000 instead of 10000",
        watch: "The slowest waves turn ten times faster: far positions begin to look like near ones.",
        effect: "pe[0,9,510] > 0.005",
        settings: &[],
        hint: "Your slow columns turn too fast: the base of the power is 10000.",
        check: Some(|| check::check(mistakes::small_base)),
    },
    Mistake {
        name: "swapped",
        title: "cosines in the even columns",
        watch: "Row 0 reads 1 0 1 0: the two hands of each clock are exchanged.",
        effect: "pe[0,0,0] > 0.5",
        settings: &[],
        hint: "Your sines and cosines are exchanged: even columns are sines, odd columns cosines.",
        check: Some(|| check::check(mistakes::swapped)),
    },
    Mistake {
        name: "half-exponent",
        title: "exponent i/d_model instead of 2i/d_model",
        watch: "The waves stop lengthening half-way: the slowest is a hundred times too fast.",
        effect: "pe[0,9,510] > 0.05",
        settings: &[],
        hint: "Your exponent grows half as fast as it should: it is 2i / d_model, where i counts pairs.",
        check: Some(|| check::check(mistakes::half_exponent)),
    },
];

static KNOBS: [Knob; 4] = [
    Knob {
        name: "d_model",
        about: "columns of the table; an odd number is refused",
        range: Range::Whole {
            least: 1,
            most: 1024,
            stops: &[8, 64, 127, 256, 512, 1024],
        },
        default: "512",
    },
    Knob {
        name: "layout",
        about: "the paper's alternating columns, or TensorFlow's halves",
        range: Range::Choice(&["interleaved", "halves"]),
        default: "interleaved",
    },
    Knob {
        name: "length",
        about: "words in a sentence",
        range: Range::Whole {
            least: 1,
            most: 100,
            stops: &[1, 5, 10, 20, 50, 100],
        },
        default: "10",
    },
    Knob {
        name: "seed",
        about: "which random word vectors",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];

/// The rows of the table.
const MAX_LEN: usize = 5000;

struct PositionStage;

/// The mistakes are mistakes of the paper's layout.
fn layout(settings: &Settings) -> Layout {
    let sound = MISTAKES.iter().all(|m| !settings.broken(m.name));
    if sound && settings.text("layout") == "halves" {
        Layout::Halves
    } else {
        Layout::Interleaved
    }
}

/// The table of the mistake that is on.
fn broken(settings: &Settings, length: usize, d_model: usize) -> Option<Tensor> {
    type Table = fn(usize, usize) -> Tensor;
    let known: [(&str, Table); 6] = [
        ("no-position", |length, d_model| {
            Tensor::zeros(&[length, d_model])
        }),
        ("own-frequency", mistakes::own_frequency),
        ("from-one", mistakes::from_one),
        ("small-base", mistakes::small_base),
        ("swapped", mistakes::swapped),
        ("half-exponent", mistakes::half_exponent),
    ];
    let (_, table) = known.into_iter().find(|(name, _)| settings.broken(name))?;
    Some(table(length, d_model))
}

impl Stage for PositionStage {
    fn knobs(&self) -> &'static [Knob] {
        &KNOBS
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (d_model, length) = (settings.whole("d_model"), settings.whole("length"));
        let seed = settings.whole("seed") as u64;
        // An odd width is refused by the real table, with a mistake on as without.
        let _ = positional_encoding(1, d_model);
        let tape = Tape::eval(&Params::default());
        let words = random::normal(&[30, length, d_model], 1.0, seed, "words");
        let x = tape.input("embedded", words, &["b", "t", "d"]);
        let layout = layout(settings);
        let table = match broken(settings, 100, d_model) {
            Some(table) => {
                let whole =
                    tape.constant("table", table.reshape(&[1, 100, d_model]), &["", "p", "d"]);
                let pe = whole.rows(length).named("pe");
                let _ = x.add(&pe).named("with_position");
                table
            }
            None => {
                PositionalEncoding {
                    max_len: MAX_LEN,
                    d_model,
                    layout,
                    first: 0,
                }
                .forward(&x);
                tape.trace()
                    .tensor("sinusoid")
                    .cloned()
                    .ok_or("the table was not recorded")?
            }
        };
        Ok(Run {
            trace: tape.trace(),
            pictures: experiments::pictures(&table, layout),
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let (trace, d_model) = (&run.trace, settings.whole("d_model"));
        // A mistake has a table of its own, which it leaves in place of the sound one.
        let table = trace.tensor("sinusoid").or(trace.tensor("table"))?;
        let table = &table.reshape(&[table.len() / d_model, d_model]);
        let wave = |pair: usize| experiments::wavelengths(table, layout(settings))[pair];
        if let Some(rest) = name.strip_prefix("dot_") {
            let (a, b) = rest.split_once('_')?;
            return Some(experiments::dot(table, a.parse().ok()?, b.parse().ok()?));
        }
        Some(match name {
            "norm" => experiments::dot(table, 3, 3).sqrt(),
            "pairs" => (d_model / 2) as f64,
            "shortest_wave" => wave(0),
            "longest_wave" => wave(d_model / 2 - 1),
            "rotation_error" => experiments::rotation_error(&positional_encoding(200, d_model), 7),
            "blind" => experiments::BLINDNESS.0,
            "seeing" => experiments::BLINDNESS.1,
            "probe_width" => experiments::PROBED as f64,
            "probe_word" => experiments::PROBES.0,
            "probe_position" => experiments::PROBES.1,
            "learned_parameters" => learned(d_model) as f64,
            "gradients_kept" => gradients_kept(d_model) as f64,
            _ => return None,
        })
    }
}

/// The parameters that a learned table of the same size would add.
fn learned(d_model: usize) -> usize {
    let mut params = Params::new(0);
    params.add(
        "positions",
        &[MAX_LEN, d_model],
        &["p", "d"],
        crate::params::Init::Constant(0.0),
    );
    params.count()
}

/// How many gradients by the fixed table a backward walk keeps: none.
fn gradients_kept(d_model: usize) -> usize {
    let tape = Tape::eval(&Params::default());
    let x = tape.input("x", Tensor::ones(&[1, 4, d_model]), &["b", "t", "d"]);
    let table = tape.sinusoid(4, d_model, Layout::Interleaved);
    let grads = x.add(&table).sum().backward();
    usize::from(grads.get(&table).is_some())
}
