//! `tools bleu` and `tools chrf`: scores of translations against references, as sacreBLEU computes them.

mod doubts;

pub use doubts::doubts;

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use serde_json::json;

use super::limit::count;
use super::streams::note;
use crate::data::corpus;
use crate::decode::bleu::{BleuOptions, Smooth, corpus_bleu};
use crate::decode::chrf::{ChrfOptions, corpus_chrf};
use crate::decode::tokenize::Tokenize;

#[derive(clap::Args)]
pub struct Files {
    /// The translations, one on each line
    #[arg(long, value_name = "FILE")]
    hyp: PathBuf,
    /// References, line by line; several files for several references
    #[arg(long = "ref", value_name = "FILE", required = true)]
    refs: Vec<PathBuf>,
    /// Ignores upper and lower case
    #[arg(long)]
    lowercase: bool,
    /// As JSON: score, signature, and the counts behind them
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub struct Bleu {
    #[command(flatten)]
    files: Files,
    /// How text is split into words: 13a, intl, char, none; zh for Chinese
    #[arg(long, default_value = "13a", value_name = "NAME")]
    tokenize: Tokenize,
    /// Smoothing, where no n-gram matches: exp, floor, add-k, none; floor=0.5 sets the value
    #[arg(long, default_value = "exp", value_name = "NAME")]
    smooth: Smooth,
    /// The largest n of the n-grams
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = count!(1, 20))]
    max_order: usize,
}

#[derive(clap::Args)]
pub struct Chrf {
    #[command(flatten)]
    files: Files,
    /// The largest n of word n-grams; 2 is chrF++
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = count!(0, 20))]
    word_order: usize,
}

/// Reads the lines of the translations and of every reference. Files that are empty or differ in their number of lines
/// are an error.
fn read(files: &Files) -> anyhow::Result<(Vec<String>, Vec<Vec<String>>)> {
    let hyps = corpus::sentences(&files.hyp)?;
    ensure!(!hyps.is_empty(), "{} is empty", files.hyp.display());
    let mut all = Vec::new();
    for path in &files.refs {
        let lines = corpus::sentences(path)?;
        ensure!(
            lines.len() == hyps.len(),
            "{} has {} lines and {} has {}: each reference must have a line for every translation",
            files.hyp.display(),
            hyps.len(),
            path.display(),
            lines.len()
        );
        all.push(lines);
    }
    Ok((hyps, all))
}

fn borrowed(all: &[Vec<String>]) -> Vec<Vec<&str>> {
    all.iter()
        .map(|lines| lines.iter().map(String::as_str).collect())
        .collect()
}

pub fn bleu(options: &Bleu, out: &mut dyn Write) -> anyhow::Result<()> {
    let (hyps, refs) = read(&options.files)?;
    let hyps: Vec<&str> = hyps.iter().map(String::as_str).collect();
    let how = BleuOptions {
        tokenize: options.tokenize,
        smooth: options.smooth,
        lowercase: options.files.lowercase,
        max_order: options.max_order,
        ..BleuOptions::default()
    };
    let lines = refs.iter().flatten().map(String::as_str);
    for doubt in doubts(&hyps, lines, options.tokenize) {
        note(&doubt);
    }
    let found = corpus_bleu(&hyps, &borrowed(&refs), &how);
    let signature = how.signature(refs.len());
    if options.files.json {
        let line = json!({
            "score": found.score, "signature": signature, "text": found.to_string(), "precisions": found.precisions,
            "bp": found.bp, "sys_len": found.sys_len, "ref_len": found.ref_len, "counts": found.counts,
            "totals": found.totals,
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{found}\n{signature}")?;
    }
    Ok(())
}

pub fn chrf(options: &Chrf, out: &mut dyn Write) -> anyhow::Result<()> {
    let (hyps, refs) = read(&options.files)?;
    let hyps: Vec<&str> = hyps.iter().map(String::as_str).collect();
    let how = ChrfOptions {
        word_order: options.word_order,
        lowercase: options.files.lowercase,
        ..ChrfOptions::default()
    };
    let found = corpus_chrf(&hyps, &borrowed(&refs), &how);
    let signature = how.signature(refs.len());
    if options.files.json {
        let line = json!({ "score": found.score, "name": how.name(), "signature": signature });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{found}\n{signature}")?;
    }
    Ok(())
}
