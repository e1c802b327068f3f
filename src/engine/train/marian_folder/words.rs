//! The vocabularies of a published Marian model: words and their ids, the tokens added later, and SentencePiece.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::{CONFIG, PIECES, TOKENIZER, VOCABULARIES, unusable};
use crate::data::file;
use crate::data::marian::Described;
use crate::text::added::AddedToken;
use crate::text::marian::{self, Ids};
use crate::text::pipeline::Side;
use crate::text::sentencepiece::SentencePiece;
use crate::train::translator::{CheckpointError, read_text};

/// Keys for the source and target languages in [`TOKENIZER`].
pub(super) const LANGUAGES: [&str; 2] = ["source_lang", "target_lang"];

/// File with the tokens added to the vocabulary, written by older versions of `transformers`.
pub(super) const ADDED: &str = "added_tokens.json";
/// File with the names of special tokens.
pub(super) const SPECIAL: &str = "special_tokens_map.json";

/// The special tokens of every model. Text that spells one is not one.
const SPECIALS: [&str; 3] = ["<pad>", "</s>", "<unk>"];

/// Reads both sides of the model's text.
pub(super) fn sides(folder: &Path, described: &Described) -> Result<[Side; 2], CheckpointError> {
    let settings = Settings::read(folder)?;
    let source = vocabulary(folder, described, 0, &settings)?;
    let mut sides = if settings.separate(folder, described)? {
        [source, vocabulary(folder, described, 1, &settings)?]
    } else {
        let target = Side {
            pieces: Some(pieces(folder, 1, &source.words)?),
            ..source.side.clone()
        };
        let words = Vec::new();
        [
            source,
            Vocabulary {
                side: target,
                words,
            },
        ]
    };
    for (side, language) in sides.iter_mut().zip(settings.languages) {
        side.side.language = language;
    }
    Ok(sides.map(|vocabulary| vocabulary.side))
}

/// A side, and the words of its file.
struct Vocabulary {
    side: Side,
    words: Vec<String>,
}

/// Reads the vocabulary of the source (0) or the target (1), and its SentencePiece model.
fn vocabulary(
    folder: &Path,
    described: &Described,
    side: usize,
    settings: &Settings,
) -> Result<Vocabulary, CheckpointError> {
    let name = VOCABULARIES[side];
    let refused = |why| unusable(folder, name, why);
    let words = marian::words(&read_text(&folder.join(name))?).map_err(refused)?;
    let rows = described.words[side];
    let (all, added) = with_added(&words, &settings.added, rows, side).map_err(refused)?;
    let ids = ids(&all, described, side).map_err(refused)?;
    let pieces = pieces(folder, side, &words)?;
    Ok(Vocabulary {
        side: Side::published(&all, Arc::new(ids), pieces, added.into()),
        words,
    })
}

/// Reads the SentencePiece model of the source (0) or the target (1), whose pieces must be among `words`.
fn pieces(
    folder: &Path,
    side: usize,
    words: &[String],
) -> Result<Arc<SentencePiece>, CheckpointError> {
    let name = PIECES[side];
    let path = folder.join(name);
    let bytes =
        file::parsed(&path, file::WORDS).map_err(|source| CheckpointError::Io { path, source })?;
    let refused = |why| unusable(folder, name, why);
    let pieces = SentencePiece::parse(bytes).map_err(refused)?;
    marian::belongs(&pieces, words).map_err(refused)?;
    Ok(Arc::new(pieces))
}

/// The words of a table with `rows` rows: those of the vocabulary, then the added tokens at their ids. Rows that only
/// make the table's size round have no word. Also returns the tokens that are cut out of text.
fn with_added(
    words: &[String],
    added: &BTreeMap<usize, AddedToken>,
    rows: usize,
    side: usize,
) -> Result<(Vec<String>, Vec<AddedToken>), String> {
    let size = ["vocab_size", "decoder_vocab_size"][side];
    if words.len() > rows {
        return Err(format!(
            "it has {} words, and {CONFIG} says {size} {rows}: one of the two is of another model",
            words.len()
        ));
    }
    let mut all = words.to_vec();
    all.resize(rows, String::new());
    let mut tokens = Vec::new();
    for (&id, token) in added {
        // The table was not resized for this token, so its text is cut into pieces like any other.
        if id >= rows {
            continue;
        }
        all[id].clone_from(&token.text);
        if !SPECIALS.contains(&token.text.as_str()) {
            tokens.push(token.clone());
        }
    }
    Ok((all, tokens))
}

/// Finds the ids of the special tokens in the vocabulary and checks that they agree with `config.json`.
fn ids(all: &[String], described: &Described, side: usize) -> Result<Ids, String> {
    let find = |word: &str| {
        let index = all.iter().position(|other| other == word);
        index.ok_or_else(|| format!("it has no {word}"))
    };
    let mut known = vec![("</s>", "eos_token_id", described.end)];
    if side == 0 {
        // The decoder begins with the source's padding, whatever the target's vocabulary has there.
        known.push(("<pad>", "pad_token_id", described.pad));
    }
    for (word, name, says) in known {
        let has = find(word)?;
        if has != says {
            return Err(format!(
                "it gives {word} the id {has}, and {CONFIG} says {name} {says}: one of the two is of another model"
            ));
        }
    }
    let unknown = find("<unk>")?;
    Ids::new(all.len(), described.pad, described.end, unknown)
        .ok_or_else(|| "<pad>, </s> and <unk> must be three words".to_owned())
}

/// What the files of the tokenizer say beside its vocabularies.
struct Settings {
    languages: [Option<String>; 2],
    /// Whether source and target have a vocabulary each, if that is said.
    separate: Option<bool>,
    /// Tokens added to the vocabulary, by their ids.
    added: BTreeMap<usize, AddedToken>,
}

impl Settings {
    /// Reads the files that are there; all are optional.
    fn read(folder: &Path) -> Result<Self, CheckpointError> {
        let config = json(folder, TOKENIZER)?;
        let special = json(folder, SPECIAL)?;
        let mut added = added_tokens(&json(folder, ADDED)?);
        added.extend(added_tokens_decoder(&config));
        let names = [&config, &special]
            .into_iter()
            .filter_map(|file| file["additional_special_tokens"].as_array())
            .flatten();
        let names: Vec<&str> = names
            .filter_map(|token| token.as_str().or_else(|| token["content"].as_str()))
            .collect();
        for token in added.values_mut() {
            token.special |= names.contains(&token.text.as_str());
        }
        Ok(Self {
            languages: LANGUAGES.map(|key| config[key].as_str().map(str::to_owned)),
            separate: config["separate_vocabs"].as_bool(),
            added,
        })
    }

    /// True if the target has a vocabulary of its own. Fails if it must have one, and its file is missing.
    fn separate(&self, folder: &Path, described: &Described) -> Result<bool, CheckpointError> {
        let [vocabulary, target] = VOCABULARIES;
        let [source_words, target_words] = described.words;
        let exists = folder.join(target).is_file();
        let separate = match self.separate {
            Some(separate) => separate,
            None => exists && !described.ties.shared,
        };
        if separate && described.ties.shared {
            return Err(unusable(
                folder,
                TOKENIZER,
                format!(
                    "it speaks of separate vocabularies (separate_vocabs), and {CONFIG} of one table for both \
                     (share_encoder_decoder_embeddings)"
                ),
            ));
        }
        if !exists && (separate || source_words != target_words) {
            return Err(unusable(
                folder,
                target,
                format!(
                    "it is missing; a model of separate vocabularies needs it beside {vocabulary}"
                ),
            ));
        }
        Ok(separate || source_words != target_words)
    }
}

/// A file of the tokenizer; null if it is not there.
fn json(folder: &Path, name: &str) -> Result<Value, CheckpointError> {
    let path = folder.join(name);
    if !path.is_file() {
        return Ok(Value::Null);
    }
    let text = read_text(&path)?;
    serde_json::from_str(&text).map_err(|e| CheckpointError::Damaged {
        path,
        why: e.to_string(),
    })
}

/// Tokens and their ids, as older versions of `transformers` list them.
fn added_tokens(file: &Value) -> BTreeMap<usize, AddedToken> {
    let all = file.as_object().into_iter().flatten();
    let tokens = all.filter_map(|(text, id)| {
        let token = AddedToken {
            text: text.clone(),
            ..AddedToken::default()
        };
        Some((usize::try_from(id.as_u64()?).ok()?, token))
    });
    tokens.collect()
}

/// Ids and their tokens, as newer versions list them.
fn added_tokens_decoder(config: &Value) -> BTreeMap<usize, AddedToken> {
    let all = config["added_tokens_decoder"].as_object();
    let tokens = all.into_iter().flatten().filter_map(|(id, token)| {
        let is = |key: &str| token[key].as_bool().unwrap_or(false);
        let text = token["content"].as_str()?.to_owned();
        let token = AddedToken {
            text,
            special: is("special"),
            lstrip: is("lstrip"),
            rstrip: is("rstrip"),
        };
        Some((id.parse().ok()?, token))
    });
    tokens.collect()
}
