//! Lesson 05: multi-head attention at the standard sizes.

use std::sync::LazyLock;

use crate::lesson;
use crate::lesson::measure::{flag, parameters};
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::tensor::matmul;

pub mod check;
mod pictures;
mod race;
mod record;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use pictures::COSTS;
use record::{Example, Knobs};

pub static LESSON: LazyLock<Lesson> = lesson!("05-multi-head", MultiHeadStage, check::TASK);

struct MultiHeadStage;

impl Stage for MultiHeadStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let knobs: Knobs = settings.knobs();
        let trace = record::record(&knobs, settings)?;
        let (facts, mut pictures) = match knobs.example {
            Example::Standard => pictures::drawn(&trace),
            _ => return Ok(Run::new(trace, Vec::new())),
        };
        pictures.push(race::picture());
        Ok(Run::new(trace, pictures).telling(facts))
    }

    fn fact(&self, name: &str, run: &Run, _: &Settings) -> Option<f64> {
        let costs = |heads: usize| COSTS.iter().find(|c| c.heads == heads);
        let trace = &run.trace;
        Some(match name {
            "parameters" => parameters(trace),
            "mixed" => flag(trace.find("output.weight").is_some()),
            "products_ratio" => costs(8)?.products as f64 / costs(1)?.products as f64,
            "cells_ratio" => costs(8)?.cells as f64 / costs(1)?.cells as f64,
            "products" => costs(8)?.products as f64,
            "cells_1" => costs(1)?.cells as f64,
            "cells_8" => costs(8)?.cells as f64,
            "ungrouped" => pictures::grouped_weights(1) as f64,
            "grouped" => pictures::grouped_weights(8) as f64,
            "fused_difference" => *pictures::FUSED,
            "key_by_query_map" => {
                let (weight, bias) = (trace.tensor("query.weight")?, trace.tensor("query.bias")?);
                let keys = matmul::matmul_t(trace.tensor("memory")?, weight);
                f64::from(keys.at(&[0, 0, 0]) + bias.at(&[0]))
            }
            name => return race::fact(name.strip_prefix("race_")?),
        })
    }
}
