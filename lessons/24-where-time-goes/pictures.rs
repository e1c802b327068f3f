//! What the run's operations add up to.

use transformer_tutor::autograd::Trace;
use transformer_tutor::lesson::{Fact, Facts, Settings};

use super::check::TASK;
use super::counts;

/// Every operation of the run, the largest first, and the intensity of the decoder's products.
pub fn facts(settings: &Settings, trace: &Trace) -> Facts {
    let mut all: Vec<(u64, usize, &str)> = Vec::new();
    for step in counts::steps(trace) {
        let flops = counts::flops(trace, step);
        match all.iter_mut().find(|row| row.2 == step.op()) {
            Some(row) => *row = (row.0 + flops, row.1 + 1, row.2),
            None => all.push((flops, 1, step.op())),
        }
    }
    all.sort_by(|a, b| b.cmp(a));
    let intensity = |chosen: fn(&str) -> bool| {
        let cost = counts::products(trace, |name| counts::for_every_word(name) && chosen(name));
        if cost.bytes > 0 {
            cost.intensity()
        } else {
            0.0
        }
    };
    Facts::default()
        .with("operations", Fact::words(all.iter().map(|row| row.2)))
        .with(
            "operation_steps",
            Fact::numbers(all.iter().map(|row| row.1)),
        )
        .with(
            "operation_flops",
            Fact::numbers(all.iter().map(|row| row.0)),
        )
        .with("hand_sound", TASK.on(settings).is_none())
        .with(
            "weights_intensity",
            intensity(|name| name.ends_with(".weight") && name.contains("_attn.")),
        )
        .with(
            "scores_intensity",
            intensity(|name| !name.ends_with(".weight") && name.contains("_attn.")),
        )
        .with(
            "ffn_intensity",
            intensity(|name| name.contains("feed_forward")),
        )
        .with(
            "generator_intensity",
            intensity(|name| name.starts_with("generator.")),
        )
}
