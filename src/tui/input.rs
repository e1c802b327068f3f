//! Parser that turns bytes from the terminal into events.
//!
//! The input may be anything: half a report, a split character, line noise. So nothing here panics or waits forever
//! for the rest of a sequence, and the first key after noise is understood again.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

mod sequence;

/// Wait for the rest of a sequence; only the pause tells the Esc key from the first byte of an arrow key.
const SEQUENCE: Duration = Duration::from_millis(50);

/// Longest pause within a paste, which may be long and arrive over a slow line.
const PASTE: Duration = Duration::from_millis(250);

/// Maximum length of a sequence, in bytes; anything longer is noise.
const LONGEST: usize = 4 << 10;

/// Maximum length of a paste, in bytes; the rest is dropped, because pastes only go into one-line fields.
const LONGEST_PASTE: usize = 1 << 20;

const PASTE_BEGINS: &[u8] = b"\x1b[200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// Converter of bytes to events that keeps incomplete input.
#[derive(Default)]
pub struct Decoder {
    /// Start of an incomplete sequence.
    rest: Vec<u8>,
    /// Text pasted so far, during a paste.
    paste: Option<Vec<u8>>,
    /// Time at which incomplete input is given up.
    due: Option<Instant>,
}

/// Token at the front of the bytes, and its length.
enum Front {
    Event(Event, usize),
    /// Bytes that mean nothing here.
    Noise(usize),
    /// Start of a token that needs more bytes.
    Unfinished,
}

impl Decoder {
    /// Takes bytes that arrived at `now`, and passes the events that they complete to `tell`.
    pub fn feed(&mut self, bytes: &[u8], now: Instant, tell: &mut impl FnMut(Event)) {
        if bytes.is_empty() {
            return;
        }
        let before = self.rest.len();
        let pasting = self.paste.is_some();
        self.rest.extend_from_slice(bytes);
        let mut at = 0;
        while at < self.rest.len() {
            if let Some(paste) = &mut self.paste {
                let Some(taken) = pasted(&self.rest[at..], paste) else {
                    at += keep_pasted(&self.rest[at..], paste);
                    break;
                };
                at += taken;
                tell(text_of(self.paste.take().unwrap_or_default()));
            } else if self.rest[at..].starts_with(PASTE_BEGINS) {
                at += PASTE_BEGINS.len();
                self.paste = Some(Vec::new());
            } else {
                match front(&self.rest[at..]) {
                    Front::Event(event, taken) => {
                        tell(event);
                        at += taken;
                    }
                    Front::Noise(taken) => at += taken,
                    Front::Unfinished => break,
                }
            }
        }
        self.rest.drain(..at);
        if self.paste.is_none() && self.rest.len() > LONGEST {
            self.rest.clear();
        }
        self.due = match &self.paste {
            Some(_) => Some(now + PASTE),
            None if self.rest.is_empty() => None,
            // The same sequence is still incomplete: its deadline stays.
            None if at == 0 && before > 0 && !pasting => self.due.or(Some(now + SEQUENCE)),
            None => Some(now + SEQUENCE),
        };
    }

    /// Time at which [`give_up`](Self::give_up) is due unless more bytes arrive.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Treats incomplete input as complete: a lone Esc is the key, a paste ends, half a report is dropped.
    pub fn give_up(&mut self, tell: &mut impl FnMut(Event)) {
        self.due = None;
        let rest = std::mem::take(&mut self.rest);
        if let Some(mut paste) = self.paste.take() {
            keep(&mut paste, &rest);
            tell(text_of(paste));
            return;
        }
        match rest[..] {
            [0x1b] => tell(Event::Key(KeyCode::Esc.into())),
            // These bytes begin a sequence, but may also be Alt and a letter.
            [0x1b, c] if c.is_ascii_graphic() => {
                tell(Event::Key(sequence::with_alt(sequence::typed(char::from(
                    c,
                )))));
            }
            _ => {}
        }
    }
}

/// Adds the bytes before the end marker; returns the bytes consumed, marker included, or `None` if the paste goes on.
fn pasted(bytes: &[u8], paste: &mut Vec<u8>) -> Option<usize> {
    let end = bytes
        .windows(PASTE_ENDS.len())
        .position(|part| part == PASTE_ENDS)?;
    keep(paste, &bytes[..end]);
    Some(end + PASTE_ENDS.len())
}

/// Adds all bytes but those that may begin the end marker; returns their number.
fn keep_pasted(bytes: &[u8], paste: &mut Vec<u8>) -> usize {
    let half = (1..PASTE_ENDS.len())
        .rev()
        .find(|&n| bytes.ends_with(&PASTE_ENDS[..n]));
    let taken = bytes.len() - half.unwrap_or(0);
    keep(paste, &bytes[..taken]);
    taken
}

fn keep(paste: &mut Vec<u8>, bytes: &[u8]) {
    let room = LONGEST_PASTE.saturating_sub(paste.len());
    paste.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

fn text_of(paste: Vec<u8>) -> Event {
    Event::Paste(String::from_utf8_lossy(&paste).into_owned())
}

fn front(bytes: &[u8]) -> Front {
    match *bytes {
        [] | [0x1b] => Front::Unfinished,
        [0x1b, 0x1b, ..] => Front::Event(Event::Key(KeyCode::Esc.into()), 1),
        [0x1b, b'[', ..] => csi(bytes),
        [0x1b, b'O', ..] => ss3(bytes),
        // The terminal's reply to some query.
        [0x1b, b']' | b'P' | b'_' | b'^' | b'X', ..] => string(bytes),
        [0x1b, ..] => match letter(&bytes[1..]) {
            Front::Event(Event::Key(key), taken) => {
                Front::Event(Event::Key(sequence::with_alt(key)), taken + 1)
            }
            Front::Event(event, taken) => Front::Event(event, taken + 1),
            Front::Noise(taken) => Front::Noise(taken + 1),
            Front::Unfinished => Front::Unfinished,
        },
        _ => letter(bytes),
    }
}

/// Reads one character, printable or control.
fn letter(bytes: &[u8]) -> Front {
    let control = |c: u8| KeyEvent::new(KeyCode::Char(char::from(c)), KeyModifiers::CONTROL);
    let key = match bytes[0] {
        b'\r' => KeyCode::Enter.into(),
        b'\t' => KeyCode::Tab.into(),
        0x7f => KeyCode::Backspace.into(),
        0 => control(b' '),
        c @ 1..=26 => control(c - 1 + b'a'),
        c @ 28..=31 => control(c - 28 + b'4'),
        _ => {
            // A UTF-8 character has at most four bytes.
            let some = &bytes[..bytes.len().min(4)];
            let (valid, trouble) = match std::str::from_utf8(some) {
                Ok(text) => (text, None),
                Err(e) => {
                    let text = std::str::from_utf8(&some[..e.valid_up_to()]);
                    (text.unwrap_or_default(), Some(e.error_len()))
                }
            };
            return match (valid.chars().next(), trouble) {
                (Some(c), _) => Front::Event(Event::Key(sequence::typed(c)), c.len_utf8()),
                (None, Some(Some(wrong))) => Front::Noise(wrong),
                (None, _) => Front::Unfinished,
            };
        }
    };
    Front::Event(Event::Key(key), 1)
}

/// Reads ESC O and a letter: a key of a terminal in application mode.
fn ss3(bytes: &[u8]) -> Front {
    let Some(&last) = bytes.get(2) else {
        return Front::Unfinished;
    };
    match sequence::csi("", last) {
        // As CSI it is a reply, here it is the key.
        _ if last == b'R' => Front::Event(Event::Key(KeyCode::F(3).into()), 3),
        Some(event @ Event::Key(_)) if last != b'Z' => Front::Event(event, 3),
        _ if (0x40..0x7f).contains(&last) => Front::Noise(3),
        _ => Front::Noise(2),
    }
}

/// Reads ESC [, parameters, and a final letter.
fn csi(bytes: &[u8]) -> Front {
    match bytes.get(2) {
        // The oldest mouse report: any three bytes follow.
        Some(b'M') => {
            return match bytes.get(3..6) {
                None => Front::Unfinished,
                Some(&[code, column, row]) => match sequence::old_mouse(code, column, row) {
                    Some(event) => Front::Event(event, 6),
                    None => Front::Noise(6),
                },
                Some(_) => Front::Noise(3),
            };
        }
        // Function keys of the Linux console.
        Some(b'[') => {
            return match bytes.get(3) {
                None => Front::Unfinished,
                Some(&c @ b'A'..=b'E') => {
                    Front::Event(Event::Key(KeyCode::F(c - b'A' + 1).into()), 4)
                }
                Some(_) => Front::Noise(3),
            };
        }
        _ => {}
    }
    let parameters = bytes[2..]
        .iter()
        .take_while(|&&c| (0x20..0x40).contains(&c));
    let end = 2 + parameters.count();
    let Some(&last) = bytes.get(end) else {
        return Front::Unfinished;
    };
    // A byte that cannot be in a sequence ends it, and begins something else.
    if !(0x40..0x7f).contains(&last) {
        return Front::Noise(end);
    }
    let parameters = std::str::from_utf8(&bytes[2..end]).unwrap_or_default();
    match sequence::csi(parameters, last) {
        Some(event) => Front::Event(event, end + 1),
        None => Front::Noise(end + 1),
    }
}

/// Reads a string from the terminal, terminated by a bell or ESC \.
fn string(bytes: &[u8]) -> Front {
    let Some(end) = bytes[2..].iter().position(|&c| c < 0x20) else {
        return Front::Unfinished;
    };
    let end = end + 2;
    match bytes[end..] {
        [0x07, ..] => Front::Noise(end + 1),
        [0x1b] => Front::Unfinished,
        [0x1b, b'\\', ..] => Front::Noise(end + 2),
        _ => Front::Noise(end),
    }
}

#[cfg(test)]
mod tests;
