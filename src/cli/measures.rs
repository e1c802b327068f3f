//! `tools bleu`, `tools chrf` and `tools compare`: scores of translations against references, as sacreBLEU computes them.

mod compare;
mod doubts;

pub use compare::{Compare, compare};
pub use doubts::doubts;

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use serde_json::json;

use super::bitext::{no_choice, noted};
use super::limit::count;
use super::streams::note;
use crate::data::bitext::Languages;
use crate::data::corpus::{self, Side};
use crate::data::estimate::{SCORES, Work, affordable};
use crate::decode::bleu::{BleuOptions, Smooth, corpus_bleu};
use crate::decode::chrf::{ChrfOptions, corpus_chrf};
use crate::decode::tokenize::Tokenize;

#[derive(clap::Args)]
pub struct Files {
    /// The translations, one on each line
    #[arg(long, value_name = "FILE")]
    hyp: PathBuf,
    #[command(flatten)]
    refs: References,
    /// As JSON: score, signature, and the counts behind them
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub struct References {
    /// References, line by line; several files for several references
    #[arg(long = "ref", value_name = "FILE", required = true)]
    refs: Vec<PathBuf>,
    /// The language of the translations and references, in a file that holds both; see train --target
    #[arg(long, value_name = "LANGUAGE")]
    target: Option<String>,
}

#[derive(clap::Args)]
pub struct Bleu {
    #[command(flatten)]
    files: Files,
    /// Ignores upper and lower case
    #[arg(long)]
    lowercase: bool,
    /// How text is split into words: 13a, intl, char, none
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
    /// Ignores upper and lower case
    #[arg(long)]
    lowercase: bool,
    /// The largest n of word n-grams; 2 is chrF++
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = count!(0, 20))]
    word_order: usize,
}

/// Lines of a file.
type Lines = Vec<String>;

impl References {
    /// Reads the lines of each system and of every reference. Files that are empty or differ in their number of lines are
    /// an error.
    fn read(&self, hyps: &[PathBuf], work: Work) -> anyhow::Result<(Vec<Lines>, Vec<Lines>)> {
        affordable(hyps.iter().chain(&self.refs), work)?;
        let languages = Languages {
            target: self.target.clone(),
            ..Languages::default()
        };
        let mut holds_both = false;
        let mut lines_of = |path: &PathBuf| -> anyhow::Result<Lines> {
            let read = corpus::sentences(path, Side::Target, &languages)?;
            holds_both |= read.holds_both;
            Ok(noted(read))
        };
        let systems: Vec<_> = hyps
            .iter()
            .map(&mut lines_of)
            .collect::<anyhow::Result<_>>()?;
        let lines = systems[0].len();
        ensure!(lines > 0, "{} is empty", hyps[0].display());
        let refs: Vec<_> = self
            .refs
            .iter()
            .map(lines_of)
            .collect::<anyhow::Result<_>>()?;
        if self.target.is_some() && !holds_both {
            return Err(no_choice("--target"));
        }
        let all = hyps.iter().zip(&systems).chain(self.refs.iter().zip(&refs));
        for (path, other) in all.skip(1) {
            ensure!(
                other.len() == lines,
                "{} has {lines} lines and {} has {}: each reference must have a line for every translation",
                hyps[0].display(),
                path.display(),
                other.len()
            );
        }
        Ok((systems, refs))
    }
}

/// Translations and references of a command that measures one system.
fn read(files: &Files) -> anyhow::Result<(Lines, Vec<Lines>)> {
    let (mut systems, refs) = files.refs.read(std::slice::from_ref(&files.hyp), SCORES)?;
    Ok((systems.swap_remove(0), refs))
}

fn borrowed(all: &[Lines]) -> Vec<Vec<&str>> {
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
        lowercase: options.lowercase,
        max_order: options.max_order,
        ..BleuOptions::default()
    };
    let lines = refs.iter().flatten().map(String::as_str);
    for doubt in doubts(&hyps, lines, options.tokenize) {
        note(&doubt);
    }
    let corpus = corpus_bleu(&hyps, &borrowed(&refs), &how);
    let signature = how.signature(refs.len());
    if options.files.json {
        let line = json!({
            "score": corpus.score, "signature": signature, "text": corpus.to_string(), "precisions": corpus.precisions,
            "bp": corpus.bp, "sys_len": corpus.sys_len, "ref_len": corpus.ref_len, "counts": corpus.counts,
            "totals": corpus.totals,
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{corpus}\n{signature}")?;
    }
    Ok(())
}

pub fn chrf(options: &Chrf, out: &mut dyn Write) -> anyhow::Result<()> {
    let (hyps, refs) = read(&options.files)?;
    let hyps: Vec<&str> = hyps.iter().map(String::as_str).collect();
    let how = ChrfOptions {
        word_order: options.word_order,
        lowercase: options.lowercase,
        ..ChrfOptions::default()
    };
    let corpus = corpus_chrf(&hyps, &borrowed(&refs), &how);
    let signature = how.signature(refs.len());
    if options.files.json {
        let line = json!({ "score": corpus.score, "name": how.name(), "signature": signature });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{corpus}\n{signature}")?;
    }
    Ok(())
}
