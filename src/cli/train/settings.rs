//! The settings of a run.

use anyhow::Context;

use super::Options;
use crate::cli::limit::{require, usage};
use crate::data::file;
use crate::lesson::knob::did_you_mean;
use crate::train::built_in::Loaded;
use crate::train::checkpoint::ResumePoint;
use crate::train::config::{PRESETS, Surroundings, TrainConfig};

/// Returns the settings of the kept run or the preset, overridden by those of the file, then by those of the command
/// line. Refuses those that have no effect in a run with these surroundings.
pub fn read(
    options: &Options,
    resume_point: Option<&ResumePoint>,
    around: &Surroundings,
    trained: Option<&Loaded>,
) -> anyhow::Result<TrainConfig> {
    let mut config = match (&options.preset, resume_point) {
        (_, Some(resume_point)) => resume_point.config.clone(),
        (Some(name), None) => TrainConfig::preset(name).ok_or_else(|| {
            let near = did_you_mean(name, PRESETS.iter().map(|p| p.name.as_str()));
            let all: Vec<&str> = PRESETS.iter().map(|p| p.name.as_str()).collect();
            usage(format!(
                "there is no preset '{name}'{near}; there are {}",
                all.join(", ")
            ))
        })?,
        (None, None) => TrainConfig::default(),
    };
    let given = overrides(options)?;
    for (key, value) in &given {
        set(&mut config, key, value)?;
    }
    // Each number is within its limits before it is said to have no effect.
    config.within_limits().map_err(usage)?;
    if let Some(trained) = trained {
        // The vocabulary of a model of another form would say nothing about this run.
        let (source, target) = trained.pipeline.vocabulary_sizes();
        let other = config
            .model(source, target)
            .other_form(&trained.model.config);
        other.map_or(Ok(()), |why| Err(unlike(&why)))?;
    }
    let keys = given.iter().map(|(key, _)| key.as_str());
    config.effective(keys, around).map_err(usage)?;
    let config = match resume_point {
        Some(resume_point) => resume_point.changed_to(config)?,
        None => config.within(around),
    };
    config.check().map_err(usage)?;
    Ok(config)
}

/// Error of a run that cannot begin with the model of `--from`.
pub fn unlike(why: &str) -> anyhow::Error {
    usage(format!(
        "--from: {why}; give the preset or the settings that it was trained with"
    ))
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
        require(!table.contains_key("before"), || {
            format!(
                "{} records with [[before]] which settings the run changed on its way; leave that out",
                path.display()
            )
        })?;
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
