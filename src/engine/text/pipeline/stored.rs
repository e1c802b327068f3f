//! Reading and writing of `tokenizer.json`, the file of a pipeline.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Pipeline, Prepare, Side};
use crate::text::bpe::Bpe;
use crate::text::sentencepiece::Scored;
use crate::text::tokenize::Language;
use crate::text::vocabulary::Vocabulary;

#[derive(Serialize)]
#[serde(untagged)]
enum Stored {
    /// One unigram model for both languages, learned here.
    Pieces {
        pieces: Vec<Scored>,
        languages: Languages,
    },
    Words(StoredPair),
}

/// Codes of source and target; `null` if unknown.
type Languages = [Option<String>; 2];

/// Languages of older files, which have no language names: subword models were then always for German and English.
fn unnamed() -> Languages {
    [Language::German, Language::English].map(|language| Some(language.code().to_owned()))
}

#[derive(Serialize, Deserialize)]
struct StoredPair {
    source: StoredSide,
    target_prepare: Prepare,
    /// `None` if the target shares merges and vocabulary with the source.
    target: Option<StoredSide>,
}

#[derive(Serialize, Deserialize)]
struct StoredSide {
    prepare: Prepare,
    lowercase: bool,
    merges: Option<String>,
    words: Vec<String>,
}

impl Pipeline {
    /// JSON to store beside the weights. Panics for the pipeline of a published model, which has its own files.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&self.stored()).expect("words are plain data")
    }

    fn stored(&self) -> Stored {
        if let Some(pieces) = &self.source.pieces {
            let pieces = pieces.scored();
            assert!(
                Self::of_pieces(&pieces).same_words(self),
                "a published model's words are kept in its own files"
            );
            let languages = [&self.source, &self.target].map(|side| side.language.clone());
            return Stored::Pieces { pieces, languages };
        }
        let side = |side: &Side| StoredSide {
            prepare: side.prepare,
            lowercase: side.lowercase,
            merges: side.bpe.as_ref().map(|bpe| bpe.to_text()),
            words: side.vocabulary.words().to_vec(),
        };
        let joint = Arc::ptr_eq(&self.source.vocabulary, &self.target.vocabulary);
        let target = (!joint).then(|| side(&self.target));
        Stored::Words(StoredPair {
            source: side(&self.source),
            target_prepare: self.target.prepare,
            target,
        })
    }

    /// True if both pipelines segment all text alike, and into the same ids.
    fn same_words(&self, other: &Self) -> bool {
        let bytes = |side: &Side| side.pieces.as_ref().map(|pieces| pieces.bytes().to_vec());
        let same = |a: &Side, b: &Side| bytes(a) == bytes(b) && a.vocabulary == b.vocabulary;
        same(&self.source, &other.source) && same(&self.target, &other.target)
    }

    /// Reads the JSON of [`Pipeline::to_json`]. The error explains what is wrong.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        // The key shows which of the two forms it is, so that an error speaks of the right one.
        if let Some(pieces) = value.get("pieces") {
            let pieces: Vec<Scored> =
                serde_json::from_value(pieces.clone()).map_err(|e| format!("pieces: {e}"))?;
            let languages = value.get("languages").cloned().map(serde_json::from_value);
            let languages = languages
                .transpose()
                .map_err(|e| format!("languages: {e}"))?;
            return Ok(Self::try_pieces(&pieces)?.between(languages.unwrap_or_else(unnamed)));
        }
        let stored: StoredPair = serde_json::from_value(value).map_err(|e| e.to_string())?;
        let side = |stored: &StoredSide| -> Result<Side, String> {
            let bpe = stored.merges.as_deref().map(Bpe::parse).transpose();
            Ok(Side {
                language: stored.prepare.code(),
                prepare: stored.prepare,
                lowercase: stored.lowercase,
                bpe: bpe.map_err(|e| e.to_string())?.map(Arc::new),
                pieces: None,
                vocabulary: Arc::new(Vocabulary::from_words(
                    stored.words.iter().map(String::as_str),
                )),
                added: Arc::default(),
                ids: None,
            })
        };
        let source = side(&stored.source)?;
        let target = match &stored.target {
            Some(target) => side(target)?,
            None => Side {
                language: stored.target_prepare.code(),
                prepare: stored.target_prepare,
                ..source.clone()
            },
        };
        Ok(Self { source, target })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::pipeline::Learning;

    #[test]
    fn the_languages_of_pieces_are_kept_and_older_files_are_of_german_and_english() {
        let lines = ["un chien".to_owned()];
        let languages = |pipeline: &Pipeline| {
            [&pipeline.source, &pipeline.target].map(|side| side.language.clone())
        };
        for (prepare, code) in [(Prepare::Blanks, None), (Prepare::English, Some("en"))] {
            let learning = Learning {
                prepare_source: prepare,
                prepare_target: Prepare::Blanks,
                lowercase: false,
                merges: 0,
                pieces: 20,
                joint: true,
                min_count: 1,
                limit: None,
            };
            let pipeline = Pipeline::learn(&lines, &lines, &learning);
            let back = Pipeline::from_json(&pipeline.to_json()).unwrap();
            assert_eq!(languages(&back), [code.map(str::to_owned), None]);
        }
        let older = Pipeline::from_json(r#"{"pieces": [["▁", -1.0]]}"#).unwrap();
        assert_eq!(
            languages(&older),
            ["de", "en"].map(|code| Some(code.to_owned()))
        );
    }
}
