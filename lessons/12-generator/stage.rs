//! Lesson 12: from vectors to words, and the tables that can be one.

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::{Body, Lesson, Picture, Run, Settings, Stage};
use crate::params::{Init, Params};
use crate::tensor::random;
use crate::text::sample::{self, BATCH, Language};
use crate::transformer::Config;
use crate::transformer::generator::{Generator, next_words};
use std::sync::LazyLock;

pub mod check;
mod experiments;
pub mod mistakes;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

const TARGET: usize = 10;

pub static LESSON: LazyLock<Lesson> = lesson!("12-generator", GeneratorStage, check::TASK);

struct GeneratorStage;

fn config(settings: &Settings) -> Config {
    let config = Config::annotated(settings.whole("src_vocab"), settings.whole("vocab"));
    if settings.text("tied") == "yes" {
        config.tied()
    } else {
        config
    }
}

fn record(settings: &Settings) -> Trace {
    let (seed, config) = (settings.whole("seed") as u64, config(settings));
    let tied = settings.text("tied") == "yes";
    let mut params = Params::new(seed);
    let shape = [config.tgt_vocab, config.d_model];
    let (name, init) = match tied {
        true => (
            "embed.table",
            Init::Normal((config.d_model as f32).sqrt().recip()),
        ),
        false => ("generator.proj.weight", Init::XavierUniform),
    };
    let weight = params.add(name, &shape, &["v", "d"], init);
    let bound = (config.d_model as f32).sqrt().recip();
    let bias = (!tied).then(|| {
        params.add(
            "generator.proj.bias",
            &shape[..1],
            &["v"],
            Init::Uniform(bound),
        )
    });
    let row = settings.whole("row");
    if row > 0 {
        let width = config.d_model;
        let table = params.get_mut(weight).data_mut();
        if let Some(cells) = table.get_mut((row - 1) * width..row * width) {
            cells.iter_mut().for_each(|cell| *cell += 0.1);
        }
    }
    let tape = Tape::eval(&params);
    let hidden = random::normal(&[BATCH, TARGET, config.d_model], 1.0, seed, "hidden");
    let hidden = tape.input("hidden", hidden, &["b", "t", "d"]);
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    let words = on.map_or(next_words as mistakes::WordsFn, |(_, mistake)| mistake);
    words(&Generator { weight, bias }, &hidden);
    tape.trace()
        .label("t", sample::all_words(TARGET, Language::English))
}

fn twice_picture() -> Picture {
    let [once, twice] = &*experiments::TWICE;
    let row = |what: &str, pull: &experiments::Pull| {
        vec![
            what.to_owned(),
            format!("{:.4}", pull.loss),
            format!("{:.5}", pull.pull),
        ]
    };
    Picture {
        name: "twice",
        title: "A model that is rightly sure: what does its loss say?".to_owned(),
        says: "100 words, the right one's logit ten above the others. After a second softmax the loss is near that of guessing, and hardly pulls.".to_owned(),
        body: Body::Table {
            header: ["computed from", "loss", "pull at the logits"].map(String::from).to_vec(),
            rows: vec![row("logits", once), row("probabilities (softmax twice)", twice)],
        },
    }
}

fn places_picture() -> Picture {
    let p = &*experiments::PLACES;
    let row = |what: &str, norm: f64| vec![what.to_owned(), format!("{norm:.4}")];
    Picture {
        name: "places",
        title: "One table, three gradients".to_owned(),
        says: format!(
            "The tied table's gradient is the sum of the three, to {:.0e}. {} rows stand in no sentence; {} of them get a gradient, all through the logits.",
            p.difference.max(1e-9),
            p.unread.0,
            p.unread.1
        ),
        body: Body::Table {
            header: ["gradient of", "norm"].map(String::from).to_vec(),
            rows: vec![
                row("the source's table", p.parts[0]),
                row("the target's table", p.parts[1]),
                row("the generator's matrix", p.parts[2]),
                row("one table for all three", p.tied),
            ],
        },
    }
}

/// The columns of words whose logits differ between two runs.
fn columns_moved(settings: &Settings) -> Option<f64> {
    let mut still = settings.clone();
    still.set(LESSON.knobs, "row", "0").ok()?;
    let (was, is) = (record(&still), record(settings));
    let (was, is) = (
        was.tensor("generator.logits")?,
        is.tensor("generator.logits")?,
    );
    let words = was.last();
    let moved = |v: usize| {
        was.data()
            .iter()
            .zip(is.data())
            .skip(v)
            .step_by(words)
            .any(|(a, b)| a != b)
    };
    Some((0..words).filter(|&v| moved(v)).count() as f64)
}

impl Stage for GeneratorStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        config(settings).check()?;
        Ok(Run {
            trace: record(settings),
            pictures: vec![twice_picture(), places_picture()],
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let steps = || run.trace.steps().iter();
        match name {
            "parameters" => {
                let leaves = steps().filter(|s| s.op() == "parameter");
                Some(leaves.map(|s| s.value.len()).sum::<usize>() as f64)
            }
            "biased" => Some(f64::from(u8::from(
                steps().any(|s| s.name.ends_with("proj.bias")),
            ))),
            "log_probs_made" => Some(f64::from(u8::from(
                run.trace.find("generator.log_probs").is_some(),
            ))),
            "loss_once" => Some(experiments::TWICE[0].loss),
            "loss_twice" => Some(experiments::TWICE[1].loss),
            "columns_moved" => columns_moved(settings),
            "places_difference" => Some(experiments::PLACES.difference),
            "unread" => Some(experiments::PLACES.unread.0 as f64),
            "unread_with_gradient" => Some(experiments::PLACES.unread.1 as f64),
            "spread_normal" => Some(experiments::logits_spread(512_f32.sqrt().recip())),
            "spread_unit" => Some(experiments::logits_spread(1.0)),
            "saved_by_tying" => {
                let count = |config: &Config| crate::transformer::count::tree(config).count as f64;
                let apart = Config::annotated(30_000, 30_000);
                Some(count(&apart) - count(&apart.clone().tied()))
            }
            _ => None,
        }
    }
}
