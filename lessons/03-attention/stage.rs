//! Lesson 03: scaled dot-product attention at the standard sizes.

use std::sync::LazyLock;

use crate::autograd::Trace;
use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage, leak};

pub mod check;
mod experiments;
mod half;
pub mod mistakes;
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

use experiments::Hardness;
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
            note: None,
            leak: leak.map(|l| leak::largest(&l.influence, &l.allowed)),
            trace: recorded.trace,
        })
    }

    fn fact(&self, name: &str, run: &Run, _: &Settings) -> Option<f64> {
        let hard = |name: &str, of: Hardness| match name {
            "entropy" => Some(of.entropy),
            "slope" => Some(of.slope),
            "largest" => Some(of.largest),
            _ => None,
        };
        match name {
            "width" => return Some(run.trace.tensor("query")?.last() as f64),
            "leak" => return run.leak.map(f64::from),
            "dropped_share" => return dropped_share(&run.trace),
            _ => {}
        }
        let (word, rest) = name.split_once('_')?;
        match (word, rest) {
            ("form", "difference") => Some(pictures::form_difference(&run.trace)?.0),
            ("form", "largest") => Some(pictures::form_difference(&run.trace)?.1),
            ("half", "before") => Some(f64::from(half::divided_before(half::half))),
            ("half", "sum") => Some(f64::from(half::sum(half::half))),
            ("full", "after") => Some(f64::from(half::divided_after(half::full))),
            ("full", "exponential") => Some(f64::from(half::exponential(half::full))),
            ("token", "before") => Some(experiments::ROOTS.token.0),
            ("token", "after") => Some(experiments::ROOTS.token.1),
            ("position", "rms") => Some(experiments::ROOTS.position),
            (_, "run") => hard(word, Hardness::of(run.trace.tensor("weights")?)),
            (_, "undivided") => hard(word, experiments::HARDNESS[0]),
            (_, "divided") => hard(word, experiments::HARDNESS[1]),
            (_, "by_model") => hard(word, experiments::HARDNESS[2]),
            ("unscaled" | "scaled", d_k) => {
                let mut widths = experiments::WIDTHS.iter();
                let index = widths.position(|w| w.to_string() == d_k)?;
                let (plain, scaled) = experiments::SPREAD[index];
                Some(if word == "scaled" { scaled } else { plain })
            }
            ("saturated", _) => {
                let (factor, statistic) = rest.split_once('_')?;
                let (weights, _) = experiments::saturated(factor.parse().ok()?);
                let weight = weights.get(statistic.parse::<usize>().ok()?);
                weight.map(|&p| f64::from(p))
            }
            ("jacobian", factor) => Some(f64::from(experiments::saturated(factor.parse().ok()?).1)),
            ("bytes", _) => {
                let (kind, n) = rest.split_once('_')?;
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
