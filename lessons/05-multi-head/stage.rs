//! Lesson 05: multi-head attention at the standard sizes.

use crate::lesson;
use crate::lesson::{Lesson, Run, Settings, Stage};
use crate::tensor::matmul;
use std::sync::LazyLock;

pub mod check;
pub mod mistakes;
mod pictures;
mod record;
#[path = "exercise.rs"]
mod starter;
#[cfg(test)]
mod tests;

use pictures::COSTS;

pub static LESSON: LazyLock<Lesson> = lesson!("05-multi-head", MultiHeadStage, check::TASK);

struct MultiHeadStage;

impl Stage for MultiHeadStage {
    fn run(&self, settings: &Settings) -> Result<Run, String> {
        let trace = record::record(settings)?;
        let pictures = match settings.text("example") {
            "standard" => pictures::all(&trace, settings),
            _ => Vec::new(),
        };
        Ok(Run {
            trace,
            pictures,
            leak: None,
        })
    }

    fn fact(&self, name: &str, run: &Run, settings: &Settings) -> Option<f64> {
        let costs = |heads: usize| COSTS.iter().find(|c| c.heads == heads);
        match name {
            "parameters" => {
                let leaves = run.trace.steps().iter().filter(|s| s.op() == "parameter");
                Some(leaves.map(|s| s.value.len()).sum::<usize>() as f64)
            }
            "mixed" => Some(f64::from(u8::from(
                run.trace.find("output.weight").is_some(),
            ))),
            "products_ratio" => Some(costs(8)?.products as f64 / costs(1)?.products as f64),
            "cells_ratio" => Some(costs(8)?.cells as f64 / costs(1)?.cells as f64),
            "products" => Some(costs(8)?.products as f64),
            "cells_1" => Some(costs(1)?.cells as f64),
            "cells_8" => Some(costs(8)?.cells as f64),
            "ungrouped" => Some(pictures::grouped_weights(1) as f64),
            "grouped" => Some(pictures::grouped_weights(8) as f64),
            "fused_difference" => Some(*pictures::FUSED),
            "ablation_still" => {
                let without = settings.broken("no-output");
                let moved = pictures::ablated(&run.trace, without)?;
                Some(moved.data().iter().filter(|x| **x == 0.0).count() as f64)
            }
            "blocks_unread" => {
                let blocks = pictures::read_blocks(&run.trace)?;
                Some(blocks.data().iter().filter(|x| **x == 0.0).count() as f64)
            }
            "key_by_query_map" => {
                let (weight, bias) = (
                    run.trace.tensor("query.weight")?,
                    run.trace.tensor("query.bias")?,
                );
                let keys = matmul::matmul_t(run.trace.tensor("memory")?, weight);
                Some(f64::from(keys.at(&[0, 0, 0]) + bias.at(&[0])))
            }
            _ => None,
        }
    }
}
