//! The pipeline of a published Marian model, and its `vocab.json`.

use std::sync::Arc;

use super::marian::Ids;
use super::pipeline::{Pipeline, Prepare, Side};
use super::sentencepiece::SentencePiece;
use super::vocabulary::{UNK, Vocabulary};

/// `vocab.json` of a pipeline that was read from one.
pub fn vocab_json(pipeline: &Pipeline, ids: &Ids) -> String {
    let word = |their: &u32| {
        pipeline
            .source
            .vocabulary
            .word(ids.ours[*their as usize] as usize)
    };
    let all = 0..ids.ours.len() as u32;
    let lines: Vec<String> = all
        .map(|id| format!(" {}: {id}", serde_json::Value::from(word(&id))))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Text to ids and back, by these words.
pub fn pipeline(
    words: &[String],
    ids: Ids,
    source: SentencePiece,
    target: SentencePiece,
) -> Pipeline {
    let rest = ids.theirs[UNK + 1..].iter();
    let vocabulary = Vocabulary::listed(rest.map(|id| words[*id as usize].clone()));
    let vocabulary = Arc::new(vocabulary);
    let side = |pieces| Side {
        prepare: Prepare::Blanks,
        lowercase: false,
        bpe: None,
        pieces: Some(Arc::new(pieces)),
        vocabulary: vocabulary.clone(),
    };
    Pipeline {
        source: side(source),
        target: side(target),
        ids: Some(Arc::new(ids)),
    }
}
