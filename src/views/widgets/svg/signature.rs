//! A signature in each picture, with a checksum of its text, so that the program can draw over its own pictures but
//! leaves alone those that a user has edited.

use crate::tensor::random::fnv1a;

const WORDS: &str = "<!-- Drawn by transformer-tutor, which replaces it until somebody edits it: ";
const END: &str = " -->\n";

/// The document with its signature inserted before `</svg>`.
pub fn signed(svg: &str) -> String {
    let at = svg.rfind("</svg>").unwrap_or(svg.len());
    let (drawing, end) = svg.split_at(at);
    format!("{drawing}{WORDS}{}{END}{end}", sum(svg))
}

/// Whether these are the bytes of a signed document, unedited.
pub fn is_as_drawn(bytes: &[u8]) -> bool {
    let signature = || {
        let text = std::str::from_utf8(bytes).ok()?;
        let (before, rest) = text.rsplit_once(WORDS)?;
        let (drawing, after) = rest.split_once(END)?;
        Some(sum(&[before, after].concat()) == drawing)
    };
    signature().unwrap_or(false)
}

fn sum(text: &str) -> String {
    format!("{:016x}", fnv1a(text.bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signed_picture_is_known_until_it_is_edited() {
        let picture = signed("<svg>\n<text>a</text>\n</svg>\n");
        assert!(picture.ends_with("-->\n</svg>\n"), "{picture}");
        assert!(is_as_drawn(picture.as_bytes()));
        assert!(!is_as_drawn(picture.replace(">a<", ">b<").as_bytes()));
        assert!(!is_as_drawn(b"<svg>\n</svg>\n") && !is_as_drawn(b"\xff"));
    }
}
