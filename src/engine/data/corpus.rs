//! Parallel text in two files that correspond line by line, and the reasons to refuse such files or to doubt them.

use std::path::Path;

use super::bitext::{self, Bitext, Languages};
pub use super::corpus_error::CorpusError;
use super::stored::Stored;
use crate::tensor::random::fnv1a;
use crate::text::pipeline::Pipeline;

/// Text read from files, with sentences about what was recognised and what is doubtful.
#[derive(Clone, Debug, PartialEq)]
pub struct Read<T> {
    /// The text.
    pub text: T,
    /// Sentences for the user; those about something doubtful begin with "warning: ".
    pub remarks: Vec<String>,
    /// True if a file holds both languages, between which the user can choose.
    pub holds_both: bool,
}

/// The side of a file with both languages from which lines are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Sentences of the source language.
    Source,
    /// Sentences of the target language.
    Target,
    /// Sentences of both.
    Both,
}

/// Lines of a file, with any kind of line ending. Errors name the line that is not UTF-8, or the kind of file.
pub fn lines(path: &Path) -> Result<Vec<String>, CorpusError> {
    Stored::read(path)?.owned_lines()
}

/// Lines of a file with one sentence per line, or one side of a file with both languages. Other JSON and XML are
/// refused.
pub fn sentences(
    path: &Path,
    side: Side,
    languages: &Languages,
) -> Result<Read<Vec<String>>, CorpusError> {
    let stored = Stored::read(path)?;
    if let Some(Bitext { pairs, remark }) = Bitext::recognised(&stored, languages)? {
        let text = match side {
            Side::Source => pairs.into_iter().map(|pair| pair.0).collect(),
            Side::Target => pairs.into_iter().map(|pair| pair.1).collect(),
            Side::Both => pairs
                .into_iter()
                .flat_map(|pair| [pair.0, pair.1])
                .collect(),
        };
        return Ok(Read {
            text,
            remarks: vec![remark],
            holds_both: true,
        });
    }
    stored.refuse_markup()?;
    let remarks = stored.plain_remark().into_iter().chain(doubt(&stored));
    Ok(Read {
        remarks: remarks.collect(),
        text: stored.owned_lines()?,
        holds_both: false,
    })
}

/// Warning about text that looks like more than one sentence per line, or like none.
fn doubt(stored: &Stored) -> Option<String> {
    let path = stored.path.display();
    if let Some(column) = bitext::only_numbers(stored.lines()) {
        return Some(format!(
            "warning: column {column} of {path} is only numbers, which count as part of each sentence; remove them, for \
             example with cut"
        ));
    }
    let mut filled = stored
        .lines()
        .filter(|line| !line.trim().is_empty())
        .peekable();
    let columns = filled.peek().is_some() && filled.all(|line| line.contains('\t'));
    columns.then(|| {
        format!(
            "warning: every line of {path} has a tab, as files with both languages do, but counts as one sentence; \
             train reads pairs with --pairs"
        )
    })
}

/// Number of pairs whose translation is identical to the source.
pub fn untranslated(source: &[String], target: &[String]) -> usize {
    let pairs = source.iter().zip(target);
    pairs
        .filter(|(src, tgt)| !src.trim().is_empty() && src.trim() == tgt.trim())
        .count()
}

/// Source lines and target lines; line N of one translates line N of the other.
pub type Lines = (Vec<String>, Vec<String>);

/// Lines of two files, unchanged. Both may be one file if it holds both languages. Returns an error unless both have the
/// same number of lines.
pub fn parallel(
    source: &Path,
    target: &Path,
    languages: &Languages,
) -> Result<Read<Lines>, CorpusError> {
    let src = sentences(source, Side::Source, languages)?;
    let tgt = sentences(target, Side::Target, languages)?;
    if src.text.len() != tgt.text.len() {
        return Err(CorpusError::Lengths {
            source_path: source.into(),
            source_lines: src.text.len(),
            target_path: target.into(),
            target_lines: tgt.text.len(),
        });
    }
    let mut remarks = src.remarks;
    let new = tgt
        .remarks
        .into_iter()
        .filter(|remark| !remarks.contains(remark));
    remarks.extend(new.collect::<Vec<_>>());
    if src.text == tgt.text {
        remarks.extend(one_file(source, target));
    }
    Ok(Read {
        text: (src.text, tgt.text),
        remarks,
        holds_both: src.holds_both || tgt.holds_both,
    })
}

/// Warning about source and target that have the same lines, if both names lead to one file.
pub fn one_file(source: &Path, target: &Path) -> Option<String> {
    let real = |path: &Path| path.canonicalize().ok();
    let same = real(source).is_some_and(|source| real(target) == Some(source));
    same.then(|| {
        format!(
            "warning: source and target are one file, {}, so each sentence is its own translation",
            source.display()
        )
    })
}

/// Takes every `every`-th pair out of both sides for evaluation, at most 1,000. Returns the kept and the held-back
/// pairs.
pub fn held_back((source, target): Lines, every: usize) -> [Lines; 2] {
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
    use std::path::PathBuf;

    use super::*;
    use crate::testing::{assert_contains, assert_starts_with};

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

    fn read(path: &Path, side: Side) -> Read<Vec<String>> {
        sentences(path, side, &Languages::default()).unwrap()
    }

    #[test]
    fn the_recognised_format_is_named_except_for_plain_text() {
        let utf_16: Vec<u8> = "\u{feff}Guten Morgen.\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (bytes, says) in [
            (&b"Hallo.\n"[..], None),
            (b"Hallo.", None),
            (
                b"Hallo.\rJa.\r",
                Some("as text whose lines end with a carriage return only"),
            ),
            (&utf_16, Some("as text in UTF-16 (little-endian)")),
            (
                b"\xef\xbb\xbfJa.",
                Some("as text in UTF-8 with a byte order mark"),
            ),
        ] {
            let (_folder, path) = written(bytes);
            let says = says.map(|says| format!("read {} {says}", path.display()));
            assert_eq!(read(&path, Side::Source).remarks, Vec::from_iter(says));
        }
    }

    #[test]
    fn either_side_of_a_file_with_both_is_read() {
        let (_folder, path) =
            written(b"{\"de\": \"Ja.\", \"en\": \"Yes.\"}\n{\"de\": \"Nein.\"}\n");
        assert_eq!(read(&path, Side::Source).text, ["Ja.", "Nein."]);
        assert_eq!(read(&path, Side::Target).text, ["Yes.", ""]);
        assert_eq!(read(&path, Side::Both).text, ["Ja.", "Yes.", "Nein.", ""]);
        let both = parallel(&path, &path, &Languages::default()).unwrap();
        assert_eq!(both.text.1, ["Yes.", ""]);
        let says = format!(
            "read {} as JSON: de is the source and en the target",
            path.display()
        );
        assert_eq!(both.remarks, [says]);
    }

    #[test]
    fn doubtful_files_get_a_warning() {
        for (bytes, says) in [
            (&b"1\tJa.\n2\tNein.\n"[..], "warning: column 1 of"),
            (b"17\n18\n", "warning: column 1 of"),
            (b"Yes.\tJa.\nNo.\tNein.\n", "warning: every line of"),
        ] {
            let (_folder, path) = written(bytes);
            let remarks = read(&path, Side::Source).remarks;
            assert!(remarks[0].starts_with(says), "{remarks:?}");
        }
        let (_folder, path) = written(b"Ja.\nNein.\n");
        let remarks = parallel(&path, &path, &Languages::default())
            .unwrap()
            .remarks;
        assert_starts_with(&remarks[0], "warning: source and target are one file");
    }

    #[test]
    fn other_json_is_refused_with_what_to_do() {
        let (_folder, path) = written(b"[\"Ja.\", \"Yes.\"]\n[\"Nein.\", \"No.\"]\n");
        let refused = sentences(&path, Side::Source, &Languages::default());
        assert_contains(&refused.unwrap_err(), "jq -r '.[0]'");
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
        assert_contains(&lines(&path).unwrap_err(), "line 2 is not UTF-8");
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
        let message = parallel(&source, &target, &Languages::default())
            .unwrap_err()
            .to_string();
        assert_contains(&message, "has 2 lines");
        assert_contains(&message, "has 1");
    }
}
