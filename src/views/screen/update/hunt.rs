//! The hunt on the screen: opening a case, choosing from its lists, and taking what a look has found.

use std::task::Poll;
use std::time::Duration;

use crate::screen::key::{KeyCode, KeyEvent};

use super::super::app::{App, Hunting, Overlay};
use super::{Effect, KeyReply};
use crate::lesson::awaited::Awaited;
use crate::lesson::hunt::{Board, Case, Hunt, Outcome};

/// Opens the hunt at the case that was left, or at the first one that is open.
pub(super) fn open(app: &mut App) -> Option<Effect> {
    app.show(Overlay::Hunt);
    if app.hunting.is_some() {
        return None;
    }
    begin(app, None)
}

/// Takes up the first open case, of a level or of any.
fn begin(app: &mut App, level: Option<u8>) -> Option<Effect> {
    let case = Case::first_open(&app.progress, level);
    let moves = app.progress.moves(&case.id());
    app.hunting = Some(Hunting::Busy(Awaited::begin(move || {
        let hunt = Hunt::taken_up(case, moves);
        Ok((Board::new(hunt, level), Outcome::Open))
    })));
    wait_for_look(app)
}

/// Handles a key of the hunt.
pub(super) fn press(app: &mut App, key: KeyEvent) -> KeyReply {
    let board = app.hunting.as_mut().and_then(Hunting::board);
    match (key.code, board) {
        (KeyCode::Down, Some(board)) => board.move_by(1),
        (KeyCode::Up, Some(board)) => board.move_by(-1),
        (KeyCode::PageDown, Some(_)) => app.overlay_line = app.overlay_line.saturating_add(10),
        (KeyCode::PageUp, Some(_)) => app.overlay_line = app.overlay_line.saturating_sub(10),
        (KeyCode::Backspace, Some(board)) => {
            board.back();
        }
        (KeyCode::Enter, Some(_)) => return KeyReply::Handled(enter(app)),
        (KeyCode::Enter | KeyCode::Down | KeyCode::Up | KeyCode::Backspace, None) => {
            app.notice = Some("The look is still being computed.".to_owned());
        }
        _ => return KeyReply::NotMine,
    }
    KeyReply::Handled(None)
}

/// Closes the innermost list; `false` if only the first is open.
pub(super) fn back(app: &mut App) -> bool {
    let board = app.hunting.as_mut().and_then(Hunting::board);
    board.is_some_and(Board::back)
}

/// Chooses entry `n` of the open list.
pub(super) fn choose(app: &mut App, n: usize) -> Option<Effect> {
    app.hunting.as_mut().and_then(Hunting::board)?.choose(n);
    enter(app)
}

/// Does what the chosen entry says, on another thread.
fn enter(app: &mut App) -> Option<Effect> {
    let Some(Hunting::Ready(mut board)) = app.hunting.take() else {
        return None;
    };
    app.overlay_line = 0;
    app.hunting = Some(Hunting::Busy(Awaited::begin(move || {
        let outcome = board.enter();
        Ok((*board, outcome))
    })));
    wait_for_look(app)
}

/// Waits for the look for as long as the learner is kept waiting.
fn wait_for_look(app: &mut App) -> Option<Effect> {
    match take_look(app, app.waiting.patience.unwrap_or(Duration::MAX)) {
        Poll::Ready(effect) => effect,
        Poll::Pending => None,
    }
}

/// Takes what the hunt was computing, if it comes within `patience`, with the effect that follows from it.
pub(super) fn take_look(app: &mut App, patience: Duration) -> Poll<Option<Effect>> {
    let Some(Hunting::Busy(work)) = &app.hunting else {
        return Poll::Pending;
    };
    let Some(done) = work.within(patience) else {
        return Poll::Pending;
    };
    let mut effect = None;
    match done {
        Ok((board, outcome)) => {
            let is_new = board.hunt().keep(&mut app.progress);
            effect = is_new.then_some(Effect::Save);
            if outcome == Outcome::Solved {
                app.notice = Some(board.hunt().enter(&mut app.progress));
                effect = Some(Effect::Save);
            }
            app.hunting = Some(Hunting::Ready(Box::new(board)));
            if let Outcome::Next(level) = outcome {
                effect = begin(app, level);
            }
        }
        Err(why) => {
            (app.hunting, app.overlay) = (None, None);
            app.notice = Some(why);
        }
    }
    Poll::Ready(effect)
}
