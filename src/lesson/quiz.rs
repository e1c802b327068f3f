//! The questions at the end of a lesson: `quiz.toml`, in the form of predictions.

use serde::Deserialize;

use super::page::Predict;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    question: Vec<toml::Value>,
}

/// The questions of a `quiz.toml`. `Err` says where it is wrong.
pub fn parse(text: &str) -> Result<Vec<Predict>, String> {
    let file: File = toml::from_str(text).map_err(|e| format!("quiz.toml: {e}"))?;
    file.question
        .iter()
        .enumerate()
        .map(|(i, question)| {
            let body = toml::to_string(question).map_err(|e| e.to_string())?;
            super::page::predict(&body).map_err(|e| format!("quiz.toml, question {}: {e}", i + 1))
        })
        .collect()
}
