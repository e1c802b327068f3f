//! `evaluate`: measures the quality of a model's translations.

mod perplexity;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde_json::json;

use perplexity::Perplexity;

use super::{Search, load, sources};
use crate::cli::bitext::{Both, noted};
use crate::cli::limit::count;
use crate::cli::measures::doubts;
use crate::cli::product::{Force, Product};
use crate::cli::streams::note;
use crate::data::bitext::Languages;
use crate::data::corpus::{self, Side};
use crate::data::file;
use crate::decode::align;
use crate::decode::bleu::{BleuOptions, corpus_bleu};
use crate::decode::chrf::{ChrfOptions, corpus_chrf};
use crate::decode::tokenize::Tokenize;
use crate::decode::translate;
use crate::text::phrasebook::{self, Part};
use crate::text::typing;
use crate::train::built_in::BuiltIn;
use crate::train::checkpoint::{self, Translator};
use crate::train::marian_folder;
use crate::typeset::number::counted;

#[derive(clap::Args)]
pub struct Evaluate {
    #[command(flatten)]
    pub search: Search,
    /// Source lines; without them, held-out pairs of the phrasebook and its model
    #[arg(long, value_name = "FILE", requires = "refs")]
    src: Option<PathBuf>,
    /// References, line by line; or a .json with all references of each line: [["one", "another"], …]
    /// or {"source": ["one", "another"], …}
    #[arg(long = "ref", value_name = "FILE", requires = "src")]
    refs: Option<PathBuf>,
    #[command(flatten)]
    both: Both,
    /// Changes the German source to what people type: small letters, no closing mark, or ae, oe, ue, ss
    #[arg(long, value_name = "HOW", requires = "src")]
    typed: Option<Typed>,
    /// The number of pairs of the phrasebook
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = count!(1, 100000))]
    pairs: usize,
    /// Uses the phrasebook's longer sentences and rarer combinations
    #[arg(long)]
    hard: bool,
    /// How BLEU splits text into words; none for text that is already tokenised, zh for Chinese
    #[arg(long, default_value = "13a", value_name = "NAME")]
    tokenize: Tokenize,
    /// Writes the translations, one on each line; - is stdout
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Spelling to which a source is changed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Typed {
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
enum Listed {
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
) -> anyhow::Result<Vec<Vec<String>>> {
    let in_lines = || -> anyhow::Result<_> {
        let lines = noted(corpus::sentences(path, Side::Target, languages)?);
        Ok(lines.into_iter().map(|line| vec![line]).collect())
    };
    if path.extension().is_none_or(|kind| kind != "json") {
        return in_lines();
    }
    let text = file::text(path, file::TEXT)
        .with_context(|| format!("{} cannot be read", path.display()))?;
    let all: Result<Listed, _> = serde_json::from_str(&text);
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
        Listed::Lines(all) => all,
        Listed::Sources(all) => {
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

/// Files that an evaluation reads.
fn inputs(command: &Evaluate) -> Vec<PathBuf> {
    let model = command.search.model.iter().flat_map(|model| {
        let checkpoints = checkpoint::list(model)
            .into_iter()
            .map(|(_, folder)| folder);
        let folders = checkpoints.chain([model.clone(), model.join("best")]);
        folders.flat_map(|folder| {
            let own = ["model.safetensors", "tokenizer.json"].into_iter();
            own.chain(marian_folder::FILES)
                .map(move |file| folder.join(file))
        })
    });
    let text = command.src.iter().chain(&command.refs).cloned();
    text.chain(model).collect()
}

pub fn evaluate(command: &Evaluate, out: &mut dyn Write) -> anyhow::Result<()> {
    let inputs = inputs(command);
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    // Translating takes minutes, so check first that the result can be written.
    let product = command
        .write
        .as_ref()
        .map(|path| Product::forced(path, &inputs, &command.force))
        .transpose()?;
    // The phrasebook has its own vocabulary, so its pairs need its model.
    let usual = match command.src {
        Some(_) => BuiltIn::Everyday,
        None => BuiltIn::Phrasebook,
    };
    let t = load(command.search.model.as_deref(), usual)?;
    let options = command.search.options()?;
    let (src, refs, alignments) = match (&command.src, &command.refs) {
        (Some(src), Some(refs)) => {
            let languages = command.both.languages();
            let lines = noted(corpus::sentences(src, Side::Source, &languages)?);
            let all = references(refs, &lines, &languages)?;
            ensure!(
                lines.len() == all.len(),
                "{} has {} lines, and {} has references of {}",
                src.display(),
                lines.len(),
                refs.display(),
                all.len()
            );
            if lines
                .iter()
                .zip(&all)
                .all(|(line, refs)| refs.contains(line))
                && let Some(warning) = corpus::one_file(src, refs)
            {
                note(&warning);
            }
            let lines = match command.typed {
                Some(typed) => lines.iter().map(|line| typed.of(line)).collect(),
                None => lines,
            };
            (lines, all, None)
        }
        _ => {
            let part = if command.hard {
                Part::Hard
            } else {
                Part::HeldOut
            };
            let pairs = phrasebook::pairs(part, command.pairs, 2);
            let alignments: Vec<Vec<(usize, usize)>> =
                pairs.iter().map(|p| p.alignment.clone()).collect();
            let (src, refs) = pairs
                .into_iter()
                .map(|p| (p.german.join(" "), vec![p.english.join(" ")]))
                .unzip();
            (src, refs, Some(alignments))
        }
    };
    ensure!(!src.is_empty(), "there is no line to translate");
    let read = sources(&t, &src);
    let ids: Vec<Vec<u32>> = read.iter().map(|source| source.ids.clone()).collect();
    let cut = read.iter().filter(|source| source.cut).count();
    let started = std::time::Instant::now();
    let all = translate::translate(&t.model, &t.params, &ids, &options);
    let seconds = started.elapsed().as_secs_f64();
    let mut sentences: Vec<Vec<String>> = vec![Vec::new(); src.len()];
    for (source, found) in read.iter().zip(&all) {
        sentences[source.line].push(t.pipeline.target.joined(&found[0].ids));
    }
    let hyps: Vec<String> = sentences.iter().map(|all| all.join(" ")).collect();
    let first_refs: Vec<String> = refs.iter().map(|line| line[0].clone()).collect();
    let words = |line: &String| t.pipeline.target.words(line);
    let all_refs: Vec<Vec<String>> = refs
        .iter()
        .map(|line| line.iter().map(words).collect())
        .collect();
    if let Some(product) = &product {
        let text: String = hyps.iter().map(|line| format!("{line}\n")).collect();
        product.write(&text, out)?;
    }
    let exact = hyps
        .iter()
        .zip(&all_refs)
        .filter(|(hyp, references)| references.contains(hyp))
        .count();
    let borrowed: Vec<&str> = hyps.iter().map(String::as_str).collect();
    // Lines with fewer references repeat their first, which changes neither measure.
    let most = all_refs.iter().map(Vec::len).max().unwrap_or(1);
    // sacreBLEU's signature for a varying number of references.
    let number = match all_refs.iter().all(|line| line.len() == most) {
        true => most.to_string(),
        false => "var".to_owned(),
    };
    let references: Vec<Vec<&str>> = (0..most)
        .map(|n| {
            let lines = all_refs.iter();
            lines
                .map(|line| line.get(n).unwrap_or(&line[0]).as_str())
                .collect()
        })
        .collect();
    let how = BleuOptions {
        tokenize: command.tokenize,
        ..BleuOptions::default()
    };
    let bleu = corpus_bleu(&borrowed, &references, &how);
    let chrf = corpus_chrf(&borrowed, &references, &ChrfOptions::default());
    if command.src.is_some() {
        let lines = all_refs.iter().flatten().map(String::as_str);
        for doubt in doubts(&borrowed, lines, command.tokenize) {
            note(&doubt);
        }
    }
    let perplexity = Perplexity::of(&t, &src, &first_refs);
    let aer = alignments
        .filter(|_| !t.pipeline.source.in_subwords())
        .map(|truth| alignment_error(&t, &src, &first_refs, truth));
    let mut report = String::new();
    if command.json {
        let line = json!({
            "sentences": src.len(), "exact": exact as f64 / src.len() as f64, "bleu": bleu.score,
            "bleu_text": bleu.to_string(), "bleu_signature": how.signature(&number), "chrf": chrf.score,
            "chrf_signature": ChrfOptions::default().signature(&number), "cut": cut,
            "perplexity": perplexity.nats.map(f64::exp), "nats": perplexity.nats,
            "left_out_of_perplexity": perplexity.left_out(), "alignment_error": aer, "seconds": seconds,
        });
        report = format!("{line}\n");
    } else {
        writeln!(
            report,
            "{} in {seconds:.2} s",
            counted(src.len(), "sentence")
        )?;
        writeln!(
            report,
            "exact match  {:.1} %  ({exact})",
            100.0 * exact as f64 / src.len() as f64
        )?;
        writeln!(report, "{bleu}\n{}", how.signature(&number))?;
        writeln!(
            report,
            "{chrf}\n{}",
            ChrfOptions::default().signature(&number)
        )?;
        writeln!(report, "{}", perplexity.sentence(&t))?;
        if cut > 0 {
            let most = t.model.config.max_len;
            writeln!(
                report,
                "{cut} sentences are longer than {most} tokens; their ends were left out"
            )?;
        }
        if let Some(aer) = aer {
            writeln!(
                report,
                "alignment error rate  {aer:.3}  (cross attention of the best layer against the true alignment)"
            )?;
        }
    }
    match product {
        Some(product) => product.report(&report, out),
        None => Ok(write!(out, "{report}")?),
    }
}

/// Alignment error rate on the reference translations, for the layer where it is lowest.
fn alignment_error(
    t: &Translator,
    src: &[String],
    refs: &[String],
    truth: Vec<Vec<(usize, usize)>>,
) -> f64 {
    let layers = 0..t.model.config.layers;
    let error = |layer| {
        let pairs = src.iter().zip(refs).zip(&truth).map(|((src, tgt), truth)| {
            let (ids, target) = (t.pipeline.sentence(src).ids, t.pipeline.target.ids(tgt));
            let weights = align::cross_attention(&t.model, &t.params, &ids, &target, layer);
            (align::links(&weights), truth.clone())
        });
        align::error_rate(&pairs.collect::<Vec<_>>())
    };
    layers.map(error).fold(f64::INFINITY, f64::min)
}
