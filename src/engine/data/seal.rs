//! The SHA-256 that a file of tensors carries in its own header, which reveals damage when the file is read.
//!
//! The checksum covers the whole file, with zeros in place of its own digits.

use std::fmt::Write as _;
use std::ops::Range;

use sha2::{Digest, Sha256};

/// Metadata key of the checksum.
pub const KEY: &str = "transformer-tutor.sha256";

/// Placeholder for the digits while the checksum is computed.
pub const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// SHA-256 of `bytes`, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let mut sum = Sum::default();
    sum.add(bytes);
    sum.digits()
}

/// Incremental SHA-256.
#[derive(Default)]
pub struct Sum(Sha256);

impl Sum {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Adds the first bytes of a file, up to the end of its header, with zeros in place of its own checksum.
    pub fn add_description(&mut self, start: &[u8]) {
        match digits(start) {
            Some(range) => {
                self.add(&start[..range.start]);
                self.add(BLANK.as_bytes());
                self.add(&start[range.end..]);
            }
            None => self.add(start),
        }
    }

    /// Checksum in hexadecimal.
    pub fn digits(self) -> String {
        let mut text = String::with_capacity(BLANK.len());
        for byte in self.0.finalize() {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

/// Writes a file's checksum into its header, which ends at `end`, if there is a placeholder for it.
pub fn close(file: &mut [u8], end: usize) {
    let Some(range) = digits(&file[..end]) else {
        return;
    };
    let mut sum = Sum::default();
    sum.add_description(&file[..end]);
    sum.add(&file[end..]);
    file[range].copy_from_slice(sum.digits().as_bytes());
}

/// Checksum that a file carries, as written there.
pub fn carried(file: &[u8]) -> Option<String> {
    let range = digits(description(file)?)?;
    Some(String::from_utf8_lossy(&file[range]).into_owned())
}

/// True if a file matches the checksum that it carries, or carries none.
pub fn is_intact(file: &[u8]) -> bool {
    let (Some(carried), Some(start)) = (carried(file), description(file)) else {
        return true;
    };
    let mut sum = Sum::default();
    sum.add_description(start);
    sum.add(&file[start.len()..]);
    sum.digits() == carried
}

/// First bytes of a file of tensors, up to the end of its header.
fn description(file: &[u8]) -> Option<&[u8]> {
    let (size, _) = file.split_first_chunk::<8>()?;
    let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
    file.get(..size.checked_add(8)?)
}

/// Range of the checksum's digits in a header.
fn digits(start: &[u8]) -> Option<Range<usize>> {
    // Quotes inside JSON strings are escaped, so these bytes can only be the key itself.
    let key = format!("\"{KEY}\":\"");
    let at = start
        .windows(key.len())
        .position(|part| part == key.as_bytes())?;
    let range = at + key.len()..at + key.len() + BLANK.len();
    let all_hex = start.get(range.clone())?.iter().all(u8::is_ascii_hexdigit);
    (all_hex && start.get(range.end) == Some(&b'"')).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_standard() {
        // FIPS 180-4's example.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
    }

    #[test]
    fn a_file_carries_the_sum_of_itself_with_zeros_in_place_of_the_digits() {
        let blank = format!("12345678{{\"{KEY}\":\"{BLANK}\"}}numbers");
        let mut file = blank.clone().into_bytes();
        let end = file.len() - "numbers".len();
        close(&mut file, end);
        let text = String::from_utf8(file.clone()).unwrap();
        assert_eq!(text, blank.replace(BLANK, &sha256(blank.as_bytes())));
        let mut sum = Sum::default();
        sum.add_description(&file[..end]);
        sum.add(b"numbers");
        assert_eq!(sum.digits(), sha256(blank.as_bytes()));
    }
}
