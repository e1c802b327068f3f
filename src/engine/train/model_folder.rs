//! A model saved outside a run, as `tools average` does: a folder with weights, vocabulary and settings.

use std::path::Path;

use super::checkpoint::{CheckpointError, MODEL, Translator};
use super::config::TrainConfig;
use super::run_folder::recognise::may_hold_a_model;
use crate::data::output::Files;
use crate::data::{safetensors, weights};

/// Writes a model into `folder` atomically. Only a model of this program is replaced; see [`may_hold_a_model`].
pub fn save(
    folder: &Path,
    translator: &Translator,
    config: &TrainConfig,
) -> Result<(), CheckpointError> {
    may_hold_a_model(folder)?;
    let tokenizer = translator.pipeline.to_json();
    let model = &translator.model.config;
    let file = weights::file_beside(model, &translator.params, &tokenizer);
    let contents = [
        safetensors::to_bytes(&file),
        tokenizer.into_bytes(),
        config.to_toml().into_bytes(),
    ];
    let files = MODEL.into_iter().zip(contents.iter().map(Vec::as_slice));
    Files::new(folder, files, &|_, _| true, false)?
        .as_one()?
        .write()?;
    Ok(())
}
