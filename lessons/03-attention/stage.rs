//! Lesson 03: scaled dot-product attention at the standard sizes.

use std::sync::LazyLock;

use crate::autograd::Trace;
use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage, leak};

pub mod check;
mod experiments;
mod half;
mod pictures;
mod race;
mod record;
#[cfg(test)]
mod refused;
#[path = "more/softmax/check.rs"]
pub mod softmax;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use experiments::{HARDNESS, Hardness, ROOTS};
use race::Kind;

pub static LESSON: LazyLock<Lesson> =
    lesson!("03-attention", AttentionStage, check::TASK; "softmax" => softmax::TASK);

struct AttentionStage;

impl Stage for AttentionStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let recorded = record::record(settings)?;
        let leak = recorded.leak.as_ref();
        Ok(Run {
            pictures: pictures::all(&recorded),
            leak: leak.map(|l| leak::largest(&l.influence, &l.allowed)),
            trace: recorded.trace,
            ..Run::default()
        })
    }

    fn fact(&self, name: &str, run: &Run, _: &Settings) -> Option<f64> {
        match FACTS.iter().find(|(fact, _)| *fact == name) {
            Some((_, fact)) => fact(run),
            None => fact_of_size(name),
        }
    }
}

/// A fact of a run, or of experiments that are the same in every run.
type Fact = fn(&Run) -> Option<f64>;

/// The facts with a name of their own.
const FACTS: [(&str, Fact); 20] = [
    (
        "width",
        |run| Some(run.trace.tensor("query")?.last() as f64),
    ),
    ("leak", |run| run.leak.map(f64::from)),
    ("dropped_share", |run| dropped_share(&run.trace)),
    ("form_difference", |run| {
        Some(pictures::form_difference(&run.trace)?.0)
    }),
    ("form_largest", |run| {
        Some(pictures::form_difference(&run.trace)?.1)
    }),
    ("token_before", |_| Some(ROOTS.token.0)),
    ("token_after", |_| Some(ROOTS.token.1)),
    ("position_rms", |_| Some(ROOTS.position)),
    ("entropy_run", |run| Some(hardness(run)?.entropy)),
    ("slope_run", |run| Some(hardness(run)?.slope)),
    ("largest_run", |run| Some(hardness(run)?.largest)),
    ("entropy_undivided", |_| Some(HARDNESS[0].entropy)),
    ("slope_undivided", |_| Some(HARDNESS[0].slope)),
    ("largest_undivided", |_| Some(HARDNESS[0].largest)),
    ("entropy_divided", |_| Some(HARDNESS[1].entropy)),
    ("slope_divided", |_| Some(HARDNESS[1].slope)),
    ("largest_divided", |_| Some(HARDNESS[1].largest)),
    ("entropy_by_model", |_| Some(HARDNESS[2].entropy)),
    ("slope_by_model", |_| Some(HARDNESS[2].slope)),
    ("largest_by_model", |_| Some(HARDNESS[2].largest)),
];

/// Hardness of the weights of a run.
fn hardness(run: &Run) -> Option<Hardness> {
    Some(Hardness::of(run.trace.tensor("weights")?))
}

/// A fact whose name ends in the sizes that it is about: `scaled_64`, `saturated_8_0`, `bytes_dot_30`.
fn fact_of_size(name: &str) -> Option<f64> {
    let (word, sizes) = name.split_once('_')?;
    match word {
        "half" | "full" => {
            let round = if word == "half" {
                half::half
            } else {
                half::full
            };
            half::computed(sizes, round).map(f64::from)
        }
        "unscaled" | "scaled" => {
            let mut widths = experiments::WIDTHS.iter();
            let place = widths.position(|width| width.to_string() == sizes)?;
            let (plain, scaled) = experiments::SPREAD[place];
            Some(if word == "scaled" { scaled } else { plain })
        }
        "saturated" => {
            let (factor, place) = sizes.split_once('_')?;
            let (weights, _) = experiments::saturated(factor.parse().ok()?);
            let weight = weights.get(place.parse::<usize>().ok()?);
            weight.map(|&p| f64::from(p))
        }
        "jacobian" => Some(experiments::saturated(sizes.parse().ok()?).1.into()),
        "bytes" => {
            let (kind, n) = sizes.split_once('_')?;
            let kind = match kind {
                "dot" => Kind::DotProduct,
                "additive" => Kind::Additive,
                _ => return None,
            };
            // Above 300 a fact would take seconds and half a gigabyte; the race covers those sizes.
            let n = n.parse().ok().filter(|n| *n <= 300)?;
            Some(race::cost(n, kind).bytes as f64)
        }
        _ => None,
    }
}

/// Proportion of the nonzero weights that did not reach the values.
fn dropped_share(trace: &Trace) -> Option<f64> {
    let weights = trace.tensor("weights")?;
    let context = &trace.steps()[trace.find("context")?];
    let mixed = &trace.steps()[context.inputs()[0]].value;
    let pairs = || weights.data().iter().zip(mixed.data());
    let open = || pairs().filter(|(w, _)| **w > 0.0);
    let dropped = open().filter(|(_, m)| **m == 0.0).count();
    Some(dropped as f64 / open().count() as f64)
}
