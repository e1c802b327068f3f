//! Errors in files of merges.

use std::fmt;

use super::LONGEST_WORD;
use crate::transformer::size::bytes;

/// A line that subword-nmt would not write, or cannot learn from. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are the line and what was found there"
)]
pub enum BpeError {
    /// The first line of the merges names an unknown version.
    Version { found: String },
    /// A merge is not two symbols.
    Merge { line: usize, found: String },
    /// A word is too long to learn from.
    Word { line: usize, characters: usize },
    /// The different words need too much memory.
    Memory { words: usize, needed: u128 },
}

impl fmt::Display for BpeError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Version { found } => write!(
                f,
                "merges: line 1 is {found:?} but must be \"#version: 0.2\" or, in old files, \"#version: 0.1\" or a merge"
            ),
            Self::Merge { line, found } => write!(
                f,
                "merges: line {line} is {found:?} but must be two symbols with a blank between, such as \"e s</w>\""
            ),
            Self::Word { line, characters } => write!(
                f,
                "line {line} has a word of {characters} characters; merges are learned from words of at most \
                 {LONGEST_WORD}: put blanks between the words"
            ),
            Self::Memory { words, needed } => write!(
                f,
                "merges of {words} different words need about {} of memory, more than there is; give less text",
                bytes(*needed)
            ),
        }
    }
}

impl std::error::Error for BpeError {}
