//! Output of commands, without the control sequences of files and arguments, whether it goes to a terminal or not. Only
//! what a command makes out of text, as subwords are, keeps its bytes in a pipe or a file.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ArgMatches;

use super::product;
use crate::typeset::sanitize::{clean, escaped};

/// Control sequences with which drawing commands begin a line, to clear the line or the whole screen.
const OWN: [&str; 2] = ["\r\u{1b}[K", "\u{1b}[2J\u{1b}[3J\u{1b}[H"];

/// What happens to the lines that are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Nothing: they are the product.
    Kept,
    /// Control sequences and invisible characters are removed.
    Cleaned,
    /// They are JSON, in which such characters become escapes.
    Json,
}

impl Lines {
    /// How the output of a command with these arguments is treated.
    pub fn of(matches: &ArgMatches, terminal: bool) -> Self {
        let is_stdout = |id: &str| {
            let path = matches.try_get_one::<PathBuf>(id).ok().flatten();
            path.is_some_and(|path| product::is_stdout(path))
        };
        match matches.subcommand() {
            Some(("bpe", _)) if !terminal => Self::Kept,
            Some((_, inner)) => Self::of(inner, terminal),
            None if ["out", "svg", "html", "write"].into_iter().any(is_stdout) && !terminal => {
                Self::Kept
            }
            None if matches!(matches.try_get_one("json"), Ok(Some(true))) => Self::Json,
            None => Self::Cleaned,
        }
    }
}

/// Writer that treats its output line by line.
pub struct Screened<W: Write> {
    inner: W,
    lines: Lines,
    /// The unfinished line.
    line: Vec<u8>,
    /// True if the command draws; [`OWN`] is then allowed at the start of a line.
    draws: bool,
}

impl<W: Write> Screened<W> {
    pub fn new(inner: W, lines: Lines) -> Self {
        Self {
            inner,
            lines,
            line: Vec::new(),
            draws: false,
        }
    }

    /// Allows the command to draw.
    pub fn drawing(&mut self) -> &mut Self {
        self.draws = true;
        self
    }

    fn pass(&mut self, line: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(line);
        let mut rest = &*text;
        if self.lines == Lines::Json {
            return self.inner.write_all(escaped(rest).as_bytes());
        }
        if self.draws {
            for own in OWN {
                if let Some(after) = rest.strip_prefix(own) {
                    self.inner.write_all(own.as_bytes())?;
                    rest = after;
                }
            }
        }
        self.inner.write_all(clean(rest).as_bytes())
    }
}

impl<W: Write> Write for Screened<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.lines == Lines::Kept {
            return self.inner.write(bytes);
        }
        let before = self.line.len();
        self.line.extend_from_slice(bytes);
        // JSON comes in many small writes and one long line, so only what is new is searched.
        if let Some(end) = bytes.iter().rposition(|b| *b == b'\n') {
            let whole: Vec<u8> = self.line.drain(..=before + end).collect();
            for line in whole.split_inclusive(|b| *b == b'\n') {
                self.pass(line)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.pass(&line)?;
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(lines: Lines, draws: bool, parts: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut screened = Screened::new(&mut out, lines);
        if draws {
            screened.drawing();
        }
        for part in parts {
            screened.write_all(part).unwrap();
        }
        screened.flush().unwrap();
        drop(screened);
        out
    }

    #[test]
    fn a_sequence_in_parts_is_removed_or_escaped_unless_it_is_the_product() {
        let parts: [&[u8]; 4] = [b"a\x1b", b"[31", b"mb\xc2", b"\x9b2Jc\n\x1b]0;"];
        assert_eq!(printed(Lines::Cleaned, false, &parts), b"abc\n");
        assert_eq!(printed(Lines::Kept, false, &parts), parts.concat());
        let json = b"a\\u001b[31mb\\u009b2Jc\n\\u001b]0;";
        assert_eq!(printed(Lines::Json, false, &parts), json);
    }

    #[test]
    fn letters_and_what_is_no_text_survive() {
        let parts: [&[u8]; 3] = [b"sch\xc3", b"\xb6n \xff", b"\n"];
        assert_eq!(
            printed(Lines::Cleaned, false, &parts),
            "schön \u{fffd}\n".as_bytes()
        );
    }

    #[test]
    fn only_a_command_that_draws_may_clear_and_only_at_the_start_of_a_line() {
        let parts: [&[u8]; 1] = [b"\r\x1b[Kone\x1b[K\nx\r\x1b[K"];
        assert_eq!(printed(Lines::Cleaned, true, &parts), b"\r\x1b[Kone\nx\n");
        assert_eq!(printed(Lines::Cleaned, false, &parts), b"\none\nx\n");
    }
}
