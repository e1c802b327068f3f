//! Lesson 13: the whole model, its map, its parameters, and its two forms side by side.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::{Nature, Tape, Trace};
use crate::decode::greedy::greedy;
use crate::lesson;
use crate::lesson::{Body, Fact, Facts, Lesson, Picture, Run, Settings, Stage, model_map};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::schedule::RECIPES;
use crate::transformer::count::{self, Part, TRAINING_BYTES};
use crate::transformer::variants::{self, DIFFERENCES, Difference, FirstDifference};
use crate::transformer::{Config, Transformer, pass, presets};

pub mod check;
pub mod full;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;
mod tree;
#[path = "more/xavier_uniform/check.rs"]
pub mod xavier_uniform;

use tree::Opened;

pub static LESSON: LazyLock<Lesson> =
    lesson!("13-model", ModelStage, check::TASK; "xavier_uniform" => xavier_uniform::TASK);

/// Sizes of the small model.
const LAYERS: usize = 2;
const WORDS: usize = 11;

struct ModelStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    form: Form,
    /// Name of one of [`DIFFERENCES`], or none.
    difference: String,
    vocab: usize,
    part: Opened,
    seed: u64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    Annotated,
    Tensorflow,
    Paper,
}

impl Knobs {
    fn difference(&self) -> Option<&'static Difference> {
        DIFFERENCES.iter().find(|d| d.name == self.difference)
    }

    /// The parameter tree of the full-size model with this vocabulary.
    fn tree(&self) -> Part {
        count::tree(&Config::annotated(self.vocab, self.vocab))
    }
}

fn small(config: Config) -> Config {
    config.sized(LAYERS, 16, 32, 4)
}

fn config(form: Form) -> Config {
    match form {
        Form::Annotated => Config::annotated(WORDS, WORDS),
        Form::Tensorflow => Config::tensorflow(WORDS),
        Form::Paper => Config::paper(WORDS),
    }
}

fn ids() -> (Tensor, Tensor) {
    let src = vec![3.0, 4.0, 5.0, 6.0, 7.0, 2.0, 8.0, 9.0, 2.0, 0.0, 0.0, 0.0];
    let tgt = vec![1.0, 4.0, 6.0, 7.0, 10.0, 1.0, 9.0, 8.0, 0.0, 0.0];
    (Tensor::new(&[2, 6], src), Tensor::new(&[2, 5], tgt))
}

fn record(
    config: &Config,
    seed: u64,
    weights: Option<&Params>,
    run: check::PassFn,
) -> (Params, Trace) {
    let mut params = Params::new(seed);
    let model = Transformer::new(&mut params, config);
    if let Some(weights) = weights {
        variants::share(weights, &mut params);
    }
    let tape = Tape::eval(&params);
    let (src, tgt) = ids();
    run(
        &model,
        &tape.ids("src", src, &["b", "s"]),
        &tape.ids("tgt", tgt, &["b", "t"]),
    );
    (params, tape.trace())
}

/// The Annotated Transformer and a version with one different choice, run with the same weights, and where they
/// diverge.
struct Bench {
    one: Trace,
    other: Trace,
    parting: Option<FirstDifference>,
}

fn bench(knobs: &Knobs) -> Option<Bench> {
    let difference = knobs.difference()?;
    let base = small(config(Form::Annotated));
    let mut changed = base.clone();
    let from = match difference.name {
        "place" => Form::Paper,
        _ => Form::Tensorflow,
    };
    (difference.adopt)(&mut changed, &config(from));
    let (weights, one) = record(&base, knobs.seed, None, pass);
    let (_, other) = record(&changed, knobs.seed, Some(&weights), pass);
    let parting = variants::first_difference(&one, &other);
    Some(Bench {
        one,
        other,
        parting,
    })
}

/// Where the two models part, if the knob selects a difference.
fn bench_picture(knobs: &Knobs) -> Option<Picture> {
    let bench = bench(knobs)?;
    let why = knobs.difference().map_or("", |d| d.why);
    let (name, says) = match &bench.parting {
        Some(p) => (
            p.step.as_str(),
            format!(
                "The first step that differs: {:?} is {} here and {} there. {why}",
                p.index, p.values.0, p.values.1
            ),
        ),
        None => (
            "generator.log_probs",
            format!("One set of weights, one choice changed: no step differs. {why}"),
        ),
    };
    let (a, b) = (bench.one.tensor(name)?, bench.other.tensor(name)?);
    Some(side_by_side(name, says, a, b))
}

/// Two tensors under one cursor: the picture draws their difference, and notes both values of each cell.
fn side_by_side(name: &str, says: String, a: &Tensor, b: &Tensor) -> Picture {
    let columns = a.last();
    let rows = (a.len() / columns.max(1)).min(64);
    let same = a.shape() == b.shape();
    let value_at = |at: usize| same.then(|| b.data()[at]);
    let apart = |i: &[usize]| {
        let at = i[0] * columns + i[1];
        value_at(at).map_or(0.0, |value_at| a.data()[at] - value_at)
    };
    let note = |at: usize| {
        let other =
            value_at(at).map_or("another shape".to_owned(), |value_at| value_at.to_string());
        format!("here {}, there {other}", a.data()[at])
    };
    let notes = (0..rows).map(|r| (0..columns).map(|c| note(r * columns + c)).collect());
    let body = Body::matrix(
        Tensor::from_fn(&[rows, columns], apart),
        Nature::Signed,
        ("row", Vec::new()),
        ("channel", Vec::new()),
    );
    Picture::new(
        "bench",
        format!("{name}: here minus there"),
        says,
        body.noted(notes.collect()),
    )
}

fn map_picture(trace: &Trace) -> Picture {
    let map = model_map::map((LAYERS, LAYERS), &model_map::names(trace), Some(trace));
    Picture::drawn("map", Body::Map(map))
}

/// Output of untrained models for 2 3 4 5 6, one per seed.
fn nonsense() -> Vec<Vec<f32>> {
    let written = (1..=5).map(|seed| {
        let mut params = Params::new(seed);
        let model = Transformer::new(&mut params, &small(config(Form::Annotated)));
        let src = Tensor::new(&[1, 5], vec![2.0, 3.0, 4.0, 5.0, 6.0]);
        greedy(&model, &params, &src, 1.0, 8).data().to_vec()
    });
    written.collect()
}

/// The parts of the model, those of the opened part, the differences, and what untrained models write.
fn facts(knobs: &Knobs) -> Facts {
    let model = knobs.tree();
    let mut parts = Vec::new();
    for part in &model.parts {
        parts.push((part.name.clone(), part.count));
        for layer in part.parts.iter().filter(|p| !p.parts.is_empty()) {
            let inner = layer.parts.iter();
            parts.extend(inner.map(|inner| {
                let all = layer.times * inner.times * inner.count;
                (format!("  {}", inner.name), all)
            }));
        }
    }
    let choices = |of: &dyn Fn(&Difference) -> String| Fact::words(DIFFERENCES.iter().map(of));
    let at = |form| move |d: &Difference| (d.choice)(&config(form)).to_owned();
    let written = nonsense().into_iter().map(|ids| {
        let words: Vec<String> = ids.iter().map(ToString::to_string).collect();
        words.join(" ")
    });
    let (parts, counts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let facts = Facts::default()
        .with("parts", Fact::words(parts))
        .with("part_counts", Fact::numbers(counts))
        .with("choices", choices(&|d| d.name.to_owned()))
        .with("choices_annotated", choices(&at(Form::Annotated)))
        .with("choices_tensorflow", choices(&at(Form::Tensorflow)))
        .with("nonsense", Fact::words(written));
    match knobs.part.of(&model) {
        Some(opened) => tree::facts(opened, facts),
        None => facts,
    }
}

impl Stage for ModelStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let pass = check::TASK.chosen(settings);
        let (_, trace) = record(&small(config(knobs.form)), knobs.seed, None, pass);
        let map = map_picture(&trace);
        let bench = bench_picture(&knobs);
        let pictures = [map, full::picture(knobs.seed)].into_iter().chain(bench);
        Ok(Run::new(trace, pictures.collect()).telling(facts(&knobs)))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let knobs: Knobs = settings.knobs();
        let count_of =
            |preset: &str| Some(count::tree(&(presets::find(preset)?.config)()).count as f64);
        let of = |part: &str| Some(knobs.tree().find(&[part])?.count as f64);
        let parted = |step: &str| {
            let parting = bench(&knobs)?.parting;
            Some(f64::from(parting.is_some_and(|p| p.step.ends_with(step))))
        };
        if let Some(inner) = name.strip_prefix("in_part_") {
            let tree = knobs.tree();
            let inner = knobs.part.of(&tree)?.find(&[inner])?;
            return Some((inner.times * inner.count) as f64);
        }
        match name {
            "total" => Some(knobs.tree().count as f64),
            "in_part" => Some(knobs.part.of(&knobs.tree())?.count as f64),
            "slope" | "start" => {
                let at = |words| count::tree(&Config::annotated(words, words)).count as f64;
                let slope = at(2) - at(1);
                Some(if name == "slope" {
                    slope
                } else {
                    at(1) - slope
                })
            }
            "encoder_side" => Some(of("src_embed")? + of("encoder")?),
            "decoder_side" => Some(of("tgt_embed")? + of("decoder")?),
            "generator_count" => of("generator"),
            "base" | "big" | "tiny" => count_of(name),
            "gigabytes" => Some((knobs.tree().count * TRAINING_BYTES) as f64 / 1e9),
            "gigabytes_17" => Some(17e9 * TRAINING_BYTES as f64 / 1e9),
            "normalised" => Some(f64::from(run.trace.find("generator.log_probs").is_some())),
            "parts_at_normal" => parted("layers.0.self_attn.normal"),
            "parts_at_query" => parted("layers.0.self_attn.query"),
            "parts_at_sinusoid" => parted("sinusoid"),
            "parts_nowhere" => Some(f64::from(bench(&knobs)?.parting.is_none())),
            "beta2_annotated" => Some(f64::from(RECIPES[0].beta2)),
            "beta2_tensorflow" => Some(f64::from(RECIPES[1].beta2)),
            "peak_annotated" => Some(RECIPES[0].peak(512)),
            "peak_tensorflow" => Some(RECIPES[1].peak(512)),
            "differences" => Some(DIFFERENCES.len() as f64),
            "distinct_words" => {
                let words = nonsense()[0]
                    .iter()
                    .map(|w| *w as u32)
                    .collect::<BTreeSet<_>>();
                Some(words.len() as f64)
            }
            _ => None,
        }
    }
}
