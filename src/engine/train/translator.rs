//! A model with its weights and tokenizer, and the errors of reading or writing one.

use std::path::{Path, PathBuf};

use crate::data::file;
use crate::data::output::OutputError;
use crate::data::safetensors::ReadError;
use crate::data::weights::WeightsError;
use crate::params::Params;
use crate::text::pipeline::Pipeline;
use crate::transformer::Transformer;

/// Files of a model: weights, vocabulary and settings.
pub const MODEL: [&str; 3] = ["model.safetensors", "tokenizer.json", "config.toml"];

/// Reasons for which a checkpoint cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum CheckpointError {
    #[error("{path} cannot be read: {source}")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{path} cannot be written: {source}")]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(
        "{path} belongs to the run in {run}, which only train writes. Nothing has been changed; choose another place"
    )]
    OfRun { path: PathBuf, run: PathBuf },
    #[error(
        "{path} is the folder of a run, which only train writes. Nothing has been changed; choose another place"
    )]
    IsRun { path: PathBuf },
    #[error(
        "{path} is being trained faster than its checkpoints can be read: each attempt failed because one was removed \
         meanwhile. Wait until training has ended, or let it keep more with --set keep=…"
    )]
    Pruned { path: PathBuf },
    #[error(
        "{path} is a symbolic link, and a run never writes through one. Nothing has been changed; put the file or folder \
         itself there"
    )]
    Linked { path: PathBuf },
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{path} is damaged: {why}")]
    Damaged { path: PathBuf, why: String },
    /// The newest checkpoint of a run is damaged.
    #[error("{damage}; {advice}")]
    CannotResume {
        damage: Box<CheckpointError>,
        advice: String,
    },
    #[error("{path} cannot be used: {why}")]
    Unusable { path: PathBuf, why: String },
    #[error(
        "{path} holds no model: neither model.safetensors nor a folder best or step-… with one, nor the files of a \
         published Marian model"
    )]
    NoModel { path: PathBuf },
    #[error(
        "there is no file or folder {path}; name a model that comes with the program (everyday or phrasebook), a run, or a \
         folder with a model"
    )]
    Missing { path: PathBuf },
    #[error("{path} has no checkpoint to go on from; train without --resume begins a run")]
    NoCheckpoint { path: PathBuf },
    #[error("{path} holds a run with another {what}; give it another folder, or the same settings")]
    OtherRun { path: PathBuf, what: String },
    #[error(
        "{path} is of a run on another text: sentences or vocabulary have changed since. Put them back as they were, or \
         begin a new run; nothing has been changed"
    )]
    OtherText { path: PathBuf },
    /// The run began when the phrasebook was still generated, as long as a run wanted it.
    #[error(
        "the run of {path} learns from {pairs} pairs of the phrasebook, which has {most} now, so it cannot go on. Its \
         models still translate; to train one further, begin a new run with --from"
    )]
    MorePairs {
        path: PathBuf,
        pairs: usize,
        most: usize,
    },
    #[error("{path} holds a run already; go on with --resume, or choose another folder with --out")]
    Begun { path: PathBuf },
    #[error("{path} is being trained by {by}; wait until that has ended, or choose another folder")]
    Locked { path: PathBuf, by: String },
    #[error(
        "{path} cannot hold {what}: {why}. Nothing has been changed; choose a folder that is empty or not there yet"
    )]
    Foreign {
        path: PathBuf,
        what: &'static str,
        why: String,
    },
    #[error("update {step} is not saved, because {what} holds NaN or an infinite number")]
    NotFinite { step: usize, what: String },
}

/// A model that can translate text.
pub struct Translator {
    /// The model.
    pub model: Transformer,
    /// Its weights.
    pub params: Params,
    /// Conversion of text to ids and back.
    pub pipeline: Pipeline,
}

/// Reads a text file of a model's folder. Fails if the file is larger than any such file should be.
pub fn read_text(path: &Path) -> Result<String, CheckpointError> {
    file::text(path, file::WORDS).map_err(|source| CheckpointError::Io {
        path: path.into(),
        source,
    })
}
