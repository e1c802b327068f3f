//! Dispatch of keys: what each does, and which must wait.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::app::{App, Overlay, Pane};
use super::super::command::{self, Action};
use super::answers::{answer, enter, next_question};
use super::find::choose;
use super::leave::leave;
use super::{Effect, act, exercise, explain, list};

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
        ("backspace", ..) => plain(KeyCode::Backspace),
        ("up", ..) => plain(KeyCode::Up),
        ("down", ..) => plain(KeyCode::Down),
        ("left", ..) => plain(KeyCode::Left),
        ("right", ..) => plain(KeyCode::Right),
        ("pageup", ..) => plain(KeyCode::PageUp),
        ("pagedown", ..) => plain(KeyCode::PageDown),
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
pub(super) fn waits(app: &App, name: &str) -> bool {
    if matches!(name, "esc" | "ctrl-c" | "ctrl-z") {
        return false;
    }
    if app.opening.is_some() {
        return !matches!(
            command::of_key(name),
            Some(Action::Quit | Action::Back | Action::Close)
        );
    }
    let computing = (app.room.as_ref()).is_some_and(|room| room.walk.session.is_computing());
    let reads = (app.room.as_ref()).is_some_and(|room| room.pane != Pane::Stage);
    let free = match command::of_key(name) {
        _ if app.overlay.is_some() => true,
        Some(Action::Move(..)) => reads,
        Some(
            Action::Turn(_)
            | Action::Knob(_)
            | Action::Break(_)
            | Action::Page(_)
            | Action::Pane
            | Action::Help
            | Action::Palette
            | Action::Search
            | Action::Terms
            | Action::Term
            | Action::Map
            | Action::Mouse
            | Action::Back
            | Action::Close
            | Action::Full
            | Action::Editor
            | Action::Quit
            | Action::Predict
            | Action::Core
            | Action::Quiz
            | Action::OwnWords
            | Action::Exercise
            | Action::Mine
            | Action::Hint,
        ) => true,
        _ => false,
    };
    computing && (!app.queued.is_empty() || !free)
}

pub(super) fn typed(app: &mut App, name: &str, key: KeyEvent) -> Option<Effect> {
    let digits = std::mem::take(&mut app.digits);
    app.ending &= name == "q";
    if name == "esc" {
        return act(app, Action::Close);
    }
    if let KeyCode::Char(digit @ '0'..='9') = key.code
        && app.room.is_none()
        && app.overlay.is_none()
    {
        list::number(app, digits + digit.encode_utf8(&mut [0; 4]));
        return None;
    }
    match &mut app.overlay {
        Some(Overlay::Palette(choice) | Overlay::Search(choice) | Overlay::Terms(choice)) => {
            match key.code {
                KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                    choice.typed.push(c);
                    choice.chosen = 0;
                    return None;
                }
                KeyCode::Backspace => {
                    choice.typed.pop();
                    choice.chosen = 0;
                    return None;
                }
                KeyCode::Up | KeyCode::Down => {
                    let by = if key.code == KeyCode::Down { 1 } else { -1 };
                    choice.chosen = choice.chosen.saturating_add_signed(by);
                    return None;
                }
                KeyCode::Enter => return choose(app),
                _ => {}
            }
        }
        Some(Overlay::Sentence(typed)) => {
            if key.code == KeyCode::Enter {
                return app.translate_typed().then_some(Effect::Stop);
            }
            typed.press(key);
            return None;
        }
        Some(Overlay::Explain(_)) => return explain::press(app, key),
        Some(Overlay::Edit(typed)) => {
            match key.code {
                KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => typed.push(c),
                KeyCode::Backspace => drop(typed.pop()),
                KeyCode::Enter => {
                    let typed = std::mem::take(typed);
                    app.overlay = None;
                    let session = app.room.as_mut().map(|room| &mut room.walk.session);
                    app.notice = session.and_then(|session| match session.edit_text(&typed) {
                        Err(sentence) => Some(sentence),
                        Ok(()) => session.ripple_words().map(|words| {
                            format!("{words} d draws the difference, u takes it back.")
                        }),
                    });
                }
                _ => {}
            }
            return None;
        }
        Some(Overlay::Exercises(_)) => match key.code {
            KeyCode::Char(c @ '1'..='9') => {
                return exercise::open(app, Some(c as usize - '1' as usize));
            }
            KeyCode::Up | KeyCode::Down => {
                exercise::choose(app, if key.code == KeyCode::Down { 1 } else { -1 });
                return None;
            }
            KeyCode::Enter => return exercise::open(app, None),
            _ => {}
        },
        Some(Overlay::Leave) => return leave(app, name),
        // A settled prediction is only read, so a switch may close it and break the stage at once.
        Some(Overlay::Ask(asked))
            if !asked.quiz
                && asked.is_settled()
                && matches!(command::of_key(name), Some(Action::Break(_))) =>
        {
            app.overlay = None;
        }
        Some(Overlay::Ask(asked)) => {
            // `n` leaves a page's open question for later.
            let leaves = !asked.quiz && !asked.is_settled();
            let option = match key.code {
                KeyCode::Char(c @ '1'..='9') => Some(c as usize - '1' as usize),
                KeyCode::Char(c @ 'a'..='e') => Some(c as usize - 'a' as usize),
                _ => None,
            };
            if let Some(option) = option {
                return answer(app, option);
            }
            match key.code {
                KeyCode::Up | KeyCode::Down => {
                    if let Some(Overlay::Ask(asked)) = &mut app.overlay {
                        asked.choose(if key.code == KeyCode::Down { 1 } else { -1 });
                    }
                    return None;
                }
                KeyCode::Enter => return enter(app),
                _ if name == "space" || (name == "n" && !leaves) => return next_question(app),
                _ => {}
            }
        }
        _ => {}
    }
    match command::of_key(name) {
        Some(action) => act(app, action),
        None => {
            app.notice = Some(format!(
                "{name} does nothing here; ? lists what is possible"
            ));
            None
        }
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
