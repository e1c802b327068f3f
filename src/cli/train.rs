//! `train`: trains a translator on two text files or on the phrasebook.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use serde_json::json;

use super::bitext::Both;
use super::limit::{count, memory, real, require, usage};
use crate::data::corpus::{self, Corpus, Lines, Read};
use crate::data::dictionary::{self, Dictionary};
use crate::data::file;
use crate::data::pairs::{self, Pair};
use crate::data::supplement::Supplement;
use crate::data::variation::Variation;
use crate::lesson::knob::did_you_mean;
use crate::tensor;
use crate::tensor::random::fnv1a;
use crate::text::bpe;
use crate::text::phrasebook::{self, Part};
use crate::text::pipeline::Pipeline;
use crate::train::checkpoint::{self, Kept};
use crate::train::config::{PRESETS, TrainConfig};
use crate::train::run_folder::origin::Origin;
use crate::train::run_folder::{CORPUS, RunFolder, recognise};
use crate::train::trainer::Trainer;
use crate::typeset::number::counted;

mod stop;
mod updates;

pub const EXAMPLES: &str = "Examples:
  transformer-tutor train --out run                       the phrasebook, two minutes
  transformer-tutor train --out run --resume              continue where it stopped
  transformer-tutor train --preset multi30k --out m30k --src train.en --tgt train.de \\
      --valid-src val.en --valid-tgt val.de
  transformer-tutor train --out run --pairs en-de.tmx.gz --source de --target en
  transformer-tutor train --from everyday --preset everyday --out mine --src mine.de --tgt mine.en
  transformer-tutor train --out run --set d_model=256 --set rate=0.001 --minutes 10";

#[derive(clap::Args)]
pub struct Options {
    /// The built-in corpus: phrasebook (German to English)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["src", "tgt", "pairs"])]
    corpus: Option<String>,
    /// A file with both languages: lines of English, tab, German, as manythings.org/anki offers them; the export of
    /// tatoeba.org; TMX; JSON as Hugging Face's datasets write it. About 1,000 pairs are held out, and none of their
    /// sentences occurs in the rest
    #[arg(long, value_name = "FILE", conflicts_with_all = ["src", "tgt"])]
    pairs: Option<PathBuf>,
    /// The source sentences, one on each line
    #[arg(long, value_name = "FILE", requires = "tgt")]
    src: Option<PathBuf>,
    /// Their translations, line by line
    #[arg(long, value_name = "FILE", requires = "src")]
    tgt: Option<PathBuf>,
    #[command(flatten)]
    both: Both,
    /// A German–English dictionary in the form of Ding, as Debian's package trans-de-en has it, to learn from beside
    /// the corpus
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// Held-out source lines to measure on; without them every 50th pair of the corpus is held out
    #[arg(long, value_name = "FILE", requires = "valid_tgt")]
    valid_src: Option<PathBuf>,
    /// Their translations
    #[arg(long, value_name = "FILE", requires = "valid_src")]
    valid_tgt: Option<PathBuf>,
    /// A trained model that the run continues on other text, with its vocabulary and weights: everyday, or a folder.
    /// The settings must describe a model of its form and size
    #[arg(long, value_name = "MODEL", conflicts_with = "resume")]
    from: Option<PathBuf>,
    /// The preset to start from: phrasebook, multi30k, sentences, everyday, copy
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// A TOML file of settings; the rest keeps its default
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// One setting, over preset and file; several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// The folder of the run: checkpoints, the best model, log.jsonl
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Goes on from the newest checkpoint in the folder
    #[arg(long)]
    resume: bool,
    /// Updates in all
    #[arg(long, value_name = "N", value_parser = count!(0, 1000000000))]
    steps: Option<usize>,
    /// Stops after so many minutes, with a checkpoint
    #[arg(long, value_name = "M", value_parser = real!(0, 1000000))]
    minutes: Option<f64>,
    /// Decides first weights, dropout and order
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Threads; they change no bit of the result
    #[arg(long, value_name = "T", value_parser = count!(1, 1024))]
    pub threads: Option<usize>,
    /// Progress as JSON lines
    #[arg(long)]
    json: bool,
}

/// Approximate number of pairs held out from a file of pairs.
const HELD_BACK: usize = 1000;

/// One in this many pairs of a corpus is held out if no validation files are given.
const HELD_BACK_EACH: usize = 50;

/// Number of lines a character must occur in for a model that goes on with new text to learn it.
const NEW_CHARACTER: usize = 10;

/// Number of held-out phrasebook pairs to measure on.
const HELD_OUT: usize = 500;

/// Error of a run whose progress can no longer be shown, because its reader is gone or its file cannot grow. The
/// system's error is not its `source`: if a closed pipe were found there, the command would end silently and with
/// success, as other commands do when their reader has seen enough.
#[derive(Debug, thiserror::Error)]
#[error("the progress can no longer be shown: {0}")]
struct Unheard(std::io::Error);

pub fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (opened, kept) = if options.resume {
        let folder = RunFolder::open(&options.out)?;
        (Some(folder), Some(checkpoint::resume(&options.out)?))
    } else {
        recognise::may_begin(&options.out)?;
        (None, None)
    };
    let config = settings(options, kept.as_ref())?;
    config.check().map_err(usage)?;
    if let Some(kept) = &kept {
        kept.goes_on_with(&config)?;
    }
    let Text {
        origin,
        train,
        valid,
        dictionary,
        remarks,
    } = text(options, &config, kept.is_some())?;
    for remark in &remarks {
        say(options, out, remark)?;
    }
    let remembered = origin
        .to_json()
        .context("the names of the text's files cannot be kept in corpus.json; rename them")?;
    // Held-out pairs come from the training file if no other file was given.
    let name = |files: &Option<(PathBuf, PathBuf)>| {
        let files = files.as_ref().or(origin.train.as_ref());
        let file = files.map(|files| &files.0).or(origin.pairs.as_ref());
        file.map_or(PathBuf::from("the phrasebook"), PathBuf::clone)
    };
    let (pairs, equal) = (train.0.len(), corpus::untranslated(&train.0, &train.1));
    if equal * 2 > pairs {
        let warning = format!(
            "warning: in {equal} of {pairs} pairs source and target are the same, so the model will mostly learn to copy; \
             check that {} holds translations",
            name(&origin.train).display()
        );
        say(options, out, &warning)?;
    }
    if let Some(dictionary) = &dictionary {
        let sentence = format!(
            "the dictionary has {}, {} and {}",
            counted(dictionary.sentences.len(), "sentence"),
            counted(dictionary.phrases.len(), "phrase"),
            counted(dictionary.words.len(), "word")
        );
        say(options, out, &sentence)?;
    }
    let supplement = (dictionary.is_some() || config.patterns > 0.0).then(|| {
        let dictionary = dictionary.unwrap_or_default();
        Supplement::new(dictionary, config.supplement(), pairs, config.seed)
    });
    let added = || {
        let supplement = supplement.as_ref();
        supplement.map_or_else(Vec::new, |all| all.pass(0, 0.0))
    };
    let begun = options.from.as_deref().map(super::model::named);
    let begun = begun.transpose()?;
    let pipeline = match (&kept, &begun) {
        (Some(kept), _) => kept.pipeline.clone(),
        (None, Some(begun)) => {
            let added = added();
            let added = added.iter().flat_map(|(src, tgt)| [src, tgt]);
            let lines = train.0.iter().chain(&train.1).chain(added);
            begun
                .pipeline
                .with_characters(lines.map(String::as_str), NEW_CHARACTER)
        }
        (None, None) => {
            say(options, out, "learning the vocabulary …")?;
            let blank = |lines: &[String]| lines.iter().all(|line| line.trim().is_empty());
            ensure!(
                !blank(&train.0) && !blank(&train.1),
                "{} has no pair of lines to learn from",
                name(&origin.train).display()
            );
            if config.merges > 0 {
                for (lines, name) in [(&train.0, "source"), (&train.1, "target")] {
                    bpe::learnable(lines.iter().map(String::as_str)).context(name)?;
                }
            }
            let added: Lines = added().into_iter().unzip();
            let [source, target] = [(&train.0, added.0), (&train.1, added.1)]
                .map(|(lines, added)| [&lines[..], &added].concat());
            Pipeline::learn(&source, &target, &config.learning())
        }
    };
    let ready = |lines: &Lines| Corpus::new(&lines.0, &lines.1, &pipeline, config.max_length);
    let (learned, held_out) = (ready(&train), ready(&valid));
    let left_out = (learned.empty, learned.long);
    let learned = learned.not_empty(&name(&origin.train))?;
    ensure!(
        origin.valid.is_some() || !valid.0.is_empty(),
        "{} has {} pairs of lines, too few to hold any out for validation; give at least {HELD_BACK_EACH}, or \
         separate files with --valid-src and --valid-tgt",
        name(&origin.train).display(),
        train.0.len()
    );
    let held_out = held_out.not_empty(&name(&origin.valid))?;
    let words = (
        pipeline.source.vocabulary.len(),
        pipeline.target.vocabulary.len(),
    );
    const MOST: usize = 1 << 20;
    ensure!(
        words.0.max(words.1) <= MOST,
        "the vocabulary has {} words, more than {MOST}: learn subwords with --set merges=10000, or leave rare words out \
         with --set min_count=5",
        words.0.max(words.1)
    );
    let longer = |pair: &(Vec<u32>, Vec<u32>)| pair.0.len().max(pair.1.len());
    let most = learned.pairs.iter().map(longer).sum();
    config.affordable(words, most, memory()).map_err(usage)?;
    // Each shard of a batch is computed by one thread.
    let shards = config.shards;
    let threads = tensor::threads().min(shards);
    let (pairs, tokens) = (learned.pairs.len(), learned.target_tokens());
    let varies = config.variation().is_some() || supplement.is_some();
    let variation = varies.then(|| Variation {
        lines: std::iter::zip(train.0, train.1)
            .filter(|(src, tgt)| !src.trim().is_empty() && !tgt.trim().is_empty())
            .collect(),
        supplement,
        share: 0.0,
        pipeline: pipeline.clone(),
        amount: config.variation(),
        longest: config.max_length,
        seed: config.seed,
    });
    let mut trainer = Trainer::new(config, words, learned, threads).varied(variation);
    if let Some(begun) = &begun {
        trainer.begin_with(begun).map_err(|why| {
            usage(format!(
                "--from: {why}; give the preset or the settings that it was trained with"
            ))
        })?;
    }
    let measured = kept.as_ref().is_some_and(|kept| kept.measured);
    let folder = match opened {
        Some(folder) => folder,
        None => RunFolder::begin(&options.out)?,
    };
    if let Some(kept) = kept {
        folder.go_on(kept, &mut trainer)?;
    }
    folder.remember(&remembered)?;
    say(
        options,
        out,
        &format!(
            "{pairs} pairs ({} empty and {} too long left out), {tokens} target tokens, {} held out; {} source and {} \
             target words; {} parameters; {} updates a pass; {}",
            left_out.0,
            left_out.1,
            held_out.pairs.len(),
            words.0,
            words.1,
            trainer.params.count(),
            trainer.updates_a_pass(),
            super::threads_used(threads, options.threads, shards),
        ),
    )?;
    updates::Loop {
        options,
        measured_at: measured.then_some(trainer.state.step),
        trainer,
        pipeline,
        held_out,
        folder,
        begun: Instant::now(),
        shown: Instant::now(),
        since: (0, Instant::now()),
    }
    .run(out)
}

fn say(options: &Options, out: &mut dyn Write, sentence: &str) -> Result<(), Unheard> {
    let line = match options.json {
        true => json!({ "says": sentence }).to_string(),
        false => sentence.to_owned(),
    };
    tell(out, &format!("{line}\n"))
}

/// Writes progress and flushes it, so that it appears at once.
fn tell(out: &mut dyn Write, text: &str) -> Result<(), Unheard> {
    let written = out.write_all(text.as_bytes());
    written.and_then(|()| out.flush()).map_err(Unheard)
}

/// Settings of the kept run or the preset, overridden by those of the file, then by those of the command line.
fn settings(options: &Options, kept: Option<&Kept>) -> anyhow::Result<TrainConfig> {
    let mut config = match (&options.preset, kept) {
        (_, Some(kept)) => kept.config.clone(),
        (Some(name), None) => TrainConfig::preset(name).ok_or_else(|| {
            let near = did_you_mean(name, PRESETS.iter().map(|p| p.name));
            let all: Vec<&str> = PRESETS.iter().map(|p| p.name).collect();
            usage(format!(
                "there is no preset '{name}'{near}; there are {}",
                all.join(", ")
            ))
        })?,
        (None, None) => TrainConfig::default(),
    };
    let mut sets: Vec<(String, String)> = Vec::new();
    if let Some(path) = &options.config {
        let text = file::text(path, file::WORDS)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let table: toml::Table = text
            .parse()
            .map_err(|e| anyhow::anyhow!("{}: {e}", path.display()))?;
        sets.extend(
            table
                .into_iter()
                .map(|(key, value)| (key, value.to_string())),
        );
    }
    for set in &options.sets {
        let (key, value) = set.split_once('=').ok_or_else(|| {
            usage(format!(
                "--set {set}: write KEY=VALUE, for example --set rate=0.001"
            ))
        })?;
        sets.push((key.trim().to_owned(), value.trim().to_owned()));
    }
    for (key, value) in [
        ("steps", options.steps.map(|n| n as u64)),
        ("seed", options.seed),
    ] {
        sets.extend(value.map(|value| (key.to_owned(), value.to_string())));
    }
    let keys = TrainConfig::keys();
    for (key, value) in sets {
        require(keys.contains(&key), || {
            format!(
                "there is no setting '{key}'{}; there are {}",
                did_you_mean(&key, keys.iter().map(String::as_str)),
                keys.join(", ")
            )
        })?;
        config.set(&key, &value).map_err(usage)?;
    }
    Ok(config)
}

/// Text that a run learns from and is measured on.
struct Text {
    /// Where the text comes from.
    origin: Origin,
    /// Lines to learn from.
    train: Lines,
    /// Lines to measure on.
    valid: Lines,
    /// Dictionary to learn from as well, without the pairs to measure on.
    dictionary: Option<Dictionary>,
    /// Sentences about what was recognised in the files, and about what is doubtful.
    remarks: Vec<String>,
}

fn text(options: &Options, config: &TrainConfig, resumed: bool) -> anyhow::Result<Text> {
    if let Some(name) = &options.corpus {
        require(name == "phrasebook", || {
            format!(
                "there is no corpus '{name}'{}; there is phrasebook, or your own files with --src and --tgt",
                did_you_mean(name, ["phrasebook"].into_iter())
            )
        })?;
    }
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let given = |one: &Option<PathBuf>, other: &Option<PathBuf>| {
        one.as_deref()
            .zip(other.as_deref())
            .map(|(one, other)| (absolute(one), absolute(other)))
    };
    let mut origin = Origin {
        train: given(&options.src, &options.tgt),
        pairs: options.pairs.as_deref().map(absolute),
        dictionary: options.dictionary.as_deref().map(absolute),
        valid: given(&options.valid_src, &options.valid_tgt),
        languages: options.both.languages(),
        ..Origin::default()
    };
    let none = origin.train.is_none() && origin.pairs.is_none() && options.corpus.is_none();
    let remembered = match resumed.then(|| Origin::read(&options.out.join(CORPUS))) {
        Some(Err(why)) if none => bail!(
            "{} {why}; it records which text the run learns from, so name that text again with --pairs, with --src and \
             --tgt, or with --corpus phrasebook, and add --valid-src and --valid-tgt if the run had them",
            options.out.join(CORPUS).display()
        ),
        remembered => remembered.and_then(Result::ok),
    };
    if let (Some(remembered), true) = (&remembered, none) {
        origin = remembered.clone();
    }
    let mut remarks = Vec::new();
    let (mut train, valid) = match (&origin.train, &origin.pairs) {
        (Some((src, tgt)), _) => {
            let read = corpus::parallel(src, tgt, &origin.languages)?;
            (kept(read, &mut remarks), None)
        }
        (None, Some(file)) => {
            let pairs = kept(pairs::read(file, &origin.languages)?, &mut remarks);
            let [train, held] = pairs::held_back(pairs, HELD_BACK);
            let [train, held] = [train, held].map(|pairs| pairs.into_iter().unzip());
            (train, Some(held))
        }
        (None, None) => {
            let lines = |part, n| -> Lines {
                let pairs = phrasebook::pairs(part, n, 1);
                pairs
                    .iter()
                    .map(|p| (p.german.join(" "), p.english.join(" ")))
                    .unzip()
            };
            (
                lines(Part::Train, config.pairs),
                Some(lines(Part::HeldOut, HELD_OUT)),
            )
        }
    };
    let valid = match (&origin.valid, valid) {
        (Some((src, tgt)), _) => {
            let read = corpus::parallel(src, tgt, &origin.languages)?;
            kept(read, &mut remarks)
        }
        (None, Some(valid)) => valid,
        (None, None) => {
            let valid;
            [train, valid] = corpus::held_back(train, HELD_BACK_EACH);
            valid
        }
    };
    let dictionary = match &origin.dictionary {
        Some(file) => {
            let pairs = |lines: &Lines| -> Vec<Pair> {
                std::iter::zip(&lines.0, &lines.1)
                    .map(|(a, b)| (a.clone(), b.clone()))
                    .collect()
            };
            let mut dictionary = dictionary::read(file, &pairs(&train))?;
            dictionary.without(&pairs(&valid));
            Some(dictionary)
        }
        None => None,
    };
    let entries = dictionary.iter().flat_map(Dictionary::pairs);
    let entries: Lines = entries.map(|(a, b)| (a.to_owned(), b.to_owned())).unzip();
    origin.fingerprint = fingerprint(&[&train, &valid, &entries]);
    if let Some(remembered) = remembered {
        ensure!(
            remembered.fingerprint == origin.fingerprint,
            "the text is another than the run in {} began with; give the same files, or begin a new run in another folder",
            options.out.display()
        );
    }
    Ok(Text {
        origin,
        train,
        valid,
        dictionary,
        remarks,
    })
}

/// Text that was read, whose remarks are added to the others.
fn kept<T>(read: Read<T>, remarks: &mut Vec<String>) -> T {
    remarks.extend(read.remarks);
    read.text
}

fn fingerprint(all: &[&Lines]) -> u64 {
    let lines = all.iter().flat_map(|(src, tgt)| src.iter().chain(tgt));
    fnv1a(lines.flat_map(|line| line.bytes().chain([b'\n'])))
}
