//! `translate`, `evaluate`, `tools score` and `tools average`: the commands that use a trained model.

mod evaluate;

pub use evaluate::{Evaluate, evaluate};

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde_json::json;

use super::bitext::{PairLanguages, noted};
use super::limit::{count, memory, real, require, usage};
use super::model::{built_in, named};
use super::stdin;
use super::streams::note;
use crate::data::corpus;
use crate::data::estimate::{LINES, affordable};
use crate::data::file;
use crate::data::markup;
use crate::data::output;
use crate::decode::beam::Hypothesis;
use crate::decode::options::{DecodeOptions, Penalty, Rule, Sampling};
use crate::decode::translate::{self, PackedModel};
use crate::text::differences::Kind;
use crate::text::pipeline::Side;
use crate::text::remarks::{Answer, Remark};
use crate::text::sentence::Sentence;
use crate::text::vocabulary::UNK;
use crate::train::built_in::{BuiltIn, Loaded};
use crate::train::checkpoint::{self, Translator};
use crate::train::config::TrainConfig;
use crate::train::model_folder;
use crate::train::newest::with_newest;
use crate::train::run_folder::recognise;
use crate::transformer::size::bytes;
use crate::typeset::sanitize::clean;

#[derive(clap::Args)]
pub struct Search {
    /// everyday or phrasebook, which come with the program; a run, one checkpoint, or the folder of a published Marian
    /// model
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// The beam size: how many hypotheses are kept; 1 is greedy decoding
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = count!(1, 1000))]
    beam: usize,
    /// The exponent of the length penalty: above 0 it favours long translations, below 0 short ones
    #[arg(long, default_value_t = 0.6, value_name = "A", allow_negative_numbers = true, value_parser = real!(-10, 10))]
    alpha: f64,
    /// The length penalty: gnmt is ((5 + length) / 6)^A, length is length^A with fairseq's rules, transformers is
    /// length^A with the rules of Hugging Face's library, none
    #[arg(long, default_value = "gnmt", value_name = "NAME", value_parser = ["gnmt", "length", "transformers", "none"])]
    penalty: String,
    /// The longest translation, in tokens
    #[arg(long, value_name = "N", value_parser = count!(1, 10000))]
    max_length: Option<usize>,
    /// Without a cache: computes every token from the start again; slower, the same translations
    #[arg(long)]
    no_cache: bool,
    /// The number of threads; it does not change the result
    #[arg(long, value_name = "T", value_parser = count!(1, 1024))]
    pub threads: Option<usize>,
}

pub const EXAMPLES: &str = "Examples:
  transformer-tutor translate 'Wo ist der Bahnhof?'
  transformer-tutor translate --nbest 4 'ich moechte bitte einen kaffee'
  transformer-tutor translate --model run --json < sentences.de

The everyday model was trained on sentences of Tatoeba (https://tatoeba.org), CC BY 2.0 FR, by way of
https://www.manythings.org/anki; filtered and normalised.";

#[derive(clap::Args)]
pub struct Translate {
    #[command(flatten)]
    pub search: Search,
    /// The number of translations for each sentence
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = count!(1, 1000))]
    nbest: usize,
    /// The words that every translation starts with
    #[arg(long, value_name = "P")]
    prefix: Option<String>,
    /// Samples tokens by their probability instead of searching
    #[arg(long)]
    sample: bool,
    /// Divides log-probabilities by T before sampling
    #[arg(long, default_value_t = 1.0, value_name = "T", requires = "sample", value_parser = real!(0, 1000))]
    temperature: f64,
    /// Samples from the N most probable tokens only; 0 means all
    #[arg(long, default_value_t = 0, value_name = "N", requires = "sample", value_parser = count!(0, 1000000000))]
    top_k: usize,
    /// Samples from the most probable tokens that together reach this probability
    #[arg(long, default_value_t = 1.0, value_name = "P", requires = "sample", value_parser = real!(0.000001, 1))]
    top_p: f64,
    /// The random seed
    #[arg(long, default_value_t = 1, value_name = "S", requires = "sample")]
    seed: u64,
    /// Print JSON, one line per sentence: the source and how the model reads it, remarks, then text, tokens, score,
    /// log-probability
    #[arg(long)]
    json: bool,
    /// Sentences; without any, the lines of stdin
    text: Vec<String>,
}

#[derive(clap::Args)]
pub struct Score {
    /// everyday or phrasebook, which come with the program; a run, one checkpoint, or the folder of a published Marian
    /// model
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Source lines
    #[arg(long, value_name = "FILE")]
    src: PathBuf,
    /// The translations to score
    #[arg(long, value_name = "FILE")]
    tgt: PathBuf,
    #[command(flatten)]
    both: PairLanguages,
    /// As JSON: the log-probability of every token
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub struct Average {
    /// The run
    #[arg(long, value_name = "DIR")]
    model: PathBuf,
    /// The number of newest checkpoints to average
    #[arg(long, default_value_t = 10, value_name = "K", value_parser = count!(1, 10000))]
    last: usize,
    /// The folder for the averaged model: new, empty, or one of an earlier averaged model, which is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Loads the named model, or else `usual`.
fn load(model: Option<&Path>, usual: BuiltIn) -> anyhow::Result<Loaded> {
    match model {
        Some(path) => named(path),
        None => Ok(Loaded::BuiltIn(usual)),
    }
}

impl Search {
    fn options(&self) -> DecodeOptions {
        let (penalty, rule) = match self.penalty.as_str() {
            "length" => (Penalty::Length, Rule::Fairseq),
            "transformers" => (Penalty::Length, Rule::Transformers),
            "none" => (Penalty::None, Rule::Tensorflow),
            _ => (Penalty::Gnmt, Rule::Tensorflow),
        };
        DecodeOptions {
            beam: self.beam,
            penalty,
            rule,
            alpha: self.alpha,
            max_len: self.max_length,
            cache: !self.no_cache,
            ..DecodeOptions::default()
        }
    }
}

pub fn translate(command: &Translate, out: &mut dyn Write) -> anyhow::Result<()> {
    let t = load(command.search.model.as_deref(), BuiltIn::Everyday)?;
    let mut options = command.search.options();
    options.nbest = command.nbest;
    require(command.sample || options.nbest <= options.beam, || {
        let nbest = options.nbest;
        format!("--nbest {nbest} needs a beam at least as large: add --beam {nbest}")
    })?;
    if let Some(prefix) = &command.prefix {
        options.prefix = t.pipeline.target.ids(prefix);
        require(!options.prefix.contains(&(UNK as u32)), || {
            format!("the model has no word for a part of the prefix {prefix:?}")
        })?;
        let most = t.model.config.max_len - 1;
        require(options.prefix.len() <= most, || {
            let long = options.prefix.len();
            format!("--prefix has {long} tokens, and the model writes at most {most}")
        })?;
    }
    if command.sample {
        options.sampling = Some(Sampling {
            temperature: command.temperature,
            top_k: command.top_k,
            top_p: command.top_p,
            seed: command.seed,
        });
    }
    let mut answering = Answering {
        t: &t,
        packed_model: PackedModel::new(&t.model, &t.params),
        options: &options,
        as_json: command.json,
        told: "text",
        first: 0,
    };
    if !command.text.is_empty() {
        return answering.answer(&command.text, out);
    }
    answering.told = "line";
    for lines in stdin::batches() {
        let lines = lines.context("stdin")?;
        let first = lines.first().filter(|_| answering.first == 0);
        if let Some(what) = first.and_then(|line| markup::no_text("FILE", line)) {
            bail!("stdin cannot be translated: {what}");
        }
        answering.answer(&lines, out)?;
    }
    Ok(())
}

/// A sentence of an input line, and the part of it that the model reads.
struct Source {
    sentence: Sentence,
    /// Number of its line.
    line: usize,
    /// Ids that fit the model's maximum length; empty for a sentence without words.
    ids: Vec<u32>,
    /// True if the end was cut off.
    cut: bool,
}

/// Splits the lines into sentences; a line without any counts as one.
fn sources(t: &Translator, lines: &[String]) -> Vec<Source> {
    let mut all = Vec::new();
    for (line, text) in lines.iter().enumerate() {
        for sentence in t.pipeline.sentences(text) {
            let (ids, cut) = sentence.within(t.model.config.max_len);
            all.push(Source {
                sentence,
                line,
                ids,
                cut,
            });
        }
    }
    all
}

/// Translates the sentences. Hypotheses that contain each placeholder come first.
fn translations(
    packed_model: &PackedModel<'_>,
    target: &Side,
    sources: &[Source],
    options: &DecodeOptions,
) -> Vec<Vec<Hypothesis>> {
    let ids: Vec<Vec<u32>> = sources.iter().map(|source| source.ids.clone()).collect();
    let hidden = sources
        .iter()
        .any(|source| !source.sentence.placeholders.is_empty());
    if !hidden || options.sampling.is_some() {
        return packed_model.translate(&ids, options);
    }
    let all = DecodeOptions {
        nbest: options.beam.max(options.nbest),
        ..options.clone()
    };
    let mut all = packed_model.translate(&ids, &all);
    for (source, hypotheses) in sources.iter().zip(&mut all) {
        hypotheses.sort_by_key(|h| !source.sentence.is_kept_by(target, &h.ids));
        hypotheses.truncate(options.nbest);
    }
    all
}

/// The answers to texts from the command line, or to the lines of stdin.
struct Answering<'a> {
    t: &'a Translator,
    packed_model: PackedModel<'a>,
    options: &'a DecodeOptions,
    as_json: bool,
    /// What remarks call a line.
    told: &'static str,
    /// Number of lines answered before.
    first: usize,
}

impl Answering<'_> {
    /// Translates lines. Remarks go to stderr, with the number of their line if there can be several.
    fn answer(&mut self, lines: &[String], out: &mut dyn Write) -> anyhow::Result<()> {
        let (t, first) = (self.t, self.first);
        let sources = sources(t, lines);
        let all = translations(
            &self.packed_model,
            &t.pipeline.target,
            &sources,
            self.options,
        );
        let answered: Vec<_> = sources.iter().zip(&all).collect();
        self.first += lines.len();
        if self.as_json {
            for (source, hypotheses) in answered {
                writeln!(out, "{}", self.described(source, hypotheses, first))?;
            }
            return Ok(out.flush()?);
        }
        let one = self.told == "text" && lines.len() == 1;
        for (line, _) in lines.iter().enumerate() {
            let place = if one {
                String::new()
            } else {
                format!("{} {}: ", self.told, first + line + 1)
            };
            let mut best = Vec::new();
            for (source, hypotheses) in answered.iter().filter(|(source, _)| source.line == line) {
                for remark in self.remarks(source, hypotheses) {
                    note(&format!("{place}{remark}"));
                }
                for h in *hypotheses {
                    let text = clean(&t.pipeline.translation(&source.sentence, &h.ids));
                    match self.options.nbest {
                        1 => best.push(text),
                        _ => writeln!(out, "{:8.3}  {text}", h.score)?,
                    }
                }
            }
            if self.options.nbest == 1 {
                writeln!(out, "{}", best.join(" "))?;
            }
        }
        out.flush()?;
        Ok(())
    }

    /// A sentence and its translations as JSON; `first` is the number of lines before this batch.
    fn described(
        &self,
        source: &Source,
        hypotheses: &[Hypothesis],
        first: usize,
    ) -> serde_json::Value {
        let pipeline = &self.t.pipeline;
        let rows = hypotheses.iter().map(|h| {
            let words = h.ids.iter();
            let tokens = words.map(|&id| pipeline.target.vocabulary.word(id as usize));
            json!({ "text": pipeline.translation(&source.sentence, &h.ids), "tokens": tokens.collect::<Vec<_>>(),
                    "score": h.score, "log_prob": h.log_prob, "finished": h.finished })
        });
        let rows: Vec<_> = rows.collect();
        let sentence = &source.sentence;
        let remarks = self.remarks(source, hypotheses);
        let differs = |of: fn(&Kind) -> bool| {
            let mut all = remarks.iter();
            all.any(|remark| matches!(remark, Remark::Differs(what) if of(&what.kind)))
        };
        let texts: Vec<String> = remarks.iter().map(ToString::to_string).collect();
        json!({ "source": sentence.written, "read": sentence.spelling.text, "line": first + source.line,
                "unknown": sentence.unknown().len(), "cut": source.cut,
                "unsure": remarks.iter().any(|remark| matches!(remark, Remark::Unsure(_))),
                "numbers_differ": differs(|kind| *kind == Kind::Numbers),
                "copies_differ": differs(|kind| *kind != Kind::Numbers),
                "remarks": texts, "translations": rows })
    }

    /// Remarks on a sentence and its best translation.
    fn remarks(&self, source: &Source, hypotheses: &[Hypothesis]) -> Vec<Remark> {
        let (t, sentence) = (self.t, &source.sentence);
        let text = hypotheses
            .first()
            .map(|best| t.pipeline.translation(sentence, &best.ids));
        let best = hypotheses.first().zip(text.as_deref());
        let answer = best.map(|(best, text)| Answer {
            // Tokens drawn at random are improbable by intention.
            mean_log_prob: best
                .answer(text)
                .mean_log_prob
                .filter(|_| self.options.sampling.is_none()),
            ..best.answer(text)
        });
        t.pipeline.remarks(sentence, t.model.config.max_len, answer)
    }
}

pub fn score(command: &Score, out: &mut dyn Write) -> anyhow::Result<()> {
    let t = load(command.model.as_deref(), BuiltIn::Everyday)?;
    let languages = command.both.languages();
    affordable([&command.src, &command.tgt], LINES)?;
    let read = corpus::parallel(&command.src, &command.tgt, &languages)?;
    command.both.require_choice(read.holds_both)?;
    let (src, tgt) = noted(read);
    for (n, (src, tgt)) in src.iter().zip(&tgt).enumerate() {
        let source = t.pipeline.sentence(src);
        let target = t.pipeline.target.ids(tgt);
        ensure!(
            !source.is_empty(),
            "{}: line {} has no words",
            command.src.display(),
            n + 1
        );
        let most = t.model.config.max_len - 1;
        for (path, tokens) in [
            (&command.src, source.tokens.len()),
            (&command.tgt, target.len()),
        ] {
            ensure!(
                tokens <= most,
                "{}: line {} has {tokens} tokens, more than the model's {most}",
                path.display(),
                n + 1
            );
        }
        let scored = translate::score(&t.model, &t.params, &source.ids, &target);
        let total: f64 = scored.iter().sum();
        if command.json {
            let mut tokens = t.pipeline.target.tokens(tgt);
            tokens.push("</s>".to_owned());
            writeln!(
                out,
                "{}",
                json!({ "log_prob": total, "tokens": tokens, "log_probs": scored })
            )?;
        } else {
            writeln!(out, "{total:.4}")?;
        }
    }
    Ok(())
}

pub fn average(command: &Average, out: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(model) = built_in(&command.model) {
        return Err(usage(format!(
            "{} comes with the program and has no checkpoints to average; name the folder of a run",
            model.name()
        )));
    }
    recognise::may_hold_a_model(&command.out)?;
    let mean = with_newest(&command.model, command.last, |newest| mean(command, newest))?;
    model_folder::save(&command.out, &mean.translator, &mean.config)?;
    writeln!(
        out,
        "the mean of {} checkpoints, updates {} to {}, in {}",
        mean.count,
        mean.updates.0,
        mean.updates.1,
        command.out.display()
    )?;
    Ok(())
}

/// Average of several checkpoints.
struct Mean {
    translator: Translator,
    config: TrainConfig,
    count: usize,
    /// First and last update averaged.
    updates: (usize, usize),
}

fn mean(command: &Average, all: &[(usize, PathBuf)]) -> anyhow::Result<Mean> {
    let ([(first, _), ..], [.., (last, _)]) = (all, all) else {
        bail!(
            "{} holds no checkpoints; it must be the folder that train wrote",
            command.model.display()
        );
    };
    let newest: Vec<PathBuf> = all.iter().rev().map(|(_, path)| path.clone()).collect();
    for folder in &newest {
        output::not_an_input(&command.out, folder)?;
    }
    let sizes = newest.iter().filter_map(|folder| {
        let weights = std::fs::metadata(folder.join("model.safetensors"));
        weights.ok().map(|weights| weights.len())
    });
    let together = sizes.fold(0, u64::saturating_add);
    // All checkpoints are in memory at the same time.
    require(together <= memory(), || {
        format!(
            "the weights of {} checkpoints are {} together, and the limit is {}; choose a smaller --last",
            newest.len(),
            bytes(together.into()),
            bytes(memory().into())
        )
    })?;
    let t = checkpoint::average(&newest)?;
    let path = newest[0].join("config.toml");
    let config = file::text(&path, file::WORDS)
        .with_context(|| format!("{} cannot be read", path.display()))?;
    let config = TrainConfig::read(&config)
        .map_err(|why| anyhow::anyhow!("{} is damaged: {why}", path.display()))?;
    Ok(Mean {
        translator: t,
        config,
        count: newest.len(),
        updates: (*first, *last),
    })
}

#[cfg(test)]
mod tests;
