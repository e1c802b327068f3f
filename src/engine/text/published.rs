//! The file `vocab.json`, the vocabulary of a published Marian model.

use super::marian::Ids;
use super::pipeline::Pipeline;

/// Contents of `vocab.json` for a pipeline that was read from one.
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
