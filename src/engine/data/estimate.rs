//! Estimate of the memory that text files and the work on them take, made before any of them is held in memory.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::corpus_error::CorpusError;
use super::{encoding, file};
use crate::transformer::size::bytes as amount;

/// Memory that a command takes for its text at its peak, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// For each byte of the text.
    byte: u64,
    /// For each line.
    line: u64,
    /// For each byte of the longest line.
    longest: u64,
}

/// Reading a text into lines, and borrowing them.
pub const LINES: Work = Work {
    byte: 3,
    line: 110,
    longest: 0,
};

/// Scoring translations: the n-grams of one line are counted at a time, most of them for chrF.
pub const SCORES: Work = Work {
    longest: 100,
    ..LINES
};

/// Scoring resampled translations, for which the counts of every line are kept.
pub const COMPARISON: Work = Work {
    line: 230,
    ..SCORES
};

/// Translating all lines at once: their tokens, ids and hypotheses.
pub const TRANSLATION: Work = Work {
    byte: 60,
    line: 900,
    ..SCORES
};

/// What a text consists of.
#[derive(Debug, Default, PartialEq)]
struct Size {
    bytes: u64,
    lines: u64,
    longest: u64,
}

impl Work {
    fn on(self, size: &Size) -> u128 {
        let each = [
            (self.byte, size.bytes),
            (self.line, size.lines),
            (self.longest, size.longest),
        ];
        each.map(|(cost, count)| u128::from(cost) * u128::from(count))
            .iter()
            .sum()
    }
}

/// Refuses text files that this work on all of them would not leave enough memory for. Files that cannot be read, and
/// pipes, which can be read only once, are left to their readers.
pub fn affordable<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
    work: Work,
) -> Result<(), CorpusError> {
    within(files, work, file::memory())
}

fn within<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
    work: Work,
    most: u64,
) -> Result<(), CorpusError> {
    let mut needed = 0;
    for path in files {
        let size = size(path).unwrap_or_default();
        needed += work.on(&size);
        if needed > u128::from(most) {
            let why = format!(
                "its {} lines with {}, and the files before it, need about {} of memory, and there is {}; give smaller \
                 files",
                size.lines,
                amount(size.bytes.into()),
                amount(needed),
                amount(most.into())
            );
            return Err(CorpusError::Io {
                path: path.clone(),
                source: io::Error::other(why),
            });
        }
    }
    Ok(())
}

/// Counts the bytes and lines of a text, unpacked, in little memory.
fn size(path: &Path) -> io::Result<Size> {
    let (file, length) = file::open(path, file::TEXT)?;
    if length.is_none() {
        return Ok(Size::default());
    }
    let (_, mut text) = encoding::decoded(BufReader::new(file))?;
    // Lines that end with a line feed, and those that end with a carriage return, in case there are no others.
    let mut ends = [(b'\n', 0, 0, 0), (b'\r', 0, 0, 0)];
    let mut bytes = 0;
    while bytes <= file::TEXT {
        let part = text.fill_buf()?;
        if part.is_empty() {
            break;
        }
        for (end, lines, longest, open) in &mut ends {
            for line in part.split_inclusive(|byte| byte == end) {
                *open += line.len() as u64;
                *longest = (*open).max(*longest);
                if line.ends_with(&[*end]) {
                    *lines += 1;
                    *open = 0;
                }
            }
        }
        let count = part.len();
        bytes += count as u64;
        text.consume(count);
    }
    let [feeds, returns] = ends;
    let (_, lines, longest, open) = if feeds.1 > 0 { feeds } else { returns };
    Ok(Size {
        bytes,
        lines: lines + u64::from(open > 0),
        longest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_contains;

    #[test]
    fn bytes_lines_and_the_longest_line_are_counted_in_any_form() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let utf_16: Vec<u8> = "\u{feff}eins\nzwölf"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (text, bytes, lines, longest) in [
            (&b"eins\nzwei\n\n"[..], 11, 3, 5),
            (b"eins\r\nzwei", 10, 2, 6),
            (b"eins\rzehn\rx", 11, 3, 5),
            (&utf_16, 11, 2, 6),
            (b"", 0, 0, 0),
        ] {
            std::fs::write(&path, text).unwrap();
            let expected = Size {
                bytes,
                lines,
                longest,
            };
            assert_eq!(size(&path).unwrap(), expected);
        }
    }

    #[test]
    fn files_that_fit_one_by_one_and_not_together_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other, none] = ["one", "other", "none"].map(|name| folder.path().join(name));
        for path in [&one, &other] {
            std::fs::write(path, "a\n".repeat(100)).unwrap();
        }
        let each = LINES.byte * 200 + LINES.line * 100;
        assert!(within([&one, &none], LINES, each).is_ok());
        assert!(within([&one, &other], LINES, 2 * each).is_ok());
        let refused = within([&one, &other], LINES, 2 * each - 1).unwrap_err();
        let message = refused.to_string();
        assert_contains(&message, "other");
        assert_contains(&message, "100 lines");
    }
}
