//! The questions at the end of a lesson, written in its `lesson.toml` as predictions.

use serde::Deserialize;

use super::page::Predict;

/// The questions only; [`super::words`] reads the rest of the file.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    question: Vec<toml::Value>,
}

/// The questions of a `lesson.toml`. The error explains where it is wrong.
pub fn parse(text: &str) -> Result<Vec<Predict>, String> {
    let file: File = toml::from_str(text).map_err(|e| format!("lesson.toml: {e}"))?;
    file.question
        .iter()
        .enumerate()
        .map(|(i, question)| {
            let body = toml::to_string(question).map_err(|e| e.to_string())?;
            super::page::predict(&body).map_err(|e| format!("lesson.toml, question {}: {e}", i + 1))
        })
        .collect()
}
