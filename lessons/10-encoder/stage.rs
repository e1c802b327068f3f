//! Lesson 10: an encoder layer, and the stack.

use std::sync::LazyLock;
use std::sync::Mutex;

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::{Bar, Body, Lesson, Picture, Run, Settings, Stage};
use crate::nn::layer_norm::LayerNorm;
use crate::nn::masks;
use crate::nn::residual::NormPlace;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, BATCH, Language};
use crate::transformer::Config;
use crate::transformer::count;
use crate::transformer::encoder::{Encoder, encoder_layer};

pub mod check;
pub mod mistakes;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use mistakes::LayerFn;

const LAYERS: usize = 6;

/// Sentences of the stack's run: enough to see, few enough to be quick.
const FEW: usize = 2;

pub static LESSON: LazyLock<Lesson> = lesson!("10-encoder", EncoderStage::default(), check::TASK);

/// The weights of the last seed, which take longer to draw than to run.
#[derive(Default)]
struct EncoderStage {
    drawn: Mutex<Option<(u64, Params)>>,
}

fn config(settings: &Settings) -> Config {
    let norm_place = match settings.text("place") {
        "post" => NormPlace::Post,
        _ => NormPlace::Pre,
    };
    Config {
        norm_place,
        ..Config::annotated(30_000, 30_000)
    }
}

impl EncoderStage {
    /// The encoder's weights: all six layers, whatever is shown.
    fn params(&self, seed: u64) -> Params {
        let mut drawn = self.drawn.lock().unwrap_or_else(|e| e.into_inner());
        if let Some((of, params)) = drawn.as_ref().filter(|(of, _)| *of == seed) {
            debug_assert_eq!(*of, seed);
            return params.clone();
        }
        let mut params = Params::new(seed);
        Encoder::new(&mut params, &Config::annotated(1, 1));
        *drawn = Some((seed, params.clone()));
        params
    }

    fn record(&self, settings: &Settings) -> Trace {
        let (length, seed) = (settings.whole("source"), settings.whole("seed") as u64);
        let stack = settings.text("show") == "stack";
        let batch = if stack { FEW } else { BATCH };
        let params = self.params(seed);
        // The handles of the same construction; post-norm has the same weights but for the last norm.
        let config = config(settings);
        let encoder = Encoder::new(&mut Params::layout(), &Config::annotated(1, 1));
        let layer = on(settings);
        let tape = Tape::eval(&params);
        let ids = sample::ids(length, Language::German);
        let ids = Tensor::new(&[batch, length], ids.data()[..batch * length].to_vec());
        let src = tape.ids("src", ids, &["b", "s"]);
        let mask = masks::src_mask(&src);
        let x = random::normal(&[batch, length, config.d_model], 1.0, seed, "x");
        let mut x = tape.input("x", x, &["b", "s", "d"]);
        let shown = if stack { LAYERS } else { 1 };
        for (n, mut part) in encoder.layers.into_iter().take(shown).enumerate() {
            for sublayer in &mut part.sublayer {
                sublayer.place = config.norm_place;
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
        let last: Option<LayerNorm> = encoder.norm.filter(|_| stack);
        if let Some(norm) = last.filter(|_| config.norm_place == NormPlace::Pre) {
            let _ = norm.forward(&x).named("memory");
        }
        let words = sample::all_words(length, Language::German);
        tape.trace().label("s", words[..batch].to_vec())
    }
}

fn on(settings: &Settings) -> LayerFn {
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    on.map_or(encoder_layer, |(_, mistake)| mistake)
}

/// The size of the stream as it enters, and after each sublayer.
fn stream(trace: &Trace) -> Vec<(String, f64)> {
    let after = trace
        .steps()
        .iter()
        .filter(|s| s.op() == "add" && s.name.contains("residual"));
    let mut all: Vec<(String, f64)> = trace
        .tensor("x")
        .map(|x| ("x, as it enters".to_owned(), x.rms()))
        .into_iter()
        .collect();
    all.extend(after.map(|s| (s.name.replace(".residual", ""), s.value.rms())));
    all.extend(
        trace
            .tensor("memory")
            .map(|m| ("memory, after the last norm".to_owned(), m.rms())),
    );
    all
}

fn stream_picture(trace: &Trace) -> Picture {
    let all = stream(trace);
    let bar = |(label, value): &(String, f64)| Bar {
        label: label.clone(),
        value: *value,
        note: format!("{value:.3}"),
    };
    Picture {
        name: "stream",
        title: "The residual stream on its way up".to_owned(),
        says: match all.last() {
            Some((_, last)) if all.len() > 1 => {
                format!(
                    "Each sublayer adds to the stream; it begins at {:.3} and ends at {last:.3}.",
                    all[0].1
                )
            }
            _ => "There is no stream: nothing is added to what came before.".to_owned(),
        },
        body: Body::Bars {
            unit: "rms".to_owned(),
            bars: all.iter().map(bar).collect(),
            log: false,
        },
    }
}

impl Stage for EncoderStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let trace = self.record(settings);
        let pictures = vec![
            Picture::counted(
                "Where the encoder's parameters sit",
                &count::tree(&config(settings)),
                "encoder",
                "src_embed",
            ),
            stream_picture(&trace),
        ];
        Ok(Run {
            trace,
            pictures,
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let steps = || run.trace.steps().iter();
        let place = |word: &str| steps().position(|s| s.name.contains(word));
        if let Some(part) = name.strip_prefix("count_") {
            let model = count::tree(&config(settings));
            let count = |way: &[&str]| model.find(way).map(|p| p.count as f64);
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
        match name {
            "parameters" => {
                let leaves = steps().filter(|s| s.op() == "parameter");
                Some(leaves.map(|s| s.value.len()).sum::<usize>() as f64)
            }
            "first_sublayer" => {
                let (attention, ffn) = (place("self_attn.query"), place("feed_forward.inner"));
                Some(if attention < ffn || ffn.is_none() {
                    1.0
                } else {
                    2.0
                })
            }
            "residuals" => Some((stream(&run.trace).len() - 1) as f64),
            "norms" => Some(steps().filter(|s| s.name.ends_with("norm.scale")).count() as f64),
            "attentions" => Some(steps().filter(|s| s.op() == "softmax").count() as f64),
            "attention_is_read" => {
                let residual = run.trace.find("self_attn.residual")?;
                Some(f64::from(u8::from(
                    steps().any(|s| s.inputs().contains(&residual)),
                )))
            }
            "stream_first" => Some(stream(&run.trace).first()?.1),
            "stream_last" => Some(stream(&run.trace).last()?.1),
            "stream_before_norm" => {
                let all = stream(&run.trace);
                Some(all.get(all.len().checked_sub(2)?)?.1)
            }
            _ => None,
        }
    }
}
