//! Lesson 11: a decoder layer.

use crate::autograd::{Tape, Trace};
use crate::lesson::{Exercise, Knob, Lesson, Picture, Run, Settings, Stage, leak};
use crate::nn::masks;
use crate::nn::residual::NormPlace;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, BATCH, Language, SHORT};
use crate::transformer::Config;
use crate::transformer::count;
use crate::transformer::decoder::{DecoderLayer, decoder_layer};

pub mod check;
pub mod mistakes;
#[path = "exercise.rs"]
mod starter;
mod switches;
#[cfg(test)]
mod tests;

use mistakes::LayerFn;

pub static LESSON: Lesson = Lesson {
    number: 11,
    name: "decoder",
    title: "The decoder",
    minutes: 25,
    needs: &["encoder"],
    gains: "You can write a decoder layer, prove that it sees no future, and say what it reads of the source.",
    text: include_str!("lesson.md"),
    quiz: include_str!("quiz.toml"),
    stage: || Box::new(DecoderStage),
    mistakes: &switches::MISTAKES,
    exercise: Some(Exercise {
        name: "decoder_layer",
        task: "Write a decoder layer: masked self-attention, attention to the memory, feed-forward.",
        starter: include_str!("exercise.rs"),
        solution: "src/transformer/decoder.rs:layer",
        hints: [
            "What does a word that is being written have to know: what was written, and what else?",
            "Three sublayers, each inside its residual connection. The second has two inputs: the decoder asks, the memory answers.",
            "layer.sublayer[1].forward(&x, |x| layer.src_attn.forward(x, memory, memory, Some(src_mask)).output)",
            "sublayer[0] with self_attn(x, x, x, tgt_mask), sublayer[1] with src_attn(x, memory, memory, src_mask), sublayer[2] with feed_forward.",
        ],
        why: "The target's mask is all that keeps training honest: with it, one pass trains every position at once, each on what it could have known.",
        reference: || check::check(decoder_layer),
        unsolved: || check::check(starter::decoder_layer),
    }),
};

struct DecoderStage;

fn config(settings: &Settings) -> Config {
    let norm_place = match settings.text("place") {
        "post" => NormPlace::Post,
        _ => NormPlace::Pre,
    };
    Config {
        norm_place,
        dropout: 0.0,
        ..Config::annotated(30_000, 30_000)
    }
}

/// The sound function, or the first mistake that is on.
fn on(settings: &Settings) -> LayerFn {
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    on.map_or(decoder_layer, |(_, mistake)| mistake)
}

fn record(settings: &Settings) -> Trace {
    let (target, source) = (settings.whole("target"), settings.whole("source"));
    let (seed, config) = (settings.whole("seed") as u64, config(settings));
    let mut params = Params::new(seed);
    let layer = DecoderLayer::new(&mut params, &config);
    let tape = Tape::eval(&params);
    let src = tape.ids("src", sample::ids(source, Language::German), &["b", "s"]);
    let tgt = tape.ids("tgt", sample::ids(target, Language::English), &["b", "t"]);
    let (src_mask, tgt_mask) = (masks::src_mask(&src), masks::tgt_mask(&tgt));
    let draw =
        |name: &str, length| random::normal(&[BATCH, length, config.d_model], 1.0, seed, name);
    let x = tape.input("x", draw("x", target), &["b", "t", "d"]);
    let memory = tape.input("memory", draw("memory", source), &["b", "s", "d"]);
    on(settings)(&layer, &x, &memory, &src_mask, &tgt_mask);
    tape.trace()
        .label("t", sample::all_words(target, Language::English))
        .label("s", sample::all_words(source, Language::German))
}

/// How much each output position of the layer depends on each target position, and which it may;
/// measured on a narrow layer, as walking back from every output costs too much at full width. A mask
/// leaks at any width or at none.
fn leaks(settings: &Settings) -> (Tensor, Tensor) {
    let (target, source) = (settings.whole("target"), settings.whole("source"));
    let config = config(settings).sized(1, 4, 8, 2);
    let mut params = Params::new(settings.whole("seed") as u64);
    let layer = DecoderLayer::new(&mut params, &config);
    let tape = Tape::eval(&params);
    let one = |ids: Tensor, length: usize| {
        let row = ids.data()[SHORT * length..(SHORT + 1) * length].to_vec();
        Tensor::new(&[1, length], row)
    };
    let src = one(sample::ids(source, Language::German), source);
    let tgt = one(sample::ids(target, Language::English), target);
    let (src, tgt) = (
        tape.ids("src", src, &["b", "s"]),
        tape.ids("tgt", tgt, &["b", "t"]),
    );
    let (src_mask, tgt_mask) = (masks::src_mask(&src), masks::tgt_mask(&tgt));
    let draw = |name: &str, length| random::normal(&[1, length, 4], 1.0, 3, name);
    let x = tape.input("x", draw("x", target), &["b", "t", "d"]);
    let memory = tape.input("memory", draw("memory", source), &["b", "s", "d"]);
    let y = on(settings)(&layer, &x, &memory, &src_mask, &tgt_mask);
    let past = Tensor::from_fn(&[target, target], |i| f32::from(u8::from(i[1] <= i[0])));
    (leak::influence(&y, &x, 0), past)
}

impl Stage for DecoderStage {
    fn knobs(&self) -> &'static [Knob] {
        &switches::KNOBS
    }

    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let trace = record(settings);
        let target = settings.whole("target");
        let (influence, allowed) = leaks(settings);
        let words = sample::words(SHORT, target, Language::English);
        let why = |_: usize, _: usize| "future".to_owned();
        let meter = leak::picture(&influence, &allowed, (&words, &words), why);
        Ok(Run {
            pictures: vec![
                meter,
                Picture::counted(
                    "Where the decoder's parameters sit",
                    &count::tree(&config(settings)),
                    "decoder",
                    "tgt_embed",
                ),
            ],
            leak: Some(leak::largest(&influence, &allowed)),
            trace,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let steps = || run.trace.steps().iter();
        if let Some(part) = name.strip_prefix("count_") {
            let model = count::tree(&config(settings));
            let count = |way: &[&str]| model.find(way).map(|p| p.count as f64);
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
        match name {
            "leak" => run.leak.map(f64::from),
            "parameters" => {
                let leaves = steps().filter(|s| s.op() == "parameter");
                Some(leaves.map(|s| s.value.len()).sum::<usize>() as f64)
            }
            "reads_memory" => {
                let memory = run.trace.find("memory")?;
                Some(f64::from(u8::from(
                    steps().any(|s| s.inputs().contains(&memory)),
                )))
            }
            "cross_first" => {
                let place = |word: &str| steps().position(|s| s.name.starts_with(word));
                Some(f64::from(u8::from(
                    place("src_attn.")? < place("self_attn.")?,
                )))
            }
            "norms" => Some(steps().filter(|s| s.name.ends_with("norm.scale")).count() as f64),
            "residuals" => Some(
                steps()
                    .filter(|s| s.op() == "add" && s.name.contains("residual"))
                    .count() as f64,
            ),
            _ => None,
        }
    }
}
