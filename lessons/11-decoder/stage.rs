//! Lesson 11: a decoder layer.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::measure::{count, flag, parameters};
use crate::lesson::{Lesson, Picture, Run, Settings, Stage, batch, leak};
use crate::nn::masks;
use crate::nn::residual::NormPlace;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, Language, SHORT};
use crate::transformer::decoder::DecoderLayer;
use crate::transformer::{Config, count as counted};

pub mod check;
#[path = "exercise.rs"]
mod starter;

use check::LayerFn;

pub static LESSON: LazyLock<Lesson> = lesson!("11-decoder", DecoderStage, check::TASK);

struct DecoderStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    place: NormPlace,
    target: usize,
    source: usize,
    seed: u64,
}

impl Knobs {
    fn config(&self) -> Config {
        Config {
            norm_place: self.place,
            dropout: 0.0,
            ..Config::annotated(30_000, 30_000)
        }
    }
}

fn record(knobs: &Knobs, layer_fn: LayerFn) -> Trace {
    let (target, source, config) = (knobs.target, knobs.source, knobs.config());
    let mut params = Params::new(knobs.seed);
    let layer = DecoderLayer::new(&mut params, &config);
    let tape = Tape::eval(&params);
    let (src_mask, tgt_mask) = batch::masks(&tape, target, source);
    let draw = |of, length| batch::vectors(&tape, of, (length, config.d_model), knobs.seed);
    let x = draw(("x", Language::English), target);
    // Use the vectors that an encoder would start from; its output has the same shape.
    let memory = draw(("memory", Language::German), source);
    layer_fn(&layer, &x, &memory, &src_mask, &tgt_mask);
    batch::worded(tape.trace(), target, source)
}

/// How strongly each output position of the layer depends on each target position, and where it may. Measured on a
/// narrow layer, because a backward pass from every output would cost too much at full width, and whether a mask leaks
/// does not depend on the width.
fn leaks(knobs: &Knobs, layer_fn: LayerFn) -> (Tensor, Tensor) {
    let (target, source) = (knobs.target, knobs.source);
    let config = knobs.config().sized(1, 4, 8, 2);
    let mut params = Params::new(knobs.seed);
    let layer = DecoderLayer::new(&mut params, &config);
    let tape = Tape::eval(&params);
    let one = |name, ids: Tensor, axis| {
        let length = ids.last();
        let row = ids.data()[SHORT * length..(SHORT + 1) * length].to_vec();
        tape.ids(name, Tensor::new(&[1, length], row), &["b", axis])
    };
    let src = one("src", sample::ids(source, Language::German), "s");
    let tgt = one("tgt", sample::ids(target, Language::English), "t");
    let (src_mask, tgt_mask) = (masks::src_mask(&src), masks::tgt_mask(&tgt));
    let draw = |name: &str, length| random::normal(&[1, length, 4], 1.0, 3, name);
    let x = tape.input("x", draw("x", target), &["b", "t", "d"]);
    let memory = tape.input("memory", draw("memory", source), &["b", "s", "d"]);
    let y = layer_fn(&layer, &x, &memory, &src_mask, &tgt_mask);
    let past = Tensor::from_fn(&[target, target], |i| f32::from(u8::from(i[1] <= i[0])));
    (leak::influence(&y, &x, 0), past)
}

impl Stage for DecoderStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let (knobs, layer_fn): (Knobs, _) = (settings.knobs(), check::TASK.chosen(settings));
        let trace = record(&knobs, layer_fn);
        let (influence, allowed) = leaks(&knobs, layer_fn);
        let words = sample::words(SHORT, knobs.target, Language::English);
        let why = |_: usize, _: usize| "future".to_owned();
        let meter = leak::picture(&influence, &allowed, (&words, &words), why);
        let model = counted::tree(&knobs.config());
        let count = Picture::counted(&model, "decoder", "tgt_embed");
        Ok(Run {
            leak: Some(leak::largest(&influence, &allowed)),
            ..Run::new(trace, vec![meter, count])
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        if let Some(part) = name.strip_prefix("count_") {
            let model = counted::tree(&settings.knobs::<Knobs>().config());
            let count = |path: &[&str]| model.find(path).map(|p| p.count as f64);
            return match part {
                "attentions" => Some(2.0 * count(&["decoder", "layer", "self_attn"])?),
                "ffn" => count(&["decoder", "layer", "feed_forward"]),
                "norms" => Some(3.0 * count(&["decoder", "layer", "norm"])?),
                "layer" => count(&["decoder", "layer"]),
                "decoder" => count(&["decoder"]),
                "with_table" => Some(count(&["decoder"])? + count(&["tgt_embed"])?),
                _ => None,
            };
        }
        let steps = run.trace.steps();
        match name {
            "leak" => run.leak.map(f64::from),
            "parameters" => Some(parameters(&run.trace)),
            "reads_memory" => {
                let memory = run.trace.find("memory")?;
                Some(flag(steps.iter().any(|s| s.inputs().contains(&memory))))
            }
            "cross_first" => {
                let index_of = |word: &str| steps.iter().position(|s| s.name.starts_with(word));
                Some(flag(index_of("src_attn.")? < index_of("self_attn.")?))
            }
            "norms" => Some(count(&run.trace, |s| s.name.ends_with("norm.scale"))),
            "residuals" => Some(count(&run.trace, |s| {
                s.op() == "add" && s.name.contains("residual")
            })),
            _ => None,
        }
    }
}
