//! A run on disk: a folder with a folder for every checkpoint, each written whole or not at all.
//!
//! `RUN/step-00001000/` holds `model.safetensors` (weights and [`Config`](crate::transformer::Config)),
//! `tokenizer.json`, `config.toml`, and, in the newest, `trainer.safetensors` and `trainer.json`: all that the next
//! update depends on. `RUN/best/` is the one with the lowest held-out loss.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::adam::Adam;
use super::config::TrainConfig;
use super::limits;
use super::trainer::{State, Trainer};
use crate::data::file;
use crate::data::safetensors::{self, NamedTensors, ReadError, WriteError};
use crate::data::weights::{self, WeightsError};
use crate::params::Params;
use crate::tensor::Tensor;
use crate::text::pipeline::Pipeline;
use crate::transformer::Transformer;

/// Why a checkpoint cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("{path}: {source}; what was there before is as it was")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("{path} is damaged: {why}")]
    Damaged { path: PathBuf, why: String },
    #[error(
        "{path} holds no model: neither model.safetensors nor a folder best or step-… with one"
    )]
    NoModel { path: PathBuf },
    #[error("{path} has no checkpoint to go on from; train without --resume begins a run")]
    NoCheckpoint { path: PathBuf },
    #[error("{path} holds a run with another {what}; give it another folder, or the same settings")]
    OtherRun { path: PathBuf, what: String },
    #[error(
        "{path} is of a run on another text: sentences or vocabulary have changed since. Put them back as they were, or \
         begin a new run; nothing has been changed"
    )]
    OtherText { path: PathBuf },
}

/// A model that can translate: its weights, and how text becomes its ids.
pub struct Translator {
    /// The model.
    pub model: Transformer,
    /// Its weights.
    pub params: Params,
    /// Text to ids and back.
    pub pipeline: Pipeline,
}

/// The folders of `run`'s checkpoints, oldest first, with their steps.
pub fn list(run: &Path) -> Vec<(usize, PathBuf)> {
    let entries = fs::read_dir(run).into_iter().flatten().flatten();
    let mut all: Vec<(usize, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let step = name.to_str()?.strip_prefix("step-")?.parse().ok()?;
            let path = entry.path();
            path.join("model.safetensors")
                .is_file()
                .then_some((step, path))
        })
        .collect();
    all.sort();
    all
}

/// The folder of the model that `path` means: itself, or of a run the best, or else the newest.
pub fn model_folder(path: &Path) -> Result<PathBuf, CheckpointError> {
    let newest = || list(path).pop().map(|(_, folder)| folder);
    let places = [
        Some(path.to_owned()),
        Some(path.join("best")),
        Some(path.join("best.old")),
        newest(),
    ];
    let mut places = places.into_iter().flatten();
    let found = places.find(|folder| folder.join("model.safetensors").is_file());
    found.ok_or_else(|| CheckpointError::NoModel { path: path.into() })
}

/// Reads the model that `path` means.
pub fn load(path: &Path) -> Result<Translator, CheckpointError> {
    let folder = model_folder(path)?;
    let loaded = weights::load(&folder.join("model.safetensors"))?;
    let path = folder.join("tokenizer.json");
    let text = read_text(&path)?;
    join(loaded, &path, &text)
}

/// The model of a checkpoint's two files, which errors call by their names in `folder`.
pub fn parse(
    folder: &Path,
    weights: &[u8],
    tokenizer: &str,
) -> Result<Translator, CheckpointError> {
    let loaded = weights::parse(&folder.join("model.safetensors"), weights)?;
    join(loaded, &folder.join("tokenizer.json"), tokenizer)
}

fn join(
    (model, params): (Transformer, Params),
    path: &Path,
    tokenizer: &str,
) -> Result<Translator, CheckpointError> {
    let damaged = |why| CheckpointError::Damaged {
        path: path.into(),
        why,
    };
    let pipeline = Pipeline::from_json(tokenizer).map_err(damaged)?;
    // One word less would already give other words to the ids behind it.
    for (side, words, rows) in [
        ("source", &pipeline.source, model.config.src_vocab),
        ("target", &pipeline.target, model.config.tgt_vocab),
    ] {
        let words = words.vocabulary.len();
        if words != rows {
            return Err(damaged(format!(
                "it has {words} {side} words, and the model has {rows}; put back the tokenizer.json that the model was \
                 saved with"
            )));
        }
    }
    Ok(Translator {
        model,
        params,
        pipeline,
    })
}

/// Writes a model without a trainer's state into `folder`, whole or not at all.
pub fn save_model(
    folder: &Path,
    translator: (&Transformer, &Params, &Pipeline),
    config: &TrainConfig,
) -> Result<(), CheckpointError> {
    write(folder, |into| files(into, translator, config))
}

fn files(
    into: &Path,
    (model, params, pipeline): (&Transformer, &Params, &Pipeline),
    config: &TrainConfig,
) -> Result<(), CheckpointError> {
    weights::save(&into.join("model.safetensors"), &model.config, params)?;
    write_text(&into.join("tokenizer.json"), &pipeline.to_json())?;
    write_text(&into.join("config.toml"), &config.to_toml())
}

/// Writes the checkpoint of this step, with all that is needed to go on, then takes the trainer's state out of older
/// ones and removes those beyond `keep`. Returns its folder.
pub fn save(
    run: &Path,
    trainer: &Trainer,
    pipeline: &Pipeline,
) -> Result<PathBuf, CheckpointError> {
    let folder = run.join(format!("step-{:08}", trainer.state.step));
    write(&folder, |into| {
        files(
            into,
            (&trainer.model, &trainer.params, pipeline),
            &trainer.config,
        )?;
        let mut tensors = BTreeMap::new();
        for ((_, name, _), (mean, square)) in trainer.params.iter().zip(&trainer.adam.moments) {
            tensors.insert(format!("mean.{name}"), mean.clone());
            tensors.insert(format!("square.{name}"), square.clone());
        }
        let steps = HashMap::from([("steps".to_owned(), trainer.adam.steps.to_string())]);
        let file = NamedTensors {
            metadata: steps,
            tensors,
        };
        safetensors::write(&into.join("trainer.safetensors"), &file)?;
        let state = serde_json::to_string_pretty(&trainer.state).expect("a state is plain data");
        write_text(&into.join("trainer.json"), &state)
    })?;
    let mut all = list(run);
    all.retain(|(_, path)| *path != folder);
    for (_, old) in &all {
        for file in ["trainer.safetensors", "trainer.json"] {
            // What cannot be removed costs room, nothing else.
            let _ = fs::remove_file(old.join(file));
        }
    }
    let surplus = (all.len() + 1).saturating_sub(trainer.config.keep);
    for (_, old) in all.into_iter().take(surplus) {
        let _ = fs::remove_dir_all(old);
    }
    Ok(folder)
}

/// Makes the trainer's present weights the best of the run.
pub fn save_best(
    run: &Path,
    trainer: &Trainer,
    pipeline: &Pipeline,
) -> Result<(), CheckpointError> {
    let parts = (&trainer.model, &trainer.params, pipeline);
    save_model(&run.join("best"), parts, &trainer.config)
}

/// What a run goes on from: the newest checkpoint that has a trainer's state.
pub struct Kept {
    /// Its folder.
    pub folder: PathBuf,
    /// Its settings.
    pub config: TrainConfig,
    /// Text to ids and back.
    pub pipeline: Pipeline,
    params: Params,
    adam: Adam,
    state: State,
}

impl Kept {
    /// Puts `trainer`, made of the same corpus, where the run stood. Refuses another model and another corpus.
    pub fn restore(self, trainer: &mut Trainer) -> Result<(), CheckpointError> {
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

/// Reads what `run` goes on from.
pub fn resume(run: &Path) -> Result<Kept, CheckpointError> {
    let whole = |folder: &PathBuf| {
        folder.join("trainer.safetensors").is_file() && folder.join("trainer.json").is_file()
    };
    let newest = list(run).into_iter().map(|(_, folder)| folder).rfind(whole);
    let Some(folder) = newest else {
        return Err(CheckpointError::NoCheckpoint { path: run.into() });
    };
    let Translator {
        model,
        params,
        pipeline,
    } = load(&folder)?;
    let damaged = |file: &str, why: String| CheckpointError::Damaged {
        path: folder.join(file),
        why,
    };
    let text = read_text(&folder.join("config.toml"))?;
    let config = TrainConfig::read(&text).map_err(|why| damaged("config.toml", why))?;
    config.check().map_err(|why| damaged("config.toml", why))?;
    for (name, saved, says) in [
        ("layers", model.config.layers, config.layers),
        ("d_model", model.config.d_model, config.d_model),
        ("d_ff", model.config.d_ff, config.d_ff),
        ("heads", model.config.heads, config.heads),
    ] {
        if saved != says {
            let why = format!(
                "model.safetensors was saved with {name} {saved}, and this says {says}; put back the config.toml that \
                 it was saved with"
            );
            return Err(damaged("config.toml", why));
        }
    }
    let text = read_text(&folder.join("trainer.json"))?;
    let state: State =
        serde_json::from_str(&text).map_err(|e| damaged("trainer.json", e.to_string()))?;
    let NamedTensors {
        metadata,
        mut tensors,
    } = safetensors::read(&folder.join("trainer.safetensors"))?;
    let mut take = |name: String, like: &Tensor| {
        let found = tensors.remove(&name).filter(|x| x.shape() == like.shape());
        found.ok_or_else(|| {
            damaged(
                "trainer.safetensors",
                format!("{name} is missing or has another shape"),
            )
        })
    };
    let mut moments = Vec::new();
    for (_, name, x) in params.iter() {
        let pair = (
            take(format!("mean.{name}"), x)?,
            take(format!("square.{name}"), x)?,
        );
        limits::moments(name, &pair.0, &pair.1)
            .map_err(|why| damaged("trainer.safetensors", why))?;
        moments.push(pair);
    }
    let steps: Option<i32> = metadata.get("steps").and_then(|steps| steps.parse().ok());
    let steps = steps.ok_or_else(|| {
        damaged(
            "trainer.safetensors",
            "it does not say its steps".to_owned(),
        )
    })?;
    state
        .check(steps.into())
        .map_err(|why| damaged("trainer.json", why))?;
    let adam = Adam {
        steps,
        moments,
        ..Adam::new(&Params::layout())
    };
    Ok(Kept {
        folder,
        config,
        pipeline,
        params,
        adam,
        state,
    })
}

/// The mean of the weights of several models of one shape (the last checkpoints of a run).
pub fn average(folders: &[PathBuf]) -> Result<Translator, CheckpointError> {
    let mut all = folders
        .iter()
        .map(|folder| load(folder))
        .collect::<Result<Vec<_>, _>>()?;
    let shapes = |t: &Translator| -> Vec<(String, Vec<usize>)> {
        let each = t.params.iter();
        each.map(|(_, name, x)| (name.to_owned(), x.shape().to_vec()))
            .collect()
    };
    let Some(first) = all.first() else {
        let path = PathBuf::new();
        return Err(CheckpointError::NoModel { path });
    };
    let like = shapes(first);
    if let Some(other) = all.iter().position(|t| shapes(t) != like) {
        return Err(CheckpointError::OtherRun {
            path: folders[other].clone(),
            what: "shape of model".to_owned(),
        });
    }
    let sets: Vec<Params> = all.iter().map(|t| t.params.clone()).collect();
    let mut mean = all.swap_remove(0);
    mean.params = super::average::average(&sets);
    Ok(mean)
}

/// Fills a folder beside `folder` and puts it in its place when it is whole.
fn write(
    folder: &Path,
    fill: impl FnOnce(&Path) -> Result<(), CheckpointError>,
) -> Result<(), CheckpointError> {
    let failed = |source| CheckpointError::Io {
        path: folder.into(),
        source,
    };
    let above = folder
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(above).map_err(failed)?;
    let temporary = tempfile::Builder::new()
        .prefix(".writing-")
        .tempdir_in(above)
        .map_err(failed)?;
    fill(temporary.path())?;
    let old = folder.with_extension("old");
    let _ = fs::remove_dir_all(&old);
    if folder.exists() {
        fs::rename(folder, &old).map_err(failed)?;
    }
    if let Err(source) = fs::rename(temporary.path(), folder) {
        // What stood there goes back.
        let _ = fs::rename(&old, folder);
        return Err(failed(source));
    }
    let _ = temporary.keep();
    let _ = fs::remove_dir_all(&old);
    // The folder's own entry must survive a power cut too.
    if let Ok(above) = fs::File::open(above) {
        let _ = above.sync_all();
    }
    Ok(())
}

fn write_text(path: &Path, text: &str) -> Result<(), CheckpointError> {
    let write = || -> std::io::Result<()> {
        let mut file = fs::File::create(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    write().map_err(|source| CheckpointError::Io {
        path: path.into(),
        source,
    })
}

fn read_text(path: &Path) -> Result<String, CheckpointError> {
    file::text(path, file::WORDS).map_err(|source| CheckpointError::Io {
        path: path.into(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::corpus::Corpus;
    use crate::text::pipeline::{Learning, Prepare};

    fn lines(n: usize) -> Vec<String> {
        let words = ["eins", "zwei", "drei", "vier", "fünf"];
        (0..n)
            .map(|n| format!("{} {} {}", words[n % 5], words[n * 3 % 5], words[n / 2 % 5]))
            .collect()
    }

    fn run() -> (Pipeline, Trainer) {
        let learning = Learning {
            prepare: (Prepare::Blanks, Prepare::Blanks),
            lowercase: false,
            merges: 4,
            joint: false,
            min_count: 1,
            limit: None,
        };
        let pipeline = Pipeline::learn(&lines(20), &lines(20), &learning);
        let config = TrainConfig {
            layers: 1,
            d_model: 8,
            d_ff: 12,
            heads: 2,
            dropout: 0.1,
            batch_tokens: 60,
            keep: 2,
            ..TrainConfig::default()
        };
        let corpus = Corpus::new(&lines(20), &lines(20), &pipeline, 20);
        let sizes = (
            pipeline.source.vocabulary.len(),
            pipeline.target.vocabulary.len(),
        );
        (pipeline, Trainer::new(config, sizes, corpus, 1))
    }

    #[test]
    fn a_run_goes_on_from_its_folder_bit_for_bit() {
        let folder = tempfile::tempdir().unwrap();
        let (pipeline, mut trainer) = run();
        for n in 1..=6 {
            trainer.update().unwrap();
            if n % 2 == 0 {
                save(folder.path(), &trainer, &pipeline).unwrap();
            }
        }
        let steps: Vec<usize> = list(folder.path())
            .into_iter()
            .map(|(step, _)| step)
            .collect();
        assert_eq!(steps, [4, 6], "two are kept");
        trainer.update().unwrap();
        let kept = resume(folder.path()).unwrap();
        let (_, mut on) = run();
        kept.restore(&mut on).unwrap();
        on.update().unwrap();
        assert_eq!(on.state, trainer.state);
        assert!(on.params.iter().eq(trainer.params.iter()));
        let back = load(folder.path()).unwrap();
        assert_eq!(back.pipeline.to_json(), pipeline.to_json());
    }

    #[test]
    fn another_model_and_damaged_files_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let (pipeline, trainer) = run();
        assert!(matches!(
            resume(folder.path()),
            Err(CheckpointError::NoCheckpoint { .. })
        ));
        assert!(matches!(
            load(folder.path()),
            Err(CheckpointError::NoModel { .. })
        ));
        let written = save(folder.path(), &trainer, &pipeline).unwrap();
        let (_, like) = run();
        let config = TrainConfig {
            d_ff: 20,
            ..like.config
        };
        let mut other = Trainer::new(config, (9, 9), Corpus::default(), 1);
        let said = resume(folder.path())
            .unwrap()
            .restore(&mut other)
            .unwrap_err()
            .to_string();
        assert!(said.contains("holds a run with another"), "{said}");
        fs::write(written.join("trainer.json"), "{").unwrap();
        let said = resume(folder.path()).err().unwrap().to_string();
        assert!(said.contains("trainer.json is damaged"), "{said}");
    }

    #[test]
    fn a_run_does_not_go_on_with_another_text() {
        let folder = tempfile::tempdir().unwrap();
        let (pipeline, trainer) = run();
        save(folder.path(), &trainer, &pipeline).unwrap();
        let mut changed = lines(20);
        changed[3] = "drei drei drei".to_owned();
        let corpus = Corpus::new(&changed, &lines(20), &pipeline, 20);
        let sizes = (
            pipeline.source.vocabulary.len(),
            pipeline.target.vocabulary.len(),
        );
        let mut other = Trainer::new(trainer.config.clone(), sizes, corpus, 1);
        let before = other.state.clone();
        let kept = resume(folder.path()).unwrap();
        let said = kept.restore(&mut other).unwrap_err().to_string();
        assert!(said.contains("another text"), "{said}");
        assert_eq!(other.state, before, "nothing has changed");
    }

    #[test]
    fn a_checkpoint_from_before_there_were_fingerprints_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let (pipeline, trainer) = run();
        let written = save(folder.path(), &trainer, &pipeline).unwrap();
        let place = written.join("trainer.json");
        let text = fs::read_to_string(&place).unwrap();
        let mut state: serde_json::Value = serde_json::from_str(&text).unwrap();
        state.as_object_mut().unwrap().remove("data");
        fs::write(&place, state.to_string()).unwrap();
        let (_, mut on) = run();
        resume(folder.path()).unwrap().restore(&mut on).unwrap();
        assert_eq!(on.state, trainer.state);
    }

    #[test]
    fn the_average_of_a_model_with_itself_is_the_model() {
        let folder = tempfile::tempdir().unwrap();
        let (pipeline, trainer) = run();
        save_best(folder.path(), &trainer, &pipeline).unwrap();
        save_best(folder.path(), &trainer, &pipeline).unwrap();
        let best = folder.path().join("best");
        let mean = average(&[best.clone(), best.clone(), best.clone(), best]).unwrap();
        for (a, b) in mean.params.iter().zip(trainer.params.iter()) {
            assert_eq!(a, b);
        }
        assert!(!folder.path().join("best.old").exists());
    }
}
