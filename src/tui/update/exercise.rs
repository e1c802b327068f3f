//! The exercises of the open lesson: which of them there are, which one is looked at, and its hints.

use super::super::app::{App, Overlay};
use super::Effect;
use crate::lesson::Exercise;
use crate::lesson::exercise::report::Card;
use crate::lesson::exercise::workbook::Workbook;

/// The exercises of the open lesson.
fn exercises(app: &App) -> Vec<&'static Exercise> {
    let room = app.room.as_ref();
    room.map_or_else(Vec::new, |room| room.walk.lesson().exercises().collect())
}

/// Asks which exercise, where the lesson has several; opens the one that there is. Where there is none, that is said.
pub(super) fn ask(app: &mut App) -> Option<Effect> {
    let all = exercises(app);
    if all.len() < 2 {
        return open_current(app, Effect::Watch);
    }
    let current = app.room.as_ref()?.exercise;
    let first_open = || {
        all.iter()
            .position(|e| !e.done(&app.progress).solved)
            .unwrap_or_default()
    };
    let opened = matches!(app.overlay, Some(Overlay::Exercise(..)));
    let at = all
        .iter()
        .position(|e| opened && current.is_some_and(|current| current.name == e.name));
    app.overlay = Some(Overlay::Exercises(at.unwrap_or_else(first_open)));
    // What was watched is checked no more.
    Some(Effect::Unwatch)
}

/// Moves in the list of exercises.
pub(super) fn choose(app: &mut App, by: isize) {
    let last = exercises(app).len().saturating_sub(1);
    if let Some(Overlay::Exercises(at)) = &mut app.overlay {
        *at = at.saturating_add_signed(by).min(last);
    }
}

/// Opens the exercise at place `n` of the list; without a number the one that is chosen.
pub(super) fn open(app: &mut App, n: Option<usize>) -> Option<Effect> {
    let Some(Overlay::Exercises(chosen)) = &app.overlay else {
        return None;
    };
    let all = exercises(app);
    let Some(exercise) = all.get(n.unwrap_or(*chosen)) else {
        app.notice = Some(format!("There are {} exercises here.", all.len()));
        return None;
    };
    app.room.as_mut()?.exercise = Some(exercise);
    open_current(app, Effect::Watch)
}

/// Opens the editor on the exercise that is looked at: the one of the list, or the one opened last.
pub(super) fn edit(app: &mut App) -> Option<Effect> {
    if let Some(Overlay::Exercises(at)) = app.overlay {
        let exercise = exercises(app).get(at).copied();
        app.room.as_mut()?.exercise = exercise;
    }
    open_current(app, Effect::Editor)
}

/// Shows the exercise that was opened last, with the place of the learner's file, and lets `effect` begin.
fn open_current(app: &mut App, effect: Effect) -> Option<Effect> {
    let room = app.room.as_ref()?;
    let Some(exercise) = room.exercise else {
        app.notice = room.walk.lesson().exercise().err();
        return None;
    };
    let book = Workbook::find().ok();
    app.file = book.map(|book| book.path(exercise));
    app.overlay = Some(Overlay::Exercise(Card::default(), 0));
    Some(effect)
}

/// One more hint for the exercise that is looked at; after the last one its code.
pub(super) fn hint(app: &mut App) {
    if let Some(Overlay::Exercises(at)) = app.overlay {
        let exercise = exercises(app).get(at).copied();
        if let Some(room) = &mut app.room {
            room.exercise = exercise;
        }
    }
    let Some(room) = &app.room else { return };
    let Some(exercise) = room.exercise else {
        app.notice = room.walk.lesson().exercise().err();
        return;
    };
    let done = exercise.done_mut(&mut app.progress);
    done.take_hint(exercise.hints.len());
    let given = &exercise.hints[..done.hints];
    let words = given
        .iter()
        .enumerate()
        .map(|(i, h)| format!("{}. {h}\n", i + 1))
        .collect::<Vec<_>>()
        .join("\n");
    let more = match (done.hints < exercise.hints.len(), done.sees_the_code()) {
        (true, _) => "\nH gives a plainer one.",
        (false, false) => "\nH gives up: the lesson then shows the code.",
        (false, true) => "\nThe lesson shows the code.",
    };
    let title = match exercises(app).len() {
        1 => "Hints".to_owned(),
        _ => format!("Hints for {}", exercise.name),
    };
    app.overlay = Some(Overlay::Words(title, words + more, 0));
}
