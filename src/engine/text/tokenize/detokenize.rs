//! The rules by which Moses' `detokenizer.perl` joins tokens.

use super::Language;

const CURRENCIES: &str = "$£€¥¢";

/// Joins tokens the way text is written.
pub(super) fn detokenize(tokens: &[String], language: Language) -> String {
    let mut text = String::new();
    let mut open = Vec::new();
    let mut touches_next = true;
    for (i, token) in tokens.iter().enumerate() {
        let before = i.checked_sub(1).map_or("", |i| tokens[i].as_str());
        let after = tokens.get(i + 1).map_or("", String::as_str);
        let (left, right) = touches(token, before, after, language, &mut open);
        if !(left || touches_next) {
            text.push(' ');
        }
        text += token;
        touches_next = right;
    }
    text
}

/// Two flags: whether a token touches the one before it, and the one after it.
fn touches(
    token: &str,
    before: &str,
    after: &str,
    language: Language,
    open: &mut Vec<String>,
) -> (bool, bool) {
    let all_of = |set: &str| !token.is_empty() && token.chars().all(|c| set.contains(c));
    if all_of(CURRENCIES) {
        // $ 5 becomes $5, but 5 € stays, because in German the amount comes first.
        return (false, !ends_with(before, |c| c.is_ascii_digit()));
    }
    if all_of("([{¿¡") {
        return (false, true);
    }
    if token == ":" && ends_with(before, |c| c.is_ascii_digit()) {
        // 10:30
        return (true, starts_with(after, |c| c.is_ascii_digit()));
    }
    if all_of(",.?!:;%}])") {
        return (true, false);
    }
    if token == "'" && language == Language::German && after == "s" {
        // geht's
        let shortened = ends_with(before, char::is_alphabetic);
        return (shortened, shortened);
    }
    if language == Language::English && is_contraction(token) {
        return (true, false);
    }
    if all_of("'\"„“”`") {
        return quote(token, before, language, open);
    }
    (false, false)
}

/// Quotation marks open and close in turn.
fn quote(token: &str, before: &str, language: Language, open: &mut Vec<String>) -> (bool, bool) {
    let double = token.chars().all(|c| "\"„“”".contains(c));
    let kind = if double { "\"" } else { token };
    if let Some(i) = open.iter().position(|quote| quote == kind) {
        open.remove(i);
        (true, false)
    } else if language == Language::English && token == "'" && before.ends_with('s') {
        // the Jones' house
        (true, false)
    } else {
        open.push(kind.to_owned());
        (false, true)
    }
}

/// True for `'s`, `'t`, `'ll` and the like.
fn is_contraction(token: &str) -> bool {
    let rest = token.strip_prefix('\'');
    rest.is_some_and(|rest| starts_with(rest, char::is_alphabetic))
}

fn starts_with(token: &str, kind: impl Fn(char) -> bool) -> bool {
    token.chars().next().is_some_and(kind)
}

fn ends_with(token: &str, kind: impl Fn(char) -> bool) -> bool {
    token.chars().next_back().is_some_and(kind)
}
