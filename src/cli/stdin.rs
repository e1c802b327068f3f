//! The lines of stdin, as they arrive.

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use super::streams::note;
use crate::data::{encoding, file};

/// Maximum number of lines in a batch.
const LINES: usize = 256;
/// Number of bytes after which a batch gets no more lines.
const BYTES: usize = 1 << 20;

/// Pause in the input after which the lines so far are processed; long enough for the rest of a file to arrive, so that
/// the first batch is full too.
const PAUSE: Duration = Duration::from_millis(2);

/// Reads stdin on a separate thread and returns as many lines at once as arrive without a pause. Slow input is answered
/// line by line, and a file is processed in full batches.
pub fn batches() -> Batches {
    let (sender, lines) = mpsc::sync_channel(LINES);
    // The thread ends with stdin or with the program.
    thread::spawn(move || {
        let stream = match encoding::decoded(io::stdin().lock()) {
            Ok((encoding, stream)) => {
                if let Some(how) = encoding.description() {
                    note(&format!("read stdin as text {how}"));
                }
                stream
            }
            Err(why) => {
                let _ = sender.send(Err(why));
                return;
            }
        };
        for line in file::lines(stream) {
            let last = line.is_err();
            if sender.send(line).is_err() || last {
                break;
            }
        }
    });
    Batches {
        lines,
        failed: None,
    }
}

/// Iterator over batches of lines, made by [`batches`].
pub struct Batches {
    lines: Receiver<io::Result<String>>,
    failed: Option<io::Error>,
}

impl Iterator for Batches {
    type Item = io::Result<Vec<String>>;

    /// Waits for a line and adds those that follow without a pause. Lines before an error are returned first.
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        let first = match self.lines.recv().ok()? {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let mut bytes = first.len();
        let mut batch = vec![first];
        while batch.len() < LINES && bytes < BYTES {
            match self.lines.recv_timeout(PAUSE) {
                Ok(Ok(line)) => {
                    bytes += line.len();
                    batch.push(line);
                }
                Ok(Err(error)) => {
                    self.failed = Some(error);
                    break;
                }
                Err(_) => break,
            }
        }
        Some(Ok(batch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_a_pause_are_taken_together_and_an_error_comes_after_it() {
        let (sender, lines) = mpsc::sync_channel(2 * LINES);
        let mut batches = Batches {
            lines,
            failed: None,
        };
        let send = |line: &str| sender.send(Ok(line.to_owned())).unwrap();
        send("one");
        assert_eq!(batches.next().unwrap().unwrap(), ["one"]);
        (0..LINES + 1).for_each(|_| send("x"));
        sender.send(Err(io::Error::other("damaged"))).unwrap();
        drop(sender);
        let sizes = [LINES, 1].map(|_| batches.next().unwrap().unwrap().len());
        assert_eq!(sizes, [LINES, 1]);
        assert!(batches.next().unwrap().is_err());
        assert!(batches.next().is_none());
    }
}
