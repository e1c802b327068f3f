//! The explanation in the learner's own words: writing it, then comparing it with the rubric.

use crate::screen::key::{KeyCode, KeyEvent};

use super::super::app::{App, Overlay};
use super::super::overlay::Explain;
use super::Effect;
use crate::lesson::own_words::{LONGEST, score};
use crate::lesson::progress::Explanation;

/// Opens the question of the lesson, with what the learner has written before.
pub(super) fn open(app: &mut App) {
    let Some(lesson) = app.open_lesson.as_ref().map(|open| open.walk.lesson()) else {
        return;
    };
    if lesson.own_words.is_none() {
        return;
    }
    let mut explain = Explain::default();
    if let Some(before) = app.progress.lesson(lesson.name).explained {
        explain.typed.insert(&before.text);
        explain.points = before.points;
    }
    app.show(Overlay::Explain(explain));
}

/// Inserts pasted text as far as there is room.
pub(super) fn paste(explain: &mut Explain, text: &str) {
    let available = LONGEST.saturating_sub(explain.typed.count());
    let text: String = text.chars().take(available).collect();
    explain.typed.insert(&text);
}

/// Writes, ticks, or goes on.
pub(super) fn press(app: &mut App, key: KeyEvent) -> Option<Effect> {
    let Some(Overlay::Explain(explain)) = &mut app.overlay else {
        return None;
    };
    match (explain.compares, key.code) {
        (false, KeyCode::Enter) if explain.typed.text().trim().is_empty() => {
            app.notice = Some("Write two or three sentences first; Esc leaves it.".to_owned());
        }
        (false, KeyCode::Enter) => explain.compares = true,
        (false, KeyCode::Char(_)) if explain.typed.count() >= LONGEST => {
            app.notice = Some(format!("{LONGEST} characters are the most."));
        }
        (false, _) => drop(explain.typed.press(key)),
        (true, KeyCode::Char(c @ '1'..='3')) => {
            let point = &mut explain.points[c as usize - '1' as usize];
            *point = !*point;
        }
        (true, KeyCode::Backspace) => explain.compares = false,
        (true, KeyCode::Enter) => return close_with_answer(app),
        (true, _) => app.notice = Some("Tick the points with 1 to 3, then press Enter.".to_owned()),
    }
    None
}

/// Closes the question with the explanation kept.
fn close_with_answer(app: &mut App) -> Option<Effect> {
    let Some(Overlay::Explain(explain)) = app.overlay.take() else {
        return None;
    };
    app.notice = Some(score(&explain.points));
    put_away(app, &explain)
}

/// Keeps what has been written so far in the learner's progress.
pub(super) fn put_away(app: &mut App, explain: &Explain) -> Option<Effect> {
    let lesson = app.open_lesson.as_ref()?.walk.lesson();
    let text = explain.typed.text();
    if text.trim().is_empty() {
        return None;
    }
    let points = explain.points;
    app.progress.lesson_mut(lesson.name).explained = Some(Explanation {
        text,
        points,
        ..Explanation::default()
    });
    Some(Effect::Save)
}

#[cfg(test)]
mod tests {
    use crate::screen::key::KeyModifiers;

    use super::*;
    use crate::command::Action;
    use crate::curriculum::LESSONS;
    use crate::lesson::progress::Progress;
    use crate::screen::update::act;
    use crate::widgets::theme::Theme;

    #[test]
    fn an_explanation_is_written_compared_and_kept() {
        let mut app = App::new(None, Theme::mono(), Progress::default(), None);
        app.open(LESSONS[3]);
        open(&mut app);
        let type_in = |app: &mut App, code| press(app, KeyEvent::new(code, KeyModifiers::NONE));
        type_in(&mut app, KeyCode::Enter);
        assert!(
            app.notice.take().unwrap().starts_with("Write"),
            "nothing is written yet"
        );
        for c in "It mixes 2 values.".chars() {
            type_in(&mut app, KeyCode::Char(c));
        }
        type_in(&mut app, KeyCode::Enter);
        type_in(&mut app, KeyCode::Char('2'));
        assert!(type_in(&mut app, KeyCode::Enter).is_some());
        assert!(app.overlay.is_none());
        let explained = app.progress.lesson("attention").explained.unwrap();
        assert_eq!(
            (&*explained.text, explained.points),
            ("It mixes 2 values.", [false, true, false])
        );
        open(&mut app);
        let Some(Overlay::Explain(explain)) = &mut app.overlay else {
            panic!("it is open again");
        };
        assert_eq!(explain.typed.text(), "It mixes 2 values.");
        paste(explain, &"x".repeat(2 * LONGEST));
        assert_eq!(explain.typed.count(), LONGEST);
        // Escape loses nothing.
        act(&mut app, Action::Close);
        assert!(app.overlay.is_none());
        let explained = app.progress.lesson("attention").explained.unwrap();
        assert_eq!(explained.text.chars().count(), LONGEST);
    }
}
