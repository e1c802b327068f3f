//! Parallel text in two files that correspond line by line, and the reasons to refuse such files.

use std::path::{Path, PathBuf};

use super::{file, markup, signature};
use crate::tensor::random::fnv1a;
use crate::text::pipeline::Pipeline;
use crate::transformer::size::bytes as amount;

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
        "{path}: line {line} has no tab; a line is English, a tab, German, as in the files of manythings.org/anki"
    )]
    Columns { path: PathBuf, line: usize },
    #[error(
        "{path} is no dictionary in the form of Ding; a line is German :: English, as in Debian's package trans-de-en"
    )]
    Dictionary { path: PathBuf },
    #[error("{path} has no pair of lines to learn from{why}")]
    Empty { path: PathBuf, why: String },
    #[error("{path} cannot be used: {what}")]
    Foreign { path: PathBuf, what: String },
    #[error("{path}: column {column} is numbers, not sentences; {advice}")]
    Numbers {
        path: PathBuf,
        column: usize,
        advice: String,
    },
}

/// Lines of a file, with any kind of line ending. Errors name the line that is not UTF-8, or the kind of file.
pub fn lines(path: &Path) -> Result<Vec<String>, CorpusError> {
    let failed = |source| CorpusError::Io {
        path: path.into(),
        source,
    };
    // Memory holds the text twice while it is split into lines.
    let most = file::TEXT.min(file::memory() / 3);
    let bytes = file::bytes(path, most).map_err(failed)?;
    if let Some(what) = signature::no_text(&bytes) {
        return Err(CorpusError::Foreign {
            path: path.into(),
            what,
        });
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    // Before Mac OS X, lines ended with a carriage return only.
    let end = match bytes.contains(&b'\n') {
        true => b'\n',
        false => b'\r',
    };
    let count = bytes.iter().filter(|&&b| b == end).count() + 1;
    // Each line costs an entry in the list besides its text, so even an empty line takes memory.
    let needed = 2 * bytes.len() as u128 + 40 * count as u128;
    if needed > u128::from(file::memory()) {
        let sentence = format!("its {count} lines need {} of memory", amount(needed));
        return Err(failed(std::io::Error::other(sentence)));
    }
    let mut all: Vec<&[u8]> = bytes.split(|&b| b == end).collect();
    if all.last().is_some_and(|last| last.is_empty()) {
        all.pop();
    }
    let read = |(n, line): (usize, &[u8])| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = std::str::from_utf8(line).map_err(|_| CorpusError::Encoding {
            path: path.into(),
            line: n + 1,
        })?;
        Ok(text.to_owned())
    };
    all.into_iter().enumerate().map(read).collect()
}

/// Lines of a file with one sentence per line; JSON and XML are refused.
pub fn sentences(path: &Path) -> Result<Vec<String>, CorpusError> {
    let lines = lines(path)?;
    match markup::no_text(&path.display().to_string(), &lines) {
        Some(what) => Err(CorpusError::Foreign {
            path: path.into(),
            what,
        }),
        None => Ok(lines),
    }
}

/// Number of pairs whose translation is identical to the source.
pub fn untranslated(source: &[String], target: &[String]) -> usize {
    let pairs = source.iter().zip(target);
    pairs
        .filter(|(src, tgt)| !src.trim().is_empty() && src.trim() == tgt.trim())
        .count()
}

/// Lines of two files, unchanged. Returns an error unless both files have the same number of lines.
pub fn parallel(source: &Path, target: &Path) -> Result<(Vec<String>, Vec<String>), CorpusError> {
    let (src, tgt) = (sentences(source)?, sentences(target)?);
    if src.len() != tgt.len() {
        return Err(CorpusError::Lengths {
            source_path: source.into(),
            source_lines: src.len(),
            target_path: target.into(),
            target_lines: tgt.len(),
        });
    }
    Ok((src, tgt))
}

/// Takes every `every`-th pair out of both sides for evaluation, at most 1,000. Returns the kept and the held-back
/// pairs.
pub fn held_back(
    (source, target): (Vec<String>, Vec<String>),
    every: usize,
) -> [(Vec<String>, Vec<String>); 2] {
    let pairs = source.into_iter().zip(target).enumerate();
    let out = |n: usize| (n + 1).is_multiple_of(every) && n < 1000 * every;
    let (held, kept): (Vec<_>, Vec<_>) = pairs.partition(|(n, _)| out(*n));
    [kept, held].map(|part| part.into_iter().map(|(_, pair)| pair).unzip())
}

/// Sentence pairs as ids: the source with an end token, the target with start and end tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corpus {
    /// Source and target ids.
    pub pairs: Vec<(Vec<u32>, Vec<u32>)>,
    /// Pairs left out because a line was empty.
    pub empty: usize,
    /// Pairs left out because a line had too many tokens.
    pub long: usize,
}

impl Corpus {
    /// Encodes pairs of lines. Pairs with an empty line, or with more than `longest` tokens in one, are left out and
    /// counted.
    pub fn new(source: &[String], target: &[String], pipeline: &Pipeline, longest: usize) -> Self {
        let mut corpus = Self::default();
        for (src, tgt) in source.iter().zip(target) {
            if src.trim().is_empty() || tgt.trim().is_empty() {
                corpus.empty += 1;
                continue;
            }
            let pair = (pipeline.source_ids(src), pipeline.target_ids(tgt));
            if pair.0.len() > longest + 1 || pair.1.len() > longest + 2 {
                corpus.long += 1;
                continue;
            }
            corpus.pairs.push(pair);
        }
        corpus
    }

    /// Returns an error if the corpus has no pairs.
    pub fn not_empty(self, path: &Path) -> Result<Self, CorpusError> {
        if self.pairs.is_empty() {
            let why = match (self.empty, self.long) {
                (0, 0) => String::new(),
                (empty, long) => {
                    format!(": {empty} have an empty line, {long} are longer than max_length")
                }
            };
            return Err(CorpusError::Empty {
                path: path.into(),
                why,
            });
        }
        Ok(self)
    }

    /// FNV-1a hash of all ids in order. Any change to a sentence, to the order or to the vocabulary changes it.
    pub fn fingerprint(&self) -> u64 {
        let sides = self.pairs.iter().flat_map(|(src, tgt)| [src, tgt]);
        // Each length comes before its ids, so that moving a token to the next sentence changes the hash.
        let numbers =
            sides.flat_map(|ids| [ids.len() as u32].into_iter().chain(ids.iter().copied()));
        fnv1a(numbers)
    }

    /// Number of target tokens to predict, including end tokens.
    pub fn target_tokens(&self) -> usize {
        self.pairs.iter().map(|pair| pair.1.len() - 1).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn written(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn line_ends_and_a_byte_order_mark_are_no_text() {
        let (_folder, path) = written("\u{feff}eins\r\nzwei\n\ndrei".as_bytes());
        assert_eq!(lines(&path).unwrap(), ["eins", "zwei", "", "drei"]);
    }

    #[test]
    fn lines_may_end_with_a_carriage_return_alone() {
        let (_folder, path) = written(b"eins\rzwei\r\rdrei\r");
        assert_eq!(lines(&path).unwrap(), ["eins", "zwei", "", "drei"]);
    }

    #[test]
    fn what_is_no_text_is_named_with_what_to_do() {
        let utf_16: Vec<u8> = "\u{feff}Guten Morgen.\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (bytes, says) in [
            (&utf_16[..], "iconv -f UTF-16 -t UTF-8"),
            (b"\x1f\x8b\x08\0\0\0\0\0\0\x03", "gunzip"),
            (b"{\"de\": \"Ja.\", \"en\": \"Yes.\"}\n", "jq -r '.de'"),
        ] {
            let (_folder, path) = written(bytes);
            let said = sentences(&path).unwrap_err().to_string();
            assert!(said.contains(says) && !said.contains("LATIN1"), "{said}");
        }
    }

    #[test]
    fn pairs_whose_sides_are_equal_are_counted() {
        let lines = |all: [&str; 4]| all.map(str::to_owned);
        let (src, tgt) = (
            lines(["Ja", "", "OK ", "Wort"]),
            lines(["Yes", "", "OK", "Word"]),
        );
        assert_eq!(untranslated(&src, &tgt), 1);
    }

    #[test]
    fn a_line_that_is_not_utf_8_is_named() {
        let (_folder, path) = written(b"gut\nsch\xF6n\n");
        let said = lines(&path).unwrap_err().to_string();
        assert!(said.contains("line 2 is not UTF-8"), "{said}");
    }

    #[test]
    fn every_so_manyth_pair_is_held_back_and_none_is_lost() {
        let lines = |word: &str| (1..=7).map(|n| format!("{word} {n}")).collect();
        let [kept, held] = held_back((lines("eins"), lines("one")), 3);
        assert_eq!(held.0, ["eins 3", "eins 6"]);
        assert_eq!(held.1, ["one 3", "one 6"]);
        assert_eq!(kept.0, ["eins 1", "eins 2", "eins 4", "eins 5", "eins 7"]);
    }

    #[test]
    fn a_fingerprint_changes_with_a_word_and_with_the_place_of_a_word() {
        let of = |pairs: &[(&[u32], &[u32])]| {
            let pairs = pairs
                .iter()
                .map(|(a, b)| (a.to_vec(), b.to_vec()))
                .collect();
            let corpus = Corpus {
                pairs,
                ..Corpus::default()
            };
            corpus.fingerprint()
        };
        let one = of(&[(&[4, 2], &[1, 5, 2])]);
        assert_eq!(one, of(&[(&[4, 2], &[1, 5, 2])]));
        assert_ne!(one, of(&[(&[4, 2], &[1, 6, 2])]));
        assert_ne!(one, of(&[(&[4, 2, 1], &[5, 2])]));
    }

    #[test]
    fn files_of_different_length_are_refused_with_both_lengths() {
        let (_one, source) = written(b"a\nb\n");
        let (_other, target) = written(b"a\n");
        let said = parallel(&source, &target).unwrap_err().to_string();
        assert!(
            said.contains("has 2 lines") && said.contains("has 1"),
            "{said}"
        );
    }
}
