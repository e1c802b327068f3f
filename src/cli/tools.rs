//! `tools …`: the commands that measure, compare and convert.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;

use super::screened::Screened;
use super::{bench, measures, on, pages, params, parity, text, translate, weights};

#[derive(Subcommand)]
pub enum Tool {
    /// Compute BLEU of translations against references, as sacreBLEU does
    #[command(
        after_help = "Example:\n  transformer-tutor tools bleu --hyp translation.en --ref reference.en"
    )]
    Bleu(measures::Bleu),
    /// Compute chrF and chrF++, as sacreBLEU does
    #[command(
        after_help = "Example:\n  transformer-tutor tools chrf --hyp translation.en --ref reference.en"
    )]
    Chrf(measures::Chrf),
    /// Test whether systems differ by more than chance
    ///
    /// Paired bootstrap resampling: draws lines with replacement, the same for every system, and counts how often the
    /// difference from the baseline would be as large by chance.
    #[command(
        after_help = "Example:\n  transformer-tutor tools compare --hyp baseline.en --hyp better.en --ref reference.en --metric bleu --metric chrf"
    )]
    Compare(measures::Compare),
    /// Compute the log-probability of given translations, token by token
    #[command(
        after_help = "Example:\n  transformer-tutor tools score --src source.de --tgt translation.en --json"
    )]
    Score(translate::Score),
    /// Count a model's parameters, with an equation for each part
    ///
    /// Prints the tree, each part's equation, and what training needs. Without options it counts the paper's base model:
    /// vocabularies of 30,000, the generator not tied.
    #[command(after_help = "Example:\n  transformer-tutor tools params --set layers=12")]
    Params(params::Options),
    /// Time training steps, decoding and single operations on this machine
    #[command(after_help = "Example:\n  transformer-tutor tools bench --only tiny --threads 4")]
    Bench(bench::Options),
    /// Compare results with those of PyTorch and transformers
    ///
    /// Checks the engine against tensors that PyTorch computed, and published models against Hugging Face's transformers.
    ///
    /// Computes every .safetensors file of DIR whose case the program knows again: forward results
    /// must agree within 1e-5, gradients within 1e-4 of the tensor's largest entry, ids exactly.
    /// Ends with exit code 1 if one does not, or if a file is damaged.
    ///
    /// If DIR has model/ (a published Marian model), expected.json and expected.safetensors, that model is compared with
    /// what Hugging Face's transformers computed with it: ids, layers, attention, log-probabilities, translations.
    #[command(after_help = "Example:\n  transformer-tutor tools parity tests/fixtures/parity")]
    Parity {
        /// The folder of case files, or of a published model with its expected results
        dir: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Average the weights of a run's newest checkpoints into one model
    #[command(
        after_help = "Example:\n  transformer-tutor tools average --model run --last 5 --out run-mean"
    )]
    Average(translate::Average),
    /// Convert models: to and from PyTorch, to transformers, to 8 bits
    #[command(
        subcommand,
        after_help = "Example:\n  transformer-tutor tools weights export run --to marian --out for-transformers"
    )]
    Weights(weights::Weights),
    /// Learn byte-pair merges, split words into subwords, join them again
    #[command(
        subcommand,
        after_help = "Example:\n  transformer-tutor tools bpe learn corpus.de corpus.en --merges 8000 --out merges.txt"
    )]
    Bpe(text::Subwords),
    /// Write built-in text to files
    #[command(
        subcommand,
        after_help = "Example:\n  transformer-tutor tools corpus phrasebook --pairs 1000 --out phrasebook"
    )]
    Corpus(text::Corpora),
    /// Draw every screen of the course as a picture and as text
    ///
    /// For each page, and for each part of one that is longer than the screen, DIR gets SIZE/LESSON/page-NN.svg and .txt;
    /// then the quiz, the end and the exercise of each lesson, home, help, search and every term of the glossary.
    #[command(after_help = pages::EXAMPLES)]
    Pages(pages::Options),
}

impl Tool {
    /// True for a tool that writes files.
    pub fn writes_files(&self) -> bool {
        matches!(
            self,
            Self::Average(_) | Self::Bpe(_) | Self::Corpus(_) | Self::Pages(_) | Self::Weights(_)
        )
    }
}

/// Runs the tool and returns its exit code.
pub fn run(tool: &Tool, out: &mut Screened<impl Write>) -> anyhow::Result<ExitCode> {
    match tool {
        Tool::Bleu(command) => measures::bleu(command, out)?,
        Tool::Chrf(command) => measures::chrf(command, out)?,
        Tool::Compare(command) => measures::compare(command, out)?,
        Tool::Score(command) => translate::score(command, out)?,
        Tool::Params(options) => write!(out, "{}", params::run(options)?)?,
        Tool::Bench(options) => on(options.threads, || bench::run(options, out))?,
        Tool::Parity { dir, json } => {
            let report = parity::run(dir)?;
            if *json {
                super::json(out, &report)?
            } else {
                write!(out, "{}", report.table())?
            }
            out.flush()?;
            if !report.passed {
                return Ok(ExitCode::FAILURE);
            }
        }
        Tool::Average(command) => translate::average(command, out)?,
        Tool::Weights(command) => weights::run(command, out)?,
        Tool::Bpe(command) => text::subwords(command, out)?,
        Tool::Corpus(command) => text::corpora(command, out)?,
        Tool::Pages(options) => pages::run(options, out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
