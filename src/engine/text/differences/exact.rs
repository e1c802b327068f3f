//! Parts of a text that a translation copies: addresses, placeholders and tags.

use super::Kind;

/// Stands in the rest of a text for a part that was taken out.
const TAKEN: &str = " \u{fffc} ";

/// Last parts of names by which an address or a file is recognised. Those that are also words (`es`, `it`) are missing,
/// because many people leave out the space after a full stop.
const ENDS: &str = " com org net de at ch eu io info uk edu gov fr nl pl ru app dev ai tv \
    pdf txt doc docx xls xlsx ppt pptx odt ods csv tsv json xml yaml yml toml html htm php css js ts rs py java cpp sh \
    zip gz tar jpg jpeg png gif svg webp mp3 mp4 wav avi exe dll md log ini cfg conf tex epub ";

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
    let mut parts = Parts {
        found: Vec::new(),
        rest: String::with_capacity(text.len()),
    };
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let before = text[..at].chars().next_back();
        let part = placeholder(rest, before)
            .map(|len| (Kind::Placeholders, len))
            .or_else(|| tag(rest).map(|len| (Kind::Tags, len)))
            .or_else(|| address(rest, before).map(|len| (Kind::Addresses, len)));
        match part {
            Some((kind, len)) => {
                parts.found.push((kind, rest[..len].to_owned()));
                parts.rest += TAKEN;
                at += len;
            }
            None => {
                parts.rest.push(c);
                at += c.len_utf8();
            }
        }
    }
    parts
}

/// Length of the placeholder at the start of `text`.
fn placeholder(text: &str, before: Option<char>) -> Option<usize> {
    let braced = |open: &str, close: &str| {
        let inner = text.strip_prefix(open)?;
        let end = inner.find(close)?;
        let plain = |c: char| c.is_alphanumeric() || " _.:$-#".contains(c);
        (end < 60 && inner[..end].chars().all(plain)).then(|| open.len() + end + close.len())
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let named = |open: char, close: &str| {
        let inner = text.strip_prefix(open)?;
        let name = inner.len() - inner.trim_start_matches(is_name).len();
        let begins = inner.starts_with(|c: char| c.is_ascii_lowercase());
        let apart = !before.is_some_and(char::is_alphanumeric);
        (begins && apart && inner[name..].starts_with(close)).then_some(1 + name + close.len())
    };
    braced("{{", "}}")
        .or_else(|| braced("${", "}"))
        .or_else(|| braced("{", "}"))
        .or_else(|| named('$', ""))
        .or_else(|| named('%', "%"))
        .or_else(|| conversion(text, before))
}

/// Length of a conversion of `printf` at the start of `text`: `%d`, `%1$s`, `%.2f`, `%(name)s`.
fn conversion(text: &str, before: Option<char>) -> Option<usize> {
    // 50%ig
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let mut rest = text.strip_prefix('%')?;
    if let Some(name) = rest.strip_prefix('(') {
        rest = &name[name.find(')')? + 1..];
    }
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "$.+-#*".contains(c));
    let rest = rest.trim_start_matches(['l', 'h']);
    let after = rest.strip_prefix(|c: char| "diouxXeEfgGcs@".contains(c))?;
    let ended = !after.starts_with(|c: char| c.is_alphanumeric());
    ended.then(|| text.len() - after.len())
}

/// Length of the tag at the start of `text`.
fn tag(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let end = inner.find(['>', '<'])?;
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic());
    // <<quoted>>
    let single = inner[end..].starts_with('>') && !inner[end..].starts_with(">>");
    (named && single).then_some(end + 2)
}

/// Length of the address at the start of `text`, which must be the start of a word.
fn address(text: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|c| c.is_alphanumeric() || "@._-/\\".contains(c)) {
        return None;
    }
    let apart = |c: char| c.is_whitespace() || "\"„“”»«‹›<>()[]{},;|\u{fffc}".contains(c);
    let word = &text[..text.find(apart).unwrap_or(text.len())];
    let word = word.trim_end_matches(['.', ':', '!', '?', '…', '\'', '’', '*']);
    is_address(word).then_some(word.len())
}

fn is_address(word: &str) -> bool {
    let named = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if let Some((name, host)) = word.split_once('@') {
        return host.starts_with(named) && (name.is_empty() || host.contains('.'));
    }
    if word.contains("://") || word.starts_with("www.") {
        return true;
    }
    let host = match word.split_once('/') {
        Some((host, _)) if !host.is_empty() && host.contains('.') => host,
        _ => word,
    };
    let host = host.split([':', '?', '#']).next().unwrap_or(host);
    let known = |end: &str| ENDS.contains(&format!(" {} ", end.to_ascii_lowercase()));
    let parts = host.rsplit_once('.');
    parts.is_some_and(|(name, end)| {
        name.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-') && known(end)
    })
}
