//! Filter that removes everything from outside text that could act on a terminal.
//!
//! ratatui drops only the ESC byte, leaving `[31m` on the screen, swallows tabs and lets bidirectional overrides
//! through, so file contents, cargo's output, data sets and typed sentences are cleaned here first.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// Columns between tab stops.
const TAB: usize = 4;

/// Removes whole escape sequences (7-bit and 8-bit), control characters except the newline, and invisible characters,
/// which reorder, hide or join text and whose width varies between terminals. Expands tabs and makes every line end in
/// `\n`. Emoji keep their joiners and variation selectors.
///
/// Cleaning twice changes nothing.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    // A joiner stays only between two emoji, so the character that comes next in this place decides.
    let mut joined_at = None;
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
            // A lone carriage return would let a line overwrite itself.
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
            // Vertical tab, form feed and the separators of records part words, as does NEXT LINE.
            '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1f}' | '\u{85}' => {
                out.push(' ');
                column += 1;
            }
            JOINER => joined_at = is_emoji_so_far(&out).then_some(out.len()),
            '\u{fe0e}' | '\u{fe0f}' if out.ends_with(is_emoji_base) => out.push(c),
            c if c.is_control() || is_invisible(c) => {}
            c => {
                if joined_at == Some(out.len()) && is_pictograph(c) {
                    out.push(JOINER);
                }
                out.push(c);
                column += c.width().unwrap_or(0);
            }
        }
    }
    out
}

/// True if [`clean`] is certain to leave the text unchanged; `false` even for emoji that it keeps.
pub fn is_clean(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || is_invisible(c))
}

/// JSON in which every control character and every invisible one is written as an escape, as it can only occur within
/// a string: the same value, which no terminal acts on and nothing removes.
pub fn escaped(json: &str) -> Cow<'_, str> {
    let acts = |c: char| c != '\n' && (c.is_control() || is_invisible(c));
    if !json.contains(acts) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if acts(c) {
            let units = c.encode_utf16(&mut [0; 2]).to_vec();
            out.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Skips what follows ESC: a control sequence, a string, or intermediates and one final character.
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

/// Skips the parameters, intermediates and final character of a control sequence.
fn skip_control(chars: &mut Chars<'_>) {
    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

/// Skips a title or other string up to its terminator. An unterminated one is dropped only up to the end of the line,
/// so that truncated output can't swallow what follows.
fn skip_string(chars: &mut Chars<'_>) {
    while let Some(c) = chars.next_if(|c| !matches!(c, '\n' | '\r')) {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                // ESC \ ends the string; any other ESC begins a new sequence.
                if chars.next_if_eq(&'\\').is_none() {
                    skip_escape(chars);
                }
                return;
            }
            _ => {}
        }
    }
}

/// ZERO WIDTH JOINER: combines two emoji into one, and joins letters of Indic scripts and Arabic.
const JOINER: char = '\u{200d}';

/// True for characters without a visible form: Unicode's Default_Ignorable_Code_Point, and the interlinear annotation
/// marks.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// True if `c` is in one of the blocks with emoji that can be joined.
fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{2bff}' | '\u{3030}'..='\u{303d}' | '\u{3297}'..='\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

/// True if a variation selector after `c` chooses between text and emoji; `1️⃣` begins with a digit.
fn is_emoji_base(c: char) -> bool {
    is_pictograph(c) || c.is_ascii_digit() || matches!(c, '#' | '*')
}

/// True if `text` ends with an emoji, with or without its variation selector.
fn is_emoji_so_far(text: &str) -> bool {
    let text = text.strip_suffix('\u{fe0f}').unwrap_or(text);
    text.ends_with(is_pictograph)
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
        assert_eq!(clean("a\u{b}b\u{c}c\u{85}d\u{1e}e"), "a b c d e");
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
        for text in [
            "👨‍👩‍👧",
            "🏳️‍🌈",
            "👩🏽‍🚀",
            "⚠️",
            "1️⃣",
            "🇩🇪",
            "e\u{301}",
            "学习 — “quotes”",
            "لا",
            "हिन्दी",
        ] {
            assert_eq!(clean(text), text);
        }
    }

    #[test]
    fn joiners_and_variation_selectors_stay_in_emoji_only() {
        assert_eq!(clean("क्\u{200d}ष श्\u{200d}री"), "क्ष श्री");
        assert_eq!(
            clean("m\u{200d}odel \u{200d}👩 👩\u{200d} 👩\u{200d}"),
            "model 👩 👩 👩"
        );
        assert_eq!(clean("👩\u{200d}\u{ad}👩"), "👩\u{200d}👩");
        assert_eq!(clean("👩\u{200d}\t👩"), "👩  👩");
        assert_eq!(clean("a\u{fe0f}b 漢\u{fe00}\u{e0101}"), "ab 漢");
    }

    #[test]
    fn characters_without_a_shape_go() {
        assert_eq!(
            clean("a\u{34f}b\u{3164}c\u{115f}d\u{17b4}e\u{180e}f\u{1d173}g"),
            "abcdefg"
        );
    }

    #[test]
    fn escaped_json_is_the_same_value_and_has_nothing_that_acts() {
        let value = "a\u{1b}[31m\u{7f}\u{9b}2J\u{202e}b\u{e0041}\u{200d}ü👩";
        let json = serde_json::to_string_pretty(&[value]).unwrap();
        let safe = escaped(&json);
        assert_eq!(clean(&safe), safe);
        assert_eq!(serde_json::from_str::<[String; 1]>(&safe).unwrap(), [value]);
        assert!(matches!(escaped("{\n  \"ü\": 1\n}\n"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn cleaning_leaves_nothing_unsafe_and_is_idempotent(
            parts in prop::collection::vec(
                prop_oneof![
                    any::<char>().prop_map(String::from),
                    "[ -~]{0,4}",
                    prop::sample::select(vec![
                        "\u{1b}", "[", "]", "\u{9b}", "\u{9d}", "\u{9c}", "\u{7}", "\u{1b}\\", "\t", "\r", "\n", "\u{202e}", "\u{200d}", "\u{fe0f}", "👩",
                    ]).prop_map(String::from),
                ],
                0..60,
            )
        ) {
            let once = clean(&parts.concat());
            let of_emoji = |c: char| matches!(c, JOINER | '\u{fe0e}' | '\u{fe0f}');
            let is_safe = |c: char| c == '\n' || of_emoji(c) || (!c.is_control() && !is_invisible(c));
            prop_assert!(once.chars().all(is_safe));
            prop_assert_eq!(clean(&once), once);
        }
    }
}
