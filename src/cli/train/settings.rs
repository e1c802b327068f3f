//! The settings of a run.

use anyhow::Context;

use super::Options;
use crate::cli::limit::{require, usage};
use crate::data::file;
use crate::lesson::knob::did_you_mean;
use crate::train::checkpoint::ResumePoint;
use crate::train::config::{PRESETS, TrainConfig};

/// Returns the settings of the kept run or the preset, overridden by those of the file, then by those of the command
/// line.
pub fn read(options: &Options, resume_point: Option<&ResumePoint>) -> anyhow::Result<TrainConfig> {
    let mut config = match (&options.preset, resume_point) {
        (_, Some(resume_point)) => resume_point.config.clone(),
        (Some(name), None) => TrainConfig::preset(name).ok_or_else(|| {
            let near = did_you_mean(name, PRESETS.iter().map(|p| p.name));
            let all: Vec<&str> = PRESETS.iter().map(|p| p.name).collect();
            usage(format!(
                "there is no preset '{name}'{near}; there are {}",
                all.join(", ")
            ))
        })?,
        (None, None) => TrainConfig::default(),
    };
    for (key, value) in overrides(options)? {
        set(&mut config, &key, &value)?;
    }
    config.check().map_err(usage)?;
    if let Some(resume_point) = resume_point {
        resume_point.goes_on_with(&config)?;
    }
    Ok(config)
}

/// Keys and values of the file, then of the command line.
fn overrides(options: &Options) -> anyhow::Result<Vec<(String, String)>> {
    let mut sets = Vec::new();
    if let Some(path) = &options.config {
        let text = file::text(path, file::WORDS)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let table: toml::Table = text
            .parse()
            .map_err(|e| anyhow::anyhow!("{}: {e}", path.display()))?;
        sets.extend(
            table
                .into_iter()
                .map(|(key, value)| (key, value.to_string())),
        );
    }
    for set in &options.sets {
        let (key, value) = set.split_once('=').ok_or_else(|| {
            usage(format!(
                "--set {set}: write KEY=VALUE, for example --set rate=0.001"
            ))
        })?;
        sets.push((key.trim().to_owned(), value.trim().to_owned()));
    }
    for (key, value) in [
        ("steps", options.steps.map(|n| n as u64)),
        ("seed", options.seed),
    ] {
        sets.extend(value.map(|value| (key.to_owned(), value.to_string())));
    }
    Ok(sets)
}

fn set(config: &mut TrainConfig, key: &str, value: &str) -> anyhow::Result<()> {
    let keys = TrainConfig::keys();
    require(keys.iter().any(|known| known == key), || {
        format!(
            "there is no setting '{key}'{}; there are {}",
            did_you_mean(key, keys.iter().map(String::as_str)),
            keys.join(", ")
        )
    })?;
    config.set(key, value).map_err(usage)
}
