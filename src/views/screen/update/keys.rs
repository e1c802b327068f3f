//! Dispatch of keys: what each does, and which must wait.

use crate::screen::key::{KeyCode, KeyEvent, KeyModifiers};

use super::super::app::{App, Overlay, Pane};
use super::super::line::edit_end;
use super::answers::{answer, enter, next_question};
use super::find::choose;
use super::leave::leave;
use super::{Effect, KeyReply, act, exercise, explain, hunt, list};
use crate::command::{self, Action};

/// Name of a key, as the command table spells it.
pub fn key_name(key: KeyEvent) -> String {
    match key.code {
        KeyCode::Char(' ') if key.modifiers.contains(KeyModifiers::SHIFT) => {
            "shift-space".to_owned()
        }
        KeyCode::Char(' ') => "space".to_owned(),
        KeyCode::Char(c) if key.modifiers.contains(KeyModifiers::CONTROL) => format!("ctrl-{c}"),
        KeyCode::Char(c) => c.to_string(),
        KeyCode::Enter => "enter".to_owned(),
        KeyCode::Esc => "esc".to_owned(),
        KeyCode::Tab => "tab".to_owned(),
        KeyCode::BackTab => "backtab".to_owned(),
        KeyCode::Backspace => "backspace".to_owned(),
        KeyCode::Up => "up".to_owned(),
        KeyCode::Down => "down".to_owned(),
        KeyCode::Left => "left".to_owned(),
        KeyCode::Right => "right".to_owned(),
        KeyCode::PageUp => "pageup".to_owned(),
        KeyCode::PageDown => "pagedown".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// Key with this name; `None` if the command table has no such key.
pub fn event_of(name: &str) -> Option<KeyEvent> {
    command::of_key(name)?;
    let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
    let mut letters = name.chars();
    Some(match (name, letters.next(), letters.next()) {
        ("space", ..) => plain(KeyCode::Char(' ')),
        ("shift-space", ..) => KeyEvent::new(KeyCode::Char(' '), KeyModifiers::SHIFT),
        ("enter", ..) => plain(KeyCode::Enter),
        ("esc", ..) => plain(KeyCode::Esc),
        ("tab", ..) => plain(KeyCode::Tab),
        ("backtab", ..) => plain(KeyCode::BackTab),
        ("backspace", ..) => plain(KeyCode::Backspace),
        ("up", ..) => plain(KeyCode::Up),
        ("down", ..) => plain(KeyCode::Down),
        ("left", ..) => plain(KeyCode::Left),
        ("right", ..) => plain(KeyCode::Right),
        ("pageup", ..) => plain(KeyCode::PageUp),
        ("pagedown", ..) => plain(KeyCode::PageDown),
        ("home", ..) => plain(KeyCode::Home),
        ("end", ..) => plain(KeyCode::End),
        (_, Some(letter), None) => plain(KeyCode::Char(letter)),
        _ => {
            let letter = name.strip_prefix("ctrl-")?.chars().next()?;
            KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)
        }
    })
}

/// True if a key must wait for the run being computed, because its effect depends on the run or on a key already
/// waiting. Keys that turn knobs or pages, open overlays or leave do not wait. While a lesson is being opened, only
/// keys that close, leave or end do not wait.
pub(super) fn must_wait(app: &App, name: &str) -> bool {
    if matches!(name, "esc" | "ctrl-c" | "ctrl-z") {
        return false;
    }
    if app.opening.is_some() {
        return !matches!(
            command::of_key(name),
            Some(Action::Quit | Action::Back | Action::Close)
        );
    }
    let computing = (app.open_lesson.as_ref()).is_some_and(|open| open.walk.session.is_computing());
    let off_stage = (app.open_lesson.as_ref()).is_some_and(|open| open.pane != Pane::Stage);
    let may_overtake = match command::of_key(name) {
        _ if app.overlay.is_some() => true,
        Some(Action::Move(..)) => off_stage,
        action => action.is_some_and(|action| action.traits().while_computing),
    };
    computing && (!app.waiting.queued.is_empty() || !may_overtake)
}

/// Handles a key that has a name: by what is open, else by the table of commands.
pub(super) fn dispatch(app: &mut App, name: &str, key: KeyEvent) -> Option<Effect> {
    let digits = std::mem::take(&mut app.list.digits);
    app.list.ending &= name == "q";
    if std::mem::take(&mut app.list.opened) && name == "enter" {
        return None;
    }
    if name == "esc" {
        return act(app, Action::Close);
    }
    if let KeyCode::Char(digit @ '0'..='9') = key.code
        && app.open_lesson.is_none()
        && app.overlay.is_none()
    {
        list::number(app, digits + digit.encode_utf8(&mut [0; 4]));
        return None;
    }
    match in_overlay(app, name, key) {
        KeyReply::Handled(effect) => return effect,
        KeyReply::NotMine => {}
    }
    let Some(action) = command::of_key(name) else {
        app.notice = Some(format!(
            "{name} does nothing here; ? lists what is possible"
        ));
        return None;
    };
    act(app, action)
}

/// Offers a key to the overlay.
fn in_overlay(app: &mut App, name: &str, key: KeyEvent) -> KeyReply {
    match &mut app.overlay {
        Some(Overlay::Palette(choice) | Overlay::Search(choice) | Overlay::Terms(choice)) => {
            if key.code == KeyCode::Enter {
                return KeyReply::Handled(choose(app));
            }
            if choice.press(key) {
                KeyReply::Handled(None)
            } else {
                KeyReply::NotMine
            }
        }
        Some(Overlay::Sentence(_)) if key.code == KeyCode::Enter => {
            KeyReply::Handled(app.translate_typed().then_some(Effect::Stop))
        }
        Some(Overlay::Sentence(typed)) => {
            typed.press(key);
            KeyReply::Handled(None)
        }
        Some(Overlay::Help) => match key.code {
            KeyCode::Char(digit @ '1'..='9') => {
                let group = digit as usize - '1' as usize;
                app.help_group = Some(group).filter(|group| app.help_group != Some(*group));
                app.overlay_line = 0;
                KeyReply::Handled(None)
            }
            _ => KeyReply::NotMine,
        },
        Some(Overlay::Explain(_)) => KeyReply::Handled(explain::press(app, key)),
        Some(Overlay::Edit(_)) => {
            edit(app, key);
            KeyReply::Handled(None)
        }
        Some(Overlay::Exercises(_)) => in_exercises(app, key),
        Some(Overlay::Hunt) => hunt::press(app, key),
        Some(Overlay::Leave) => KeyReply::Handled(leave(app, name)),
        Some(Overlay::Ask(_)) => in_question(app, name, key),
        _ => KeyReply::NotMine,
    }
}

/// Writes a cell's new value; Enter gives it to the cell.
fn edit(app: &mut App, key: KeyEvent) {
    let Some(Overlay::Edit(typed)) = &mut app.overlay else {
        return;
    };
    match key.code {
        KeyCode::Enter => {
            let value = std::mem::take(typed);
            app.overlay = None;
            let session = app.open_lesson.as_mut().map(|open| &mut open.walk.session);
            app.notice = session.and_then(|session| match session.edit_text(&value) {
                Err(sentence) => Some(sentence),
                Ok(()) => session.ripple_in_words().map(|words| {
                    let predicted = session.prediction_in_words().unwrap_or_default();
                    let words =
                        format!("{predicted} {words} d draws the difference, u takes it back.");
                    words.trim_start().to_owned()
                }),
            });
        }
        _ => drop(edit_end(typed, key)),
    }
}

/// Chooses from the list of exercises.
fn in_exercises(app: &mut App, key: KeyEvent) -> KeyReply {
    match (key.code, lines(key)) {
        (KeyCode::Char(c @ '1'..='9'), _) => {
            KeyReply::Handled(exercise::open(app, Some(c as usize - '1' as usize)))
        }
        (KeyCode::Enter, _) => KeyReply::Handled(exercise::open(app, None)),
        (_, Some(by)) => {
            exercise::choose(app, by);
            KeyReply::Handled(None)
        }
        _ => KeyReply::NotMine,
    }
}

/// Chooses an answer, or goes on after the right one.
fn in_question(app: &mut App, name: &str, key: KeyEvent) -> KeyReply {
    let judging = app.judging.is_some();
    let Some(Overlay::Ask(asked)) = &mut app.overlay else {
        return KeyReply::NotMine;
    };
    // An answer has been given: going on waits for what it turns out to be.
    if judging && (matches!(name, "n" | "space") || key.code == KeyCode::Enter) {
        return KeyReply::Handled(None);
    }
    if let Some(by) = lines(key) {
        asked.choose(by);
        return KeyReply::Handled(None);
    }
    // `n` leaves a page's open question for later.
    let leaves = !asked.quiz && !asked.is_settled();
    match key.code {
        // The digit may be one too many; as a switch it would hide the explanation.
        KeyCode::Char('1'..='9') if asked.is_settled() => {
            app.notice = Some("This question is answered; Enter moves on.".to_owned());
            KeyReply::Handled(None)
        }
        KeyCode::Char(c @ '1'..='9') => KeyReply::Handled(answer(app, c as usize - '1' as usize)),
        KeyCode::Char(c @ 'a'..='e') => KeyReply::Handled(answer(app, c as usize - 'a' as usize)),
        KeyCode::Enter => KeyReply::Handled(enter(app)),
        _ if name == "space" || (name == "n" && !leaves) => KeyReply::Handled(next_question(app)),
        _ => KeyReply::NotMine,
    }
}

/// Lines that an arrow key moves by, down or up.
fn lines(key: KeyEvent) -> Option<isize> {
    match key.code {
        KeyCode::Down => Some(1),
        KeyCode::Up => Some(-1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_table_has_an_event_with_its_name() {
        for key in command::all().flat_map(|command| command.keys.iter().copied()) {
            let event = event_of(key).unwrap_or_else(|| panic!("{key} has none"));
            assert_eq!(key_name(event), key);
        }
        assert!(event_of("no such key").is_none());
    }
}
