//! Files that hold a text in both languages: JSON and tab-separated columns, recognised by their contents.

mod columns;
mod json;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

pub use columns::only_numbers;
use columns::{Columns, is_tatoeba};

use super::corpus_error::CorpusError;
use super::stored::Stored;

/// Source and target sentence.
pub type Pair = (String, String);

/// Languages of source and target as the user names them: the fields of JSON, or the numbers of columns.
/// By default, the order in the file decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Languages {
    /// Language of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Language of the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// Source and target sentences of a file, one of them empty where the file lacks it.
#[derive(Debug, PartialEq)]
pub struct Bitext {
    /// Pairs in the file's order.
    pub pairs: Vec<Pair>,
    /// Sentence that says what was recognised, and which language is which.
    pub remark: String,
}

/// Sentences of a file by the names of their languages or fields.
#[derive(Debug, Default, PartialEq)]
struct Units {
    /// Names in the order in which they first occur.
    names: Vec<String>,
    indices: HashMap<String, usize>,
    /// Sentences of each unit, with the indices of their names.
    all: Vec<Vec<(usize, String)>>,
}

impl Units {
    /// Index of a name, which is added if it is new.
    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.indices.get(name) {
            return index;
        }
        let index = self.names.len();
        self.names.push(name.to_owned());
        self.indices.insert(name.to_owned(), index);
        index
    }
}

impl Bitext {
    /// Reads a file that is surely no text with one sentence per line: JSON, or columns of numbers and sentences.
    /// Returns `None` for any other text.
    pub fn recognised(stored: &Stored, languages: &Languages) -> Result<Option<Self>, CorpusError> {
        let damaged = |line, what| CorpusError::Line {
            path: stored.path.clone(),
            line,
            what,
        };
        if json::is_json(&stored.text) {
            let units = json::read(&stored.text).map_err(|e| damaged(e.line, e.what))?;
            let by_name = json::languages(&units.names);
            return Self::chosen(stored, languages, units, by_name).map(Some);
        }
        if is_tatoeba(stored.lines()) {
            Self::tab_separated(stored, languages).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Reads a file whose lines are tab-separated columns; `Columns::of` says which two are taken by default.
    pub fn tab_separated(stored: &Stored, languages: &Languages) -> Result<Self, CorpusError> {
        let mut columns = Columns::of(stored.lines());
        for (column, wanted) in [
            (&mut columns.source, &languages.source),
            (&mut columns.target, &languages.target),
        ] {
            let Some(wanted) = wanted else { continue };
            let number = wanted.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            *column = number.ok_or_else(|| {
                stored.refused(format!(
                    "it is tab-separated text, whose languages are chosen by the numbers of their columns, from 1, not \
                     by {wanted:?}"
                ))
            })?;
        }
        if columns.source == columns.target {
            return Err(stored.refused(format!(
                "source and target would both be column {}; choose two columns",
                columns.source + 1
            )));
        }
        let mut pairs = Vec::new();
        for (n, line) in stored.lines().enumerate() {
            if line.trim().is_empty() {
                pairs.push(Pair::default());
                continue;
            }
            let (source, target) = columns.pair(line).ok_or_else(|| CorpusError::Columns {
                path: stored.path.clone(),
                line: n + 1,
                column: columns.source.max(columns.target) + 1,
            })?;
            pairs.push((source.to_owned(), target.to_owned()));
        }
        let [source, target] =
            [columns.source, columns.target].map(|n| format!("column {}", n + 1));
        let remark = stored.remark("tab-separated pairs", &source, &target);
        Ok(Self { pairs, remark })
    }

    /// Takes two languages out of the units. `usual` are those that are taken unless the user names others.
    fn chosen(
        stored: &Stored,
        languages: &Languages,
        units: Units,
        usual: Option<(usize, usize)>,
    ) -> Result<Self, CorpusError> {
        let names = &units.names;
        let wanted = |language: &Option<String>| match language {
            None => Ok(None),
            Some(language) => {
                let columns = matching(names, language);
                if columns.is_empty() {
                    Err(stored.refused(format!(
                        "it is JSON with {}, but without {language:?}",
                        listed(names)
                    )))
                } else {
                    Ok(Some(columns))
                }
            }
        };
        let (source, target) = (wanted(&languages.source)?, wanted(&languages.target)?);
        let other = |taken: &[usize]| {
            let usual = usual.map(|(source, target)| vec![source, target]);
            let usual = usual.unwrap_or_else(|| (0..names.len()).collect());
            usual.into_iter().find(|n| !taken.contains(n))
        };
        let both = match (source, target) {
            (Some(source), Some(target)) => Some((source, target)),
            (Some(source), None) => other(&source).map(|target| (source, vec![target])),
            (None, Some(target)) => other(&target).map(|source| (vec![source], target)),
            (None, None) => usual.map(|(source, target)| (vec![source], vec![target])),
        };
        let (source, target) = both.ok_or_else(|| {
            stored.refused(match names.len() {
                0 => "it is JSON without any text".to_owned(),
                1 => format!("it is JSON with {} only, so it has no pairs", listed(names)),
                _ => format!(
                    "it is JSON with {}; name two of these as source and target",
                    listed(names)
                ),
            })
        })?;
        let remark = stored.remark(
            "JSON",
            &listed_of(names, &source),
            &listed_of(names, &target),
        );
        let pair = |unit: Vec<(usize, String)>| {
            let text = |side: &[usize]| {
                let columns = unit.iter().find(|(name, _)| side.contains(name));
                columns.map_or(String::new(), |(_, text)| on_one_line(text))
            };
            (text(&source), text(&target))
        };
        let pairs = units.all.into_iter().map(pair).collect();
        Ok(Self { pairs, remark })
    }
}

/// Indices of the names that a user may mean: the very name, or else its variants, such as `en-GB` for `en`.
fn matching(names: &[String], wanted: &str) -> Vec<usize> {
    let all = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let matches = names.iter().enumerate().filter(|(_, name)| is(name));
        matches.map(|(n, _)| n).collect()
    };
    let exact = all(&|name| name == wanted);
    if !exact.is_empty() {
        return exact;
    }
    let wanted = wanted.to_lowercase();
    all(&|name| {
        let name = name.to_lowercase();
        let rest = name.strip_prefix(&wanted);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
    })
}

/// Text without line ends, so that it is one line of a corpus.
fn on_one_line(text: &str) -> String {
    if text.contains(['\n', '\r']) {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        text.to_owned()
    }
}

/// Names in a sentence, at most ten.
fn listed(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(10).map(String::as_str).collect();
    let more = if names.len() > shown.len() {
        " and others"
    } else {
        ""
    };
    format!("{}{more}", shown.join(", "))
}

fn listed_of(names: &[String], indices: &[usize]) -> String {
    listed(
        &indices
            .iter()
            .map(|&n| names[n].clone())
            .collect::<Vec<_>>(),
    )
}

#[cfg(test)]
mod tests;
