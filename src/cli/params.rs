//! `tools params`: how a model's parameters divide among its parts.

use std::fmt::Write as _;

use clap::Args;
use serde_json::json;

use super::limit::usage;
use crate::lesson::knob::did_you_mean;
use crate::transformer::Config;
use crate::transformer::config::Tying;
use crate::transformer::count::{self, Part, TRAINING_BYTES};
use crate::transformer::presets::{self, PRESETS};
use crate::typeset::number::grouped;

/// Which model.
#[derive(Args)]
pub struct Options {
    /// A named model; `tools params --list` lists them
    #[arg(long, value_name = "NAME", default_value = "paper")]
    preset: String,
    /// Changes a size: src_vocab, tgt_vocab, layers, d_model, d_ff, heads, tied
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Lists the named models
    #[arg(long)]
    list: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

const KEYS: [&str; 7] = [
    "src_vocab",
    "tgt_vocab",
    "layers",
    "d_model",
    "d_ff",
    "heads",
    "tied",
];

/// Returns the configuration that `--preset` and `--set` describe.
pub fn config(preset: &str, set: &[String]) -> anyhow::Result<Config> {
    let Some(model) = presets::find(preset) else {
        let names = PRESETS.iter().map(|p| p.name);
        return Err(usage(format!(
            "there is no preset '{preset}'{}; there are {}",
            did_you_mean(preset, names.clone()),
            names.collect::<Vec<_>>().join(", ")
        )));
    };
    let mut config = (model.config)();
    for pair in set {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(usage(format!(
                "--set wants KEY=VALUE, as in --set layers=12; '{pair}' has no ="
            )));
        };
        config = change(config, key, value)?;
    }
    config.check().map_err(usage)?;
    Ok(config)
}

fn change(mut config: Config, key: &str, value: &str) -> anyhow::Result<Config> {
    if key == "tied" {
        return match value {
            "true" | "yes" => Ok(config.tied()),
            "false" | "no" => {
                let generator_bias = Config::annotated(1, 1).generator_bias;
                Ok(Config {
                    tying: Tying::None,
                    generator_bias,
                    ..config
                })
            }
            _ => return Err(usage(format!("tied is true or false, not '{value}'"))),
        };
    }
    let Ok(size) = value.parse::<usize>() else {
        return Err(usage(format!("{key} is a whole number, not '{value}'")));
    };
    let field = match key {
        "src_vocab" => &mut config.src_vocab,
        "tgt_vocab" => &mut config.tgt_vocab,
        "layers" => &mut config.layers,
        "d_model" => &mut config.d_model,
        "d_ff" => &mut config.d_ff,
        "heads" => &mut config.heads,
        _ => {
            return Err(usage(format!(
                "there is no key '{key}'{}; there are {}",
                did_you_mean(key, KEYS.into_iter()),
                KEYS.join(", ")
            )));
        }
    };
    *field = size;
    Ok(config)
}

/// Returns the command's output.
pub fn run(options: &Options) -> anyhow::Result<String> {
    if options.list {
        let line = |p: &presets::Preset| format!("{:<16}{}\n", p.name, p.about);
        return Ok(PRESETS.iter().map(line).collect());
    }
    let config = config(&options.preset, &options.set)?;
    let model = count::tree(&config);
    if options.json {
        let total = model.count as u64;
        let report = json!({
            "preset": options.preset,
            "config": config,
            "total": total,
            "tree": model,
            "training_bytes": {
                "weights": total * 4,
                "gradients": total * 4,
                "moments": total * 8,
                "total": total * TRAINING_BYTES as u64,
            },
        });
        return Ok(serde_json::to_string_pretty(&report)? + "\n");
    }
    Ok(text(&config, &model))
}

fn text(config: &Config, model: &Part) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} parameters", grouped(model.count as u64));
    let _ = writeln!(
        out,
        "layers {}  d_model {}  d_ff {}  heads {}  src_vocab {}  tgt_vocab {}  {}\n",
        config.layers,
        config.d_model,
        config.d_ff,
        config.heads,
        config.src_vocab,
        config.tgt_vocab,
        if config.tying == Tying::All {
            "tied"
        } else {
            "not tied"
        }
    );
    for part in &model.parts {
        branch(&mut out, part, 0);
    }
    let _ = writeln!(out, "\n= {}", sum(model));
    if config.src_vocab == config.tgt_vocab {
        // The count is linear in the vocabulary, so two counts determine it.
        let at = |words| {
            let other = Config {
                src_vocab: words,
                tgt_vocab: words,
                ..config.clone()
            };
            count::tree(&other).count as i64
        };
        let (slope, start) = (at(2) - at(1), 2 * at(1) - at(2));
        let _ = writeln!(
            out,
            "= {} + {} · V for a vocabulary of V words",
            grouped(start as u64),
            grouped(slope as u64)
        );
    }
    let bytes = |per: usize| megabytes(model.count * per);
    let _ = writeln!(
        out,
        "\nTraining with Adam in f32: weights {}, gradients {}, two moments {}: {} in all, and the activations.",
        bytes(4),
        bytes(4),
        bytes(8),
        bytes(TRAINING_BYTES)
    );
    out
}

fn branch(out: &mut String, part: &Part, depth: usize) {
    let times = if part.times > 1 {
        format!(" × {}", part.times)
    } else {
        String::new()
    };
    let name = format!("{}{}{times}", "  ".repeat(depth), part.name);
    let equation = part.equation.replace('*', "·");
    let count = grouped(part.count as u64);
    let _ = writeln!(out, "{name:<24}{count:>14}   {equation}");
    for part in &part.parts {
        branch(out, part, depth + 1);
    }
}

fn sum(model: &Part) -> String {
    let terms: Vec<String> = model
        .parts
        .iter()
        .map(|p| grouped(p.count as u64))
        .collect();
    terms.join(" + ")
}

fn megabytes(bytes: usize) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}
