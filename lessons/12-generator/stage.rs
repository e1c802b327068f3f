//! Lesson 12: from vectors to tokens, and the matrices that can be tied.

use std::sync::LazyLock;

use serde::{Deserialize, Deserializer};

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::measure::{count, flag, parameters};
use crate::lesson::{Lesson, Picture, Run, Settings, Stage};
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

fn twice_picture() -> Picture {
    let row = |model: &str, softmaxes: &str, pull: &experiments::Pull| {
        let (loss, pull) = (format!("{:.4}", pull.loss), format!("{:.4}", pull.pull));
        vec![model.to_owned(), softmaxes.to_owned(), loss, pull]
    };
    let models = [
        ("right and sure", &experiments::SURE),
        ("all logits equal", &experiments::EQUAL),
    ];
    let rows = models.into_iter().flat_map(|(model, twice)| {
        [
            row(model, "once", &twice.once),
            row(model, "twice", &twice.twice),
        ]
    });
    let rows = rows.collect();
    let title = "One softmax and two";
    let says = "100 tokens. The sure model's right logit is 10 above the others. With a second softmax, its loss is close to that of guessing. When all logits are equal, the gradient is a hundredth of what it should be.";
    let header = ["model", "softmax", "loss", "gradient norm"];
    Picture::table("twice", title, says, &header, rows)
}

fn places_picture() -> Picture {
    let p = &*experiments::PLACES;
    let row = |what: &str, norm: f64| vec![what.to_owned(), format!("{norm:.4}")];
    let rows = vec![
        row("the source embedding", p.parts[0]),
        row("the target embedding", p.parts[1]),
        row("the generator", p.parts[2]),
        row("one matrix for all three", p.tied),
    ];
    let says = format!(
        "The tied matrix's gradient is the sum of the three, to {:.0e}. {} tokens occur in no sentence; {} of their rows get a gradient, all through the logits.",
        p.difference.max(1e-9),
        p.unread.0,
        p.unread.1
    );
    let title = "One matrix, three gradients";
    Picture::table("places", title, says, &["gradient of", "norm"], rows)
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
        Ok(Run::new(trace, vec![twice_picture(), places_picture()]))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let trace = &run.trace;
        Some(match name {
            "parameters" => parameters(trace),
            "biased" => flag(count(trace, |s| s.name.ends_with("proj.bias")) > 0.0),
            "log_probs_made" => flag(trace.find("generator.log_probs").is_some()),
            "loss_once" => experiments::SURE.once.loss,
            "loss_twice" => experiments::SURE.twice.loss,
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
