//! `evaluate`: how good a model's translations are.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use serde_json::json;

use super::{Search, load, source};
use crate::cli::limit::count;
use crate::cli::product::{Force, Product};
use crate::data::corpus::{self, Corpus};
use crate::decode::align;
use crate::decode::bleu::{BleuOptions, corpus_bleu};
use crate::decode::chrf::{ChrfOptions, corpus_chrf};
use crate::decode::tokenize::Tokenize;
use crate::decode::translate;
use crate::text::phrasebook::{self, Part};
use crate::train::checkpoint::{self, Translator};
use crate::train::config::TrainConfig;
use crate::train::marian_folder;
use crate::train::trainer;

#[derive(clap::Args)]
pub struct Evaluate {
    #[command(flatten)]
    pub search: Search,
    /// Source lines; without them held-out pairs of the phrasebook
    #[arg(long, value_name = "FILE", requires = "refs")]
    src: Option<PathBuf>,
    /// References
    #[arg(long = "ref", value_name = "FILE", requires = "src")]
    refs: Option<PathBuf>,
    /// Pairs of the phrasebook
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = count!(1, 100000))]
    pairs: usize,
    /// The phrasebook's longer sentences and rarer combinations
    #[arg(long)]
    hard: bool,
    /// How BLEU cuts text; none, for text that is in tokens already
    #[arg(long, default_value = "13a", value_name = "NAME")]
    tokenize: Tokenize,
    /// Writes the translations, one a line; - is stdout
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// The files that an evaluation reads.
fn inputs(command: &Evaluate) -> Vec<PathBuf> {
    let model = command.search.model.iter().flat_map(|model| {
        let checkpoints = checkpoint::list(model)
            .into_iter()
            .map(|(_, folder)| folder);
        let folders = checkpoints.chain([model.clone(), model.join("best")]);
        folders.flat_map(|folder| {
            let files = [
                "model.safetensors",
                "tokenizer.json",
                marian_folder::CONFIG,
                marian_folder::VOCABULARY,
                marian_folder::PIECES[0],
                marian_folder::PIECES[1],
                marian_folder::WEIGHTS[1],
            ];
            files.map(|file| folder.join(file))
        })
    });
    let text = command.src.iter().chain(&command.refs).cloned();
    text.chain(model).collect()
}

pub fn evaluate(command: &Evaluate, out: &mut dyn Write) -> anyhow::Result<()> {
    let inputs = inputs(command);
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    // Translating takes minutes, so what cannot be written is said before.
    let product = command
        .write
        .as_ref()
        .map(|path| Product::forced(path, &inputs, &command.force))
        .transpose()?;
    let t = load(command.search.model.as_deref())?;
    let options = command.search.options()?;
    let (src, refs, alignments) = match (&command.src, &command.refs) {
        (Some(src), Some(refs)) => {
            let (src, refs) = corpus::parallel(src, refs)?;
            (src, refs, None)
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
                .map(|p| (p.german.join(" "), p.english.join(" ")))
                .unzip();
            (src, refs, Some(alignments))
        }
    };
    ensure!(!src.is_empty(), "there is no line to translate");
    let ids: Vec<Vec<u32>> = src.iter().map(|line| source(&t, line).0).collect();
    let started = std::time::Instant::now();
    let all = translate::translate(&t.model, &t.params, &ids, &options);
    let seconds = started.elapsed().as_secs_f64();
    let hyps: Vec<String> = all
        .iter()
        .map(|found| t.pipeline.target.joined(&found[0].ids))
        .collect();
    let refs: Vec<String> = refs
        .iter()
        .map(|line| t.pipeline.target.words(line))
        .collect();
    if let Some(product) = &product {
        let text: String = hyps.iter().map(|line| format!("{line}\n")).collect();
        product.write(&text, out)?;
    }
    let exact = hyps
        .iter()
        .zip(&refs)
        .filter(|(hyp, reference)| hyp == reference)
        .count();
    let borrowed: Vec<&str> = hyps.iter().map(String::as_str).collect();
    let references = vec![refs.iter().map(String::as_str).collect::<Vec<_>>()];
    let how = BleuOptions {
        tokenize: command.tokenize,
        ..BleuOptions::default()
    };
    let bleu = corpus_bleu(&borrowed, &references, &how);
    let chrf = corpus_chrf(&borrowed, &references, &ChrfOptions::default());
    let corpus = Corpus::new(&src, &refs, &t.pipeline, t.model.config.max_len - 2);
    let nats = trainer::measure(&t.model, &t.params, &corpus, &TrainConfig::default()).nats;
    let aer = alignments
        .filter(|_| !t.pipeline.source.in_subwords())
        .map(|truth| alignment_error(&t, &src, &refs, truth));
    let mut report = String::new();
    if command.json {
        let line = json!({
            "sentences": src.len(), "exact": exact as f64 / src.len() as f64, "bleu": bleu.score,
            "bleu_text": bleu.to_string(), "bleu_signature": how.signature(1), "chrf": chrf.score,
            "chrf_signature": ChrfOptions::default().signature(1), "perplexity": nats.exp(), "nats": nats,
            "alignment_error": aer, "seconds": seconds,
        });
        report = format!("{line}\n");
    } else {
        writeln!(report, "{} sentences in {seconds:.2} s", src.len())?;
        writeln!(
            report,
            "exact match  {:.1} %  ({exact})",
            100.0 * exact as f64 / src.len() as f64
        )?;
        writeln!(report, "{bleu}\n{}", how.signature(1))?;
        writeln!(report, "{chrf}\n{}", ChrfOptions::default().signature(1))?;
        writeln!(report, "perplexity of the references  {:.3}", nats.exp())?;
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

/// The alignment error of the layer that has the lowest, over the reference translations.
fn alignment_error(
    t: &Translator,
    src: &[String],
    refs: &[String],
    truth: Vec<Vec<(usize, usize)>>,
) -> f64 {
    let layers = 0..t.model.config.layers;
    let error = |layer| {
        let pairs = src.iter().zip(refs).zip(&truth).map(|((src, tgt), truth)| {
            let (ids, target) = (source(t, src).0, t.pipeline.target.ids(tgt));
            let weights = align::cross_attention(&t.model, &t.params, &ids, &target, layer);
            (align::links(&weights), truth.clone())
        });
        align::error_rate(&pairs.collect::<Vec<_>>())
    };
    layers.map(error).fold(f64::INFINITY, f64::min)
}
