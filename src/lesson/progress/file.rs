//! The format of the progress file. The previous version is converted when it is read.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Contents, Done};
use crate::data::file;
use crate::lesson::Tier;
use crate::tensor::random::fnv1a;

/// Current version of the format.
const VERSION: u32 = 2;

/// State of the file.
pub enum FileState {
    Missing,
    Contents(Contents),
    /// A broken or foreign file, or one of a later version.
    Unreadable,
}

pub fn read(path: &Path) -> io::Result<FileState> {
    match file::parsed(path, file::WORDS) {
        Ok(bytes) => {
            let contents = std::str::from_utf8(&bytes).ok().and_then(parse);
            Ok(contents.map_or(FileState::Unreadable, FileState::Contents))
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(FileState::Missing),
        Err(e) => Err(e),
    }
}

pub fn text(contents: &Contents) -> Result<String, String> {
    let file = File {
        version: VERSION,
        last: contents.last.clone(),
        lessons: contents.lessons.clone(),
        milestones: contents.milestones.clone(),
        records: contents.records.clone(),
        core: contents.core,
        tier: contents.tier,
    };
    toml::to_string(&file).map_err(|e| e.to_string())
}

fn parse(text: &str) -> Option<Contents> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let version = toml::from_str::<Version>(text).ok()?.version;
    match version {
        VERSION => {
            let file: File = toml::from_str(text).ok()?;
            Some(Contents {
                last: file.last,
                lessons: file.lessons,
                milestones: file.milestones,
                records: file.records,
                core: file.core,
                tier: file.tier,
            })
        }
        1 => Some(toml::from_str::<File1>(text).ok()?.into_contents()),
        _ => None,
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    #[serde(default)]
    lessons: BTreeMap<String, Done>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    milestones: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    records: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    core: bool,
    #[serde(default, skip_serializing_if = "is_guided")]
    tier: Tier,
}

fn is_guided(tier: &Tier) -> bool {
    *tier == Tier::Guided
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
            milestones: BTreeMap::new(),
            records: BTreeMap::new(),
            core: false,
            tier: Tier::default(),
        }
    }
}

impl Done1 {
    fn into_done(self, ids: &Ids) -> Done {
        let page = |number: usize| ids.pages.get(number).cloned();
        let answer = |(wording, right): (String, bool)| {
            let sum = format!("{:016x}", fnv1a(wording.bytes()));
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
