//! Output of commands. On a terminal, control sequences from files and arguments are removed; elsewhere the text is the
//! product and its bytes are kept.

use std::io::{self, Write};

use crate::typeset::sanitize::clean;

/// Control sequences with which drawing commands begin a line, to clear the line or the whole screen.
const OWN: [&str; 2] = ["\r\u{1b}[K", "\u{1b}[2J\u{1b}[3J\u{1b}[H"];

/// Writer that cleans its output line by line if it goes to a terminal.
pub struct Screened<W: Write> {
    inner: W,
    /// On a terminal, the unfinished line.
    line: Option<Vec<u8>>,
    /// True if the command draws; [`OWN`] is then allowed at the start of a line.
    draws: bool,
}

impl<W: Write> Screened<W> {
    pub fn new(inner: W, terminal: bool) -> Self {
        Self {
            inner,
            line: terminal.then(Vec::new),
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
        let Some(line) = &mut self.line else {
            return self.inner.write(bytes);
        };
        line.extend_from_slice(bytes);
        if let Some(end) = line.iter().rposition(|b| *b == b'\n') {
            let whole: Vec<u8> = line.drain(..=end).collect();
            for line in whole.split_inclusive(|b| *b == b'\n') {
                self.pass(line)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(line) = self.line.as_mut().map(std::mem::take) {
            self.pass(&line)?;
        }
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(terminal: bool, draws: bool, parts: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut screened = Screened::new(&mut out, terminal);
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
    fn a_sequence_in_parts_does_not_reach_a_terminal() {
        let parts: [&[u8]; 4] = [b"a\x1b", b"[31", b"mb\xc2", b"\x9b2Jc\n\x1b]0;"];
        assert_eq!(printed(true, false, &parts), b"abc\n");
        assert_eq!(printed(false, false, &parts), parts.concat());
    }

    #[test]
    fn letters_and_what_is_no_text_survive() {
        let parts: [&[u8]; 3] = [b"sch\xc3", b"\xb6n \xff", b"\n"];
        assert_eq!(printed(true, false, &parts), "schön \u{fffd}\n".as_bytes());
    }

    #[test]
    fn only_a_command_that_draws_may_clear_and_only_at_the_start_of_a_line() {
        let parts: [&[u8]; 1] = [b"\r\x1b[Kone\x1b[K\nx\r\x1b[K"];
        assert_eq!(printed(true, true, &parts), b"\r\x1b[Kone\nx\n");
        assert_eq!(printed(true, false, &parts), b"\none\nx\n");
    }
}
