//! Lesson 06: where queries, keys and values come from.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::autograd::{Tape, Trace};
use crate::lesson;
use crate::lesson::measure::flag;
use crate::lesson::{Body, Fact, Facts, Lesson, Picture, Run, Settings, Stage, batch};
use crate::nn::multi_head_attention::MultiHeadAttention;
use crate::params::Params;
use crate::tensor::{Tensor, random};
use crate::text::sample::Language;

pub mod check;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

const D_MODEL: usize = 512;
const HEADS: usize = 8;

pub static LESSON: LazyLock<Lesson> = lesson!("06-three-uses", UsesStage, check::TASK);

struct UsesStage;

/// The lesson's knobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knobs {
    target: usize,
    source: usize,
    layers: usize,
    seed: u64,
}

fn record(knobs: &Knobs, uses: check::UsesFn) -> Trace {
    let (target, source) = (knobs.target, knobs.source);
    let mut params = Params::new(knobs.seed);
    let maps = check::three(&mut params, D_MODEL, HEADS);
    let further: Vec<(String, MultiHeadAttention)> = (1..knobs.layers)
        .map(|n| {
            let name = format!("cross{n}");
            let layer = check::attention(&mut params, &name, D_MODEL, HEADS);
            (name, layer)
        })
        .collect();
    let tape = Tape::eval(&params);
    let vectors = |of, length| batch::vectors(&tape, of, (length, D_MODEL), knobs.seed);
    let x = vectors(("source_vectors", Language::German), source);
    let y = vectors(("target_vectors", Language::English), target);
    let (src_mask, tgt_mask) = batch::masks(&tape, target, source);
    let used = uses(&maps, &x, &y, &src_mask, &tgt_mask);
    let (mut reader, memory) = (used.crossed.output, &used.memory.output);
    for (name, layer) in &further {
        let look = || layer.forward(&reader, memory, memory, Some(&src_mask));
        reader = tape.scoped(name, look).output;
    }
    batch::worded(tape.trace(), target, source)
}

/// Name of the tensor to which a projection was applied, for the step `mapped` of an attention.
fn made_of(trace: &Trace, mapped: &str) -> Option<String> {
    let mut step = trace.find(mapped)?;
    // Go from the sum with the bias to the product, and from there to its input.
    for _ in 0..2 {
        step = *trace.steps()[step].inputs().first()?;
    }
    Some(trace.steps()[step].name.clone())
}

/// Short checksum of a tensor's bits, equal for equal tensors.
fn checksum(x: &Tensor) -> String {
    let hash = random::fnv1a(x.data().iter().map(|x| x.to_bits()));
    format!("{:08x}", hash >> 32)
}

/// Names for readers of the tensors from which queries, keys and values are computed.
fn called(name: String) -> String {
    match &name[..] {
        "source_vectors" => "source".to_owned(),
        "target_vectors" => "target".to_owned(),
        "encoder.attended" => "memory".to_owned(),
        "decoder.attended" => "decoded".to_owned(),
        _ => name,
    }
}

/// One column per attention: what its queries, keys and values are computed from, and the shape of its weights.
fn uses(trace: &Trace) -> Body {
    let column = |scope: &'static str| {
        let made = |role: &str| made_of(trace, &format!("{scope}.{role}")).map(called);
        let weights = trace.tensor(&format!("{scope}.weights"))?;
        let [.., reading, sources] = weights.shape() else {
            return None;
        };
        let [query, key, value] = ["query", "key", "value"].map(made);
        Some((
            scope,
            [query?, key?, value?, format!("{reading} × {sources}")],
        ))
    };
    let columns = ["encoder", "decoder", "cross"]
        .into_iter()
        .filter_map(column);
    let columns: Vec<_> = columns.collect();
    let row = |(n, what): (usize, &str)| -> Vec<String> {
        let cells = columns.iter().map(|(_, cells)| cells[n].clone());
        [what.to_owned()].into_iter().chain(cells).collect()
    };
    let rows = ["queries", "keys", "values", "weights"];
    let rows = rows.into_iter().enumerate().map(row).collect();
    let scopes = columns.iter().map(|(scope, _)| *scope);
    let header: Vec<&str> = [""].into_iter().chain(scopes).collect();
    Body::table(&header, rows)
}

/// For each layer that reads the memory: its name, and the checksums of what its keys are computed from and of the
/// keys.
fn layers(trace: &Trace) -> Vec<[String; 3]> {
    let layer = |scope: &str| {
        let key = format!("{scope}.key");
        let print = |name: &str| trace.tensor(name).map(checksum);
        let memory = print(&made_of(trace, &key)?)?;
        Some([scope.to_owned(), memory, print(&key)?])
    };
    let scopes = ["cross", "cross1", "cross2", "cross3", "cross4", "cross5"];
    scopes.into_iter().filter_map(layer).collect()
}

impl Stage for UsesStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let trace = record(&settings.knobs(), check::TASK.chosen(settings));
        let layers = layers(&trace);
        let column = |n: usize| Fact::words(layers.iter().map(|layer| layer[n].clone()));
        let different = |n: usize| {
            layers
                .iter()
                .map(|layer| &layer[n])
                .collect::<BTreeSet<_>>()
        };
        let facts = Facts::default()
            .with("layer_names", column(0))
            .with("layer_memories", column(1))
            .with("layer_keys", column(2))
            .with("memories", different(1).len())
            .with("key_tensors", different(2).len());
        let uses = Picture::drawn("uses", uses(&trace));
        Ok(Run::new(trace, vec![uses]).telling(facts))
    }

    fn fact(&self, name: &str, run: &Run, _: &Settings) -> Option<f64> {
        let made_of = |mapped: &str| made_of(&run.trace, mapped);
        Some(match name {
            "cross_reads_memory" => flag(
                made_of("cross.key")? == "encoder.attended"
                    && made_of("cross.value")? == "encoder.attended",
            ),
            "cross_asks_own" => flag(made_of("cross.query")? == "decoder.attended"),
            _ => return None,
        })
    }
}
