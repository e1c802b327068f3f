//! Editable line of text with a cursor, which scrolls if it is longer than its field.

use crate::screen::key::{KeyCode, KeyEvent, KeyModifiers};

use crate::typeset::sanitize::clean;
use crate::widgets::lines::width;

/// Typed text and the cursor's position.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    letters: Vec<char>,
    at: usize,
}

/// Visible part of a line.
#[derive(Debug, PartialEq, Eq)]
pub struct Window {
    /// Text before the cursor.
    pub before: String,
    /// The letter under the cursor; a space at the line's end.
    pub under: String,
    /// Text after the cursor.
    pub after: String,
    /// Whether text is cut off on the left, and on the right.
    pub more: (bool, bool),
}

impl Typed {
    /// The whole text.
    pub fn text(&self) -> String {
        self.letters.iter().collect()
    }

    /// Number of characters.
    pub fn count(&self) -> usize {
        self.letters.len()
    }

    /// Inserts text at the cursor; line breaks become a space, several in a row only one.
    pub fn insert(&mut self, text: &str) {
        for letter in clean(text).chars() {
            let after_blank = self.letters[..self.at]
                .last()
                .is_none_or(|last| *last == ' ');
            if letter.is_control() && after_blank {
                continue;
            }
            let letter = if letter.is_control() { ' ' } else { letter };
            self.letters.insert(self.at, letter);
            self.at += 1;
        }
    }

    /// Edits the line as a key asks; `false` if the key is not for editing.
    pub fn press(&mut self, key: KeyEvent) -> bool {
        let last = self.letters.len();
        match key.code {
            KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.insert(&c.to_string());
            }
            KeyCode::Char('u') => {
                self.letters.drain(..self.at);
                self.at = 0;
            }
            KeyCode::Char('w') => {
                let from = word_before(&self.letters[..self.at]);
                self.letters.drain(from..self.at);
                self.at = from;
            }
            KeyCode::Backspace if self.at > 0 => {
                self.at -= 1;
                self.letters.remove(self.at);
            }
            KeyCode::Delete if self.at < last => drop(self.letters.remove(self.at)),
            KeyCode::Backspace | KeyCode::Delete => {}
            KeyCode::Left => self.at = self.at.saturating_sub(1),
            KeyCode::Right => self.at = (self.at + 1).min(last),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = last,
            _ => return false,
        }
        true
    }

    /// The text around the cursor that fits in `available` columns, less one on either side for a mark that there is more.
    pub fn window(&self, available: usize) -> Window {
        let wide = |c: &char| width(c.encode_utf8(&mut [0; 4]));
        let available = available.saturating_sub(2).max(1);
        let under = self.letters.get(self.at).copied().unwrap_or(' ');
        let mut used = wide(&under);
        let (mut first, mut last) = (self.at, (self.at + 1).min(self.letters.len()));
        // Text before the cursor matters most, then what follows.
        while first > 0 && used + wide(&self.letters[first - 1]) <= available {
            first -= 1;
            used += wide(&self.letters[first]);
        }
        while last < self.letters.len() && used + wide(&self.letters[last]) <= available {
            used += wide(&self.letters[last]);
            last += 1;
        }
        Window {
            before: self.letters[first..self.at].iter().collect(),
            under: under.to_string(),
            after: self.letters[(self.at + 1).min(last)..last].iter().collect(),
            more: (first > 0, last < self.letters.len()),
        }
    }
}

/// Edits the end of a text, as a key asks: types a letter, deletes the last one, the last word or all; `false` if the key
/// is not for editing.
pub(super) fn edit_end(text: &mut String, key: KeyEvent) -> bool {
    match key.code {
        KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => text.push(c),
        KeyCode::Char('u') => text.clear(),
        KeyCode::Char('w') => {
            let letters: Vec<char> = text.chars().collect();
            *text = letters[..word_before(&letters)].iter().collect();
        }
        KeyCode::Backspace => drop(text.pop()),
        _ => return false,
    }
    true
}

/// Where the last word of these letters begins.
fn word_before(letters: &[char]) -> usize {
    let end = letters
        .iter()
        .rposition(|c| *c != ' ')
        .map_or(0, |at| at + 1);
    letters[..end]
        .iter()
        .rposition(|c| *c == ' ')
        .map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Typed {
        let mut line = Typed::default();
        line.insert(text);
        line
    }

    fn press(line: &mut Typed, code: KeyCode) -> bool {
        line.press(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn a_line_is_edited_where_its_cursor_stands() {
        let mut line = typed("Der Hnd");
        for _ in 0..2 {
            press(&mut line, KeyCode::Left);
        }
        press(&mut line, KeyCode::Char('u'));
        press(&mut line, KeyCode::Home);
        press(&mut line, KeyCode::Delete);
        press(&mut line, KeyCode::Char('d'));
        press(&mut line, KeyCode::End);
        press(&mut line, KeyCode::Char('!'));
        press(&mut line, KeyCode::Backspace);
        assert_eq!(line.text(), "der Hund");
        let word = KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL);
        assert!(line.press(word));
        assert_eq!(line.text(), "der ");
        let mut end = "look scores ".to_owned();
        assert!(edit_end(&mut end, word));
        assert_eq!(end, "look ");
        assert!(!press(&mut line, KeyCode::Enter));
    }

    #[test]
    fn a_long_line_scrolls_with_its_cursor_and_says_on_which_side_there_is_more() {
        let mut line = typed("abcdefghij");
        let window = line.window(7);
        assert_eq!((&*window.before, &*window.under), ("ghij", " "));
        assert_eq!(window.more, (true, false));
        press(&mut line, KeyCode::Home);
        let window = line.window(7);
        assert_eq!((&*window.under, &*window.after), ("a", "bcde"));
        assert_eq!(window.more, (false, true));
        assert_eq!(typed("ab").window(9).before, "ab");
    }

    #[test]
    fn pasted_text_stays_one_line() {
        assert_eq!(
            typed("eins\nzwei\u{1b}[31m").text().matches('\n').count(),
            0
        );
        for between in [
            "\u{b}", "\u{c}", "\u{85}", "\u{1f}", "\t", "\r\n", "\r\r\n\n", "\u{2028}",
        ] {
            let line = typed(&format!("Wo{between}ist")).text();
            assert_eq!(
                line.split_whitespace().collect::<Vec<_>>(),
                ["Wo", "ist"],
                "{between:?}"
            );
            assert!(between == "\t" || line == "Wo ist", "{between:?}");
        }
    }
}
