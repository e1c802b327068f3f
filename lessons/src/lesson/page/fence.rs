//! The bodies of `stage` and `predict` blocks, in TOML.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

use super::{CellOf, Predict, PredictOption, StageBlock};

/// Error message, and its byte range within the block.
pub type FenceError = (String, Option<Range<usize>>);

pub fn stage(body: &str, line: usize) -> Result<StageBlock, FenceError> {
    let raw: RawStage = read(body)?;
    Ok(StageBlock {
        set: texts(raw.set),
        mistakes: match raw.mistakes {
            None => Vec::new(),
            Some(OneOrMany::One(one)) => vec![one],
            Some(OneOrMany::Many(many)) => many,
        },
        show: raw.show,
        at: raw.at,
        gradient: raw.gradient,
        press: raw.press,
        caption: raw.caption,
        line,
    })
}

pub fn predict(body: &str, line: usize) -> Result<Predict, FenceError> {
    let raw: RawPredict = read(body)?;
    if raw.options.len() < 2 {
        return Err((
            format!(
                "a prediction needs at least two options, this one has {}",
                raw.options.len()
            ),
            None,
        ));
    }
    let option = |raw: RawOption| PredictOption {
        text: raw.text,
        value: raw.value.into_text(),
        why: raw.why,
    };
    if !is_id(&raw.id) {
        let rule = format!(
            "an id is short and in small letters, like scores-shape, not '{}'",
            raw.id
        );
        return Err((rule, None));
    }
    Ok(Predict {
        id: raw.id,
        ask: raw.ask,
        answer: raw.answer,
        set: texts(raw.set),
        given: raw.given,
        breaks: raw.breaks,
        options: raw.options.into_iter().map(option).collect(),
        line,
    })
}

/// True if `id` consists of lowercase words and digits joined by hyphens.
pub fn is_id(id: &str) -> bool {
    let word = |word: &str| {
        let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        !word.is_empty() && word.chars().all(known)
    };
    id.len() <= 60 && id.split('-').all(word)
}

fn read<T: serde::de::DeserializeOwned>(body: &str) -> Result<T, FenceError> {
    toml::from_str(body).map_err(|error| (error.message().to_string(), error.span()))
}

fn texts(raw: BTreeMap<String, Scalar>) -> BTreeMap<String, String> {
    raw.into_iter()
        .map(|(knob, value)| (knob, value.into_text()))
        .collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStage {
    #[serde(default)]
    set: BTreeMap<String, Scalar>,
    #[serde(rename = "break")]
    mistakes: Option<OneOrMany>,
    show: Option<String>,
    #[serde(default)]
    at: Vec<usize>,
    gradient: Option<CellOf>,
    press: Option<String>,
    caption: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPredict {
    id: String,
    ask: String,
    answer: String,
    #[serde(default)]
    set: BTreeMap<String, Scalar>,
    given: Option<String>,
    #[serde(rename = "break")]
    breaks: Option<String>,
    options: Vec<RawOption>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOption {
    text: String,
    value: Scalar,
    why: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// A knob's value as an author writes it; converted to text.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a knob's value is a text, a number, or true or false"
)]
enum Scalar {
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
}

impl Scalar {
    fn into_text(self) -> String {
        match self {
            Self::Bool(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Text(value) => value,
        }
    }
}
