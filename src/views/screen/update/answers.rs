//! Answers to questions.

use std::time::Duration;

use super::super::app::{App, Judging, Overlay, Pane};
use super::super::layout::ScreenSize;
use super::{Effect, leave};
use crate::lesson::awaited::Awaited;
use crate::lesson::progress::today;
use crate::lesson::walk::{Attempt, Turn};

pub(super) fn answer(app: &mut App, option: usize) -> Option<Effect> {
    let (Some(Overlay::Ask(ask)), Some(open)) = (&mut app.overlay, &app.open_lesson) else {
        return None;
    };
    let question = ask.question();
    let chosen = ask.option(option)?;
    if app.judging.is_some() {
        return None;
    }
    let verdict = match open.walk.judge(ask, chosen) {
        Ok(judge) => Awaited::begin(judge),
        Err(e) => {
            app.notice = Some(e);
            return None;
        }
    };
    app.judging = Some(Judging {
        id: question.id.clone(),
        option,
        verdict,
    });
    judged(app, app.waiting.patience.unwrap_or(Duration::MAX));
    Some(Effect::Save)
}

/// Takes the verdict on the answer being judged; `true` if it came within `patience`.
pub(super) fn judged(app: &mut App, patience: Duration) -> bool {
    let Some(judging) = &app.judging else {
        return false;
    };
    let Some(verdict) = judging.verdict.within(patience) else {
        return false;
    };
    let (id, option) = (judging.id.clone(), judging.option);
    app.judging = None;
    let (Some(Overlay::Ask(ask)), Some(open)) = (&mut app.overlay, &mut app.open_lesson) else {
        return true;
    };
    if ask.question().id != id {
        return true;
    }
    match verdict {
        Ok(right) => {
            let attempt = Attempt {
                option,
                right,
                day: today(),
            };
            ask.enter(attempt, open.walk.lesson().name, &mut app.progress);
            open.walk.pass(Duration::ZERO, &mut app.progress);
            if right && !ask.quiz {
                app.notice = open.walk.show_answer(ask.question()).err();
            }
        }
        Err(e) => app.notice = Some(e),
    }
    true
}

/// Goes on if the question is settled; otherwise answers with the option chosen by the arrows.
pub(super) fn enter(app: &mut App) -> Option<Effect> {
    let Some(Overlay::Ask(ask)) = &app.overlay else {
        return None;
    };
    if ask.is_settled() {
        return next_question(app);
    }
    match ask.chosen().filter(|option| ask.option(*option).is_some()) {
        Some(option) => answer(app, option),
        None => {
            let count = ask.question().options.len();
            let again = if ask.tried().is_empty() {
                "an"
            } else {
                "another"
            };
            app.notice = Some(format!(
                "Choose {again} answer with 1 to {count}, or with ↑ ↓ and Enter."
            ));
            None
        }
    }
}

pub(super) fn next_question(app: &mut App) -> Option<Effect> {
    let Some(Overlay::Ask(ask)) = &mut app.overlay else {
        return None;
    };
    if !ask.is_settled() {
        return enter(app);
    }
    if ask.quiz && ask.go_on() {
        return None;
    }
    let score = ask.quiz.then(|| ask.score());
    let id = ask.question().id.clone();
    app.overlay = None;
    let open = app.open_lesson.as_ref()?;
    if score.is_some() && open.walk.turn(1, &app.progress) == Turn::End {
        leave::show_end(app);
    }
    app.notice = score;
    if app.notice.is_none() {
        read_on(app, &id);
    }
    None
}

/// Leads to what the answer to a question of the page has opened: the text or, where it would hide the picture, first
/// the picture.
fn read_on(app: &mut App, question: &str) {
    app.read_on_after(question);
    // The evidence for one prediction is read before the next one covers it.
    if app.unanswered().is_some() {
        if let Some(open) = &mut app.open_lesson {
            open.page.met = false;
        }
        app.notice = Some("This page asks once more: p opens the question.".to_owned());
    } else if app.screen_size() <= ScreenSize::One {
        app.focus(Pane::Stage);
    }
}
