//! A text file in memory, decoded, with what was recognised about it.

use std::io;
use std::path::{Path, PathBuf};

use super::corpus_error::CorpusError;
use super::encoding::Encoding;
use super::file;
use super::markup;
use crate::transformer::size::bytes as amount;

/// A text file.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Name of the file.
    pub path: PathBuf,
    /// How its bytes were stored.
    pub encoding: Encoding,
    /// Its text.
    pub text: String,
}

impl Stored {
    /// Reads a file. Errors name the line that is not UTF-8, or the kind of file.
    pub fn read(path: &Path) -> Result<Self, CorpusError> {
        // Memory holds the text twice while it is split into lines.
        let most = file::TEXT.min(file::memory() / 3);
        let (encoding, bytes) = file::decoded(path, most).map_err(|source| failed(path, source))?;
        let text = String::from_utf8(bytes).map_err(|e| {
            let valid = &e.as_bytes()[..e.utf8_error().valid_up_to()];
            let end = line_end(e.as_bytes());
            CorpusError::Encoding {
                path: path.into(),
                line: 1 + valid.iter().filter(|&&b| b == end).count(),
            }
        })?;
        Ok(Self {
            path: path.into(),
            encoding,
            text,
        })
    }

    /// Lines of the text, with any kind of line ending.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        file::split(&self.text)
    }

    /// Copies of the lines, as long as memory allows.
    pub fn owned_lines(&self) -> Result<Vec<String>, CorpusError> {
        let count = self.lines().count();
        // Each line costs an entry in the list besides its text, so even an empty line takes memory.
        let needed = 2 * self.text.len() as u128 + 40 * count as u128;
        if needed > u128::from(file::memory()) {
            let sentence = format!("its {count} lines need {} of memory", amount(needed));
            return Err(failed(&self.path, io::Error::other(sentence)));
        }
        Ok(self.lines().map(str::to_owned).collect())
    }

    /// Refuses JSON and XML.
    pub fn refuse_markup(&self) -> Result<(), CorpusError> {
        match markup::no_text(&self.path.display().to_string(), &self.text) {
            Some(what) => Err(self.refused(what)),
            None => Ok(()),
        }
    }

    /// Error that says why the file cannot be used.
    pub fn refused(&self, what: String) -> CorpusError {
        CorpusError::Foreign {
            path: self.path.clone(),
            what,
        }
    }

    /// Sentence about a text with one sentence per line, unless it is plain UTF-8.
    pub fn plain_remark(&self) -> Option<String> {
        let returns = (line_end(self.text.as_bytes()) == b'\r' && self.text.contains('\r'))
            .then(|| "whose lines end with a carriage return only".to_owned());
        let parts: Vec<String> = self
            .encoding
            .description()
            .into_iter()
            .chain(returns)
            .collect();
        let path = self.path.display();
        (!parts.is_empty()).then(|| format!("read {path} as text {}", parts.join(", ")))
    }

    /// Sentence about a file with both languages.
    pub fn remark(&self, form: &str, source: &str, target: &str) -> String {
        let encoding = self.encoding.description();
        let encoding = encoding.map_or(String::new(), |encoding| format!(" {encoding}"));
        format!(
            "read {} as {form}{encoding}: {source} is the source and {target} the target",
            self.path.display()
        )
    }
}

/// Byte that ends a line: before Mac OS X, a carriage return only.
fn line_end(text: &[u8]) -> u8 {
    if text.contains(&b'\n') { b'\n' } else { b'\r' }
}

fn failed(path: &Path, source: io::Error) -> CorpusError {
    CorpusError::Io {
        path: path.into(),
        source,
    }
}
