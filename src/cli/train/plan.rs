//! A planned run: its settings, text, tokenizer, weights and folder, all decided and checked before anything is written.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, ensure};

use super::text::{HELD_BACK_EACH, Named, Text};
use super::updates::{Loop, Pace};
use super::{Options, say, settings};
use crate::cli::limit::{memory, require, usage};
use crate::cli::{model, threads_used};
use crate::data::corpus::{Corpus, Lines};
use crate::data::dictionary::Dictionary;
use crate::data::supplement::Supplement;
use crate::data::variation::Variation;
use crate::tensor;
use crate::text::bpe;
use crate::text::pipeline::Pipeline;
use crate::text::placeholder;
use crate::train::built_in::Loaded;
use crate::train::checkpoint::{self, ResumePoint};
use crate::train::config::{Surroundings, TrainConfig};
use crate::train::run_folder::origin::Origin;
use crate::train::run_folder::{RunFolder, recognise};
use crate::train::trainer::Trainer;

/// Number of lines a character must occur in for a model that goes on with new text to learn it.
const NEW_CHARACTER: usize = 10;

/// Maximum number of words in a vocabulary.
const MOST_WORDS: usize = 1 << 20;

/// A run that is ready to begin, or to be resumed.
pub struct Plan<'a> {
    options: &'a Options,
    resume: Option<Resume>,
    /// Contents of `corpus.json`.
    origin: String,
    pipeline: Pipeline,
    held_out: Corpus,
    trainer: Trainer,
    /// What the corpus holds, for the first line of the report.
    counts: Counts,
}

/// The run to resume: its locked folder, and its newest checkpoint.
struct Resume {
    folder: RunFolder,
    kept: ResumePoint,
}

/// What a corpus holds.
struct Counts {
    pairs: usize,
    /// Pairs left out because a side is empty.
    empty: usize,
    /// Pairs left out because a side is too long.
    long: usize,
    target_tokens: usize,
}

impl<'a> Plan<'a> {
    /// Reads and checks all that the run needs. Nothing is written but the lock of a run to resume.
    pub fn new(options: &'a Options, out: &mut dyn Write) -> anyhow::Result<Self> {
        let resume = options.resume.then(|| Resume::point(options)).transpose()?;
        if resume.is_none() {
            // Refuse before the text is read, which may take long.
            recognise::may_begin(&options.out)?;
        }
        let resume_point = resume.as_ref().map(|resume| &resume.kept);
        let named = Named::by(options, resume.is_some())?;
        let trained = options.from.as_deref().map(model::named).transpose()?;
        let around = surroundings(&named.origin, trained.as_ref());
        let config = settings::read(options, resume_point, &around, trained.as_ref())?;
        let changed = resume_point.and_then(|point| config.change_after(point.step()));
        let mut text = Text::read(options, named, config.pairs)?;
        for remark in text.remarks.iter().chain(&changed) {
            say(options, out, remark)?;
        }
        let dictionary = text
            .dictionary
            .as_ref()
            .filter(|_| options.dictionary.is_some());
        let takes_some = config.phrases > 0.0 || config.words > 0.0;
        let idle = |dictionary: &Dictionary| !takes_some && dictionary.sentences.is_empty();
        require(!dictionary.is_some_and(idle), || {
            "--dictionary has phrases and words only, and the settings take none of them; add --set words=0.15 or \
             --set phrases=1"
                .to_owned()
        })?;
        let origin = text
            .origin
            .to_json()
            .context("the names of the text's files cannot be kept in corpus.json; rename them")?;
        for sentence in [text.warning(), text.about_dictionary()] {
            sentence.map_or(Ok(()), |sentence| say(options, out, &sentence))?;
        }
        let supplement = supplement(&config, &mut text);
        let pipeline = match (resume_point, &trained) {
            (Some(resume_point), _) => resume_point.pipeline.clone(),
            (None, Some(trained)) => with_new_characters(trained, &text, supplement.as_ref()),
            (None, None) => {
                say(options, out, "learning the vocabulary …")?;
                learn(&config, &text, supplement.as_ref())?
            }
        };
        let [learned, held_out] = [&text.train, &text.valid]
            .map(|lines| Corpus::new(&lines.0, &lines.1, &pipeline, config.max_length));
        let counts = Counts {
            pairs: learned.pairs.len(),
            empty: learned.empty,
            long: learned.long,
            target_tokens: learned.target_tokens(),
        };
        let learned = learned.not_empty(&text.train_name())?;
        ensure!(
            text.origin.valid.is_some() || !text.valid.0.is_empty(),
            "{} has {} pairs of lines, too few to hold any out for validation; give at least {HELD_BACK_EACH}, or \
             separate files with --valid-src and --valid-tgt",
            text.train_name().display(),
            text.train.0.len()
        );
        let held_out = held_out.not_empty(&text.valid_name())?;
        affordable(&config, &pipeline, &learned)?;
        let variation = variation(&config, text.train, supplement, &pipeline);
        // Each shard of a batch is computed by one thread.
        let threads = tensor::threads().min(config.shards);
        let trainer = Trainer::new(config, pipeline.vocabulary_sizes(), learned, threads);
        let mut trainer = trainer.varied(variation);
        if let Some(trained) = &trained {
            let begun = trainer.begin_with(trained);
            begun.map_err(|why| settings::unlike(&why))?;
        }
        Ok(Self {
            options,
            resume,
            origin,
            pipeline,
            held_out,
            trainer,
            counts,
        })
    }

    /// Opens the run's folder and describes the run.
    pub fn begin(mut self, out: &mut dyn Write) -> anyhow::Result<Loop<'a>> {
        let mut measured_at = None;
        let folder = match self.resume.take() {
            Some(Resume { folder, kept }) => {
                let measured = kept.measured;
                folder.go_on(kept, &mut self.trainer)?;
                measured_at = measured.then_some(self.trainer.state.step);
                folder
            }
            None => RunFolder::begin(&self.options.out)?,
        };
        folder.remember(&self.origin)?;
        say(self.options, out, &self.summary())?;
        Ok(Loop {
            options: self.options,
            measured_at,
            trainer: self.trainer,
            pipeline: self.pipeline,
            held_out: self.held_out,
            folder,
            begun: Instant::now(),
            shown: Instant::now(),
            pace: Pace::start(),
        })
    }

    fn summary(&mut self) -> String {
        let updates = self.trainer.updates_per_epoch();
        let (counts, trainer) = (&self.counts, &self.trainer);
        let (source, target) = self.pipeline.vocabulary_sizes();
        format!(
            "{} pairs ({} empty and {} too long left out), {} target tokens, {} held out; {source} source and {target} \
             target words; {} parameters; {updates} updates a pass; {}",
            counts.pairs,
            counts.empty,
            counts.long,
            counts.target_tokens,
            self.held_out.pairs.len(),
            trainer.params.count(),
            threads_used(trainer.threads, self.options.threads, trainer.config.shards),
        )
    }
}

/// What the run has besides its settings.
fn surroundings(origin: &Origin, trained: Option<&Loaded>) -> Surroundings {
    Surroundings {
        phrasebook: origin.train.is_none() && origin.pairs.is_none(),
        dictionary: origin.dictionary.is_some(),
        vocabulary: trained.map(|trained| trained.pipeline.learning()),
    }
}

impl Resume {
    /// Opens the folder of the run, locks it, and reads its newest checkpoint.
    fn point(options: &Options) -> anyhow::Result<Self> {
        Ok(Self {
            folder: RunFolder::open(&options.out)?,
            kept: checkpoint::resume(&options.out)?,
        })
    }
}

/// Takes the dictionary out of `text` and makes the pairs to learn from beside the corpus, if there are any.
fn supplement(config: &TrainConfig, text: &mut Text) -> Option<Supplement> {
    let dictionary = text.dictionary.take();
    (dictionary.is_some() || config.patterns > 0.0).then(|| {
        let (dictionary, pairs) = (dictionary.unwrap_or_default(), text.train.0.len());
        Supplement::new(dictionary, config.supplement(), pairs, config.seed)
    })
}

/// The supplement's source and target lines of the first epoch, and the symbols of placeholders, which the supplement
/// has numbers and addresses for.
fn added(supplement: Option<&Supplement>) -> Lines {
    let mut pairs = supplement.map_or_else(Vec::new, |all| all.epoch(0, 0.0));
    if supplement.is_some() {
        let symbols: String = placeholder::SYMBOLS.iter().collect();
        pairs.extend(vec![(symbols.clone(), symbols); NEW_CHARACTER]);
    }
    pairs.into_iter().unzip()
}

/// The tokenizer of a trained model, extended by the characters that are frequent in the new text.
fn with_new_characters(trained: &Loaded, text: &Text, supplement: Option<&Supplement>) -> Pipeline {
    let (source, target) = added(supplement);
    let lines = [&text.train.0, &text.train.1, &source, &target];
    let lines = lines.into_iter().flatten().map(String::as_str);
    trained.pipeline.with_characters(lines, NEW_CHARACTER)
}

/// Learns a tokenizer and vocabulary from the text.
fn learn(
    config: &TrainConfig,
    text: &Text,
    supplement: Option<&Supplement>,
) -> anyhow::Result<Pipeline> {
    let (source, target) = &text.train;
    let blank = |lines: &[String]| lines.iter().all(|line| line.trim().is_empty());
    ensure!(
        !blank(source) && !blank(target),
        "{} has no pair of lines to learn from",
        text.train_name().display()
    );
    if config.merges > 0 {
        for (lines, name) in [(source, "source"), (target, "target")] {
            bpe::learnable(lines.iter().map(String::as_str)).context(name)?;
            bpe::affordable(lines.iter().map(String::as_str), memory()).context(name)?;
        }
    }
    let added = added(supplement);
    let source = [&source[..], &added.0].concat();
    let target = [&target[..], &added.1].concat();
    Ok(Pipeline::learn(&source, &target, &config.learning()))
}

/// Refuses a run whose vocabulary or model is too large.
fn affordable(config: &TrainConfig, pipeline: &Pipeline, learned: &Corpus) -> anyhow::Result<()> {
    let words = pipeline.vocabulary_sizes();
    let most = words.0.max(words.1);
    ensure!(
        most <= MOST_WORDS,
        "the vocabulary has {most} words, more than {MOST_WORDS}: learn subwords with --set merges=10000, or leave rare \
         words out with --set min_count=5"
    );
    let longer = |pair: &(Vec<u32>, Vec<u32>)| pair.0.len().max(pair.1.len());
    let tokens = learned.pairs.iter().map(longer).sum();
    config.affordable(words, tokens, memory()).map_err(usage)
}

/// How the corpus varies from epoch to epoch; `None` if it does not.
fn variation(
    config: &TrainConfig,
    (source, target): Lines,
    supplement: Option<Supplement>,
    pipeline: &Pipeline,
) -> Option<Variation> {
    let varies = config.variation().is_some() || supplement.is_some();
    let is_pair = |(src, tgt): &(String, String)| !src.trim().is_empty() && !tgt.trim().is_empty();
    varies.then(|| Variation {
        lines: std::iter::zip(source, target).filter(is_pair).collect(),
        supplement,
        share: 0.0,
        pipeline: pipeline.clone(),
        amount: config.variation(),
        longest: config.max_length,
        seed: config.seed,
    })
}

#[cfg(test)]
mod tests;
