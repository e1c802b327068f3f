//! Lesson 06: where queries, keys and values come from.

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::{Body, Lesson, Picture, Run, Settings, Stage};
use crate::nn::linear::Bias;
use crate::nn::masks;
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::nn::three_uses::{ThreeUses, three_uses};
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::{self, BATCH, Language};
use std::sync::LazyLock;

pub mod check;
pub mod mistakes;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

const D_MODEL: usize = 512;
const HEADS: usize = 8;

pub static LESSON: LazyLock<Lesson> = lesson!("06-three-uses", UsesStage, check::TASK);

struct UsesStage;

fn attention(params: &mut Params, name: &str) -> MultiHeadAttention {
    params.scoped(name, |p| {
        MultiHeadAttention::new(p, HEADS, D_MODEL, Bias::Uniform, 0.0)
    })
}

fn record(settings: &Settings) -> Trace {
    let (target, source) = (settings.whole("target"), settings.whole("source"));
    let seed = settings.whole("seed") as u64;
    let mut params = Params::new(seed);
    let maps = ThreeUses {
        encoder: attention(&mut params, "encoder"),
        decoder: attention(&mut params, "decoder"),
        cross: attention(&mut params, "cross"),
    };
    let further: Vec<MultiHeadAttention> = (2..=settings.whole("layers"))
        .map(|n| attention(&mut params, &format!("cross{n}")))
        .collect();
    let tape = Tape::eval(&params);
    let draw = |name: &str, length| random::normal(&[BATCH, length, D_MODEL], 1.0, seed, name);
    let x = tape.input("source_vectors", draw("source", source), &["b", "s", "d"]);
    let y = tape.input("target_vectors", draw("target", target), &["b", "t", "d"]);
    let src = tape.ids("src", sample::ids(source, Language::German), &["b", "s"]);
    let tgt = tape.ids("tgt", sample::ids(target, Language::English), &["b", "t"]);
    let (src_mask, tgt_mask) = (masks::src_mask(&src), masks::tgt_mask(&tgt));
    let on = mistakes::ALL
        .into_iter()
        .find(|(name, _)| settings.broken(name));
    let uses = on.map_or(three_uses as mistakes::UsesFn, |(_, mistake)| mistake);
    let used = uses(&maps, &x, &y, &src_mask, &tgt_mask);
    let mut asks = used.crossed.output;
    for (n, layer) in further.iter().enumerate() {
        let memory = &used.memory.output;
        asks = tape
            .scoped(&format!("cross{}", n + 2), || {
                layer.forward(&asks, memory, memory, Some(&src_mask))
            })
            .output;
    }
    tape.trace()
        .label("t", sample::all_words(target, Language::English))
        .label("s", sample::all_words(source, Language::German))
}

/// The step that a map of an attention was applied to: who made its keys, values or queries.
fn made_of(trace: &Trace, mapped: &str) -> Option<String> {
    let mut step = trace.find(mapped)?;
    // From the sum with the bias down to the product, and from there to what was multiplied.
    for _ in 0..2 {
        step = *trace.steps()[step].inputs().first()?;
    }
    Some(trace.steps()[step].name.clone())
}

/// A short fingerprint of a tensor's bits: equal tensors have equal ones.
fn fingerprint(x: &Tensor) -> String {
    let hash = random::fnv1a(x.data().iter().map(|x| x.to_bits()));
    format!("{:08x}", hash >> 32)
}

fn uses_picture(trace: &Trace) -> Picture {
    let rows = ["encoder", "decoder", "cross"].iter().filter_map(|scope| {
        let made = |role: &str| made_of(trace, &format!("{scope}.{role}"));
        let weights = trace.tensor(&format!("{scope}.weights"))?;
        let shape = format!("{:?}", weights.shape()).replace(['[', ']'], "");
        Some(vec![
            (*scope).to_owned(),
            made("query")?,
            made("key")?,
            made("value")?,
            shape,
        ])
    });
    Picture {
        name: "uses",
        title: "Who asks, who answers".to_owned(),
        says: "Read off the recorded run: the tensor that each attention's queries, keys and values were made of.".to_owned(),
        body: Body::Table {
            header: ["attention", "queries of", "keys of", "values of", "weights"]
                .map(String::from)
                .to_vec(),
            rows: rows.collect(),
        },
    }
}

/// For each layer that looks at the memory: what its keys are made of, and the keys.
fn layers(trace: &Trace) -> Vec<(String, String, String)> {
    let scopes = (1..=6).map(|n| {
        if n == 1 {
            "cross".to_owned()
        } else {
            format!("cross{n}")
        }
    });
    scopes
        .filter_map(|scope| {
            let from = made_of(trace, &format!("{scope}.key"))?;
            let key = trace.tensor(&format!("{scope}.key"))?;
            Some((scope, fingerprint(trace.tensor(&from)?), fingerprint(key)))
        })
        .collect()
}

fn memory_picture(trace: &Trace) -> Picture {
    let rows = layers(trace)
        .into_iter()
        .map(|(scope, memory, key)| vec![scope, memory, key]);
    Picture {
        name: "memory",
        title: "One memory, every layer's own keys".to_owned(),
        says: "Equal fingerprints are equal tensors, to the last bit. All layers read one memory; each makes keys of it with its own W_K.".to_owned(),
        body: Body::Table {
            header: ["layer", "memory that it reads", "keys that it makes"]
                .map(String::from)
                .to_vec(),
            rows: rows.collect(),
        },
    }
}

impl Stage for UsesStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let trace = record(settings);
        Ok(Run {
            pictures: vec![uses_picture(&trace), memory_picture(&trace)],
            trace,
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, _: &Settings) -> Option<f64> {
        let is = |yes: bool| Some(f64::from(u8::from(yes)));
        let different = |of: fn(&(String, String, String)) -> &String| {
            let mut all: Vec<String> = layers(&run.trace).iter().map(|l| of(l).clone()).collect();
            all.sort();
            all.dedup();
            Some(all.len() as f64)
        };
        match name {
            "cross_reads_memory" => is(made_of(&run.trace, "cross.key")? == "encoder.attended"
                && made_of(&run.trace, "cross.value")? == "encoder.attended"),
            "cross_asks_own" => is(made_of(&run.trace, "cross.query")? == "decoder.attended"),
            "memories" => different(|l| &l.1),
            "key_tensors" => different(|l| &l.2),
            _ => None,
        }
    }
}
