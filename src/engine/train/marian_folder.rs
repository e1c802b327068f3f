//! Reading and writing the folder of a published Marian model, as downloaded: configuration, vocabulary, two
//! SentencePiece models and weights. `transformers` can load what is written.

use std::path::{Path, PathBuf};

use super::translator::{CheckpointError, Translator, read_text};
use crate::data::file;
use crate::data::safetensors::{self, NamedTensors, Shapes};
use crate::data::weights::WeightsError;
use crate::data::{marian, pytorch};
use crate::text::marian::{self as words, Ids};
use crate::text::pipeline::Pipeline;
use crate::text::published;
use crate::text::sentencepiece::SentencePiece;

/// File with the model's configuration.
pub const CONFIG: &str = "config.json";
/// File with the vocabulary: words and their ids.
pub const VOCABULARY: &str = "vocab.json";
/// SentencePiece models of source and target.
pub const PIECES: [&str; 2] = ["source.spm", "target.spm"];
/// File with the languages of the model and the settings of its tokenizer in `transformers`.
pub const TOKENIZER: &str = "tokenizer_config.json";
/// Files with the weights, in either format; the first is preferred.
pub const WEIGHTS: [&str; 2] = ["model.safetensors", "pytorch_model.bin"];

/// Keys for the source and target languages in [`TOKENIZER`].
const LANGUAGES: [&str; 2] = ["source_lang", "target_lang"];

/// True if `folder` is that of a published model, even an incomplete one. Two of the files above suffice, because a
/// folder of this program has only `model.safetensors`.
pub fn is_one(folder: &Path) -> bool {
    let [source, target] = PIECES;
    let theirs = [CONFIG, VOCABULARY, source, target, WEIGHTS[1]];
    let count = |files: &[&str]| {
        files
            .iter()
            .filter(|file| folder.join(file).is_file())
            .count()
    };
    count(&theirs) + count(&WEIGHTS[..1]) >= 2 && count(&theirs) >= 1 && !is_own(folder)
}

/// True for a complete checkpoint of this program, whatever other files are beside it.
fn is_own(folder: &Path) -> bool {
    let own = super::translator::MODEL;
    own.iter().all(|file| folder.join(file).is_file())
}

/// Reads the model. Each error names the file and what is wrong with it.
pub fn read(folder: &Path) -> Result<Translator, CheckpointError> {
    let at = |file: &str| folder.join(file);
    let unusable = |file: &str, why: String| CheckpointError::Unusable {
        path: folder.join(file),
        why,
    };
    let described = marian::read(&read_text(&at(CONFIG))?).map_err(|why| unusable(CONFIG, why))?;
    let fits = described
        .config
        .fits(4, "holding its weights", file::WEIGHTS.min(file::memory()));
    fits.map_err(|why| unusable(CONFIG, why))?;
    let list =
        words::words(&read_text(&at(VOCABULARY))?).map_err(|why| unusable(VOCABULARY, why))?;
    let ids = ids(&list, &described).map_err(|why| unusable(VOCABULARY, why))?;
    let [source, target] = PIECES.map(|name| -> Result<SentencePiece, CheckpointError> {
        let bytes = file::parsed(&at(name), file::WORDS).map_err(|source| CheckpointError::Io {
            path: at(name),
            source,
        })?;
        let pieces = SentencePiece::parse(bytes).map_err(|why| unusable(name, why))?;
        words::belongs(&pieces, &list).map_err(|why| unusable(name, why))?;
        Ok(pieces)
    });
    let (source, target) = (source?, target?);
    let languages = languages(folder)?;
    let path = weights(folder)?;
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
    let belong = |shapes: &Shapes| marian::belongs(&described, &ids, shapes);
    let tensors = match path.ends_with(WEIGHTS[0]) {
        true => {
            let file = safetensors::open(&path)?;
            belong(&file.shapes()).map_err(unfit)?;
            file.read()?.tensors
        }
        false => {
            // The embedding matrix may be stored once per use, and names and shapes take space.
            let most = 4 * (4 * described.config.parameters()) + (64 << 20);
            pytorch::read(&path, u64::try_from(most).unwrap_or(u64::MAX))?
        }
    };
    let loaded = marian::import(&described, &ids, tensors).map_err(unfit)?;
    let (model, params) = loaded;
    Ok(Translator {
        model,
        params,
        pipeline: Pipeline::published(&list, ids, source.into(), target.into()).between(languages),
    })
}

/// Reads the language codes of source and target, if the folder names them.
fn languages(folder: &Path) -> Result<[Option<String>; 2], CheckpointError> {
    let path = folder.join(TOKENIZER);
    if !path.is_file() {
        return Ok([None, None]);
    }
    let read: serde_json::Value =
        serde_json::from_str(&read_text(&path)?).map_err(|e| CheckpointError::Damaged {
            path,
            why: e.to_string(),
        })?;
    Ok(LANGUAGES.map(|key| read[key].as_str().map(str::to_owned)))
}

/// Finds the ids of the special tokens in the vocabulary and checks that they agree with `config.json`.
fn ids(list: &[String], described: &marian::Described) -> Result<Ids, String> {
    if list.len() != described.words {
        return Err(format!(
            "it has {} words, and {CONFIG} says vocab_size {}: one of the two is of another model",
            list.len(),
            described.words
        ));
    }
    let find = |word: &str| {
        let place = list.iter().position(|other| other == word);
        place.ok_or_else(|| format!("it has no {word}"))
    };
    for (word, name, says) in [
        ("<pad>", "pad_token_id", described.pad),
        ("</s>", "eos_token_id", described.end),
    ] {
        let has = find(word)?;
        if has != says {
            return Err(format!(
                "it gives {word} the id {has}, and {CONFIG} says {name} {says}"
            ));
        }
    }
    let unknown = find("<unk>")?;
    Ids::new(list.len(), described.pad, described.end, unknown)
        .ok_or_else(|| "<pad>, </s> and <unk> must be three words".to_owned())
}

/// Returns the path of the weights.
fn weights(folder: &Path) -> Result<PathBuf, CheckpointError> {
    let mut places = WEIGHTS.iter().map(|name| folder.join(name));
    places
        .find(|path| path.is_file())
        .ok_or_else(|| CheckpointError::Unusable {
            path: folder.into(),
            why: format!(
                "it has no weights, neither {} nor {}",
                WEIGHTS[0], WEIGHTS[1]
            ),
        })
}

/// Returns the files of a model, for `transformers` to load. Fails if the model does not have Marian's form, or if its
/// text is not cut by SentencePiece.
pub fn files(translator: &Translator) -> Result<Vec<(&'static str, Vec<u8>)>, WeightsError> {
    let (config, pipeline) = (&translator.model.config, &translator.pipeline);
    let differs = marian::differences(config);
    let pieces = |side: &crate::text::pipeline::Side| {
        side.pieces.as_ref().map(|pieces| pieces.bytes().to_vec())
    };
    let (Some(ids), Some(source), Some(target)) = (
        &pipeline.ids,
        pieces(&pipeline.source),
        pieces(&pipeline.target),
    ) else {
        let form = match differs.is_empty() {
            true => String::new(),
            false => format!(", and it has {}", differs.join("; ")),
        };
        return Err(WeightsError::Form(format!(
            "this model is not of Marian's form: its text is not cut by SentencePiece{form}"
        )));
    };
    let tensors = marian::export(config, &translator.params, ids)?;
    let file = NamedTensors {
        // transformers requires this entry.
        metadata: [("format".to_owned(), "pt".to_owned())].into(),
        tensors,
    };
    let mut tokenizer = serde_json::json!({
        "model_max_length": config.max_len,
        "separate_vocabs": false,
        "tokenizer_class": "MarianTokenizer",
    });
    for (key, side) in LANGUAGES.iter().zip([&pipeline.source, &pipeline.target]) {
        if let Some(language) = &side.language {
            tokenizer[*key] = language.as_str().into();
        }
    }
    Ok(vec![
        (CONFIG, marian::config_json(config, ids).into_bytes()),
        (
            "generation_config.json",
            marian::generation_json(config, ids).into_bytes(),
        ),
        (
            VOCABULARY,
            published::vocab_json(pipeline, ids).into_bytes(),
        ),
        (PIECES[0], source),
        (PIECES[1], target),
        (TOKENIZER, format!("{tokenizer:#}\n").into_bytes()),
        (WEIGHTS[0], safetensors::to_bytes(&file)),
    ])
}

#[cfg(test)]
mod tests;
