//! The folder of a model by itself, without a run: weights, vocabulary and settings, as `average` writes it.

use std::fs;
use std::io;
use std::path::Path;

use super::checkpoint::{CheckpointError, MODEL, Translator};
use super::config::TrainConfig;
use super::disk::{Disk, WRITING};
use super::run_folder::recognise::{here, may_hold_a_model};
use crate::data::{safetensors, weights};

/// Writes a model into `folder`, whole or not at all. Only a model of this program is replaced; see
/// [`may_hold_a_model`].
pub fn save(
    folder: &Path,
    translator: &Translator,
    config: &TrainConfig,
) -> Result<(), CheckpointError> {
    save_on(&Disk::default(), folder, translator, config)
}

fn save_on(
    disk: &Disk,
    folder: &Path,
    translator: &Translator,
    config: &TrainConfig,
) -> Result<(), CheckpointError> {
    let old = may_hold_a_model(folder)?;
    let failed = |source| CheckpointError::Write {
        path: folder.into(),
        source,
    };
    let place = old.as_deref().unwrap_or(folder);
    let above = here(place.parent().unwrap_or(Path::new("")));
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    // Two programs at the same time write two folders; whoever is the last is there in the end.
    let beside = |word| above.join(format!("{word}{name}-{}", std::process::id()));
    let (staged, aside) = (beside(WRITING), beside(".leaving-"));
    let tokenizer = translator.pipeline.to_json();
    let model = &translator.model.config;
    let file = weights::file_beside(model, &translator.params, &tokenizer);
    let contents = [
        safetensors::to_bytes(&file),
        tokenizer.into_bytes(),
        config.to_toml().into_bytes(),
    ];
    let fill = || -> io::Result<()> {
        disk.make_folders(above)?;
        disk.make_folder(&staged)?;
        for (file, bytes) in MODEL.iter().zip(&contents) {
            disk.write(&staged.join(file), bytes)?;
        }
        if let Some(old) = &old {
            fs::set_permissions(&staged, fs::metadata(old)?.permissions())?;
        }
        disk.sync_folder(&staged)
    };
    let exchange = || -> io::Result<()> {
        if old.is_some() {
            disk.rename(place, &aside)?;
        }
        disk.rename(&staged, place).inspect_err(|_| {
            if old.is_some() {
                let _ = disk.rename(&aside, place);
            }
        })
    };
    if let Err(e) = fill().and_then(|()| exchange()) {
        let _ = remove(disk, &staged);
        return Err(failed(e));
    }
    disk.sync_folder(above).map_err(failed)?;
    if old.is_some() {
        let _ = remove(disk, &aside);
    }
    Ok(())
}

fn remove(disk: &Disk, folder: &Path) -> io::Result<()> {
    for file in MODEL {
        disk.remove_file(&folder.join(file))?;
    }
    disk.remove_folder(folder).map(drop)
}
