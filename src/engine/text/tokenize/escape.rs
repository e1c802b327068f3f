//! Escaping of the characters that Moses' `tokenizer.perl` writes as entities.

/// In the order of replacement: `&` first when escaping, last when unescaping.
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

/// Writes `'s` as `&apos;s`, as in Multi30k and other corpora prepared with Moses.
pub fn escape(text: &str) -> String {
    let escape_one = |text: String, (plain, entity): &(&str, &str)| text.replace(plain, entity);
    ENTITIES.iter().fold(text.to_owned(), escape_one)
}

/// Writes `&apos;s` as `'s`.
pub fn unescape(text: &str) -> String {
    let unescape_one = |text: String, (plain, entity): &(&str, &str)| text.replace(entity, plain);
    ENTITIES.iter().rev().fold(text.to_owned(), unescape_one)
}
