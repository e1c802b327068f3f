//! Rewriting of the screen's keys as commands of plain mode: "Press 3" becomes "Type `break 3`".
//!
//! A lesson is written once, for the screen. Every key has a command here that can replace it; the few sentences that
//! use keys to choose what plain mode chooses by name are in [`phrases`].

use crate::lesson::page::{
    Block, Inline, Item, List, StageBlock, Table, Text, parse_inline, plain_text,
};

mod phrases;

use crate::typeset::replace::replace_unless;
use phrases::{CELLS, KEYS, PHRASES};

/// Rewrites a text, with its code in backquotes, for plain mode.
pub(super) fn said(text: &str) -> String {
    let mut text = commands(text);
    for (screen, plain) in PHRASES {
        if text.contains(screen) {
            text = text.replace(screen, plain);
        }
    }
    mistakes(&keys(&text))
}

/// Rewrites the stage's description line by line, without markup.
pub(super) fn stage(text: &str) -> String {
    let line = |line: &str| match said(line) {
        same if same == line => same,
        other => other.replace('`', ""),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Rewrites a caption, question or option, one paragraph of Markdown, as plain text.
pub(super) fn unmarked(markdown: &str) -> String {
    match parse_inline(markdown) {
        Ok(inlines) => plain_text(&inline(&inlines)),
        Err(_) => said(markdown),
    }
}

/// Rewrites the blocks of a page for plain mode.
pub(super) fn blocks(blocks: &[Block]) -> Vec<Block> {
    blocks.iter().map(block).collect()
}

fn block(one: &Block) -> Block {
    match one {
        Block::Paragraph(text) => Block::Paragraph(inline(text)),
        Block::Heading { level, text } => Block::Heading {
            level: *level,
            text: inline(text),
        },
        Block::Quote(inner) => Block::Quote(blocks(inner)),
        Block::Callout {
            kind,
            blocks: inner,
        } => Block::Callout {
            kind: *kind,
            blocks: blocks(inner),
        },
        Block::Footnote {
            label,
            blocks: inner,
        } => Block::Footnote {
            label: label.clone(),
            blocks: blocks(inner),
        },
        Block::List(list) => Block::List(List {
            start: list.start,
            items: list.items.iter().map(item).collect(),
        }),
        Block::Table(table) if is_of_keys(table) => Block::Table(Table {
            align: table.align.clone(),
            header: keyed(&table.header),
            rows: table.rows.iter().map(|row| keyed(row)).collect(),
        }),
        Block::Table(table) => Block::Table(Table {
            align: table.align.clone(),
            header: table.header.iter().map(|cell| inline(cell)).collect(),
            rows: table
                .rows
                .iter()
                .map(|row| row.iter().map(|cell| inline(cell)).collect())
                .collect(),
        }),
        Block::Stage(stage) => Block::Stage(StageBlock {
            caption: stage.caption.as_deref().map(said),
            ..stage.clone()
        }),
        other => other.clone(),
    }
}

fn item(item: &Item) -> Item {
    Item {
        done: item.done,
        blocks: blocks(&item.blocks),
    }
}

/// True if the first column of a table lists keys.
fn is_of_keys(table: &Table) -> bool {
    let first = table.header.first();
    first.is_some_and(|cell| plain_text(cell) == "key")
}

/// Rewrites a row of such a table, with commands in its first column.
fn keyed(row: &[Vec<Inline>]) -> Vec<Vec<Inline>> {
    let cell = |(column, cell): (usize, &Vec<Inline>)| {
        let keys = plain_text(cell);
        let word = CELLS.iter().find(|(key, _)| column == 0 && *key == keys);
        match word {
            Some((_, word)) => pieces(word, &[]),
            None => inline(cell),
        }
    };
    row.iter().enumerate().map(cell).collect()
}

/// First of the private-use characters that stand in for pieces that are neither text nor code while the text around
/// them is rewritten.
const PIECES: u32 = 0xF0000;

/// Rewrites a paragraph for plain mode.
fn inline(among: &[Inline]) -> Vec<Inline> {
    let mut marked = String::new();
    for (at, piece) in among.iter().enumerate() {
        match piece {
            Inline::Text(text) if text.style == Default::default() => marked += &text.text,
            Inline::Code(code) if !code.text.contains('`') => {
                marked.extend(["`", &code.text, "`"]);
            }
            _ => marked.extend(char::from_u32(PIECES + at as u32)),
        }
    }
    let spoken = said(&marked);
    match spoken == marked {
        true => among.to_vec(),
        false => pieces(&spoken, among),
    }
}

/// Splits text with its code in backquotes into pieces; its characters from [`PIECES`] on are indices into `among`.
fn pieces(spoken: &str, among: &[Inline]) -> Vec<Inline> {
    let text = |text: &str| Text {
        text: text.to_owned(),
        style: Default::default(),
        line: 0,
    };
    let mut out = Vec::new();
    for (n, stretch) in spoken.split('`').enumerate() {
        if n % 2 == 1 {
            out.push(Inline::Code(text(stretch)));
            continue;
        }
        let mut from = 0;
        for (at, c) in stretch.char_indices() {
            let Some(piece) = (c as u32).checked_sub(PIECES) else {
                continue;
            };
            out.push(Inline::Text(text(&stretch[from..at])));
            out.extend(among.get(piece as usize).cloned());
            from = at + c.len_utf8();
        }
        out.push(Inline::Text(text(&stretch[from..])));
    }
    out.retain(|piece| !matches!(piece, Inline::Text(text) if text.text.is_empty()));
    out
}

/// Rewrites the screen's colon commands: `:heads=4` as `set heads 4`, `:look scores` as `look scores`.
fn commands(text: &str) -> String {
    let mut pieces = text.split('`');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for (n, piece) in pieces.enumerate() {
        out.push('`');
        match piece.strip_prefix(':').filter(|_| n % 2 == 0) {
            None => out += piece,
            Some(command) => match command.split_once('=') {
                Some((knob, value)) => out += format!("set {knob} {value}").trim_end(),
                None if command == "translate" => out += "play",
                None => out += command,
            },
        }
    }
    out
}

/// Rewrites "Press Space" and "press `b`" as the equivalent commands.
fn keys(text: &str) -> String {
    let mut out = text.to_owned();
    for (key, word) in KEYS {
        for (press, typed) in [("Press", "Type"), ("press", "type")] {
            for mark in ["`", ""] {
                let pressed = format!("{press} {mark}{key}{mark}");
                out = whole(&out, &pressed, &format!("{typed} `{word}`"));
            }
        }
    }
    out
}

/// Rewrites "Press 3", and the numbers listed after it in the same sentence, as mistakes.
fn mistakes(text: &str) -> String {
    const BEFORE: [&str; 3] = ["and", "or", "then"];
    const BEHIND: [&str; 6] = ["to", "for", "and", "or", "again", "once"];
    let words: Vec<&str> = text.split_inclusive(' ').collect();
    let mut out = String::new();
    // Whether the sentence has named one, and whether the last word announces one.
    let (mut named, mut leads) = (false, false);
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_end();
        let head = bare.trim_end_matches([',', '.', ':', ';', '?', ')']);
        let (tail, key) = (&bare[head.len()..], head.trim_matches('`'));
        let next = words.get(at + 1).map_or("", |next| next.trim_end());
        let pressed = matches!(bare.trim_start_matches('('), "Press" | "press");
        let listed = leads && (!named || !tail.is_empty() || BEHIND.contains(&next));
        match key.as_bytes() {
            [b'1'..=b'9'] if listed || leads && out.ends_with("ress ") => {
                out += &format!("`break {key}`{}", &word[head.len()..]);
                named = true;
            }
            _ => out += word,
        }
        leads = pressed || named && (BEFORE.contains(&bare) || tail == ",");
        named &= !tail.contains(['.', '?', ':']) || tail == ",";
    }
    out.replace("Press `break", "Type `break")
        .replace("press `break", "type `break")
        .replace("Press a number again", "Type `break` and its number again")
}

/// Replaces `said` where it is not followed by a letter, digit or backquote.
fn whole(text: &str, said: &str, shown: &str) -> String {
    replace_unless(text, said, shown, |c| {
        c.is_alphanumeric() || c == '`' || c == '_'
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::{LESSONS, PLAYGROUND};
    use crate::lesson::{FrontEnd, quiz};
    use crate::widgets::prose;

    #[test]
    fn a_key_is_said_by_the_word_that_does_the_same() {
        for (screen, plain) in [
            ("Press 3 to see it.", "Type `break 3` to see it."),
            ("Press `2` again.", "Type `break 2` again."),
            (
                "Press 1 to add, 2 to halve it, 6 and 7 for more: 8 is 1 − 2.",
                "Type `break 1` to add, `break 2` to halve it, `break 6` and `break 7` for more: 8 is 1 − 2.",
            ),
            (
                "Press 5: ε and 1 − ε are exchanged.",
                "Type `break 5`: ε and 1 − ε are exchanged.",
            ),
            (
                "Type `:heads=4`, then `:look scores`, and press b.",
                "Type `set heads 4`, then `look scores`, and type `backward`.",
            ),
            (
                "Press Enter on a cell. Backspace goes back.",
                "Type `why` at a cell. `up` goes back.",
            ),
            (
                "Press and Wolf share 3 matrices.",
                "Press and Wolf share 3 matrices.",
            ),
        ] {
            assert_eq!(said(screen), plain);
        }
    }

    #[test]
    fn formulas_and_strong_words_stay_where_they_stood() {
        let text = parse_inline("Press 6 for $y(1-y)$, the **slope** of `y`.").unwrap();
        let spoken = inline(&text);
        assert_eq!(
            plain_text(&spoken),
            plain_text(&text).replace("Press 6", "Type break 6")
        );
        assert!(spoken.iter().any(|piece| matches!(piece, Inline::Math(_))));
    }

    /// Text that tells a reader to use a key of the screen, if any.
    fn key_in(text: &str) -> Option<&'static str> {
        const SIGNS: [&str; 22] = [
            "< and >",
            "{ and }",
            "{ or }",
            "[ and ]",
            "] and [",
            " with }",
            " with ]",
            " with [",
            "}`",
            "`]`",
            "`[`",
            "`<`",
            "`>`",
            " B back",
            "with B to",
            "Ctrl-",
            "Press a number",
            "←",
            "↓",
            "(:",
            "type :",
            "Type :",
        ];
        const WORDS: [&str; 8] = [
            "press",
            "Enter",
            "Backspace",
            "Space",
            "Esc",
            "Tab",
            "palette",
            "Press",
        ];
        let tied = text.replace("Press and Wolf", "");
        let word = |word: &&&str| {
            let mut words = tied.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            words.any(|other| other == **word)
        };
        let sign = SIGNS.iter().find(|sign| tied.contains(**sign));
        sign.or_else(|| WORDS.iter().find(word)).copied()
    }

    #[test]
    fn no_key_of_the_screen_is_named_in_what_plain_mode_prints_of_any_lesson() {
        let all = LESSONS.iter().copied().chain([PLAYGROUND]);
        let mut named = Vec::new();
        for lesson in all {
            let mut check = |place: &str, text: &str| {
                if let Some(key) = key_in(text) {
                    named.push(format!("{} {place}: {key} in {text}", lesson.name));
                }
            };
            for page in lesson.pages_for(FrontEnd::Plain).unwrap() {
                check(
                    &page.title,
                    &prose::plain(&prose_only(&blocks(&page.blocks)), 4000),
                );
                for question in page.predictions() {
                    asked(question, &mut |text| check(&page.title, text));
                }
            }
            for question in quiz::parse(lesson.quiz).unwrap() {
                asked(&question, &mut |text| check("the quiz", text));
            }
            for mistake in lesson.mistakes {
                check(mistake.name, &stage(mistake.watch));
            }
            for knob in lesson.knobs {
                check(knob.name, &stage(knob.about));
            }
        }
        assert!(named.is_empty(), "{}", named.join("\n"));
    }

    fn asked(question: &crate::lesson::page::Predict, check: &mut dyn FnMut(&str)) {
        check(&unmarked(&question.ask));
        for option in &question.options {
            check(&unmarked(&option.text));
            check(&unmarked(&option.why));
        }
    }

    /// Drops code blocks, in which keys may be named.
    fn prose_only(all: &[Block]) -> Vec<Block> {
        let mut all = all.to_vec();
        all.retain(|block| !matches!(block, Block::Code(_)));
        all
    }
}
