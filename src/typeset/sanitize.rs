//! The boundary filter: text from outside loses everything that could act on a terminal.
//!
//! ratatui drops the ESC byte alone, leaves `[31m` on the screen, swallows tabs and lets bidirectional overrides
//! through, so file contents, cargo's words, data sets and typed sentences pass here first.

use unicode_width::UnicodeWidthChar;

/// Columns between tab stops.
const TAB: usize = 4;

/// Removes escape sequences whole (7-bit and 8-bit), control characters but the newline, and invisible format
/// characters that reorder or hide text; expands tabs; makes every line end `\n`. Emoji keep their joiners.
///
/// Cleaning twice changes nothing.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\u{9b}' => skip_control(&mut chars),
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => skip_string(&mut chars),
            '\n' | '\u{2028}' | '\u{2029}' => {
                out.push('\n');
                column = 0;
            }
            // A lone return would let a line overwrite itself.
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
                column = 0;
            }
            '\t' => {
                let spaces = TAB - column % TAB;
                out.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
            }
            c if c.is_control() || is_invisible(c) => {}
            c => {
                out.push(c);
                column += c.width().unwrap_or(0);
            }
        }
    }
    out
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// What follows ESC: a control sequence, a string, or intermediates and one final character.
fn skip_escape(chars: &mut Chars<'_>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_control(chars);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            chars.next();
            skip_string(chars);
        }
        _ => {
            while chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
            chars.next_if(|c| ('0'..='~').contains(c));
        }
    }
}

/// Parameters and intermediates up to the final character of a control sequence.
fn skip_control(chars: &mut Chars<'_>) {
    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

/// A title or other string up to its end. One that never ends is dropped up to the line's end only, so that cut-off
/// output can't swallow what follows.
fn skip_string(chars: &mut Chars<'_>) {
    while let Some(c) = chars.next_if(|c| !matches!(c, '\n' | '\r')) {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                // ESC \ ends the string; any other sequence begins anew.
                if chars.next_if_eq(&'\\').is_none() {
                    skip_escape(chars);
                }
                return;
            }
            _ => {}
        }
    }
}

/// Characters that take no room and reorder, hide or tag their neighbours.
/// U+200D and the variation selectors stay: emoji are made with them.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn colours_and_titles_go_whole() {
        assert_eq!(
            clean("\u{1b}[31mred\u{1b}[0m, \u{1b}]0;title\u{7}done"),
            "red, done"
        );
        assert_eq!(
            clean("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\"),
            "link"
        );
        assert_eq!(clean("\u{9b}31mred\u{9d}0;title\u{9c}."), "red.");
        assert_eq!(
            clean("\u{1b}P1;2|secret\u{1b}\\\u{1b}(Bplain\u{1b}7\u{1b}c"),
            "plain"
        );
    }

    #[test]
    fn a_string_that_never_ends_takes_its_line_only() {
        assert_eq!(clean("\u{1b}]0;never ends\nerror[E0308]"), "\nerror[E0308]");
        assert_eq!(clean("\u{1b}["), "");
    }

    #[test]
    fn tabs_reach_the_next_stop_counting_wide_characters() {
        assert_eq!(clean("b\tc"), "b   c");
        assert_eq!(clean("学\tc\n\tx"), "学  c\n    x");
    }

    #[test]
    fn text_cannot_be_reordered_or_hidden() {
        assert_eq!(
            clean("a\u{202e}b\u{200e}c\u{ad}d\u{feff}e\u{e0041}"),
            "abcde"
        );
        assert_eq!(
            clean("bell\u{7} back\u{8} nul\0 del\u{7f}"),
            "bell back nul del"
        );
    }

    #[test]
    fn every_line_end_becomes_a_newline() {
        assert_eq!(clean("a\r\nb\rc\u{2028}d\n"), "a\nb\nc\nd\n");
    }

    #[test]
    fn emoji_and_combining_marks_stay() {
        for text in ["👨‍👩‍👧", "⚠️", "e\u{301}", "学习 — “quotes”"] {
            assert_eq!(clean(text), text);
        }
    }

    proptest! {
        #[test]
        fn cleaning_leaves_nothing_unsafe_and_is_idempotent(
            parts in prop::collection::vec(
                prop_oneof![
                    any::<char>().prop_map(String::from),
                    "[ -~]{0,4}",
                    prop::sample::select(vec![
                        "\u{1b}", "[", "]", "\u{9b}", "\u{9d}", "\u{9c}", "\u{7}", "\u{1b}\\", "\t", "\r", "\n", "\u{202e}", "\u{200d}",
                    ]).prop_map(String::from),
                ],
                0..60,
            )
        ) {
            let once = clean(&parts.concat());
            prop_assert!(once.chars().all(|c| c == '\n' || (!c.is_control() && !is_invisible(c))));
            prop_assert_eq!(clean(&once), once);
        }
    }
}
