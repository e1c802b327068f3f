//! Reading the folder of a published Marian model, as downloaded: configuration, vocabularies (`words`), two
//! SentencePiece models and weights. `written` writes one that `transformers` can load.

mod words;
mod written;

use std::path::{Path, PathBuf};

pub use written::files;

use super::foreign;
use super::translator::{CheckpointError, Translator, read_text};
use crate::data::file;
use crate::data::marian::{self, Described};
use crate::data::state_dict::{INDEX, Shards};
use crate::data::weights::WeightsError;
use crate::text::pipeline::{Pipeline, Side};

/// File with the model's configuration.
pub const CONFIG: &str = "config.json";
/// File with the ids of special tokens, if the configuration lacks them.
pub const GENERATION: &str = "generation_config.json";
/// Files with the vocabularies of source and target: words and their ids. Most models have the first only.
pub const VOCABULARIES: [&str; 2] = ["vocab.json", "target_vocab.json"];
/// SentencePiece models of source and target.
pub const PIECES: [&str; 2] = ["source.spm", "target.spm"];
/// File with the languages of the model and the settings of its tokenizer in `transformers`.
pub const TOKENIZER: &str = "tokenizer_config.json";
/// Files with the weights, in either format; the first is preferred.
pub const WEIGHTS: [&str; 2] = ["model.safetensors", "pytorch_model.bin"];

/// Names of all files of a published model, except those of weights in several files.
pub const FILES: [&str; 13] = [
    CONFIG,
    GENERATION,
    VOCABULARIES[0],
    VOCABULARIES[1],
    PIECES[0],
    PIECES[1],
    TOKENIZER,
    words::ADDED,
    words::SPECIAL,
    WEIGHTS[0],
    WEIGHTS[1],
    INDEX[0],
    INDEX[1],
];

/// True if `folder` is that of a published model, even an incomplete one. Two of the files above suffice, because a
/// folder of this program has only `model.safetensors`.
pub fn is_one(folder: &Path) -> bool {
    let [source, target] = PIECES;
    let [vocabulary, _] = VOCABULARIES;
    let theirs = [
        CONFIG, vocabulary, source, target, WEIGHTS[1], INDEX[0], INDEX[1],
    ];
    let count = |files: &[&str]| {
        files
            .iter()
            .filter(|file| folder.join(file).is_file())
            .count()
    };
    let all = count(&theirs) + count(&WEIGHTS[..1]);
    all >= 2 && count(&theirs) >= 1 && !is_own(folder) && foreign::kind(folder).is_none()
}

/// True for a complete checkpoint of this program, whatever other files are beside it.
fn is_own(folder: &Path) -> bool {
    let own = super::translator::MODEL;
    own.iter().all(|file| folder.join(file).is_file())
}

/// Reads the `config.json` of a folder, and the `generation_config.json` beside it.
pub fn described(folder: &Path) -> Result<Described, CheckpointError> {
    let generation = folder.join(GENERATION);
    let generation = if generation.is_file() {
        Some(read_text(&generation)?)
    } else {
        None
    };
    let config = read_text(&folder.join(CONFIG))?;
    let described = marian::read(&config, generation.as_deref());
    described.map_err(|why| unusable(folder, CONFIG, why))
}

/// Reads the model. Each error names the file and what is wrong with it.
pub fn read(folder: &Path) -> Result<Translator, CheckpointError> {
    let path = complete(folder)?;
    let described = described(folder)?;
    let fits = described
        .config
        .fits(4, "holding its weights", file::WEIGHTS.min(file::memory()));
    fits.map_err(|why| unusable(folder, CONFIG, why))?;
    let [source, target] = words::sides(folder, &described)?;
    let (model, params) = weights(path, &described, [&source, &target])?;
    Ok(Translator {
        model,
        params,
        pipeline: Pipeline { source, target },
    })
}

fn unusable(folder: &Path, file: &str, why: String) -> CheckpointError {
    CheckpointError::Unusable {
        path: folder.join(file),
        why,
    }
}

/// Path of the weights or of their index, in the order in which `transformers` looks for them. The error names every file
/// that the folder lacks.
fn complete(folder: &Path) -> Result<PathBuf, CheckpointError> {
    let names = [WEIGHTS[0], INDEX[0], WEIGHTS[1], INDEX[1]];
    let mut weights = names.iter().map(|name| folder.join(name));
    let weights = weights.find(|path| path.is_file());
    let needed = [CONFIG, VOCABULARIES[0], PIECES[0], PIECES[1]].into_iter();
    let mut missing: Vec<&str> = needed.filter(|file| !folder.join(file).is_file()).collect();
    if weights.is_none() {
        missing.push(
            "its weights (model.safetensors, pytorch_model.bin, or several files with their index)",
        );
    }
    weights
        .filter(|_| missing.is_empty())
        .ok_or_else(|| CheckpointError::Unusable {
            path: folder.into(),
            why: format!(
                "it is a published Marian model without {}; download what is missing",
                missing.join(", ")
            ),
        })
}

/// Reads the weights.
fn weights(
    path: PathBuf,
    described: &Described,
    sides: [&Side; 2],
) -> Result<(crate::transformer::Transformer, crate::params::Params), CheckpointError> {
    let unfit = |e: WeightsError| CheckpointError::Unusable {
        path: path.clone(),
        why: match e {
            WeightsError::Shape { .. }
            | WeightsError::Missing { .. }
            | WeightsError::Unknown { .. } => {
                format!(
                    "{e}, according to the {CONFIG} beside it: one of the two belongs to another model"
                )
            }
            other => other.to_string(),
        },
    };
    // The tables may be stored once per use and in double precision, and names and shapes take space.
    let most = 8 * (4 * described.config.parameters()) + (64 << 20);
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    let shards = if INDEX.iter().any(|index| path.ends_with(index)) {
        Shards::indexed(&path, most)?
    } else {
        Shards::one(&path, most)?
    };
    let ids = sides.map(|side| &**side.ids.as_ref().expect("a published side has ids"));
    marian::belongs(described, ids, &shards.shapes()).map_err(unfit)?;
    marian::import(described, ids, shards.read()?).map_err(unfit)
}

#[cfg(test)]
mod tests;
