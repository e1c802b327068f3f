//! Lesson 05: multi-head attention at the standard sizes.

use crate::lesson::{Exercise, Knob, Lesson, Run, Settings, Stage};
use crate::nn::multi_head_attention::multi_head_attention;
use crate::tensor::matmul;

pub mod check;
pub mod mistakes;
mod pictures;
mod record;
#[path = "exercise.rs"]
mod starter;
mod switches;
#[cfg(test)]
mod tests;

use pictures::COSTS;

pub static LESSON: Lesson = Lesson {
    number: 5,
    name: "multi-head",
    title: "Multi-head attention",
    minutes: 40,
    needs: &["attention"],
    gains: "You can split and join heads without the famous shape bug, and say why eight heads need no more parameters than one.",
    text: include_str!("lesson.md"),
    quiz: include_str!("quiz.toml"),
    stage: || Box::new(MultiHeadStage),
    mistakes: &switches::MISTAKES,
    exercise: Some(Exercise {
        name: "multi_head_attention",
        task: "Write multi-head attention: three maps, the split into heads, attention, the way back, and the fourth map.",
        starter: include_str!("exercise.rs"),
        solution: "src/nn/multi_head_attention.rs:exercise",
        hints: [
            "After the map a word has 512 numbers in a row. Which of them belong to head 0?",
            "A head owns a block of neighbouring channels of every word. Attention wants the heads before the positions: first cut the last axis in two, then exchange two axes.",
            "x.reshape(&[batch, length, heads, d_k], &[\"b\", \"t\", \"h\", \"k\"]).permute(&[0, 2, 1, 3]); on the way back permute first, then reshape.",
            "Map all three; split all three; mask.unsqueeze(1); attention(…, maps.dropout); context.permute(&[0, 2, 1, 3]).reshape(&[batch, length, d_model], …); maps.output.forward(…).",
        ],
        why: "A reshape only reads the same row of numbers under another shape: it cannot bring numbers together that lie apart. The permute does. Without it every shape is right and every head holds other words' channels.",
        reference: || check::check(multi_head_attention),
        unsolved: || check::check(starter::multi_head_attention),
    }),
};

struct MultiHeadStage;

impl Stage for MultiHeadStage {
    fn knobs(&self) -> &'static [Knob] {
        &switches::KNOBS
    }

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
