//! Lesson 12: from vectors to tokens, and the matrices that can be tied.

use std::sync::LazyLock;

use serde::{Deserialize, Deserializer};

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::measure::{count, flag, parameters};
use crate::lesson::{Fact, Facts, Lesson, Run, Settings, Stage};
use crate::params::{Init, Params};
use crate::tensor::random;
use crate::text::sample::BATCH;
use crate::transformer::generator::Generator;
use crate::transformer::{Config, count as counted};

pub mod check;
mod experiments;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("12-generator", GeneratorStage, check::TASK);

struct GeneratorStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    vocab: usize,
    tied: bool,
    src_vocab: usize,
    /// The row to change, counted from 0, if any.
    #[serde(deserialize_with = "number")]
    row: Option<usize>,
    seed: u64,
}

/// Parses a number; `none` gives `None`.
fn number<'de, D: Deserializer<'de>>(knob: D) -> Result<Option<usize>, D::Error> {
    Ok(String::deserialize(knob)?.parse().ok())
}

impl Knobs {
    fn config(&self) -> Config {
        let config = Config::annotated(self.src_vocab, self.vocab);
        if self.tied { config.tied() } else { config }
    }
}

fn record(knobs: &Knobs, words: check::WordsFn) -> Trace {
    let (seed, width) = (knobs.seed, knobs.config().d_model);
    let mut params = Params::new(seed);
    let bound = (width as f32).sqrt().recip();
    let (name, init) = if knobs.tied {
        ("embed.table", Init::Normal(bound))
    } else {
        ("generator.proj.weight", Init::XavierUniform)
    };
    let weight = params.add(name, &[knobs.vocab, width], &["v", "d"], init);
    let bias = (!knobs.tied).then(|| {
        let init = Init::Uniform(bound);
        params.add("generator.proj.bias", &[knobs.vocab], &["v"], init)
    });
    if let Some(row) = knobs.row {
        let table = params.get_mut(weight).data_mut();
        if let Some(cells) = table.get_mut(row * width..(row + 1) * width) {
            cells.iter_mut().for_each(|cell| *cell += 0.1);
        }
    }
    let tape = Tape::eval(&params);
    // Normalised vectors like those that a decoder returns. They have no words, because they belong to no sentence.
    let hidden = random::normal(&[BATCH, TARGET, width], 1.0, seed, "hidden");
    words(
        &Generator { weight, bias },
        &tape.input("hidden", hidden, &["b", "t", "d"]),
    );
    tape.trace()
}

/// Number of tokens whose logits change with the row.
fn columns_moved(settings: &Settings) -> Option<f64> {
    let (knobs, words): (Knobs, _) = (settings.knobs(), check::TASK.chosen(settings));
    let is = record(&knobs, words);
    let was = record(&Knobs { row: None, ..knobs }, words);
    let name = "generator.logits";
    let (was, is) = (was.tensor(name)?, is.tensor(name)?);
    let pairs = || was.data().iter().zip(is.data());
    let column = |v: &usize| pairs().skip(*v).step_by(was.last());
    let moved = (0..was.last()).filter(|v| column(v).any(|(a, b)| a != b));
    Some(moved.count() as f64)
}

impl Stage for GeneratorStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        knobs.config().check()?;
        let trace = record(&knobs, check::TASK.chosen(settings));
        let [one, two, three] = experiments::PLACES.parts;
        let norms = [one, two, three, experiments::PLACES.tied];
        let facts = Facts::default().with("gradient_norms", Fact::numbers(norms));
        Ok(Run::new(trace, Vec::new()).telling(facts))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let trace = &run.trace;
        Some(match name {
            "parameters" => parameters(trace),
            "biased" => flag(count(trace, |s| s.name.ends_with("proj.bias")) > 0.0),
            "log_probs_made" => flag(trace.find("generator.log_probs").is_some()),
            "loss_once" => experiments::SURE.once.loss,
            "loss_twice" => experiments::SURE.twice.loss,
            "gradient_once_sure" => experiments::SURE.once.pull,
            "gradient_twice_sure" => experiments::SURE.twice.pull,
            "loss_once_equal" => experiments::EQUAL.once.loss,
            "loss_twice_equal" => experiments::EQUAL.twice.loss,
            "gradient_once" => experiments::EQUAL.once.pull,
            "gradient_twice" => experiments::EQUAL.twice.pull,
            "columns_moved" => columns_moved(settings)?,
            "places_difference" => experiments::PLACES.difference,
            "unread" => experiments::PLACES.unread.0 as f64,
            "unread_with_gradient" => experiments::PLACES.unread.1 as f64,
            "spread_normal" => experiments::logits_spread(512_f32.sqrt().recip()),
            "spread_unit" => experiments::logits_spread(1.0),
            "saved_by_tying" => {
                let count = |config: &Config| counted::tree(config).count as f64;
                let apart = Config::annotated(30_000, 30_000);
                count(&apart) - count(&apart.clone().tied())
            }
            _ => return None,
        })
    }
}
