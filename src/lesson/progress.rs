//! What a learner has done: one file in the user's state folder, written atomically.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use crate::data::file;

/// The present form of the file.
const VERSION: u32 = 1;

/// What has been done in one lesson.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Done {
    /// The pages read, from 0.
    pub pages: BTreeSet<usize>,
    /// The page where the learner stopped.
    pub stopped_at: usize,
    /// Predictions and quiz questions, by their words: right at the first try, or not.
    pub answers: BTreeMap<String, bool>,
    /// How often the exercise was checked.
    pub attempts: u32,
    /// How many tiers of hints were given.
    pub hints: usize,
    /// Whether the exercise passed.
    pub solved: bool,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(default)]
    last: Option<String>,
    #[serde(default)]
    lessons: BTreeMap<String, Done>,
}

/// The progress of a learner, and where it is kept.
#[derive(Default)]
pub struct Progress {
    path: Option<PathBuf>,
    last: Option<String>,
    lessons: BTreeMap<String, Done>,
}

/// The folder of the program's state: `TRANSFORMER_TUTOR_STATE`, or the platform's own place.
pub fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("TRANSFORMER_TUTOR_STATE") {
        return Some(folder.into());
    }
    let base = etcetera::choose_base_strategy().ok()?;
    Some(
        base.state_dir()
            .unwrap_or_else(|| base.data_dir())
            .join("transformer-tutor"),
    )
}

impl Progress {
    /// Reads the learner's progress. The second value is a sentence for the learner where a file was
    /// set aside or the place cannot be used.
    pub fn load() -> (Self, Option<String>) {
        match folder() {
            Some(folder) => Self::load_from(&folder.join("progress.toml")),
            None => (
                Self::default(),
                Some("There is no home folder, so your place will not be kept.".to_owned()),
            ),
        }
    }

    /// Reads a progress file; one that is broken or foreign is renamed aside, never overwritten.
    pub fn load_from(path: &Path) -> (Self, Option<String>) {
        let fresh = Self {
            path: Some(path.into()),
            ..Self::default()
        };
        let text = match file::bytes(path, file::WORDS) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return (fresh, None),
            Err(e) => {
                let sentence = format!(
                    "Your place cannot be read ({}: {e}), and will not be kept.",
                    path.display()
                );
                return (Self::default(), Some(sentence));
            }
        };
        match toml::from_str::<File>(&text) {
            Ok(file) if file.version == VERSION => (
                Self {
                    last: file.last,
                    lessons: file.lessons,
                    ..fresh
                },
                None,
            ),
            _ => match set_aside(path) {
                Ok(aside) => (
                    fresh,
                    Some(format!(
                        "The progress file was not readable; it is kept as {}.",
                        aside.display()
                    )),
                ),
                Err(e) => (
                    Self::default(),
                    Some(format!(
                        "The progress file is not readable and cannot be set aside ({e}); your place will not be kept."
                    )),
                ),
            },
        }
    }

    /// What was done in a lesson.
    pub fn lesson(&self, name: &str) -> Done {
        self.lessons.get(name).cloned().unwrap_or_default()
    }

    /// What was done in a lesson, to be changed.
    pub fn lesson_mut(&mut self, name: &str) -> &mut Done {
        self.last = Some(name.to_owned());
        self.lessons.entry(name.to_owned()).or_default()
    }

    /// The lesson that was open last.
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Writes the file: all of it or nothing.
    pub fn save(&self) -> Result<(), String> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let file = File {
            version: VERSION,
            last: self.last.clone(),
            lessons: self.lessons.clone(),
        };
        let text = toml::to_string(&file).map_err(|e| e.to_string())?;
        write(path, &text)
            .map_err(|e| format!("Your place could not be kept in {}: {e}", path.display()))
    }
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Renames a file to the first free `name.N`.
pub fn set_aside(path: &Path) -> std::io::Result<PathBuf> {
    let aside = (1..).map(|n| PathBuf::from(format!("{}.{n}", path.display())));
    let free = aside
        .into_iter()
        .find(|p| !p.exists())
        .expect("numbers do not end");
    fs::rename(path, &free)?;
    Ok(free)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/progress.toml");
        let (mut progress, said) = Progress::load_from(&path);
        assert_eq!(said, None);
        let done = progress.lesson_mut("attention");
        done.pages.insert(3);
        done.answers.insert("Which shape?".to_owned(), true);
        progress.save().unwrap();
        let (again, _) = Progress::load_from(&path);
        assert_eq!(again.lesson("attention"), progress.lesson("attention"));
        assert_eq!(again.last(), Some("attention"));
    }

    #[test]
    fn a_broken_file_is_set_aside_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress.toml");
        for (n, foreign) in ["version = 99", "{ not toml", "\u{0}\u{1}"]
            .iter()
            .enumerate()
        {
            fs::write(&path, foreign).unwrap();
            let (progress, said) = Progress::load_from(&path);
            let aside = folder.path().join(format!("progress.toml.{}", n + 1));
            assert!(said.unwrap().contains(&aside.display().to_string()));
            assert_eq!(fs::read_to_string(&aside).unwrap(), *foreign);
            progress.save().unwrap();
        }
    }
}
