//! Zip files in which PyTorch stores tensors, without compression.
//!
//! Nothing is unpacked to disk, and a compressed entry is refused, so an archive never holds more than its bytes.

use std::collections::BTreeMap;
use std::ops::Range;

/// An archive in memory: its entries by name.
pub struct Archive<'a> {
    bytes: &'a [u8],
    entries: BTreeMap<String, Entry>,
}

struct Entry {
    /// Offset of its local header.
    header: usize,
    size: usize,
    crc: u32,
}

/// Signatures of the end of the directory, its 64-bit form, and the pointer to that form.
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";
const ENTRY: &[u8] = b"PK\x01\x02";
const HEADER: &[u8] = b"PK\x03\x04";

fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(width)?)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)),
    )
}

/// True if `bytes` begin like a zip file.
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER)
}

impl<'a> Archive<'a> {
    /// Reads the directory. The error explains what is wrong.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, String> {
        let cut = || "it is not a whole zip file: its directory is missing or damaged".to_owned();
        let (count, start) = directory(bytes).ok_or_else(cut)?;
        let mut entries = BTreeMap::new();
        let (mut at, mut sum) = (start, 0_u64);
        // The count may be anything; the bytes decide.
        for _ in 0..count {
            let (name, entry, next) = entry(bytes, at).ok_or_else(cut)??;
            sum = sum.saturating_add(entry.size as u64);
            if sum > bytes.len() as u64 {
                return Err(format!(
                    "its entries up to {name} have more bytes together than the file, so they overlap"
                ));
            }
            if entries.insert(name.clone(), entry).is_some() {
                return Err(format!("it has the entry {name} twice"));
            }
            at = next;
        }
        Ok(Self { bytes, entries })
    }

    /// Names of all entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Bytes of an entry, compared with its checksum.
    pub fn read(&self, name: &str) -> Result<&'a [u8], String> {
        Ok(&self.bytes[self.place(name)?])
    }

    /// Place of an entry's bytes in the archive. The bytes are compared with their checksum.
    pub fn place(&self, name: &str) -> Result<Range<usize>, String> {
        let entry = self
            .entries
            .get(name)
            .ok_or_else(|| format!("the entry {name} is missing"))?;
        let range =
            place(self.bytes, entry).ok_or_else(|| format!("the entry {name} is cut short"))?;
        if crc32fast::hash(&self.bytes[range.clone()]) != entry.crc {
            return Err(format!("the entry {name} is damaged: its checksum differs"));
        }
        Ok(range)
    }
}

/// Number of entries, and the offset of the directory.
fn directory(bytes: &[u8]) -> Option<(u64, usize)> {
    // The end record has 22 bytes, and a comment of at most 65,535.
    let from = bytes.len().saturating_sub(22 + 65_535);
    let end = (from..=bytes.len().checked_sub(22)?).rev().find(|&at| {
        bytes[at..].starts_with(END)
            && number(bytes, at + 20, 2) == Some((bytes.len() - at - 22) as u64)
    })?;
    let (mut count, mut start) = (number(bytes, end + 10, 2)?, number(bytes, end + 16, 4)?);
    let locator = end
        .checked_sub(20)
        .filter(|&at| bytes[at..].starts_with(LOCATOR_64));
    if let Some(locator) = locator {
        let end = usize::try_from(number(bytes, locator + 8, 8)?).ok()?;
        if !bytes.get(end..)?.starts_with(END_64) {
            return None;
        }
        (count, start) = (
            number(bytes, end.checked_add(32)?, 8)?,
            number(bytes, end.checked_add(48)?, 8)?,
        );
    }
    Some((count, usize::try_from(start).ok()?))
}

/// Entry of the directory, and the offset of the next. `None` if it is cut short, `Err` if it is refused.
fn entry(bytes: &[u8], at: usize) -> Option<Result<(String, Entry, usize), String>> {
    let header = bytes.get(at..)?.get(..46)?;
    if !header.starts_with(ENTRY) {
        return None;
    }
    let half = |offset| number(header, offset, 2);
    let word = |offset| number(header, offset, 4);
    let (name, extra, comment) = (half(28)? as usize, half(30)? as usize, half(32)? as usize);
    let (flags, method, crc) = (half(8)?, half(10)?, word(16)?);
    let text = bytes.get(at + 46..at + 46 + name)?;
    let extras = bytes.get(at + 46 + name..at + 46 + name + extra)?;
    // Sizes beyond 32 bits follow in the extra fields, in this order.
    let mut sizes = [word(24)?, word(20)?, word(42)?];
    if sizes.contains(&0xFFFF_FFFF) {
        let mut long = long_sizes(extras)?.as_chunks::<8>().0.iter();
        for size in sizes.iter_mut().filter(|size| **size == 0xFFFF_FFFF) {
            *size = u64::from_le_bytes(*long.next()?);
        }
    }
    let [size, packed, start] = sizes;
    let Ok(name) = std::str::from_utf8(text) else {
        return Some(Err("the name of an entry is not UTF-8".to_owned()));
    };
    let refused =
        if name.starts_with('/') || name.contains('\\') || name.split('/').any(|part| part == "..")
        {
            "has a path that leads out of the archive"
        } else if flags & 1 == 1 {
            "is encrypted"
        } else if method != 0 || size != packed {
            "is compressed, which PyTorch never does: it could unfold to any size"
        } else {
            let entry = Entry {
                header: usize::try_from(start).ok()?,
                size: usize::try_from(size).ok()?,
                crc: crc as u32,
            };
            let next = at + 46 + text.len() + extra + comment;
            return Some(Ok((name.to_owned(), entry, next)));
        };
    Some(Err(format!("its entry {name:?} {refused}")))
}

/// Extra field with the 64-bit sizes of an entry.
fn long_sizes(mut extras: &[u8]) -> Option<&[u8]> {
    loop {
        let (kind, length) = (number(extras, 0, 2)?, number(extras, 2, 2)? as usize);
        let (field, rest) = extras.get(4..)?.split_at_checked(length)?;
        if kind == 1 {
            return Some(field);
        }
        extras = rest;
    }
}

fn place(bytes: &[u8], entry: &Entry) -> Option<Range<usize>> {
    let header = bytes.get(entry.header..)?.get(..30)?;
    if !header.starts_with(HEADER) {
        return None;
    }
    let behind = 30 + number(header, 26, 2)? as usize + number(header, 28, 2)? as usize;
    let start = entry.header.checked_add(behind)?;
    let range = start..start.checked_add(entry.size)?;
    bytes.get(range.clone()).map(|_| range)
}
