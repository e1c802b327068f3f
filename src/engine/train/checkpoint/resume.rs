//! Resuming a run from its newest checkpoint that has moments and state, with every file's checksum verified.

use std::path::{Path, PathBuf};

use super::{CheckpointError, MODEL, TRAINER, Translator, folder_name, has, named, newest, read};
use crate::data::safetensors::{self, NamedTensors, Shapes};
use crate::data::seal;
use crate::params::Params;
use crate::text::pipeline::Pipeline;
use crate::train::adam::Adam;
use crate::train::config::TrainConfig;
use crate::train::limits;
use crate::train::trainer::{State, Trainer};
use crate::train::translator::read_text;

/// State to resume from: the newest checkpoint that has a trainer's state.
pub struct ResumePoint {
    /// Folder of the checkpoint.
    pub folder: PathBuf,
    /// True if its model was measured on the held-out corpus, which does not happen at a pause.
    pub measured: bool,
    /// Settings of the run.
    pub config: TrainConfig,
    /// Conversion of text to ids and back.
    pub pipeline: Pipeline,
    params: Params,
    adam: Adam,
    state: State,
}

impl ResumePoint {
    /// Checks that the run can resume with `config`. Refuses changes to the model, the text or the order of the
    /// batches.
    pub fn goes_on_with(&self, config: &TrainConfig) -> Result<(), CheckpointError> {
        self.config
            .same_run(config)
            .map_err(|what| CheckpointError::OtherRun {
                path: self.folder.clone(),
                what,
            })
    }

    /// The settings for the rest of the run: `config`, with the record of what held until now.
    pub fn changed_to(&self, config: TrainConfig) -> Result<TrainConfig, CheckpointError> {
        self.goes_on_with(&config)?;
        Ok(config.after(self.state.step, &self.config))
    }

    /// Number of updates done.
    pub fn step(&self) -> usize {
        self.state.step
    }

    /// Puts `trainer`, built from the same corpus, into the saved state. Refuses another model or corpus.
    pub fn restore(self, trainer: &mut Trainer) -> Result<(), CheckpointError> {
        self.goes_on_with(&trainer.config)?;
        let shapes = |params: &Params| -> Vec<(String, Vec<usize>)> {
            params
                .iter()
                .map(|(_, name, x)| (name.to_owned(), x.shape().to_vec()))
                .collect()
        };
        let (ours, theirs) = (shapes(&trainer.params), shapes(&self.params));
        if ours != theirs {
            let apart = ours.iter().zip(&theirs).find(|(a, b)| a != b);
            let what = apart.map_or("number of tensors".to_owned(), |(a, b)| {
                format!("{}: {:?}, here {:?}", b.0, b.1, a.1)
            });
            return Err(CheckpointError::OtherRun {
                path: self.folder,
                what,
            });
        }
        if self.state.data.is_some() && self.state.data != trainer.state.data {
            return Err(CheckpointError::OtherText { path: self.folder });
        }
        trainer.restore(self.params, self.adam, self.state);
        Ok(())
    }
}

/// Reads the state to resume `run` from. The error for a damaged checkpoint suggests a way out.
pub fn resume(run: &Path) -> Result<ResumePoint, CheckpointError> {
    let Some((step, folder)) = newest(run) else {
        return Err(CheckpointError::NoCheckpoint { path: run.into() });
    };
    kept(step, &folder).map_err(|e| match e {
        CheckpointError::MorePairs { .. } => e,
        _ => CheckpointError::CannotResume {
            advice: advice(run, &folder),
            damage: Box::new(e),
        },
    })
}

/// Suggests a way out if the newest checkpoint of a run is damaged.
fn advice(run: &Path, damaged: &Path) -> String {
    let name = |folder: &Path| folder.file_name().map(|name| name.display().to_string());
    let all = named(run, "paused").into_iter().chain(named(run, "step"));
    let older = all.filter(|(_, folder)| folder != damaged && has(folder, &MODEL));
    let (whole, models): (Vec<_>, Vec<_>) = older.partition(|(_, folder)| has(folder, &TRAINER));
    let newest = |all: Vec<(usize, PathBuf)>| {
        let newest = all.into_iter().max_by_key(|(step, _)| *step);
        newest.and_then(|(_, folder)| name(&folder))
    };
    let damaged = name(damaged).unwrap_or_default();
    match (newest(whole), newest(models)) {
        (Some(whole), _) => format!(
            "put {damaged} back from a copy, or move it out of the run: --resume then goes on from {whole}"
        ),
        (None, Some(model)) => format!(
            "put {damaged} back from a copy; the model of {model} still translates, but only the newest checkpoint can \
             be resumed"
        ),
        (None, None) => format!("put {damaged} back from a copy, or begin a new run"),
    }
}

/// Reads the state to resume from in a checkpoint's folder.
fn kept(step: usize, folder: &Path) -> Result<ResumePoint, CheckpointError> {
    let damaged = |file: &str, why: String| CheckpointError::Damaged {
        path: folder.join(file),
        why,
    };
    let (translator, sum) = read(folder)?;
    let Translator {
        model,
        params,
        pipeline,
    } = translator;
    let moments = safetensors::open(&folder.join(TRAINER[0]))?;
    moments_belong(&params, &moments.shapes()).map_err(|why| damaged(TRAINER[0], why))?;
    let moments = moments.read()?;
    let saved = moments.metadata.get(&sum_key(MODEL[0]));
    if saved.is_some() && saved != sum.as_ref() {
        let why = "it was saved with another model.safetensors than the one beside it";
        return Err(damaged(TRAINER[0], why.to_owned()));
    }
    let [config_text, state_text] =
        [MODEL[2], TRAINER[1]].map(|file| read_text(&folder.join(file)));
    let (config_text, state_text) = (config_text?, state_text?);
    let config = TrainConfig::read(&config_text).map_err(|why| damaged("config.toml", why))?;
    if config.pairs > limits::PAIRS {
        return Err(CheckpointError::MorePairs {
            path: folder.to_owned(),
            pairs: config.pairs,
            most: limits::PAIRS,
        });
    }
    config.check().map_err(|why| damaged("config.toml", why))?;
    for (name, saved, says) in [
        ("layers", model.config.layers, config.layers),
        ("d_model", model.config.d_model, config.d_model),
        ("d_ff", model.config.d_ff, config.d_ff),
        ("heads", model.config.heads, config.heads),
    ] {
        if saved != says {
            let why = format!(
                "model.safetensors was saved with {name} {saved}, but this says {says}; put back the config.toml that \
                 it was saved with"
            );
            return Err(damaged("config.toml", why));
        }
    }
    let state: State =
        serde_json::from_str(&state_text).map_err(|e| damaged("trainer.json", e.to_string()))?;
    let sums = moments.metadata.clone();
    let adam = adam(&params, moments).map_err(|why| damaged(TRAINER[0], why))?;
    state
        .check(adam.steps.into())
        .map_err(|why| damaged("trainer.json", why))?;
    for (file, text) in [(MODEL[2], &config_text), (TRAINER[1], &state_text)] {
        let sum = seal::sha256(text.as_bytes());
        if sums.get(&sum_key(file)).is_some_and(|saved| *saved != sum) {
            let why = "it has changed since it was written: its SHA-256 differs";
            return Err(damaged(file, why.to_owned()));
        }
    }
    Ok(ResumePoint {
        measured: folder.ends_with(folder_name("step", step)),
        folder: folder.to_owned(),
        config,
        pipeline,
        params,
        adam,
        state,
    })
}

/// Metadata key in `trainer.safetensors` for the SHA-256 of a file saved with it.
pub(in crate::train) fn sum_key(file: &str) -> String {
    format!("transformer-tutor.{file}.sha256")
}

/// Names of a parameter's moments.
pub(in crate::train) fn moment_names(name: &str) -> [String; 2] {
    ["mean", "square"].map(|moment| format!("{moment}.{name}"))
}

/// Explains why tensors of these shapes are not the moments of these parameters.
fn moments_belong(params: &Params, shapes: &Shapes) -> Result<(), String> {
    let mut left = shapes.len();
    for (_, name, x) in params.iter() {
        for name in moment_names(name) {
            if shapes.get(&name).map(Vec::as_slice) != Some(x.shape()) {
                return Err(format!("{name} is missing or has the wrong shape"));
            }
            left -= 1;
        }
    }
    match left {
        0 => Ok(()),
        n => Err(format!("it has {n} tensors more than the model's moments")),
    }
}

/// Builds the optimizer from the moments in a file; the error names a tensor that is not a moment.
fn adam(params: &Params, file: NamedTensors) -> Result<Adam, String> {
    let NamedTensors {
        metadata,
        mut tensors,
    } = file;
    let mut moments = Vec::new();
    for (_, name, _) in params.iter() {
        let [mean, square] = moment_names(name).map(|name| {
            let moment = tensors.remove(&name);
            moment.ok_or_else(|| format!("{name} is missing"))
        });
        let pair = (mean?, square?);
        limits::moments(name, &pair.0, &pair.1)?;
        moments.push(pair);
    }
    let steps = metadata.get("steps").and_then(|steps| steps.parse().ok());
    Ok(Adam {
        steps: steps.ok_or("it does not record its steps")?,
        moments,
        ..Adam::new(&Params::layout())
    })
}
