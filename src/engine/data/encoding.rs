//! Text as it is stored, compressed with gzip or in UTF-16, decoded to UTF-8 while it is read.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use super::signature::ENOUGH;

/// First bytes of gzip: its mark, and deflate, its only method.
const GZIP: &[u8] = b"\x1f\x8b\x08";

/// Number of bytes of UTF-16 that are decoded at a time.
const CHUNK: usize = 1 << 16;

/// How the bytes of a text were stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// True if the text was compressed with gzip.
    pub gzip: bool,
    /// Bytes of its characters.
    pub charset: Charset,
}

/// Bytes of a text's characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-8 after a byte order mark.
    Utf8Marked,
    /// UTF-16 with the low byte first, as Windows writes it.
    Utf16Le,
    /// UTF-16 with the high byte first.
    Utf16Be,
}

impl Encoding {
    /// Describes anything but plain UTF-8, such as `in UTF-16 (little-endian), compressed with gzip`.
    pub fn description(self) -> Option<String> {
        let charset = match self.charset {
            Charset::Utf8 => None,
            Charset::Utf8Marked => Some("in UTF-8 with a byte order mark"),
            Charset::Utf16Le => Some("in UTF-16 (little-endian)"),
            Charset::Utf16Be => Some("in UTF-16 (big-endian)"),
        };
        let gzip = self.gzip.then_some("compressed with gzip");
        let parts: Vec<&str> = charset.into_iter().chain(gzip).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Recognises by its first bytes how a stream is stored. Returns the text as UTF-8 without a byte order mark. Reading it
/// fails where gzip's data are damaged or UTF-16 has half a surrogate pair; the UTF-8 itself is not checked.
pub fn decoded<'a>(stream: impl BufRead + 'a) -> io::Result<(Encoding, Box<dyn BufRead + 'a>)> {
    let (start, stream) = peeked(stream)?;
    if !start.starts_with(GZIP) {
        let (charset, text) = as_utf_8(start, stream)?;
        return Ok((
            Encoding {
                gzip: false,
                charset,
            },
            text,
        ));
    }
    let unpacked = BufReader::new(Gunzip(MultiGzDecoder::new(stream)));
    let (start, unpacked) = peeked(unpacked)?;
    let (charset, text) = as_utf_8(start, unpacked)?;
    Ok((
        Encoding {
            gzip: true,
            charset,
        },
        text,
    ))
}

/// First bytes of a stream, and the stream from its beginning.
fn peeked<R: BufRead>(mut stream: R) -> io::Result<(Vec<u8>, impl BufRead + use<R>)> {
    let mut start = Vec::new();
    while start.len() < ENOUGH {
        let chunk = match stream.fill_buf() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        let count = chunk.len().min(ENOUGH - start.len());
        start.extend_from_slice(&chunk[..count]);
        stream.consume(count);
        if count == 0 || !may_be_a_mark(&start) {
            break;
        }
    }
    Ok((start.clone(), Cursor::new(start).chain(stream)))
}

/// True if more bytes are needed to tell what the first ones begin. A line from a terminal must not wait for the next, so
/// those that begin plain text are enough, however few.
fn may_be_a_mark(start: &[u8]) -> bool {
    let needed = match start.first() {
        Some(0x1f | 0xef) => 3,
        Some(0xfe | 0xff) => 4,
        _ if start.contains(&0) => 8,
        _ => 0,
    };
    start.len() < needed
}

fn as_utf_8<'a>(
    start: Vec<u8>,
    mut stream: impl BufRead + 'a,
) -> io::Result<(Charset, Box<dyn BufRead + 'a>)> {
    let (charset, mark) = charset(&start);
    io::copy(&mut (&mut stream).take(mark), &mut io::sink())?;
    let text: Box<dyn BufRead + 'a> = match charset {
        Charset::Utf8 | Charset::Utf8Marked => Box::new(stream),
        Charset::Utf16Le => Box::new(BufReader::new(Utf16::new(stream, u16::from_le_bytes))),
        Charset::Utf16Be => Box::new(BufReader::new(Utf16::new(stream, u16::from_be_bytes))),
    };
    Ok((charset, text))
}

/// Charset of a text, and the length of its byte order mark.
fn charset(start: &[u8]) -> (Charset, u64) {
    match start {
        [0xef, 0xbb, 0xbf, ..] => (Charset::Utf8Marked, 3),
        // The mark of UTF-32, which no reader decodes.
        [0xff, 0xfe, 0, 0, ..] => (Charset::Utf8, 0),
        [0xff, 0xfe, ..] => (Charset::Utf16Le, 2),
        [0xfe, 0xff, ..] => (Charset::Utf16Be, 2),
        _ => (unmarked_utf_16(start).unwrap_or_default(), 0),
    }
}

/// UTF-16 without a byte order mark: in European languages every other byte is 0.
fn unmarked_utf_16(start: &[u8]) -> Option<Charset> {
    let pairs = start.as_chunks::<2>().0;
    if pairs.len() < 4 {
        return None;
    }
    let zeros = |at: usize| pairs.iter().filter(|pair| pair[at] == 0).count();
    match [zeros(0), zeros(1)].map(|n| n * 10 >= pairs.len() * 9) {
        [true, false] => Some(Charset::Utf16Be),
        [false, true] => Some(Charset::Utf16Le),
        _ => None,
    }
}

/// Unpacked text, whose errors say that it was compressed.
struct Gunzip<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out).map_err(|e| match e.kind() {
            io::ErrorKind::Interrupted => e,
            io::ErrorKind::UnexpectedEof => other(
                "it is compressed with gzip and ends too early; get the whole file".to_owned(),
            ),
            _ => other(format!(
                "it is compressed with gzip and damaged ({e}); get the file again"
            )),
        })
    }
}

/// UTF-16 that is read as UTF-8.
struct Utf16<R> {
    stream: R,
    unit: fn([u8; 2]) -> u16,
    /// First byte of a unit that is cut.
    odd: Option<u8>,
    /// First half of a surrogate pair that is cut.
    high: Option<u16>,
    /// Text that is decoded but not read, from `at`.
    text: String,
    at: usize,
    /// Number of the line that is being decoded.
    line: usize,
}

impl<R: BufRead> Utf16<R> {
    fn new(stream: R, unit: fn([u8; 2]) -> u16) -> Self {
        Self {
            stream,
            unit,
            odd: None,
            high: None,
            text: String::new(),
            at: 0,
            line: 1,
        }
    }

    /// Decodes the next bytes; returns false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let chunk = self.stream.fill_buf()?;
        let count = chunk.len().min(CHUNK);
        let bytes: Vec<u8> = self
            .odd
            .take()
            .into_iter()
            .chain(chunk[..count].iter().copied())
            .collect();
        self.stream.consume(count);
        let (units, rest) = bytes.as_chunks::<2>();
        let mut units: Vec<u16> = self
            .high
            .take()
            .into_iter()
            .chain(units.iter().map(|&unit| (self.unit)(unit)))
            .collect();
        let ends = count == 0;
        if !ends {
            self.odd = rest.first().copied();
            self.high = units.pop_if(|unit| (0xd800..0xdc00).contains(unit));
        } else if !rest.is_empty() {
            return Err(self.broken("ends within a character"));
        }
        (self.text, self.at) = (String::with_capacity(3 * units.len()), 0);
        for c in char::decode_utf16(units) {
            let c = c.map_err(|_| self.broken("has half a surrogate pair"))?;
            self.line += usize::from(c == '\n');
            self.text.push(c);
        }
        Ok(!ends || !self.text.is_empty())
    }

    fn broken(&self, how: &str) -> io::Error {
        other(format!(
            "it begins as UTF-16, but line {} {how}; get the file again, or convert it to UTF-8",
            self.line
        ))
    }
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() {
            if !self.fill()? {
                return Ok(0);
            }
        }
        let left = &self.text.as_bytes()[self.at..];
        let count = left.len().min(out.len());
        out[..count].copy_from_slice(&left[..count]);
        self.at += count;
        Ok(count)
    }
}

fn other(sentence: String) -> io::Error {
    io::Error::other(sentence)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    const TEXT: &str = "Schöne Grüße\n😀 日本\n";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    /// Reads a stream whose buffer holds only a few bytes.
    fn read(bytes: &[u8]) -> io::Result<(Encoding, String)> {
        let (encoding, mut stream) = decoded(BufReader::with_capacity(3, bytes))?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        Ok((encoding, text))
    }

    #[test]
    fn each_encoding_is_recognised_by_its_first_bytes_and_decoded() {
        let marked = format!("\u{feff}{TEXT}");
        let (little, big) = (u16::to_le_bytes, u16::to_be_bytes);
        for (bytes, charset) in [
            (TEXT.as_bytes().to_vec(), Charset::Utf8),
            (marked.as_bytes().to_vec(), Charset::Utf8Marked),
            (utf_16(&marked, little), Charset::Utf16Le),
            (utf_16(&marked, big), Charset::Utf16Be),
        ] {
            for (gzip, bytes) in [(false, bytes.clone()), (true, gzip(&bytes))] {
                let expected = (Encoding { gzip, charset }, TEXT.to_owned());
                assert_eq!(read(&bytes).unwrap(), expected);
            }
        }
    }

    #[test]
    fn utf_16_needs_no_mark_where_every_other_byte_is_zero() {
        let german = "Guten Morgen.\n";
        for (bytes, charset) in [
            (utf_16(german, u16::to_le_bytes), Charset::Utf16Le),
            (utf_16(german, u16::to_be_bytes), Charset::Utf16Be),
        ] {
            let (encoding, stream) = decoded(&bytes[..]).unwrap();
            assert_eq!(encoding.charset, charset);
            assert_eq!(io::read_to_string(stream).unwrap(), german);
        }
    }

    #[test]
    fn files_that_were_joined_after_compression_are_one_text() {
        let joined = [gzip(b"eins\n"), gzip(b"zwei\n")].concat();
        assert_eq!(read(&joined).unwrap().1, "eins\nzwei\n");
    }

    #[test]
    fn truncated_and_damaged_files_are_refused_with_the_reason() {
        let packed = gzip(TEXT.as_bytes());
        let marked = utf_16(&format!("\u{feff}{TEXT}"), u16::to_le_bytes);
        let lonely: Vec<u8> = [0xfeff_u16, 0x0a, 0xd83d, 0x41]
            .into_iter()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (bytes, says) in [
            (&packed[..packed.len() - 9], "ends too early"),
            (
                &marked[..marked.len() - 1],
                "line 2 ends within a character",
            ),
            (&lonely[..], "line 2 has half a surrogate pair"),
        ] {
            let message = read(bytes).unwrap_err().to_string();
            assert!(message.contains(says), "{message}");
        }
        let mut damaged = packed;
        damaged[12] ^= 0xff;
        assert!(read(&damaged).is_err());
    }

    #[test]
    fn descriptions_name_all_but_plain_utf_8() {
        let plain = Encoding::default();
        assert_eq!(plain.description(), None);
        let both = Encoding {
            gzip: true,
            charset: Charset::Utf16Le,
        };
        assert_eq!(
            both.description().unwrap(),
            "in UTF-16 (little-endian), compressed with gzip"
        );
    }
}
