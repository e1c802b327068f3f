//! Lesson 10: an encoder layer, and the stack.

use std::sync::{LazyLock, Mutex};

use serde::Deserialize;

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::measure::{count, flag, parameters};
use crate::lesson::{Facts, Lesson, Picture, Run, Settings, Stage, batch};
use crate::nn::masks;
use crate::nn::residual::NormPlace;
use crate::params::Params;
use crate::tensor::Tensor;
use crate::tensor::threads::lock;
use crate::text::sample::{self, BATCH, Language};
use crate::transformer::encoder::Encoder;
use crate::transformer::{Config, count as counted};

pub mod check;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use check::LayerFn;

const LAYERS: usize = 6;

/// Sentences in the stack's run: enough to see an effect, few enough to be quick.
const FEW: usize = 2;

pub static LESSON: LazyLock<Lesson> = lesson!("10-encoder", EncoderStage::default(), check::TASK);

/// Weights for the last seed, which take longer to draw than to run.
#[derive(Default)]
struct EncoderStage {
    drawn: Mutex<Option<(u64, Params)>>,
}

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    show: Show,
    source: usize,
    place: NormPlace,
    seed: u64,
}

/// One layer, or all six.
#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Show {
    Layer,
    Stack,
}

impl Knobs {
    fn config(&self) -> Config {
        Config {
            norm_place: self.place,
            ..Config::annotated(30_000, 30_000)
        }
    }
}

impl EncoderStage {
    /// Weights of the encoder: all six layers, whatever is shown.
    fn params(&self, seed: u64) -> Params {
        let mut drawn = lock(&self.drawn);
        if let Some((_, params)) = drawn.as_ref().filter(|(of, _)| *of == seed) {
            return params.clone();
        }
        let mut params = Params::new(seed);
        Encoder::new(&mut params, &Config::annotated(1, 1));
        *drawn = Some((seed, params.clone()));
        params
    }

    fn record(&self, knobs: &Knobs, layer: LayerFn) -> Trace {
        let (length, place) = (knobs.source, knobs.place);
        let stack = knobs.show == Show::Stack;
        let (rows, shown) = if stack { (FEW, LAYERS) } else { (BATCH, 1) };
        let params = self.params(knobs.seed);
        // Take the handles from the same construction; post-norm has the same weights except those of the last
        // LayerNorm.
        let config = Config::annotated(1, 1);
        let encoder = Encoder::new(&mut Params::layout(), &config);
        let tape = Tape::eval(&params);
        let ids = sample::ids(length, Language::German);
        let ids = Tensor::new(&[rows, length], ids.data()[..rows * length].to_vec());
        let src = tape.ids("src", ids, &["b", "s"]);
        let mask = masks::src_mask(&src);
        let sizes = (length, config.d_model);
        let x = batch::embedded(Language::German, sizes, knobs.seed);
        let x = x.data()[..rows * length * config.d_model].to_vec();
        let x = Tensor::new(&[rows, length, config.d_model], x);
        let mut x = tape.input("x", x, &["b", "s", "d"]);
        for (n, mut part) in encoder.layers.into_iter().take(shown).enumerate() {
            for sublayer in &mut part.sublayer {
                sublayer.place = place;
                sublayer.dropout = 0.0;
            }
            part.self_attn.dropout = 0.0;
            part.feed_forward.dropout = 0.0;
            let run = || layer(&part, &x, &mask);
            x = if stack {
                tape.scoped(&format!("layers.{n}"), run)
            } else {
                run()
            };
        }
        if let Some(norm) = encoder.norm.filter(|_| stack && place == NormPlace::Pre) {
            let _ = norm.forward(&x).named("memory");
        }
        let words = sample::all_words(length, Language::German);
        tape.trace().label("s", words[..rows].to_vec())
    }
}

/// RMS of the residual stream as it enters, and after each sublayer.
fn stream(trace: &Trace) -> Vec<(String, f64)> {
    let named = |name: &str, says: &str| Some((says.to_owned(), trace.tensor(name)?.rms()));
    let steps = trace.steps().iter();
    let after = steps.filter(|s| s.op() == "add" && s.name.contains("residual"));
    let after = after.map(|s| (short(&s.name), s.value.rms()));
    let first = named("x", "x").into_iter();
    let last = named("memory", "memory");
    first.chain(after).chain(last).collect()
}

/// Layer and sublayer of a residual's step: `0 attention` for `layers.0.self_attn.residual`.
fn short(residual: &str) -> String {
    residual
        .replace(".residual", "")
        .replace("layers.", "")
        .replace("self_attn", "attention")
        .replace("feed_forward", "feed-forward")
        .replace('.', " ")
}

impl Stage for EncoderStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let trace = self.record(&knobs, check::TASK.chosen(settings));
        let model = counted::tree(&knobs.config());
        let count = Picture::counted(&model, "encoder", "src_embed");
        let (places, stream): (Vec<String>, Vec<f64>) = stream(&trace).into_iter().unzip();
        let facts = Facts::default()
            .with("residuals", stream.len() - 1)
            .with("stream_first", stream[0])
            .with("stream_before_norm", stream[stream.len().saturating_sub(2)])
            .with("stream_last", stream[stream.len() - 1])
            .with("stream", stream)
            .with("stream_places", places);
        Ok(Run::new(trace, vec![count]).telling(facts))
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let trace = &run.trace;
        if let Some(part) = name.strip_prefix("count_") {
            let model = counted::tree(&settings.knobs::<Knobs>().config());
            let count = |path: &[&str]| model.find(path).map(|p| p.count as f64);
            return match part {
                "attention" => count(&["encoder", "layer", "self_attn"]),
                "ffn" => count(&["encoder", "layer", "feed_forward"]),
                "norms" => Some(2.0 * count(&["encoder", "layer", "norm"])?),
                "layer" => count(&["encoder", "layer"]),
                "encoder" => count(&["encoder"]),
                "table" => count(&["src_embed"]),
                "with_table" => Some(count(&["encoder"])? + count(&["src_embed"])?),
                _ => None,
            };
        }
        let index_of = |word: &str| trace.steps().iter().position(|s| s.name.contains(word));
        Some(match name {
            "parameters" => parameters(trace),
            "first_sublayer" => {
                let (attention, ffn) =
                    (index_of("self_attn.query"), index_of("feed_forward.inner"));
                2.0 - flag(attention < ffn || ffn.is_none())
            }
            "norms" => count(trace, |s| s.name.ends_with("norm.scale")),
            "attentions" => count(trace, |s| s.op() == "softmax"),
            "attention_is_read" => {
                let residual = trace.find("self_attn.residual")?;
                flag(count(trace, |s| s.inputs().contains(&residual)) > 0.0)
            }
            _ => return None,
        })
    }
}
