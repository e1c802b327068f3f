//! `train`: trains a translator on two text files or on the phrasebook.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use self::plan::Plan;
use super::bitext::PairLanguages;
use super::limit::{count, real};

mod plan;
mod settings;
mod stop;
mod text;
mod updates;

pub const EXAMPLES: &str = "Examples:
  transformer-tutor train --out run                       the phrasebook, two minutes
  transformer-tutor train --out run --resume              continue where it stopped
  transformer-tutor train --preset multi30k --out m30k --src train.en --tgt train.de \\
      --valid-src val.en --valid-tgt val.de
  transformer-tutor train --out run --pairs en-de.jsonl.gz --source de --target en
  transformer-tutor train --from everyday --preset everyday --out mine --src mine.de --tgt mine.en
  transformer-tutor train --out run --set d_model=256 --set rate=0.001 --minutes 10";

#[derive(clap::Args)]
pub struct Options {
    /// The built-in corpus: phrasebook (German to English)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["src", "tgt", "pairs"])]
    corpus: Option<String>,
    /// A file with both languages: lines of English, tab, German, as manythings.org/anki offers them; the export of
    /// tatoeba.org; JSON as Hugging Face's datasets write it. About 1,000 pairs are held out, and none of their
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
    both: PairLanguages,
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

/// Error of a run whose progress can no longer be shown, because its reader is gone or its file cannot grow. The
/// system's error is not its `source`: if a closed pipe were found there, the command would end silently and with
/// success, as other commands do when their reader has seen enough.
#[derive(Debug, thiserror::Error)]
#[error("the progress can no longer be shown: {0}")]
struct ProgressLost(std::io::Error);

pub fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    Plan::new(options, out)?.begin(out)?.run(out)
}

fn say(options: &Options, out: &mut dyn Write, sentence: &str) -> Result<(), ProgressLost> {
    if options.json {
        tell(out, &format!("{}\n", json!({ "says": sentence })))
    } else {
        tell(out, &format!("{sentence}\n"))
    }
}

/// Writes progress and flushes it, so that it appears at once.
fn tell(out: &mut dyn Write, text: &str) -> Result<(), ProgressLost> {
    let written = out.write_all(text.as_bytes());
    written.and_then(|()| out.flush()).map_err(ProgressLost)
}
