//! Lesson 13: the whole model, its map, its parameters, and its two forms side by side.

use crate::autograd::{Nature, Tape, Trace};
use crate::decode::greedy::greedy;
use crate::lesson;
use crate::lesson::{Bar, Body, Lesson, Picture, Run, Settings, Stage};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::train::schedule::RECIPES;
use crate::transformer::count::{self, Part, TRAINING_BYTES};
use crate::transformer::variants::{self, DIFFERENCES, Parting};
use crate::transformer::{Config, Transformer, pass, presets};
use crate::widgets::number::grouped;
use std::sync::LazyLock;

pub mod check;
pub mod full;
pub mod mistakes;
mod plan;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

pub static LESSON: LazyLock<Lesson> = lesson!("13-model", ModelStage, check::TASK);

/// A model small enough to see through.
const LAYERS: usize = 2;
const WORDS: usize = 11;

struct ModelStage;

fn small(config: Config) -> Config {
    config.sized(LAYERS, 16, 32, 4)
}

fn form(settings: &Settings) -> Config {
    small(match settings.text("form") {
        "tensorflow" => Config::tensorflow(WORDS),
        "paper" => Config::paper(WORDS),
        _ => Config::annotated(WORDS, WORDS),
    })
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
    run: mistakes::PassFn,
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

/// The Annotated Transformer beside itself with one choice of another form, with one set of weights:
/// both runs, and where they part.
struct Bench {
    one: Trace,
    other: Trace,
    parting: Option<Parting>,
}

fn bench(settings: &Settings) -> Option<Bench> {
    let difference = DIFFERENCES
        .iter()
        .find(|d| d.name == settings.text("difference"))?;
    let base = small(Config::annotated(WORDS, WORDS));
    let mut changed = base.clone();
    let from = if difference.name == "place" {
        Config::paper(WORDS)
    } else {
        Config::tensorflow(WORDS)
    };
    (difference.adopt)(&mut changed, &from);
    let seed = settings.whole("seed") as u64;
    let (weights, one) = record(&base, seed, None, pass);
    let (_, other) = record(&changed, seed, Some(&weights), pass);
    let parting = variants::parting(&one, &other);
    Some(Bench {
        one,
        other,
        parting,
    })
}

fn bench_pictures(settings: &Settings) -> Vec<Picture> {
    let rows = DIFFERENCES.iter().map(|d| {
        let at = |config: &Config| (d.choice)(config).to_owned();
        vec![
            d.name.to_owned(),
            at(&Config::annotated(WORDS, WORDS)),
            at(&Config::tensorflow(WORDS)),
        ]
    });
    let table = Picture::table(
        "differences",
        "In what the two forms differ",
        "Read off the two configurations. The knob difference puts one row's right choice into the left model.",
        &["", "Annotated Transformer", "TensorFlow's official"],
        rows.collect(),
    );
    let Some(bench) = bench(settings) else {
        return vec![table];
    };
    let difference = DIFFERENCES
        .iter()
        .find(|d| d.name == settings.text("difference"));
    let why = difference.map_or("", |d| d.why);
    let says = match &bench.parting {
        Some(p) => format!(
            "One set of weights, one choice changed. All steps are equal up to {}, where {:?} is {} here and {} there. {why}",
            p.step, p.index, p.values.0, p.values.1
        ),
        None => format!("One set of weights, one choice changed: no step differs. {why}"),
    };
    let name = bench
        .parting
        .as_ref()
        .map_or("generator.log_probs", |p| &p.step);
    let mut pictures = vec![table];
    if let (Some(a), Some(b)) = (bench.one.tensor(name), bench.other.tensor(name)) {
        pictures.push(side_by_side(name, says, a, b));
    }
    pictures
}

/// Two tensors under one cursor: the difference drawn, both values said of each cell.
fn side_by_side(name: &str, says: String, a: &Tensor, b: &Tensor) -> Picture {
    let columns = a.last();
    let rows = (a.len() / columns.max(1)).min(64);
    let same = a.shape() == b.shape();
    let cell = |i: &[usize]| i[0] * columns + i[1];
    let apart = |i: &[usize]| {
        if same {
            a.data()[cell(i)] - b.data()[cell(i)]
        } else {
            0.0
        }
    };
    let note = |row: usize, column: usize| {
        let at = row * columns + column;
        let there = if same {
            format!("{}", b.data()[at])
        } else {
            "another shape".to_owned()
        };
        format!("here {}, there {there}", a.data()[at])
    };
    Picture::new(
        "bench",
        format!("{name}: here minus there"),
        says,
        Body::Matrix {
            values: Tensor::from_fn(&[rows, columns], apart),
            nature: Nature::Signed,
            rows: ("row".to_owned(), Vec::new()),
            columns: ("channel".to_owned(), Vec::new()),
            notes: (0..rows)
                .map(|r| (0..columns).map(|c| note(r, c)).collect())
                .collect(),
        },
    )
}

fn tree(settings: &Settings) -> Part {
    let words = settings.whole("vocab");
    count::tree(&Config::annotated(words, words))
}

fn count_picture(settings: &Settings) -> Picture {
    let model = tree(settings);
    let mut bars = Vec::new();
    let mut bar = |label: String, parameters: usize| {
        let share = 100.0 * parameters as f64 / model.count as f64;
        bars.push(Bar::new(
            label,
            parameters as f64,
            format!("{}  {share:.1} %", grouped(parameters as u64)),
        ));
    };
    for part in &model.parts {
        bar(part.name.clone(), part.count);
        for layer in part.parts.iter().filter(|p| !p.parts.is_empty()) {
            for inner in &layer.parts {
                let all = layer.times * inner.times * inner.count;
                bar(format!("  of it {}", inner.name), all);
            }
        }
    }
    let bytes = (model.count * TRAINING_BYTES) as f64 / 1e9;
    Picture::new(
        "count",
        format!("{} parameters", grouped(model.count as u64)),
        format!(
            "{} words in each language. Training with Adam in f32 holds 16 bytes for each parameter: {bytes:.2} GB. Turn vocab until it passes 100 million.",
            grouped(settings.whole("vocab") as u64)
        ),
        Body::bars("parameters", bars),
    )
}

fn map_picture(trace: &Trace) -> Picture {
    let map = plan::map(LAYERS, &plan::names(trace), Some(trace));
    Picture::new(
        "map",
        "The map: encoder left, decoder right, from below",
        "Each box has its lesson's number, and opens its tensor with Enter. The picture full runs the model at full size.",
        Body::Map(map),
    )
}

/// What untrained models make of 2 3 4 5 6, one for each of five seeds.
fn nonsense() -> Vec<Vec<f32>> {
    (1..=5)
        .map(|seed| {
            let mut params = Params::new(seed);
            let model = Transformer::new(&mut params, &small(Config::annotated(WORDS, WORDS)));
            let src = Tensor::new(&[1, 5], vec![2.0, 3.0, 4.0, 5.0, 6.0]);
            greedy(&model, &params, &src, 1.0, 8).data().to_vec()
        })
        .collect()
}

fn nonsense_picture() -> Picture {
    let words = |ids: &Vec<f32>| {
        ids.iter()
            .map(|id| format!("{id}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let rows = nonsense()
        .iter()
        .enumerate()
        .map(|(n, ids)| vec![format!("{}", n + 1), words(ids)])
        .collect();
    Picture::new(
        "nonsense",
        "What untrained models make of 2 3 4 5 6",
        "Eight words each, the likeliest at every step. Most fall into a loop: nothing has been learned yet.",
        Body::Table {
            header: vec!["seed".to_owned(), "words".to_owned()],
            rows,
        },
    )
}

impl Stage for ModelStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let on = mistakes::ALL
            .into_iter()
            .find(|(name, _)| settings.broken(name));
        let run = on.map_or(pass as mistakes::PassFn, |(_, mistake)| mistake);
        let seed = settings.whole("seed") as u64;
        let (_, trace) = record(&form(settings), seed, None, run);
        let mut pictures = vec![
            map_picture(&trace),
            full::picture(seed),
            count_picture(settings),
        ];
        pictures.extend(bench_pictures(settings));
        pictures.push(nonsense_picture());
        Ok(Run::new(trace, pictures))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let count_of =
            |preset: &str| Some(count::tree(&(presets::find(preset)?.config)()).count as f64);
        let parted = |step: &str| {
            let parting = bench(settings)?.parting;
            Some(f64::from(parting.is_some_and(|p| p.step.ends_with(step))))
        };
        match name {
            "total" => Some(tree(settings).count as f64),
            "slope" | "start" => {
                let at = |words| count::tree(&Config::annotated(words, words)).count as f64;
                let slope = at(2) - at(1);
                Some(if name == "slope" {
                    slope
                } else {
                    at(1) - slope
                })
            }
            "encoder_side" => Some(
                (tree(settings).find(&["src_embed"])?.count
                    + tree(settings).find(&["encoder"])?.count) as f64,
            ),
            "decoder_side" => Some(
                (tree(settings).find(&["tgt_embed"])?.count
                    + tree(settings).find(&["decoder"])?.count) as f64,
            ),
            "generator_count" => Some(tree(settings).find(&["generator"])?.count as f64),
            "base" | "big" | "tiny" => count_of(name),
            "gigabytes" => Some((tree(settings).count * TRAINING_BYTES) as f64 / 1e9),
            "gigabytes_17" => Some(17e9 * TRAINING_BYTES as f64 / 1e9),
            "normalised" => Some(f64::from(run.trace.find("generator.log_probs").is_some())),
            "parts_at_normal" => parted("layers.0.self_attn.normal"),
            "parts_at_query" => parted("layers.0.self_attn.query"),
            "parts_at_sinusoid" => parted("sinusoid"),
            "parts_nowhere" => Some(f64::from(bench(settings)?.parting.is_none())),
            "beta2_annotated" => Some(f64::from(RECIPES[0].beta2)),
            "beta2_tensorflow" => Some(f64::from(RECIPES[1].beta2)),
            "peak_annotated" => Some(RECIPES[0].peak(512)),
            "peak_tensorflow" => Some(RECIPES[1].peak(512)),
            "differences" => Some(DIFFERENCES.len() as f64),
            "distinct_words" => {
                let mut words: Vec<u32> = nonsense()[0].iter().map(|w| *w as u32).collect();
                words.sort_unstable();
                words.dedup();
                Some(words.len() as f64)
            }
            _ => None,
        }
    }
}
