//! Meaning of one escape sequence.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// Key of a character.
pub fn typed(c: char) -> KeyEvent {
    let modifiers = if c.is_uppercase() {
        KeyModifiers::SHIFT
    } else {
        KeyModifiers::NONE
    };
    KeyEvent::new(KeyCode::Char(c), modifiers)
}

/// The same key with Alt.
pub fn with_alt(mut key: KeyEvent) -> KeyEvent {
    key.modifiers |= KeyModifiers::ALT;
    key
}

/// Event of ESC [ `parameters` `last`; `None` if it is unknown or of no use here.
pub fn csi(parameters: &str, last: u8) -> Option<Event> {
    if let Some(report) = parameters.strip_prefix('<') {
        return mouse(report, last);
    }
    match (parameters, last) {
        ("", b'I') => return Some(Event::FocusGained),
        ("", b'O') => return Some(Event::FocusLost),
        ("", b'Z') => {
            return Some(Event::Key(KeyEvent::new(
                KeyCode::BackTab,
                KeyModifiers::SHIFT,
            )));
        }
        (_, b'M') => return urxvt_mouse(parameters),
        _ => {}
    }
    let mut fields = parameters.split(';');
    let first = fields.next().unwrap_or_default();
    let second = fields.next();
    let code = match last {
        b'~' => special(first.parse().ok()?)?,
        b'u' => encoded(first.split(':').next()?.parse().ok()?)?,
        _ => named(last)?,
    };
    // Some terminals leave out the 1 of `ESC [ 1 ; 5 A`.
    let modified = match last {
        b'~' | b'u' => second,
        _ => second.or(Some(first)),
    };
    let (modifiers, kind) = match modified {
        None | Some("") => (KeyModifiers::NONE, KeyEventKind::Press),
        Some(field) => held(field)?,
    };
    let code = match code {
        KeyCode::Tab if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        code => code,
    };
    Some(Event::Key(KeyEvent::new_with_kind(code, modifiers, kind)))
}

/// Key encoded by the final letter.
fn named(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        // R would be F3, but is also the reply to a query for the cursor's position.
        b'P' => KeyCode::F(1),
        b'Q' => KeyCode::F(2),
        b'S' => KeyCode::F(4),
        _ => return None,
    })
}

/// Key encoded by a number before `~`.
fn special(number: u8) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        // The numbers have gaps where the VT220's keyboard had.
        11..=15 => KeyCode::F(number - 10),
        17..=21 => KeyCode::F(number - 11),
        23..=26 => KeyCode::F(number - 12),
        28..=29 => KeyCode::F(number - 15),
        31..=34 => KeyCode::F(number - 17),
        _ => return None,
    })
}

/// Key encoded by the number of its character.
fn encoded(number: u32) -> Option<KeyCode> {
    Some(match char::from_u32(number)? {
        '\u{1b}' => KeyCode::Esc,
        '\r' => KeyCode::Enter,
        '\t' => KeyCode::Tab,
        '\u{7f}' => KeyCode::Backspace,
        // Keys that write nothing, such as a lone Shift.
        '\u{e000}'..='\u{f8ff}' => return None,
        c => KeyCode::Char(c),
    })
}

/// Modifiers held with the key, and whether it was pressed, repeated or released: `5` or `5:3`.
fn held(field: &str) -> Option<(KeyModifiers, KeyEventKind)> {
    let mut parts = field.split(':');
    let bits = parts.next()?.parse::<u8>().ok()?.saturating_sub(1);
    let kind = match parts.next() {
        Some("2") => KeyEventKind::Repeat,
        Some("3") => KeyEventKind::Release,
        _ => KeyEventKind::Press,
    };
    let all = [
        KeyModifiers::SHIFT,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
        KeyModifiers::SUPER,
        KeyModifiers::HYPER,
        KeyModifiers::META,
    ];
    let held = all
        .into_iter()
        .enumerate()
        .filter(|(bit, _)| bits >> bit & 1 == 1);
    Some((held.map(|(_, modifier)| modifier).collect(), kind))
}

/// SGR mouse report: `ESC [ < code ; column ; row M`, or `m` when the button is released.
fn mouse(report: &str, last: u8) -> Option<Event> {
    let event = at(report, 0)?;
    match (last, event.kind) {
        (b'M', _) => Some(Event::Mouse(event)),
        (b'm', MouseEventKind::Down(button)) => {
            let kind = MouseEventKind::Up(button);
            Some(Event::Mouse(MouseEvent { kind, ..event }))
        }
        (b'm', _) => Some(Event::Mouse(event)),
        _ => None,
    }
}

/// urxvt mouse report: `ESC [ code ; column ; row M`, where codes start at 32.
fn urxvt_mouse(report: &str) -> Option<Event> {
    at(report, 32).map(Event::Mouse)
}

/// Oldest mouse report: `ESC [ M` and three bytes, each a number plus 32.
pub fn old_mouse(code: u8, column: u8, row: u8) -> Option<Event> {
    let (kind, modifiers) = pressed(code.checked_sub(32)?)?;
    Some(Event::Mouse(MouseEvent {
        kind,
        column: u16::from(column).checked_sub(33)?,
        row: u16::from(row).checked_sub(33)?,
        modifiers,
    }))
}

/// Event of a report's three numbers. Codes start at `first`, columns and rows at 1.
fn at(report: &str, first: u8) -> Option<MouseEvent> {
    let mut fields = report.split(';');
    let code = fields.next()?.parse::<u8>().ok()?;
    let (kind, modifiers) = pressed(code.checked_sub(first)?)?;
    let mut place = || fields.next()?.parse::<u16>().ok()?.checked_sub(1);
    Some(MouseEvent {
        kind,
        column: place()?,
        row: place()?,
        modifiers,
    })
}

/// Mouse action from the bits of a report's code: two bits of the button, Shift, Alt, Control, motion, and the
/// button's other two bits.
fn pressed(code: u8) -> Option<(MouseEventKind, KeyModifiers)> {
    let button = code & 3 | code >> 4 & 12;
    let moves = code >> 5 & 1 == 1;
    let kind = match (button, moves) {
        (0..=2, _) => {
            let button =
                [MouseButton::Left, MouseButton::Middle, MouseButton::Right][usize::from(button)];
            if moves {
                MouseEventKind::Drag(button)
            } else {
                MouseEventKind::Down(button)
            }
        }
        // Old reports do not say which button was released.
        (3, false) => MouseEventKind::Up(MouseButton::Left),
        (3..=5, true) => MouseEventKind::Moved,
        (4, false) => MouseEventKind::ScrollUp,
        (5, false) => MouseEventKind::ScrollDown,
        (6, false) => MouseEventKind::ScrollLeft,
        (7, false) => MouseEventKind::ScrollRight,
        _ => return None,
    };
    let all = [
        KeyModifiers::SHIFT,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
    ];
    let held = all
        .into_iter()
        .enumerate()
        .filter(|(bit, _)| code >> (bit + 2) & 1 == 1);
    Some((kind, held.map(|(_, modifier)| modifier).collect()))
}
