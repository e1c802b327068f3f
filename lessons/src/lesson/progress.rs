//! The learner's progress: one file in the user's state folder, shared by all running tutors.
//!
//! Pages and questions are identified by ids, so their wording may change. A tutor merges what it has changed since it
//! last read the file into the file's present contents, so that no tutor overwrites another's entries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use super::environment;
use super::tier::Tier;
use crate::data::output;
use crate::tensor::random::fnv1a;
use file::FileState;
use lock::Lock;

mod file;
mod lock;
#[cfg(test)]
mod tests;

/// Fingerprint by which a learner's file is recognised: 16 hexadecimal digits.
pub fn sum(text: &str) -> String {
    format!("{:016x}", fnv1a(text.bytes()))
}

/// Maximum number of passes that are kept per exercise.
const PASSES: usize = 16;

/// The move that closes a case of the hunt without an answer.
pub const GIVE_UP: &str = "give up";

/// Entry under which cases of the hunt are stored beside the lessons. Older versions of the program take it for
/// a lesson that they don't have.
const HUNT: &str = "hunt";

/// Progress in one lesson.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Done {
    /// Ids of the pages read.
    pub pages: BTreeSet<String>,
    /// Page at which the learner stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_at: Option<String>,
    /// Number of times the exercise was checked.
    pub attempts: u32,
    /// Number of hint tiers shown.
    pub hints: usize,
    /// True if the exercise passed.
    pub solved: bool,
    /// Tier of the exercise's file, once it was chosen or checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// The tier that gives least at which the exercise passed; `None` if it did so before there were tiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solved_at: Option<Tier>,
    /// True if the learner's file failed when it was last checked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failing: bool,
    /// True if the learner gave the exercise up to see its code.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub given_up: bool,
    /// Fingerprint of the learner's file when it was last checked, see [`sum`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
    /// Fingerprints of the learner's files that passed, latest last, so that a file put back keeps its pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<String>,
    /// Predictions and quiz questions by id: whether the first answer was right.
    pub answers: BTreeMap<String, bool>,
    /// Quiz questions by id: how the learner answered when they were last asked.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub recalled: BTreeMap<String, Recall>,
    /// What the learner wrote in their own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explained: Option<Explanation>,
    /// What a later version of the program keeps here.
    #[serde(flatten)]
    later: toml::Table,
}

/// A quiz question as it was last answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recall {
    /// Day of the answer, counted from 1 January 1970.
    pub day: u64,
    /// True if the first answer of that day's quiz was right.
    pub right: bool,
    /// What a later version of the program keeps here.
    #[serde(flatten)]
    pub later: toml::Table,
}

/// An explanation in the learner's own words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The learner's text.
    pub text: String,
    /// Which points of the rubric the learner finds in it.
    pub points: [bool; 3],
    /// What a later version of the program keeps here.
    #[serde(flatten)]
    pub later: toml::Table,
}

/// Today, in days since 1 January 1970 (UTC).
pub fn today() -> u64 {
    crate::clock::since_1970().as_secs() / (24 * 60 * 60)
}

impl Done {
    /// True if a page of the lesson was opened.
    pub fn is_begun(&self) -> bool {
        self.stopped_at.is_some() || !self.pages.is_empty()
    }

    /// The tier at which the exercise passed, if it gives less than the guided one.
    pub fn solved_beyond(&self) -> Option<Tier> {
        self.solved_at.filter(|tier| *tier > Tier::Guided)
    }

    /// True if the learner may see the exercise's code, having tried it, passed it or given it up.
    pub fn sees_the_code(&self) -> bool {
        self.solved || self.given_up || self.attempts > 0
    }

    /// Keeps that a file with this fingerprint passed.
    pub fn keep_pass(&mut self, sum: &str) {
        self.passed.retain(|kept| kept != sum);
        self.passed.push(sum.to_owned());
        let many = self.passed.len().saturating_sub(PASSES);
        self.passed.drain(..many);
    }

    /// Gives the next of `tiers` hints. Asking again after the last one gives the exercise up.
    pub fn take_hint(&mut self, tiers: usize) {
        self.given_up |= self.hints >= tiers;
        self.hints = self.hints.saturating_add(1).min(tiers);
    }

    /// Merges what `ours` has changed since `base`, the state it started from.
    fn take_in(&mut self, base: &Self, ours: &Self) {
        self.pages.extend(ours.pages.iter().cloned());
        for (id, right) in &ours.answers {
            // The first try counts, and the answer in the file came first.
            self.answers.entry(id.clone()).or_insert(*right);
        }
        for (id, recall) in &ours.recalled {
            // The latest day counts.
            let kept = self.recalled.entry(id.clone()).or_default();
            if recall.day >= kept.day {
                kept.clone_from(recall);
            }
        }
        if ours.explained != base.explained {
            self.explained.clone_from(&ours.explained);
        }
        self.attempts += ours.attempts.saturating_sub(base.attempts);
        self.hints = self.hints.max(ours.hints);
        self.solved |= ours.solved;
        self.solved_at = self.solved_at.max(ours.solved_at);
        self.given_up |= ours.given_up;
        if ours.tier != base.tier {
            self.tier = ours.tier;
        }
        if ours.failing != base.failing {
            self.failing = ours.failing;
        }
        if ours.checked != base.checked {
            self.checked.clone_from(&ours.checked);
        }
        for sum in ours.passed.iter().filter(|sum| !base.passed.contains(sum)) {
            self.keep_pass(sum);
        }
        if ours.stopped_at != base.stopped_at {
            self.stopped_at.clone_from(&ours.stopped_at);
        }
    }
}

/// Contents of the progress file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Contents {
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    lessons: BTreeMap<String, Done>,
    /// Milestones that the learner's own model has reached, by id, with the figures at that time.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    milestones: BTreeMap<String, String>,
    /// Best figures by the ids of their records, of which less is better.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    records: BTreeMap<String, f64>,
    /// True if the learner follows the core path.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    core: bool,
    /// Page of the core path that was open last: its lesson and its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    core_page: Option<(String, String)>,
    /// Tier at which exercises begin.
    #[serde(skip_serializing_if = "is_guided")]
    tier: Tier,
    /// What a later version of the program keeps here.
    #[serde(flatten)]
    later: toml::Table,
}

fn is_guided(tier: &Tier) -> bool {
    *tier == Tier::Guided
}

impl Contents {
    fn take_in(&mut self, base: &Self, ours: &Self) {
        let nothing = Done::default();
        for (name, done) in &ours.lessons {
            let base = base.lessons.get(name).unwrap_or(&nothing);
            let theirs = self.lessons.entry(name.clone()).or_default();
            theirs.take_in(base, done);
        }
        for (id, figures) in &ours.milestones {
            // The first time counts.
            self.milestones
                .entry(id.clone())
                .or_insert_with(|| figures.clone());
        }
        for (id, figure) in &ours.records {
            let best = self.records.entry(id.clone()).or_insert(*figure);
            *best = best.min(*figure);
        }
        if ours.core != base.core {
            self.core = ours.core;
        }
        if ours.core_page != base.core_page {
            self.core_page.clone_from(&ours.core_page);
        }
        if ours.tier != base.tier {
            self.tier = ours.tier;
        }
        if ours.last != base.last {
            self.last.clone_from(&ours.last);
        }
    }
}

/// A learner's progress, and where it is kept.
#[derive(Default)]
pub struct Progress {
    path: Option<PathBuf>,
    now: Contents,
    /// Contents of the file when it was last read or written.
    base: Contents,
}

/// The program's state folder: `TRANSFORMER_TUTOR_STATE`, or the platform's default location.
pub fn folder() -> Option<PathBuf> {
    if let Some(folder) = environment::value(environment::STATE) {
        return Some(folder.into());
    }
    let base = etcetera::choose_base_strategy().ok()?;
    let folder = base.state_dir().unwrap_or_else(|| base.data_dir());
    // With an empty HOME it would be a folder below the current one.
    let folder = Some(folder).filter(|folder| folder.is_absolute())?;
    Some(folder.join("transformer-tutor"))
}

impl Progress {
    /// Reads the learner's progress. The second value is a message for the learner if a file was set aside or the
    /// location cannot be used.
    pub fn load() -> (Self, Option<String>) {
        match folder() {
            Some(folder) => Self::load_from(&folder.join("progress.toml")),
            None => (
                Self::default(),
                Some("There is no home folder, so your place will not be kept.".to_owned()),
            ),
        }
    }

    /// Reads a progress file; a broken or foreign one is renamed, never overwritten. One of a later version is shown as
    /// far as it can be read, and stays as it is.
    pub fn load_from(path: &Path) -> (Self, Option<String>) {
        match read(path) {
            Ok(Read {
                contents,
                is_later,
                remark,
            }) => {
                let contents = contents.unwrap_or_default();
                let progress = Self {
                    path: (!is_later).then(|| path.into()),
                    base: contents.clone(),
                    now: contents,
                };
                (progress, remark)
            }
            Err(e) => {
                let sentence = format!(
                    "Your place cannot be read ({}: {e}), and will not be kept.",
                    path.display()
                );
                (Self::default(), Some(sentence))
            }
        }
    }

    /// Progress from the text of a progress file that somebody else keeps, such as a browser.
    pub fn from_text(text: &str) -> Self {
        let now = match file::parse(text) {
            Some(FileState::Contents(contents) | FileState::Later(Some(contents))) => contents,
            _ => Contents::default(),
        };
        Self {
            now,
            ..Self::default()
        }
    }

    /// The text of a progress file. `Err` is a message for the learner.
    pub fn text(&self) -> Result<String, String> {
        file::text(&self.now)
    }

    /// Progress in a lesson.
    pub fn lesson(&self, name: &str) -> Done {
        self.now.lessons.get(name).cloned().unwrap_or_default()
    }

    /// Progress in a lesson, mutable. Makes the lesson the one opened last.
    pub fn lesson_mut(&mut self, name: &str) -> &mut Done {
        self.within_lesson_mut(name, name)
    }

    /// Progress kept under `name` within `lesson`, mutable: for exercises beside the lesson's core one. Makes `lesson`
    /// the one opened last.
    pub fn within_lesson_mut(&mut self, lesson: &str, name: &str) -> &mut Done {
        self.now.last = Some(lesson.to_owned());
        self.now.lessons.entry(name.to_owned()).or_default()
    }

    /// True if a page of a lesson has been read.
    pub fn has_read(&self, lesson: &str, page: &str) -> bool {
        let done = self.now.lessons.get(lesson);
        done.is_some_and(|done| done.pages.contains(page))
    }

    /// Records that a page of a lesson has been read.
    pub(super) fn read(&mut self, lesson: &str, page: &str) {
        let done = self.now.lessons.entry(lesson.to_owned()).or_default();
        done.pages.insert(page.to_owned());
    }

    /// True if the learner follows the core path, though a lesson beside it may be open.
    pub fn is_core(&self) -> bool {
        self.now.core
    }

    /// Records that a page of the core path is open, which the learner follows from now on.
    pub fn stand_at(&mut self, lesson: &str, page: &str) {
        self.now.core = true;
        self.now.core_page = Some((lesson.to_owned(), page.to_owned()));
    }

    /// Records that the learner no longer follows the core path.
    pub fn leave_core(&mut self) {
        self.now.core = false;
    }

    /// Page of the core path that was open last: its lesson and its id.
    pub fn core_page(&self) -> Option<(&str, &str)> {
        let (lesson, page) = self.now.core_page.as_ref()?;
        Some((lesson, page))
    }

    /// Tier at which exercises begin: the one chosen last.
    pub fn tier(&self) -> Tier {
        self.now.tier
    }

    /// Changes the tier at which exercises begin.
    pub fn set_tier(&mut self, tier: Tier) {
        self.now.tier = tier;
    }

    /// The lesson opened last.
    pub fn last(&self) -> Option<&str> {
        self.now.last.as_deref()
    }

    /// Milestones that the learner's own model has reached, by id, with the figures at that time.
    pub fn milestones(&self) -> &BTreeMap<String, String> {
        &self.now.milestones
    }

    /// Records that the learner's own model has reached a milestone; false if it had done so before.
    pub fn reach(&mut self, id: &str, figures: &str) -> bool {
        let new = !self.now.milestones.contains_key(id);
        if new {
            let milestones = &mut self.now.milestones;
            milestones.insert(id.to_owned(), figures.to_owned());
        }
        new
    }

    /// The best figure of a record.
    pub(super) fn record(&self, id: &str) -> Option<f64> {
        self.now.records.get(id).copied()
    }

    /// Enters a figure of which less is better; true if it is the best so far. One that is not finite never is.
    pub(super) fn enter_record(&mut self, id: &str, figure: f64) -> bool {
        let best = self.record(id).unwrap_or(f64::INFINITY);
        let better = figure.is_finite() && figure < best;
        if better {
            self.now.records.insert(id.to_owned(), figure);
        }
        better
    }

    /// Moves made so far in the hunt's case `case`, in their order; `None` if it is solved or was given up.
    pub fn moves(&self, case: &str) -> Option<Vec<String>> {
        let nothing = Done::default();
        let hunt = self.now.lessons.get(HUNT).unwrap_or(&nothing);
        let of_case = |page: &String| {
            let (id, rest) = page.split_once(' ')?;
            let (_, made) = rest.split_once(' ')?;
            (id == case).then(|| made.to_owned())
        };
        let moves: Vec<_> = hunt.pages.iter().filter_map(of_case).collect();
        let is_open = !hunt.answers.contains_key(case) && moves.iter().all(|m| m != GIVE_UP);
        is_open.then_some(moves)
    }

    /// Keeps all moves made in a case of the hunt; true if some are new. They have the place of pages, which older
    /// versions of the program read and write back.
    pub fn keep_moves(&mut self, case: &str, moves: &[String]) -> bool {
        if moves.is_empty() {
            return false;
        }
        let hunt = self.now.lessons.entry(HUNT.to_owned()).or_default();
        let before = hunt.pages.len();
        let numbered = moves.iter().enumerate();
        let pages = numbered.map(|(n, made)| format!("{case} {n:03} {made}"));
        hunt.pages.extend(pages);
        hunt.pages.len() > before
    }

    /// Records that a case of the hunt is solved, and whether with the first answer. Does not change
    /// [`Progress::last`].
    pub fn solve(&mut self, case: &str, at_first: bool) {
        let hunt = self.now.lessons.entry(HUNT.to_owned()).or_default();
        hunt.answers.entry(case.to_owned()).or_insert(at_first);
    }

    /// Merges the changes into the file, which is replaced atomically, and takes over what other tutors have written.
    /// `Err` is a message for the learner.
    pub fn save(&mut self) -> Result<(), String> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let failed = |e: &dyn std::fmt::Display| {
            format!(
                "Your progress could not be saved in {}: {e}",
                path.display()
            )
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| failed(&e))?;
        }
        let lock = Lock::take(path).map_err(|e| failed(&e))?;
        let Read {
            contents,
            is_later,
            remark,
        } = read_locked(path, &lock).map_err(|e| failed(&e))?;
        if is_later {
            return remark.map_or(Ok(()), Err);
        }
        let merged = match contents {
            Some(mut theirs) => {
                theirs.take_in(&self.base, &self.now);
                theirs
            }
            // The file is gone, so our state is complete and nothing can be counted twice.
            None => self.now.clone(),
        };
        let text = file::text(&merged).map_err(|e| failed(&e))?;
        output::replace(path, text.as_bytes()).map_err(|e| failed(&e))?;
        self.base.clone_from(&merged);
        self.now = merged;
        remark.map_or(Ok(()), Err)
    }
}

/// What was read from a file.
#[derive(Default)]
struct Read {
    /// Its contents, if it exists and can be read.
    contents: Option<Contents>,
    /// True if a later version of the program wrote it.
    is_later: bool,
    /// A message for the learner.
    remark: Option<String>,
}

impl Read {
    /// What the file holds; `None` if it is unreadable.
    fn of(path: &Path) -> io::Result<Option<Self>> {
        Ok(match file::read(path)? {
            FileState::Missing => Some(Self::default()),
            FileState::Contents(contents) => Some(Self {
                contents: Some(contents),
                ..Self::default()
            }),
            FileState::Later(contents) => Some(Self {
                contents,
                is_later: true,
                remark: Some(format!(
                    "A later version of this program wrote {}, so it stays as it is, and what you do here is not kept. \
                     Open the program of that version to go on.",
                    path.display()
                )),
            }),
            FileState::Unreadable => None,
        })
    }
}

fn read(path: &Path) -> io::Result<Read> {
    match Read::of(path)? {
        Some(read) => Ok(read),
        // Another tutor may have found the same and begun a new file meanwhile, so look again under the lock.
        None => read_locked(path, &Lock::take(path)?),
    }
}

fn read_locked(path: &Path, _: &Lock) -> io::Result<Read> {
    if let Some(read) = Read::of(path)? {
        return Ok(read);
    }
    let aside = set_aside(path)?;
    let sentence = format!(
        "The progress file was not readable; it is kept as {}.",
        aside.display()
    );
    Ok(Read {
        remark: Some(sentence),
        ..Read::default()
    })
}

/// Renames a file to the first unused `name.N`.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let free = (1_u64..)
        .map(|n| {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{n}"));
            PathBuf::from(name)
        })
        .find(|p| fs::symlink_metadata(p).is_err())
        .expect("numbers do not end");
    fs::rename(path, &free)?;
    Ok(free)
}
