//! The characters that Moses' `tokenizer.perl` writes as entities.

/// In the order of replacing: `&` first when escaping, last when undoing it.
const ENTITIES: [(&str, &str); 8] = [
    ("&", "&amp;"),
    ("|", "&#124;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ("'", "&apos;"),
    ("\"", "&quot;"),
    ("[", "&#91;"),
    ("]", "&#93;"),
];

/// `'s` as `&apos;s`: how Multi30k and other corpora that Moses prepared are written.
pub fn escape(text: &str) -> String {
    let escape_one = |text: String, (plain, entity): &(&str, &str)| text.replace(plain, entity);
    ENTITIES.iter().fold(text.to_owned(), escape_one)
}

/// `&apos;s` as `'s`.
pub fn unescape(text: &str) -> String {
    let unescape_one = |text: String, (plain, entity): &(&str, &str)| text.replace(entity, plain);
    ENTITIES.iter().rev().fold(text.to_owned(), unescape_one)
}
