//! Rewriting of the program's keys for a page, which has none: where the page has a control, the text names it, and
//! what only the program can do is left out.

use super::{commands, sections};
use crate::typeset::replace::replace_unless;

mod words;

use words::{INSTEAD, KEYS, NAMES, SIGNS, TURNING, WAITS};

/// Rewrites a line of prose for the page, without sentences about the program; empty if nothing is left. `switches` is
/// true if the figure beside it has buttons for the mistakes that it names.
pub fn prose(text: &str, switches: bool) -> String {
    let text = instead(text, switches);
    let (mark, body) = text.split_at(marked(&text));
    let mut kept = String::new();
    let mut dropped = false;
    for sentence in sentences(body) {
        match of_page(sentence) {
            // After a dropped sentence, what came "then" comes first.
            Some(said) => match said.trim_start().strip_prefix("Then ").filter(|_| dropped) {
                Some(rest) => kept += &format!(" {}", capital(rest)),
                None => kept += &said,
            },
            None => dropped = true,
        }
    }
    match kept.is_empty() && !body.trim().is_empty() {
        true => String::new(),
        false if mark.is_empty() => kept,
        false => mark.to_owned() + kept.trim_start(),
    }
}

/// Capitalises the first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Rewrites a callout's line. If its first sentence is dropped, a next sentence about "it" is useless too, unless the
/// line names something that the page has.
pub fn callout(text: &str, switches: bool) -> String {
    const PAGE: [&str; 7] = [
        "Switch ", "Choose ", "Turn ", "Set ", "Look at ", "Go to ", "Follow ",
    ];
    const BACK: [&str; 8] = ["it", "It", "its", "them", "They", "they", "This", "These"];
    let said = prose(text, switches);
    let all = instead(text, switches);
    let first = sentences(&all).into_iter().next().unwrap_or("");
    let next = sentences(&said).into_iter().next().unwrap_or("");
    let mut words = next.split(|c: char| !c.is_alphanumeric());
    let back = of_page(first).is_none() && words.any(|word| BACK.contains(&word));
    let page = PAGE.iter().any(|word| said.contains(word));
    if back && !page { String::new() } else { said }
}

/// Rewrites a sentence for the page; `None` if it is about keys.
fn of_page(sentence: &str) -> Option<String> {
    if !names_key(sentence) {
        return Some(sentence.to_owned());
    }
    let blank = &sentence[..sentence.len() - sentence.trim_start().len()];
    let bare = without_asides(sentence.trim_start());
    let bare = started(&bare);
    (!names_key(&bare)).then(|| format!("{blank}{bare}"))
}

/// Length of a list item's marker, which is kept.
fn marked(text: &str) -> usize {
    let body = text.trim_start();
    let indent = text.len() - body.len();
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = match (
        body.starts_with("- "),
        digits > 0 && body[digits..].starts_with(". "),
    ) {
        (true, _) => 2,
        (_, true) => digits + 2,
        _ => 0,
    };
    if mark == 0 { 0 } else { indent + mark }
}

/// Drops text in brackets, or after the last semicolon, that names a key.
fn without_asides(sentence: &str) -> String {
    let mut text = sentence.to_owned();
    while let Some(from) = text.rfind(" (").filter(|from| {
        let inner = &text[*from..];
        inner.find(')').is_some_and(|to| names_key(&inner[..=to]))
    }) {
        let to = from + text[from..].find(')').unwrap_or(0);
        text.replace_range(from..=to, "");
    }
    while let Some(from) = text.rfind("; ").filter(|from| names_key(&text[*from..])) {
        let end = text[from..].trim_end().ends_with(['.', '?', '!']);
        text.truncate(from);
        text += if end { "." } else { "" };
    }
    text
}

/// Turns `Press Enter: 240 steps.` into `240 steps.`, because a book's experiment has already run.
fn started(sentence: &str) -> String {
    for start in [
        "Press Enter: ",
        "Press r: ",
        "Press `r`: ",
        "Start it with Enter: ",
        "`:exercise` opens the workbench: ",
    ] {
        if let Some(rest) = sentence.strip_prefix(start) {
            return capital(rest);
        }
    }
    sentence.to_owned()
}

/// Rewrites a caption, or a sentence about a run, for use below a figure.
pub fn caption(text: &str) -> String {
    prose(text, true).trim().to_owned()
}

/// Description of a knob or field, without how to enter it in the program.
pub fn about(text: &str) -> String {
    // It is used in a label, which has no markup.
    without_asides(&row(text)).replace('`', "")
}

/// Rewrites a heading or a table row without dropping any sentence.
pub fn row(line: &str) -> String {
    let words = INSTEAD.iter();
    let line = words.fold(line.to_owned(), |line, (said, shown)| {
        line.replace(said, shown)
    });
    sections::said(&line)
}

/// True if a text tells its reader to use a key.
pub fn names_key(text: &str) -> bool {
    let text = NAMES
        .iter()
        .fold(text.to_owned(), |text, name| text.replace(name, ""));
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|word| KEYS.contains(&word))
        || SIGNS.iter().any(|sign| text.contains(sign))
        || text.split('`').skip(1).step_by(2).any(is_key)
}

/// True if the text between two backticks is a command of the program or a key other than a letter.
fn is_key(code: &str) -> bool {
    code.starts_with(':') || ["[", "]", "{", "}", "<", ">", "?"].contains(&code)
}

fn instead(text: &str, switches: bool) -> String {
    let mut text = sections::said(&commands::said(text));
    for wait in WAITS {
        if let Some(from) = text.find(wait)
            && let Some(length) = text[from..].find(')')
        {
            text.replace_range(from..=from + length, "");
        }
    }
    for (said, shown) in TURNING {
        text = text.replace(said, shown);
    }
    for (said, shown) in INSTEAD {
        text = text.replace(said, shown);
    }
    text = text.replace("; Choos", "; choos");
    if switches {
        for digit in '1'..='9' {
            for mark in ["", "`"] {
                let key = format!("{mark}{digit}{mark}");
                for (word, other) in [("Press", "Switch on"), ("press", "switch on")] {
                    text = text.replace(
                        &format!("{word} {key} again"),
                        &format!("{} {digit} off again", &other[..6]),
                    );
                    let said = format!("{word} {key}");
                    text = whole(&text, &said, &format!("{other} {digit}"));
                    text = text.replace(
                        &format!("{other} {digit} to put it back"),
                        &format!("{} {digit} off to put it back", &other[..6]),
                    );
                }
            }
        }
    }
    text
}

/// Replaces `said` where it is not followed by a digit or letter.
fn whole(text: &str, said: &str, shown: &str) -> String {
    replace_unless(text, said, shown, |c| c.is_alphanumeric())
}

/// Splits a text after each full stop, question or exclamation mark followed by a blank. The pieces add up to the text.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut code = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        code ^= c == '`';
        let ends = matches!(c, '.' | '?' | '!') && !code;
        // A closing bracket at the end of a sentence belongs to it.
        let end = match chars.peek() {
            Some((_, ')')) if ends => at + 2,
            _ => at + 1,
        };
        if ends && text[end..].starts_with(' ') {
            all.push(&text[from..end]);
            from = end;
        }
    }
    if from < text.len() {
        all.push(&text[from..]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_becomes_a_control_of_the_page_or_is_left_out() {
        for (text, page) in [
            (
                "Press 1 to forget the division. It hurts.",
                "Switch on 1 to forget the division. It hurts.",
            ),
            (
                "Press `1` again to repair it.",
                "Switch 1 off again to repair it.",
            ),
            ("- Press r. Look.", "- Look."),
            ("Start it with Enter. Then turn layers.", "Turn layers."),
            (
                "Gone. Press 9 to put it back.",
                "Gone. Switch 9 off to put it back.",
            ),
            ("2. Press r.", ""),
            ("60 keys.", "60 keys."),
            (
                "Will it? (To check your answer, the program trains all. That can take a minute.)",
                "Will it?",
            ),
            ("Look. Press r to time both.", "Look."),
            (
                "Every query meets every key.",
                "Every query meets every key.",
            ),
            (
                "The compression is pressing.",
                "The compression is pressing.",
            ),
            (
                "As [Press and Wolf](x) say, it is.",
                "As [Press and Wolf](x) say, it is.",
            ),
            (
                "Compare with decoder.layers.1.src_attn.weights: type : and this name.",
                "Compare with decoder.layers.1.src_attn.weights.",
            ),
            (
                "Choose the knob `d_k` with `}` and turn it with `]` to 3: fine.",
                "Choose the knob `d_k` and turn it to 3: fine.",
            ),
            ("Turn `at` with ] to train it.", "Turn `at` to train it."),
            (
                "Press 2 and look at sentence 1 (`<` and `>` choose the sentence).",
                "Switch on 2 and look at sentence 1.",
            ),
            (
                "Press Enter: 240 steps. It learns.",
                "240 steps. It learns.",
            ),
            (
                "Layer 0, head 0. The keys < and > choose another head.",
                "Layer 0, head 0. The slider chooses another head.",
            ),
            ("Ids. < and > show other sentences.", "Ids."),
            ("`(30, 11)`: 30 sentences.", "`(30, 11)`: 30 sentences."),
            (
                "It rises. (Press Enter for more.) It falls.",
                "It rises. It falls.",
            ),
            ("Is it so? Then `z` asks the questions.", "Is it so?"),
            (
                "Type `:steps=200` for a longer race.",
                "Set `steps` to `200` for a longer race.",
            ),
            (
                "The table on the stage grows.",
                "The table in the figure grows.",
            ),
        ] {
            assert_eq!(prose(text, true).trim_start(), page);
        }
        assert_eq!(
            callout("Press `e` to change it. It is computed again.", true),
            ""
        );
        assert_eq!(
            callout("Press `n` to go on. Switch on one of them.", true).trim(),
            "Switch on one of them."
        );
        assert_eq!(prose("Press 1. Look.", false).trim(), "Look.");
    }

    #[test]
    fn what_a_field_takes_is_said_without_the_programs_way_to_type_it() {
        assert_eq!(
            about("a German sentence (type :sentence=… and Enter)"),
            "a German sentence"
        );
        assert_eq!(
            about("the sentence that is split; type your own with :sentence=… and Enter"),
            "the sentence that is split"
        );
        assert_eq!(about("the seed (any)"), "the seed (any)");
        let caption = caption("Put the cursor on any cell and press Enter: 64 products.");
        assert_eq!(caption, "Choose any cell: 64 products.");
    }
}
