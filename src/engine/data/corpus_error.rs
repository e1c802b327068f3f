//! Reasons why files cannot be used as a corpus.

use std::path::PathBuf;

/// Reasons why files cannot be used as a corpus; each message tells the user what to do.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum CorpusError {
    #[error("{path} cannot be read: {source}")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(
        "{path}: line {line} is not UTF-8; convert the file, for example with iconv -f LATIN1 -t UTF-8"
    )]
    Encoding { path: PathBuf, line: usize },
    #[error(
        "{source_path} has {source_lines} lines and {target_path} has {target_lines}: line N of the one must translate \
         line N of the other"
    )]
    Lengths {
        source_path: PathBuf,
        source_lines: usize,
        target_path: PathBuf,
        target_lines: usize,
    },
    #[error(
        "{path}: line {line} has no column {column}; a line of a file of pairs is English, a tab, German, as in the \
         files of manythings.org/anki, or the file is JSON"
    )]
    Columns {
        path: PathBuf,
        line: usize,
        column: usize,
    },
    #[error("{path}: line {line} {what}")]
    Line {
        path: PathBuf,
        line: usize,
        what: String,
    },
    #[error(
        "{path} is not a dictionary in the form of Ding; a line is German :: English, as in Debian's package trans-de-en"
    )]
    Dictionary { path: PathBuf },
    #[error("{path} has no pair of lines to learn from{why}")]
    Empty { path: PathBuf, why: String },
    #[error("{path} cannot be used: {what}")]
    Foreign { path: PathBuf, what: String },
}
