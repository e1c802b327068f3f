//! Parts of a text that a translation copies: addresses, placeholders and tags.

use super::Kind;
use crate::text::placeholder::matches;

/// Stands in the rest of a text for a part that was taken out.
const TAKEN: &str = " \u{fffc} ";

/// What must agree letter by letter, with the name of its group in the forms.
const KINDS: [(Kind, &str); 3] = [
    (Kind::Addresses, "address"),
    (Kind::Placeholders, "slot"),
    (Kind::Tags, "tag"),
];

/// A text taken apart.
pub(super) struct Parts {
    found: Vec<(Kind, String)>,
    /// The text without these parts.
    pub rest: String,
}

impl Parts {
    /// Parts of one kind, in order.
    pub(super) fn of(&self, kind: Kind) -> Vec<String> {
        let found = self.found.iter().filter(|(of, _)| *of == kind);
        found.map(|(_, text)| text.clone()).collect()
    }
}

/// Takes a text apart.
pub(super) fn parts(text: &str) -> Parts {
    let (mut found, mut rest) = (Vec::new(), String::with_capacity(text.len()));
    let mut from = 0;
    for form in matches(text) {
        let kind = KINDS.iter().find(|(_, name)| form.name(name).is_some());
        if let (Some((kind, _)), Some(part)) = (kind, form.get(0)) {
            rest = rest + &text[from..part.start()] + TAKEN;
            found.push((*kind, part.as_str().to_owned()));
            from = part.end();
        }
    }
    rest += &text[from..];
    Parts { found, rest }
}
