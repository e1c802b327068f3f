//! Recognition of unexpected files by their first bytes, with advice on what to do about them.

/// First bytes of files that no reader expects, each with its kind and advice.
const NEVER: [(&[u8], &str); 4] = [
    (
        b"\x1f\x8b\x08",
        "it is compressed with gzip; unpack it first, for example with gunzip",
    ),
    (
        b"\xfd7zXZ\0",
        "it is compressed with xz; unpack it first, for example with unxz",
    ),
    (
        b"\x28\xb5\x2f\xfd",
        "it is compressed with zstd; unpack it first, for example with unzstd",
    ),
    (
        b"7z\xbc\xaf\x27\x1c",
        "it is a 7z archive; unpack it first, for example with 7z x",
    ),
];

/// First bytes of files that are not text, although some of them are weights.
const NO_TEXT: [(&[u8], &str); 4] = [
    (
        b"\xff\xfe\0\0",
        "it is UTF-32 text; convert it, for example with iconv -f UTF-32 -t UTF-8",
    ),
    (
        b"PK\x03\x04",
        "it is a zip archive, as documents and spreadsheets are; take the text out of it first",
    ),
    (
        b"%PDF-",
        "it is a PDF; take the text out of it first, for example with pdftotext",
    ),
    (
        b"SQLite format 3\0",
        "it is an SQLite database; write its text to a file first",
    ),
];

/// First bytes of files that are not safetensors, although some of them are weights or text.
const NO_TENSORS: [(&[u8], &str); 3] = [
    (
        b"PK\x03\x04",
        "it is a zip archive, as torch.save writes them, and not safetensors; load it with torch and write it with \
         safetensors.torch.save_file",
    ),
    (
        b"GGUF",
        "it is a GGUF file of llama.cpp, and not safetensors; only safetensors is read here",
    ),
    (
        b"\x89HDF\r\n",
        "it is an HDF5 file, and not safetensors; only safetensors is read here",
    ),
];

/// First line of a Git LFS pointer, without its version.
const LFS: &str = "version https://git-lfs.github.com/spec/";

/// Number of bytes from the start of a file that are enough to recognise it.
pub const ENOUGH: usize = 1024;

/// Describes a file that no reader expects, in a sentence about "it".
pub fn never(start: &[u8]) -> Option<String> {
    lfs_pointer(start)
        .or_else(|| of(&NEVER, start))
        .or_else(|| bzip2(start))
}

/// Describes a file that was expected to be text, by the first bytes of its decoded text.
pub fn no_text(start: &[u8]) -> Option<String> {
    let start = &start[..start.len().min(ENOUGH)];
    never(start)
        .or_else(|| of(&NO_TEXT, start))
        .or_else(|| tar(start))
}

/// Describes a file that was expected to be weights in any format.
pub fn no_weights(start: &[u8]) -> Option<String> {
    never(start).or_else(|| web_page(start))
}

/// Describes a file that was expected to be safetensors.
pub fn no_tensors(start: &[u8]) -> Option<String> {
    no_weights(start)
        .or_else(|| of(&NO_TENSORS, start))
        .or_else(|| pickle(start))
}

fn of(all: &[(&[u8], &str)], start: &[u8]) -> Option<String> {
    let hit = all.iter().find(|(first, _)| start.starts_with(first))?;
    Some(hit.1.to_owned())
}

/// A pickle of protocol 2 to 5.
fn pickle(start: &[u8]) -> Option<String> {
    matches!(start, [0x80, 2..=5, ..]).then(|| {
        "it is a pickle, and not safetensors; load it with Python and write its tensors with \
         safetensors.torch.save_file"
            .to_owned()
    })
}

/// A bzip2 file begins with letters, so all ten bytes are compared: a text may begin with the first three.
fn bzip2(start: &[u8]) -> Option<String> {
    let [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] = start else {
        return None;
    };
    rest.starts_with(b"1AY&SY").then(|| {
        "it is compressed with bzip2; unpack it first, for example with bunzip2".to_owned()
    })
}

/// Git LFS leaves a pointer of three lines (version, SHA-256, size) where it has not fetched the file.
fn lfs_pointer(start: &[u8]) -> Option<String> {
    if !start.starts_with(LFS.as_bytes()) {
        return None;
    }
    let text = String::from_utf8_lossy(&start[..start.len().min(ENOUGH)]).into_owned();
    let size = text.lines().find_map(|line| line.strip_prefix("size "));
    let size = size.and_then(|size| size.trim().parse::<u64>().ok());
    let size = size.map_or(String::new(), |size| format!(" of {size} bytes"));
    Some(format!(
        "it is a Git LFS pointer in place of the file{size}; run git lfs pull in its folder, or download the file"
    ))
}

/// An archive of several files, whose mark follows the name of the first.
fn tar(start: &[u8]) -> Option<String> {
    let mark = start.get(257..262)?;
    (mark == b"ustar")
        .then(|| "it is a tar archive; unpack it first, for example with tar -xf".to_owned())
}

/// A web page saved under the file's name.
fn web_page(start: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&start[..start.len().min(ENOUGH)]).to_lowercase();
    let text = text.trim_start();
    let page = ["<!doctype html", "<html"]
        .iter()
        .any(|first| text.starts_with(first));
    page.then(|| "it is a web page in place of the file; download the file itself".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_contains;

    #[test]
    fn each_kind_is_named_with_what_to_do() {
        let pointer = format!("{LFS}v1\noid sha256:{}\nsize 1234\n", "a".repeat(64));
        for (bytes, says) in [
            (
                pointer.as_bytes(),
                "Git LFS pointer in place of the file of 1234 bytes; run git lfs pull",
            ),
            (
                b"\x1f\x8b\x08\0\0\0\0\0",
                "gzip; unpack it first, for example with gunzip",
            ),
            (b"\xff\xfe\0\0H\0\0\0", "iconv -f UTF-32 -t UTF-8"),
            (
                &[&[b'a'; 257][..], b"ustar\0"].concat()[..],
                "tar archive; unpack it",
            ),
            (b"%PDF-1.7", "it is a PDF"),
            (b"BZh91AY&SY\0", "bunzip2"),
        ] {
            assert_contains(&no_text(bytes).expect(says), says);
        }
        for (bytes, says) in [
            (pointer.as_bytes(), "Git LFS pointer"),
            (b"PK\x03\x04....", "it is a zip archive, as torch.save"),
            (b"\n<!DOCTYPE html><html>", "it is a web page"),
        ] {
            assert_contains(&no_tensors(bytes).expect(says), says);
        }
    }

    #[test]
    fn text_is_text() {
        for text in [
            "",
            "H",
            "Hallo.\n",
            "version https://example.org\n",
            "BZh9 ist kein Wort.\n",
            "日本語のテキスト",
        ] {
            assert_eq!(no_text(text.as_bytes()), None, "{text}");
        }
    }
}
