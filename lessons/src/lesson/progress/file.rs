//! The format of the progress file. The previous version is converted when it is read.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Contents, Done};
use crate::data::file;

/// Current version of the format. A later one may give fields other meanings and other values; new fields need no new
/// version, because programs keep those that they don't know.
const VERSION: u32 = 2;

/// State of the file.
pub enum FileState {
    Missing,
    Contents(Contents),
    /// A file of a later version, and as much of its contents as can be read.
    Later(Option<Contents>),
    /// A broken or foreign file.
    Unreadable,
}

pub fn read(path: &Path) -> io::Result<FileState> {
    match file::parsed(path, file::WORDS) {
        Ok(bytes) => {
            let state = std::str::from_utf8(&bytes).ok().and_then(parse);
            Ok(state.unwrap_or(FileState::Unreadable))
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(FileState::Missing),
        Err(e) => Err(e),
    }
}

pub fn text(contents: &Contents) -> Result<String, String> {
    let file = File {
        version: VERSION,
        contents: contents.clone(),
    };
    toml::to_string(&file).map_err(|e| e.to_string())
}

/// The file's version and contents.
#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    #[serde(flatten)]
    contents: Contents,
}

pub fn parse(text: &str) -> Option<FileState> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let version = toml::from_str::<Version>(text).ok()?.version;
    let contents = || Some(toml::from_str::<File>(text).ok()?.contents);
    match version {
        0 => None,
        1 => Some(FileState::Contents(
            toml::from_str::<File1>(text).ok()?.into_contents(),
        )),
        VERSION => contents().map(FileState::Contents),
        _ => Some(FileState::Later(contents())),
    }
}

/// Version 1 of the file, which counted pages and identified questions by their wording.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File1 {
    #[serde(rename = "version")]
    _version: u32,
    last: Option<String>,
    #[serde(default)]
    lessons: BTreeMap<String, Done1>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Done1 {
    pages: BTreeSet<usize>,
    stopped_at: usize,
    answers: BTreeMap<String, bool>,
    attempts: u32,
    hints: usize,
    solved: bool,
}

/// Ids of a lesson's pages, by number, and of its questions, by the hash of their wording.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ids {
    pub(super) pages: Vec<String>,
    #[serde(default)]
    pub(super) answers: BTreeMap<String, String>,
}

pub(super) fn ids() -> BTreeMap<String, Ids> {
    toml::from_str(include_str!("version1.toml")).expect("the table is part of the program")
}

impl File1 {
    fn into_contents(self) -> Contents {
        let ids = ids();
        let none = Ids::default();
        let lessons = self.lessons.into_iter().map(|(name, done)| {
            let ids = ids.get(&name).unwrap_or(&none);
            let done = done.into_done(ids);
            (name, done)
        });
        Contents {
            last: self.last,
            lessons: lessons.collect(),
            ..Contents::default()
        }
    }
}

impl Done1 {
    fn into_done(self, ids: &Ids) -> Done {
        let page = |number: usize| ids.pages.get(number).cloned();
        let answer = |(wording, right): (String, bool)| {
            let sum = super::sum(&wording);
            // A question that no longer exists keeps its hash as id: it was answered all the same.
            (ids.answers.get(&sum).cloned().unwrap_or(sum), right)
        };
        Done {
            stopped_at: page(self.stopped_at),
            pages: self.pages.into_iter().filter_map(page).collect(),
            answers: self.answers.into_iter().map(answer).collect(),
            attempts: self.attempts,
            hints: self.hints,
            solved: self.solved,
            ..Done::default()
        }
    }
}
