//! Options about files that hold both languages, and what is said about files that were read.

use super::limit::usage;
use super::streams::note;
use crate::data::bitext::Languages;
use crate::data::corpus::Read;

/// Languages of a file that holds both.
#[derive(clap::Args)]
pub struct PairLanguages {
    /// The source language of a file that holds both: its field in JSON, its column (2) in tab-separated
    /// text. By default, the order in the file decides
    #[arg(long, value_name = "LANGUAGE")]
    source: Option<String>,
    /// The target language of such a file
    #[arg(long, value_name = "LANGUAGE")]
    target: Option<String>,
}

impl PairLanguages {
    /// Refuses languages that were chosen although no file `holds_both`.
    pub fn require_choice(&self, holds_both: bool) -> anyhow::Result<()> {
        let given = [("--source", &self.source), ("--target", &self.target)];
        let mut given = given.iter().filter(|(_, language)| language.is_some());
        match given.next() {
            Some((option, _)) if !holds_both => Err(no_choice(option)),
            _ => Ok(()),
        }
    }

    /// Languages as the readers take them.
    pub fn languages(&self) -> Languages {
        Languages {
            source: self.source.clone(),
            target: self.target.clone(),
        }
    }
}

/// Error of an option that chooses a language where no file holds two.
pub fn no_choice(option: &str) -> anyhow::Error {
    usage(format!(
        "{option} chooses a language of a file that holds both, and no file here does; leave it out"
    ))
}

/// Text that was read; what was recognised and what is doubtful goes to stderr.
pub fn noted<T>(result: Read<T>) -> T {
    for remark in &result.remarks {
        note(remark);
    }
    result.text
}
