//! Settings with which the learner's own run is started or forked, and where it is stored.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use transformer_tutor::data::bitext::Languages;
use transformer_tutor::data::corpus;
use transformer_tutor::lesson::progress;
use transformer_tutor::tensor::random::fnv1a;
use transformer_tutor::tensor::threads::lock;
use transformer_tutor::train::checkpoint;
use transformer_tutor::train::config::TrainConfig;

use super::knobs::{Knobs, Preset};
use transformer_tutor::lesson::short_run::Recipe as _;
use transformer_tutor::lesson::short_run::ground::Lines;

use super::recipe::Recipe;

/// Training data of the learner's own run.
#[derive(Clone, Debug, PartialEq)]
pub enum Text {
    /// Sentences that the program generates.
    Phrasebook,
    /// The learner's own two files: line n of one translates line n of the other.
    Own(PathBuf, PathBuf),
}

/// Settings with which a run is started or forked.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Whether to use a small model (and short sentences, with the phrasebook) instead of the preset of the command
    /// `train`.
    pub small: bool,
    /// Training data.
    pub text: Text,
    /// Factor of the preset's learning rate.
    pub factor: f64,
    /// Dropout.
    pub dropout: f32,
}

/// Minimum number of pairs worth training on: three are held out for translation.
pub const FEWEST: usize = 10;

impl Plan {
    /// The plan that the knobs describe. The error says what the corpus should be.
    pub fn of(knobs: &Knobs) -> Result<Self, String> {
        Ok(Self {
            small: matches!(knobs.preset, Preset::Small),
            text: Text::of(&knobs.corpus)?,
            factor: knobs.rate,
            dropout: knobs.dropout,
        })
    }

    /// Configuration of the trainer.
    pub fn config(&self) -> TrainConfig {
        let small = || TrainConfig {
            steps: 2000,
            shards: 4,
            ..Recipe::default().config()
        };
        let preset = if self.small {
            small()
        } else {
            TrainConfig::default()
        };
        TrainConfig {
            rate: preset.rate * self.factor,
            dropout: self.dropout,
            ..preset
        }
    }

    /// Folder for the checkpoints, one per run; `None` without a home folder.
    pub fn folder(&self) -> Option<PathBuf> {
        let size = if self.small { "small" } else { "phrasebook" };
        let name = match &self.text {
            Text::Phrasebook => size.to_owned(),
            Text::Own(source, target) => {
                let stem = source.file_stem().unwrap_or_default().to_string_lossy();
                let bytes = [source, target].map(|path| path.to_string_lossy().into_owned());
                let hash = fnv1a(bytes.concat().bytes());
                let size = if self.small { "-small" } else { "" };
                format!("own-{stem}-{:08x}{size}", hash as u32)
            }
        };
        Some(progress::folder()?.join("training").join(name))
    }

    /// Folders of lanes that have a checkpoint, with the lanes' numbers (0 is the lane with which the run began).
    pub fn lanes(&self) -> Vec<(usize, PathBuf)> {
        let Some(folder) = self.folder() else {
            return Vec::new();
        };
        let inner = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let forks = inner.filter_map(|entry| {
            let name = entry.file_name();
            let number: usize = name.to_str()?.strip_prefix("lane-")?.parse().ok()?;
            Some((number.checked_sub(1)?, entry.path()))
        });
        let mut all: Vec<_> = forks.chain([(0, folder.clone())]).collect();
        all.retain(|(_, folder)| !checkpoint::list(folder).is_empty());
        all.sort();
        all
    }

    /// Update of the newest checkpoint.
    pub fn saved(&self) -> Option<usize> {
        let lanes = self.lanes().into_iter();
        lanes
            .filter_map(|(_, folder)| Some(checkpoint::list(&folder).pop()?.0))
            .max()
    }
}

impl Text {
    /// Parses `phrasebook`, or two paths separated by a blank, which may contain blanks themselves.
    fn of(words: &str) -> Result<Self, String> {
        if words == "phrasebook" {
            return Ok(Self::Phrasebook);
        }
        let place = |path: &str| {
            let path = match (path.strip_prefix("~/"), std::env::home_dir()) {
                (Some(rest), Some(home)) => home.join(rest),
                _ => PathBuf::from(path),
            };
            std::path::absolute(&path).unwrap_or(path)
        };
        let blanks = words.match_indices(' ').map(|(at, _)| at);
        let splits: Vec<(PathBuf, PathBuf)> = blanks
            .map(|at| (place(&words[..at]), place(&words[at + 1..])))
            .collect();
        let exist = |pair: &&(PathBuf, PathBuf)| pair.0.is_file() && pair.1.is_file();
        let chosen = splits.iter().find(exist).or(splits.first());
        let Some((source, target)) = chosen.cloned() else {
            return Err(format!(
                "corpus is phrasebook, or two text files with a space between, such as my.de my.en: {words} is one word"
            ));
        };
        let text = Self::Own(source, target);
        text.lines()?;
        Ok(text)
    }

    /// Lines of the learner's own files; none for the phrasebook. The error says what is wrong with them.
    pub fn lines(&self) -> Result<Arc<Lines>, String> {
        let Self::Own(source, target) = self else {
            return Ok(Arc::default());
        };
        /// The files read last, their time of change and size, and their lines.
        type Known = Option<([(PathBuf, SystemTime, u64); 2], Arc<Lines>)>;
        static KNOWN: Mutex<Known> = Mutex::new(None);
        let stamp = |path: &Path| {
            let about = std::fs::metadata(path).ok();
            let changed = about.as_ref().and_then(|about| about.modified().ok());
            let length = about.map_or(0, |about| about.len());
            let changed = changed.unwrap_or(SystemTime::UNIX_EPOCH);
            (path.to_owned(), changed, length)
        };
        let stamps = [stamp(source), stamp(target)];
        let mut known = lock(&KNOWN);
        if let Some((_, lines)) = known.as_ref().filter(|(known, _)| *known == stamps) {
            return Ok(lines.clone());
        }
        let lines = corpus::parallel(source, target, &Languages::default());
        let lines = lines.map_err(|e| e.to_string())?.text;
        let whole = lines.0.len() - empty(&lines).len();
        if whole < FEWEST {
            return Err(format!(
                "{} and {} have {whole} pairs of lines without an empty one: at least {FEWEST} are needed, and thousands to learn a language",
                source.display(),
                target.display()
            ));
        }
        let lines = Arc::new(lines);
        *known = Some((stamps, lines.clone()));
        Ok(lines)
    }

    /// Description of the training data, as the beginning of a sentence.
    pub fn about(&self, small: bool) -> Result<String, String> {
        Ok(match self {
            Self::Phrasebook if small => "on 4,000 short sentences".to_owned(),
            Self::Phrasebook => "on 100,000 pairs of the phrasebook".to_owned(),
            Self::Own(source, target) => {
                let lines = self.lines()?;
                let empty = empty(&lines);
                let left = match &empty[..] {
                    [] => String::new(),
                    [one] => format!(" (line {one} is empty on a side and left out)"),
                    [first, ..] => format!(
                        " ({} with an empty side are left out, the first is line {first})",
                        empty.len()
                    ),
                };
                let (whole, from, to) = (lines.0.len() - empty.len(), name(source), name(target));
                format!("on your own {whole} pairs{left}, from {from} to {to}")
            }
        })
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Numbers, from 1, of the pairs with an empty side.
fn empty(lines: &Lines) -> Vec<usize> {
    let sides = lines.0.iter().zip(&lines.1).zip(1..);
    let blank = sides.filter(|((a, b), _)| a.trim().is_empty() || b.trim().is_empty());
    blank.map(|(_, n)| n).collect()
}
