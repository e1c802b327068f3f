//! The lines that an evaluation translates, with their references.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::Evaluate;
use crate::cli::bitext::noted;
use crate::cli::streams::note;
use crate::data::bitext::Languages;
use crate::data::corpus::{self, Side};
use crate::data::estimate::{TRANSLATION, affordable};
use crate::data::file;
use crate::text::phrasebook::{self, Part};
use crate::text::typing;

/// Lines to translate, with their references.
pub struct TestSet {
    /// Source lines.
    pub src: Vec<String>,
    /// References of each line, at least one.
    pub refs: Vec<Vec<String>>,
    /// True alignment of each line with its first reference, if known: pairs of a source and a target position.
    pub alignments: Option<Vec<Vec<(usize, usize)>>>,
}

impl TestSet {
    /// Reads the command's files or, without any, takes held-out pairs of the phrasebook.
    pub fn read(command: &Evaluate) -> anyhow::Result<Self> {
        match (&command.src, &command.refs) {
            (Some(src), Some(refs)) => Self::from_files(src, refs, command),
            _ => {
                command.both.require_choice(false)?;
                Ok(Self::from_phrasebook(command))
            }
        }
    }

    fn from_files(src: &PathBuf, refs: &PathBuf, command: &Evaluate) -> anyhow::Result<Self> {
        affordable([src, refs], TRANSLATION)?;
        let languages = &command.both.languages();
        let read = corpus::sentences(src, Side::Source, languages)?;
        let mut holds_both = read.holds_both;
        let lines = noted(read);
        let all = references(refs, &lines, languages, &mut holds_both)?;
        command.both.require_choice(holds_both)?;
        ensure!(
            lines.len() == all.len(),
            "{} has {} lines, and {} has references of {}",
            src.display(),
            lines.len(),
            refs.display(),
            all.len()
        );
        let mut pairs = lines.iter().zip(&all);
        if pairs.all(|(line, refs)| refs.contains(line))
            && let Some(warning) = corpus::one_file(src, refs)
        {
            note(&warning);
        }
        Ok(Self {
            src: match command.typed {
                Some(typed) => lines.iter().map(|line| typed.of(line)).collect(),
                None => lines,
            },
            refs: all,
            alignments: None,
        })
    }

    fn from_phrasebook(command: &Evaluate) -> Self {
        let part = if command.hard {
            Part::Hard
        } else {
            Part::HeldOut
        };
        let pairs = phrasebook::pairs(part, command.pairs);
        Self {
            src: pairs.iter().map(|p| p.german.join(" ")).collect(),
            refs: pairs.iter().map(|p| vec![p.english.join(" ")]).collect(),
            alignments: Some(pairs.into_iter().map(|p| p.alignment).collect()),
        }
    }
}

/// Spelling to which a source is changed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Typed {
    Lower,
    Capitals,
    NoMark,
    NoUmlauts,
}

impl Typed {
    fn of(self, line: &str) -> String {
        match self {
            Self::Lower => line.to_lowercase(),
            Self::Capitals => line.to_uppercase(),
            Self::NoMark => typing::without_mark(line).to_owned(),
            Self::NoUmlauts => typing::without_umlauts(line),
        }
    }
}

/// References in a .json file.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum ReferenceFile {
    /// References of each line.
    Lines(Vec<Vec<String>>),
    /// References by source sentence.
    Sources(HashMap<String, Vec<String>>),
}

/// Reads the references of every line, from a text file or a .json file.
fn references(
    path: &Path,
    sources: &[String],
    languages: &Languages,
    holds_both: &mut bool,
) -> anyhow::Result<Vec<Vec<String>>> {
    let mut in_lines = || -> anyhow::Result<_> {
        let read = corpus::sentences(path, Side::Target, languages)?;
        *holds_both |= read.holds_both;
        let lines = noted(read);
        Ok(lines.into_iter().map(|line| vec![line]).collect())
    };
    if path.extension().is_none_or(|kind| kind != "json") {
        return in_lines();
    }
    let text = file::text(path, file::TEXT)
        .with_context(|| format!("{} cannot be read", path.display()))?;
    let all: Result<ReferenceFile, _> = serde_json::from_str(&text);
    // A list of sentence pairs, as Hugging Face's datasets write it.
    if all.is_err()
        && let Ok(lines) = in_lines()
    {
        return Ok(lines);
    }
    let all = all.with_context(|| {
        format!(
            "{} must be a list with a list of references for each line, or say for each source line which they are",
            path.display()
        )
    })?;
    let all = match all {
        ReferenceFile::Lines(all) => all,
        ReferenceFile::Sources(all) => {
            let of = |line: &String| {
                all.get(line)
                    .cloned()
                    .with_context(|| format!("{} has no reference for '{line}'", path.display()))
            };
            sources.iter().map(of).collect::<anyhow::Result<_>>()?
        }
    };
    let without = all.iter().position(Vec::is_empty);
    ensure!(
        without.is_none(),
        "{}: line {} has no reference",
        path.display(),
        without.unwrap_or(0) + 1
    );
    Ok(all)
}
