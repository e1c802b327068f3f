//! The text that a run learns from and is measured on.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};

use super::Options;
use crate::cli::limit::require;
use crate::data::bitext::Languages;
use crate::data::corpus::{self, Lines, Read};
use crate::data::dictionary::{self, Dictionary};
use crate::data::estimate::{LINES, affordable};
use crate::data::pairs::{self, Pair};
use crate::lesson::knob::did_you_mean;
use crate::tensor::random::fnv1a;
use crate::text::phrasebook::{self, Part};
use crate::train::run_folder::CORPUS;
use crate::train::run_folder::origin::Origin;
use crate::typeset::number::counted;

/// Approximate number of pairs held out from a file of pairs.
const HELD_BACK: usize = 1000;

/// One in this many pairs of a corpus is held out if no validation files are given.
pub const HELD_BACK_EACH: usize = 50;

/// Number of held-out phrasebook pairs to measure on.
const HELD_OUT: usize = 500;

/// Text that a run learns from and is measured on.
pub struct Text {
    /// Where the text comes from.
    pub origin: Origin,
    /// Lines to learn from.
    pub train: Lines,
    /// Lines to measure on.
    pub valid: Lines,
    /// Dictionary to learn from as well, without the pairs to measure on.
    pub dictionary: Option<Dictionary>,
    /// Sentences about what was recognised in the files, and about what is doubtful.
    pub remarks: Vec<String>,
}

impl Text {
    /// Reads the text that is `named`; `pairs` is the number of pairs of the phrasebook. A resumed run must have the same
    /// text as before.
    pub fn read(options: &Options, named: Named, pairs: usize) -> anyhow::Result<Self> {
        let text = Self::of(named.origin, options, pairs)?;
        let before = named.fingerprint;
        ensure!(
            before.is_none_or(|before| before == text.origin.fingerprint),
            "the text is another than the run in {} began with; give the same files, or begin a new run in another \
             folder",
            options.out.display()
        );
        Ok(text)
    }

    fn of(mut origin: Origin, options: &Options, pairs: usize) -> anyhow::Result<Self> {
        let files = [&origin.train, &origin.valid].into_iter().flatten();
        let files = files.flat_map(|(src, tgt)| [src, tgt]).chain(&origin.pairs);
        affordable(files.chain(&origin.dictionary), LINES)?;
        let mut remarks = Vec::new();
        let mut holds_both = origin.pairs.is_some();
        let (mut train, held_out) = match (&origin.train, &origin.pairs) {
            (Some((src, tgt)), _) => {
                let corpus = corpus::parallel(src, tgt, &origin.languages)?;
                holds_both |= corpus.holds_both;
                (noting(corpus, &mut remarks), None)
            }
            (None, Some(file)) => {
                let pairs = noting(pairs::read(file, &origin.languages)?, &mut remarks);
                let [train, held] = pairs::held_back(pairs, HELD_BACK);
                let [train, held] = [train, held].map(|pairs| pairs.into_iter().unzip());
                (train, Some(held))
            }
            (None, None) => (
                phrases(Part::Train, pairs),
                Some(phrases(Part::Valid, HELD_OUT)),
            ),
        };
        let valid = match (&origin.valid, held_out) {
            (Some((src, tgt)), _) => {
                let corpus = corpus::parallel(src, tgt, &origin.languages)?;
                holds_both |= corpus.holds_both;
                noting(corpus, &mut remarks)
            }
            (None, Some(held_out)) => held_out,
            (None, None) => {
                let valid;
                [train, valid] = corpus::held_back(train, HELD_BACK_EACH);
                valid
            }
        };
        options.both.require_choice(holds_both)?;
        let dictionary = origin.dictionary.as_deref();
        let dictionary = dictionary.map(|file| without_held_out(file, &train, &valid));
        let dictionary = dictionary.transpose()?;
        let entries = dictionary.iter().flat_map(Dictionary::pairs);
        let entries: Lines = entries.map(|(a, b)| (a.to_owned(), b.to_owned())).unzip();
        origin.fingerprint = fingerprint(&[&train, &valid, &entries]);
        Ok(Self {
            origin,
            train,
            valid,
            dictionary,
            remarks,
        })
    }

    /// Returns the file of the lines to learn from.
    pub fn train_name(&self) -> PathBuf {
        let file = self.origin.train.as_ref().map(|(src, _)| src);
        let file = file.or(self.origin.pairs.as_ref());
        file.map_or(PathBuf::from("the phrasebook"), PathBuf::clone)
    }

    /// Returns the file of the lines to measure on, which come from the training file if no other was given.
    pub fn valid_name(&self) -> PathBuf {
        let file = self.origin.valid.as_ref().map(|(src, _)| src.clone());
        file.unwrap_or_else(|| self.train_name())
    }

    /// Returns a warning if most pairs have the same source and target.
    pub fn warning(&self) -> Option<String> {
        let pairs = self.train.0.len();
        let equal = corpus::untranslated(&self.train.0, &self.train.1);
        (equal * 2 > pairs).then(|| {
            format!(
                "warning: in {equal} of {pairs} pairs source and target are the same, so the model will mostly learn to \
                 copy; check that {} holds translations",
                self.train_name().display()
            )
        })
    }

    /// Describes the size of the dictionary, if there is one.
    pub fn about_dictionary(&self) -> Option<String> {
        let dictionary = self.dictionary.as_ref()?;
        Some(format!(
            "the dictionary has {}, {} and {}",
            counted(dictionary.sentences.len(), "sentence"),
            counted(dictionary.phrases.len(), "phrase"),
            counted(dictionary.words.len(), "word")
        ))
    }
}

/// The text of a run, before it is read.
pub struct Named {
    /// Where it comes from.
    pub origin: Origin,
    /// Fingerprint that it must have, because the run began with it.
    fingerprint: Option<u64>,
}

impl Named {
    /// The text that the options name; if the run is `resumed`, whatever they don't name is what it began with.
    pub fn by(options: &Options, resumed: bool) -> anyhow::Result<Self> {
        if let Some(name) = &options.corpus {
            require(name == "phrasebook", || {
                format!(
                    "there is no corpus '{name}'{}; there is phrasebook, or your own files with --src and --tgt",
                    did_you_mean(name, ["phrasebook"].into_iter())
                )
            })?;
        }
        let named = origin_of(options);
        let remembered = resumed.then(|| Origin::read(&options.out.join(CORPUS)));
        let remembered = match remembered {
            Some(Ok(remembered)) => remembered,
            Some(Err(why)) if !names_text(options) => bail!(
                "{} {why}; it records which text the run learns from, so name that text again with --pairs, with --src \
                 and --tgt, or with --corpus phrasebook, and add --valid-src and --valid-tgt if the run had them",
                options.out.join(CORPUS).display()
            ),
            _ => {
                return Ok(Self {
                    origin: named,
                    fingerprint: None,
                });
            }
        };
        let fingerprint = Some(remembered.fingerprint);
        let (train, pairs) = if names_text(options) {
            (named.train, named.pairs)
        } else {
            (remembered.train, remembered.pairs)
        };
        let (chosen, before) = (named.languages, remembered.languages);
        let origin = Origin {
            train,
            pairs,
            dictionary: named.dictionary.or(remembered.dictionary),
            valid: named.valid.or(remembered.valid),
            languages: Languages {
                source: chosen.source.or(before.source),
                target: chosen.target.or(before.target),
            },
            ..Origin::default()
        };
        Ok(Self {
            origin,
            fingerprint,
        })
    }
}

/// True if the options name text to learn from.
fn names_text(options: &Options) -> bool {
    options.src.is_some() || options.pairs.is_some() || options.corpus.is_some()
}

/// Returns the text that the options name; the phrasebook if they name none.
fn origin_of(options: &Options) -> Origin {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let both = |src: &Option<PathBuf>, tgt: &Option<PathBuf>| {
        let (src, tgt) = (src.as_deref()?, tgt.as_deref()?);
        Some((absolute(src), absolute(tgt)))
    };
    Origin {
        train: both(&options.src, &options.tgt),
        pairs: options.pairs.as_deref().map(absolute),
        dictionary: options.dictionary.as_deref().map(absolute),
        valid: both(&options.valid_src, &options.valid_tgt),
        languages: options.both.languages(),
        ..Origin::default()
    }
}

/// Returns the text that was read, and adds its remarks to the others.
fn noting<T>(result: Read<T>, remarks: &mut Vec<String>) -> T {
    remarks.extend(result.remarks);
    result.text
}

fn phrases(part: Part, count: usize) -> Lines {
    let pairs = phrasebook::pairs(part, count);
    pairs
        .iter()
        .map(|p| (p.german.join(" "), p.english.join(" ")))
        .unzip()
}

/// Reads a dictionary to learn from beside the lines of `train`, without the pairs of `valid`.
fn without_held_out(file: &Path, train: &Lines, valid: &Lines) -> anyhow::Result<Dictionary> {
    let pairs = |lines: &Lines| -> Vec<Pair> {
        std::iter::zip(&lines.0, &lines.1)
            .map(|(a, b)| (a.clone(), b.clone()))
            .collect()
    };
    let mut dictionary = dictionary::read(file, &pairs(train))?;
    dictionary.without(&pairs(valid));
    Ok(dictionary)
}

fn fingerprint(all: &[&Lines]) -> u64 {
    let lines = all.iter().flat_map(|(src, tgt)| src.iter().chain(tgt));
    fnv1a(lines.flat_map(|line| line.bytes().chain([b'\n'])))
}
