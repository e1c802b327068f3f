//! `tools bpe` and `tools corpus`: learning and applying subwords, and writing the phrasebook to files.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::NonEmptyStringValueParser;
use clap::{Subcommand, ValueEnum};

use super::bitext::{PairLanguages, noted};
use super::limit::{count, real, require};
use super::product::{self, Force, Product};
use super::stdin;
use crate::data::corpus::{self, Side};
use crate::data::estimate::{LINES, affordable};
use crate::data::file;
use crate::data::output::Files;
use crate::text::bpe::{self, Bpe, CONTINUED, Segmenter};
use crate::text::phrasebook::{self, Part};
use crate::typeset::number::counted;

#[derive(Subcommand)]
pub enum Subwords {
    /// Learn merges from text files, in subword-nmt's form
    Learn {
        /// Text files with spaces between the words; several files are used together
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The largest number of merges
        #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = count!(0, 1000000))]
        merges: usize,
        /// How often a pair must occur to be merged
        #[arg(long, default_value_t = 2, value_name = "N", value_parser = count!(0, 1000000000))]
        min_frequency: usize,
        #[command(flatten)]
        both: PairLanguages,
        /// The file of merges to write; - is stdout
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        #[command(flatten)]
        force: Force,
    },
    /// Split the words of stdin into subwords: fast@@ er
    Apply {
        /// The file of merges
        #[arg(long, value_name = "FILE")]
        merges: PathBuf,
        /// Leaves merges out with this probability, so that a model learns from words cut in several ways
        #[arg(long, default_value_t = 0.0, value_name = "P", value_parser = real!(0, 1))]
        dropout: f64,
        /// The random seed of --dropout
        #[arg(long, default_value_t = 1, value_name = "S", requires = "dropout")]
        seed: u64,
        #[command(flatten)]
        separator: Separator,
    },
    /// Join the subwords of stdin into words again
    Join {
        #[command(flatten)]
        separator: Separator,
    },
}

/// The mark of a subword whose word continues.
#[derive(clap::Args)]
pub struct Separator {
    /// What ends a subword whose word continues
    #[arg(long, default_value = CONTINUED, value_name = "MARK", value_parser = NonEmptyStringValueParser::new())]
    separator: String,
}

#[derive(Subcommand)]
pub enum Corpora {
    /// Write pairs of the phrasebook, line by line: source.de, target.en and alignment.txt
    Phrasebook {
        /// The number of pairs, from the first on; by default 10000, or all of a smaller part
        #[arg(long, value_name = "N", value_parser = count!(0, 100000))]
        pairs: Option<usize>,
        /// The part of the phrasebook
        #[arg(long, value_enum, default_value_t = Split::Train)]
        part: Split,
        /// The folder to write into; made if it is missing
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        #[command(flatten)]
        force: Force,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Split {
    /// The 100,000 pairs to train on
    Train,
    /// 2,000 others of the same words and rules, on which train measures a run
    Valid,
    /// 5,000 more, which evaluate translates
    HeldOut,
    /// 5,000 longer sentences, with rarer combinations
    Hard,
}

fn text(path: &Path) -> anyhow::Result<String> {
    file::text(path, file::WORDS).with_context(|| format!("{} cannot be read", path.display()))
}

pub fn subwords(command: &Subwords, out: &mut dyn Write) -> anyhow::Result<()> {
    match command {
        Subwords::Learn {
            files,
            merges,
            min_frequency,
            both,
            out: path,
            force,
        } => {
            let inputs: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
            let product = Product::forced(path, &inputs, force)?;
            affordable(files, LINES)?;
            let mut lines = Vec::new();
            let mut holds_both = false;
            for file in files {
                let read = corpus::sentences(file, Side::Both, &both.languages())?;
                holds_both |= read.holds_both;
                let sentences = noted(read);
                let name = || file.display().to_string();
                bpe::learnable(sentences.iter().map(String::as_str)).with_context(name)?;
                lines.extend(sentences);
            }
            both.require_choice(holds_both)?;
            bpe::affordable(lines.iter().map(String::as_str), file::memory())?;
            let learned = Bpe::learn(lines.iter().map(String::as_str), *merges, *min_frequency);
            product.write(&learned.to_text(), out)?;
            let report = format!(
                "{} merges of {} lines in {}\n",
                learned.merges().len(),
                lines.len(),
                path.display()
            );
            product.report(&report, out)?;
        }
        Subwords::Apply {
            merges,
            dropout,
            seed,
            separator,
        } => {
            let bpe = Bpe::parse(&text(merges)?).with_context(|| merges.display().to_string())?;
            let mut segmenter = Segmenter::new(bpe, *seed);
            segmenter.separator = separator.separator.clone();
            segmenter.dropout = *dropout;
            each_line(out, |line| segmenter.line(line))?;
        }
        Subwords::Join { separator } => {
            each_line(out, |line| bpe::join_at(line, &separator.separator))?;
        }
    }
    Ok(())
}

/// Writes the result of `change` for every line of stdin, whenever the input pauses.
fn each_line(out: &mut dyn Write, mut change: impl FnMut(&str) -> String) -> anyhow::Result<()> {
    for lines in stdin::batches() {
        for line in lines.context("stdin")? {
            writeln!(out, "{}", change(&line))?;
        }
        out.flush()?;
    }
    Ok(())
}

pub fn corpora(command: &Corpora, out: &mut dyn Write) -> anyhow::Result<()> {
    let Corpora::Phrasebook {
        pairs,
        part,
        out: folder,
        force,
    } = command;
    let folder = product::folder(folder)?;
    let part = match part {
        Split::Train => Part::Train,
        Split::Valid => Part::Valid,
        Split::HeldOut => Part::HeldOut,
        Split::Hard => Part::Hard,
    };
    let most = part.size();
    let pairs = pairs.unwrap_or(most.min(10_000));
    require(pairs <= most, || {
        format!("this part has {most} pairs, not {pairs}; give --pairs {most} or less")
    })?;
    let drawn = phrasebook::pairs(part, pairs);
    let lines = |line: &dyn Fn(&phrasebook::Pair) -> String| -> String {
        drawn.iter().map(|pair| line(pair) + "\n").collect()
    };
    let source = lines(&|pair| pair.german.join(" "));
    let target = lines(&|pair| pair.english.join(" "));
    let alignment = lines(&|pair| {
        let links: Vec<String> = pair
            .alignment
            .iter()
            .map(|(g, e)| format!("{g}-{e}"))
            .collect();
        links.join(" ")
    });
    let files = [
        ("source.de", source.as_bytes()),
        ("target.en", target.as_bytes()),
        ("alignment.txt", alignment.as_bytes()),
    ];
    // Plain text doesn't show who wrote it, so any other contents are taken for the user's own.
    Files::new(&folder, files, &|_, _| false, force.force)?
        .as_one()?
        .write()?;
    writeln!(
        out,
        "{} in {}: source.de, target.en, alignment.txt",
        counted(drawn.len(), "pair"),
        folder.display()
    )?;
    Ok(())
}
