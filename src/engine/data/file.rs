//! Input files named by the user, read up to a maximum size, and text, decoded.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::encoding::{self, Encoding};
use super::signature;

/// Maximum size of a file of weights in bytes: 16 GiB, four billion numbers.
pub const WEIGHTS: u64 = 16 << 30;
/// Maximum size of a text to learn from, to translate or to compare, in bytes: 2 GiB.
pub const TEXT: u64 = 2 << 30;
/// Maximum size of a file of words, merges or settings in bytes: 256 MiB.
pub const WORDS: u64 = 256 << 20;
/// Maximum memory for parsed data, as a multiple of the file's size.
const PARSED: u64 = 32;
/// Maximum length of a line of stdin in bytes: 16 MiB.
pub const LINE: usize = 16 << 20;

/// Maximum memory for a file, in bytes.
static MEMORY: AtomicU64 = AtomicU64::new(64 << 30);

/// Returns the maximum memory for a file, in bytes.
pub fn memory() -> u64 {
    MEMORY.load(Ordering::Relaxed)
}

/// Sets [`memory`] to the program's limit, which only `main` knows.
pub fn set_memory(bytes: u64) {
    MEMORY.store(bytes, Ordering::Relaxed);
}

/// Opens a file of at most `most` bytes and returns its length, or `None` for a pipe. Refuses a folder, a device, and a
/// pipe that might never end.
pub fn open(path: &Path, most: u64) -> io::Result<(File, Option<u64>)> {
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(other("it is a folder, not a file"));
    }
    if !kind.is_file() && !handed_over(path) {
        return Err(other(
            "it is a pipe or a device, not a file; write its contents to a file and name that",
        ));
    }
    if kind.len() > most {
        return Err(large(kind.len(), most));
    }
    let file = File::open(path)?;
    Ok((file, kind.is_file().then_some(kind.len())))
}

/// Reads a file of at most `most` bytes; a larger one is refused before memory is allocated. Also refuses files that no
/// reader expects, such as compressed ones.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let most = most.min(memory());
    let (file, length) = open(path, most)?;
    // A file that grows while it is read, and a pipe, whose size is unknown, are held to the same limit.
    let mut content = Vec::new();
    if let Some(length) = length {
        content.try_reserve_exact(length as usize + 1)?;
    }
    file.take(most + 1).read_to_end(&mut content)?;
    if content.len() as u64 > most {
        return Err(large(content.len() as u64, most));
    }
    match signature::never(&content) {
        Some(what) => Err(other(&what)),
        None => Ok(content),
    }
}

/// Reads a file to be parsed, of at most `most` bytes and no larger than memory allows for the parsed data.
pub fn parsed(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    bytes(path, most.min(memory() / PARSED))
}

/// Reads the text of a file of at most `most` bytes, also when unpacked, as UTF-8 without a byte order mark, and how it
/// was stored. The UTF-8 is not checked. Refuses files that are surely not text.
pub fn decoded(path: &Path, most: u64) -> io::Result<(Encoding, Vec<u8>)> {
    let most = most.min(memory());
    let (file, length) = open(path, most)?;
    let (encoding, text) = encoding::decoded(BufReader::new(file))?;
    let mut content = Vec::new();
    if let (Some(length), false) = (length, encoding.gzip) {
        content.try_reserve_exact(length as usize + 1)?;
    }
    text.take(most + 1).read_to_end(&mut content)?;
    if content.len() as u64 > most {
        return Err(if encoding.gzip {
            other(&format!("it has more than {most} bytes when unpacked"))
        } else {
            large(content.len() as u64, most)
        });
    }
    match signature::no_text(&content) {
        Some(what) => Err(other(&what)),
        None => Ok((encoding, content)),
    }
}

/// Reads the text of a file to be parsed, of at most `most` bytes, without a byte order mark.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    let (_, bytes) = decoded(path, most.min(memory() / PARSED))?;
    String::from_utf8(bytes).map_err(|_| other("it is not UTF-8 text"))
}

/// Lines of a text, with any kind of line ending: before Mac OS X, lines ended with a carriage return only.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let lines = text.split_terminator(end);
    lines.map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// Lines of a stream, decoded. Errors name a line that is longer than [`LINE`] or not UTF-8, or the kind of data in the
/// stream.
pub fn lines<'a>(stream: impl BufRead + 'a) -> impl Iterator<Item = io::Result<String>> {
    lines_up_to(stream, LINE)
}

fn lines_up_to<'a>(
    stream: impl BufRead + 'a,
    most: usize,
) -> impl Iterator<Item = io::Result<String>> {
    let (mut stream, mut failed) = match encoding::decoded(stream) {
        Ok((_, stream)) => (Some(stream), None),
        Err(why) => (None, Some(why)),
    };
    let mut number = 0;
    // The remaining lines of a stream whose lines end with a carriage return only.
    let mut left = VecDeque::new();
    std::iter::from_fn(move || {
        if let Some(line) = left.pop_front() {
            return Some(Ok(line));
        }
        if let Some(why) = failed.take() {
            return Some(Err(why));
        }
        number += 1;
        let line = match read_to_its_end(stream.as_mut()?, most) {
            Err(e) => return Some(Err(e)),
            Ok(line) if line.is_empty() => return None,
            Ok(line) => line,
        };
        let no_line_feed = number == 1 && !line.ends_with(b"\n");
        let line = checked(&line, number, most);
        if no_line_feed && let Ok(text) = &line {
            left = text.split('\r').map(str::to_owned).collect();
            return left.pop_front().map(Ok);
        }
        Some(line)
    })
}

/// The next line of a stream with its ending, empty at the end of the stream. Of a line of more than `most` bytes only
/// the beginning is read, which is then too long as well.
fn read_to_its_end(stream: &mut (impl BufRead + ?Sized), most: usize) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    // Two bytes more than allowed: room for a line ending, and enough to notice a longer line.
    stream.take(most as u64 + 2).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// The lines that a person, or a program in their place, answers to prompts.
pub struct Answers<'a> {
    input: &'a mut dyn BufRead,
    /// Number of lines read.
    count: usize,
}

impl<'a> Answers<'a> {
    /// The lines of `input`.
    pub fn of(input: &'a mut dyn BufRead) -> Self {
        Self { input, count: 0 }
    }

    /// Waits for the next line; `None` at the end of input. The error says what is wrong with the line, which may be that
    /// it is longer than [`LINE`].
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        let line = read_to_its_end(&mut self.input, LINE)?;
        self.count += 1;
        let text = (!line.is_empty()).then(|| checked(&line, self.count, LINE));
        text.transpose().map_err(|e| other(&format!("stdin: {e}")))
    }
}

/// Text of a line, without its ending.
fn checked(line: &[u8], number: usize, most: usize) -> io::Result<String> {
    if let (1, Some(what)) = (number, signature::no_text(line)) {
        return Err(other(&what));
    }
    let end = line.strip_suffix(b"\n").unwrap_or(line);
    let end = end.strip_suffix(b"\r").unwrap_or(end);
    if end.len() > most {
        return Err(other(&format!(
            "line {number} is longer than {most} bytes; break it into lines"
        )));
    }
    match std::str::from_utf8(end) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(other(&format!(
            "line {number} is not UTF-8; convert the text, for example with iconv -f LATIN1 -t UTF-8"
        ))),
    }
}

/// True if `path` is a stream that the program was started with, such as a shell's `<(…)`, into which another process
/// writes.
fn handed_over(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd"]
        .iter()
        .any(|folder| path.starts_with(folder))
        || path == Path::new("/dev/stdin")
}

fn large(size: u64, most: u64) -> io::Error {
    other(&format!("it has {size} bytes, more than {most}"))
}

fn other(sentence: &str) -> io::Error {
    io::Error::other(sentence.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::data::encoding::Charset;
    use crate::testing::assert_contains;

    #[test]
    fn a_file_of_more_bytes_than_allowed_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        // A sparse file has the size without the bytes.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let message = bytes(&path, TEXT).unwrap_err().to_string();
        assert_eq!(message, "it has 1099511627776 bytes, more than 2147483648");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_a_device_and_a_folder_are_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for path in [&pipe, Path::new("/dev/zero")] {
            assert_contains(
                &bytes(path, TEXT).unwrap_err(),
                "a pipe or a device, not a file",
            );
        }
        let message = bytes(folder.path(), TEXT).unwrap_err().to_string();
        assert_eq!(message, "it is a folder, not a file");
    }

    #[test]
    fn text_has_no_byte_order_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "\u{feff}eins \u{feff}").unwrap();
        assert_eq!(text(&path, TEXT).unwrap(), "eins \u{feff}");
        let collected: io::Result<Vec<String>> =
            lines("\u{feff}eins\r\nzwei\n\ndrei".as_bytes()).collect();
        assert_eq!(collected.unwrap(), ["eins", "zwei", "", "drei"]);
    }

    #[test]
    fn text_is_decoded_from_files_and_streams() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        for (bytes, charset) in [
            (&b"\xff\xfeJ\0a\0\n\0"[..], Charset::Utf16Le),
            (b"\xfe\xff\0J\0a\0\n", Charset::Utf16Be),
        ] {
            fs::write(&path, bytes).unwrap();
            let (encoding, content) = decoded(&path, TEXT).unwrap();
            assert_eq!((encoding.charset, &content[..]), (charset, &b"Ja\n"[..]));
            assert_eq!(text(&path, TEXT).unwrap(), "Ja\n");
            let collected: io::Result<Vec<String>> = lines(bytes).collect();
            assert_eq!(collected.unwrap(), ["Ja"]);
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&[b'a'; 2000]).unwrap();
        fs::write(&path, packed.finish().unwrap()).unwrap();
        let message = decoded(&path, 1000).unwrap_err().to_string();
        assert_eq!(message, "it has more than 1000 bytes when unpacked");
    }

    #[test]
    fn lines_end_with_a_line_feed_or_else_with_a_carriage_return() {
        for text in ["eins\nzwei\r\n\ndrei", "eins\rzwei\r\rdrei\r"] {
            let lines: Vec<&str> = split(text).collect();
            assert_eq!(lines, ["eins", "zwei", "", "drei"]);
        }
        assert_eq!(split("").count(), 0);
    }

    #[test]
    fn a_stream_without_line_feeds_has_lines_all_the_same() {
        let collected: io::Result<Vec<String>> = lines(&b"eins\rzwei\r\rdrei\r"[..]).collect();
        assert_eq!(collected.unwrap(), ["eins", "zwei", "", "drei"]);
    }

    #[test]
    fn files_that_are_not_text_are_refused_with_the_reason_or_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        for (bytes, says) in [
            (&b"\x1f\x8b\x08\0\0\0\0\0"[..], "ends too early"),
            (b"\xff\xfe\0\0H\0\0\0", "iconv -f UTF-32 -t UTF-8"),
            (b"\xfd7zXZ\0", "unxz"),
            (
                b"version https://git-lfs.github.com/spec/v1\nsize 5\n",
                "git lfs pull",
            ),
        ] {
            fs::write(&path, bytes).unwrap();
            let from_file = text(&path, TEXT).unwrap_err().to_string();
            let from_stream = lines(bytes).next().unwrap().unwrap_err().to_string();
            for message in [from_file, from_stream] {
                assert!(message.contains(says), "{message}");
            }
        }
    }

    #[test]
    fn a_line_without_end_is_refused_by_its_number() {
        let endless = b"ab\n".chain(io::BufReader::new(io::repeat(b'x')));
        let read: Vec<io::Result<String>> = lines_up_to(endless, 10).take(2).collect();
        assert_eq!(read[0].as_ref().unwrap(), "ab");
        let message = read[1].as_ref().unwrap_err().to_string();
        assert_eq!(
            message,
            "line 2 is longer than 10 bytes; break it into lines"
        );
        let mut endless = BufReader::new(io::repeat(0));
        assert_contains(
            &Answers::of(&mut endless).next_line().unwrap_err(),
            "line 1",
        );
        let exact: Vec<_> = lines_up_to(&b"0123456789\r\nab"[..], 10).collect();
        assert!(exact.iter().all(Result::is_ok), "{exact:?}");
        let message = lines(&b"gut\nsch\xF6n\n"[..]).nth(1).unwrap().unwrap_err();
        assert!(message.to_string().starts_with("line 2 is not UTF-8"));
    }
}
