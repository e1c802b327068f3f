//! The file `vocab.json`, a vocabulary of a published Marian model.

use super::pipeline::Side;

/// Contents of `vocab.json` for a side that was read from one, without its added tokens. `None` for any other side.
pub fn vocab_json(side: &Side) -> Option<String> {
    let ids = side.ids.as_ref()?;
    let all = ids.ours.iter().enumerate();
    let words = all.map(|(their, our)| (side.vocabulary.word(*our as usize), their));
    let added = |word: &str| side.added.iter().any(|token| token.text == word);
    // Rows without a word make a table's size round.
    let words = words.filter(|(word, _)| !word.is_empty() && !added(word));
    let lines: Vec<String> = words
        .map(|(word, id)| format!(" {}: {id}", serde_json::Value::from(word)))
        .collect();
    Some(format!("{{\n{}\n}}\n", lines.join(",\n")))
}
