//! The mouse: a click acts on what the last frame drew there.

use ratatui::layout::Rect;

use super::super::app::{App, Overlay, Pane, Station, Target};
use super::super::entries::entries;
use super::answers::answer;
use super::card::term_card;
use super::find::choose;
use super::{Effect, act, exercise, hunt, run, scroll};
use crate::command::Action;
use crate::curriculum::LESSONS;
use crate::lesson::glossary;
use crate::lesson::session::Focus;
use crate::widgets::stage;

/// Handles a click: focuses the pane, and triggers whatever was drawn at that position.
pub(super) fn click(app: &mut App, column: u16, row: u16) -> Option<Effect> {
    let mut effect = None;
    for (rect, target) in app.pointed_at(column, row) {
        effect = hit(app, rect, target, (column, row)).or(effect);
    }
    effect
}

fn hit(app: &mut App, rect: Rect, target: Target, at: (u16, u16)) -> Option<Effect> {
    match target {
        Target::Pane(pane) => {
            app.focus(pane);
            None
        }
        Target::Part(n) => {
            app.open_station(Station::Part(n));
            None
        }
        Target::Lesson(n) => {
            let open = app.open_lesson.as_ref().map(|open| open.walk.lesson().name);
            if open != Some(LESSONS[n].name) {
                app.open(LESSONS[n]);
            }
            None
        }
        Target::Entry(n) => {
            let open = app.open_lesson.as_mut()?;
            open.entry = n;
            let entry = *entries(&open.walk.session).get(n)?;
            let notice = app.notice.take();
            let effect = run::take(app, entry);
            app.notice = app.notice.take().or(notice);
            effect
        }
        Target::Answer(n) => answer(app, n),
        Target::Hit(n) if matches!(app.overlay, Some(Overlay::Hunt)) => hunt::choose(app, n),
        Target::Hit(n) if matches!(app.overlay, Some(Overlay::Exercises(_))) => {
            exercise::open(app, Some(n))
        }
        Target::Hit(n) => {
            if let Some(
                Overlay::Palette(choice) | Overlay::Search(choice) | Overlay::Terms(choice),
            ) = &mut app.overlay
            {
                choice.chosen = n;
            }
            choose(app)
        }
        Target::Glossary(n) => {
            app.overlay = glossary::terms().get(n).map(term_card);
            None
        }
        Target::Symbol(n) => run::point_at(app, n),
        Target::Term(n) => {
            app.open_lesson.as_mut()?.walk.session.choose_term(n);
            None
        }
        Target::Stage => {
            let (theme, detail) = (app.display.theme.clone(), app.detail());
            let open = app.open_lesson.as_mut()?;
            let session = &mut open.walk.session;
            let index = stage::index_at(session, rect, at, &theme, &detail)?;
            // This cannot fail: the index was just computed for the tensor or picture on the stage.
            let _ = session.put_cursor(&index);
            let clicked = Some((session.focus(), index));
            if std::mem::replace(&mut open.page.clicked, clicked.clone()) == clicked {
                open.page.clicked = None;
                return act(app, Action::Why);
            }
            None
        }
        Target::Picture(n) => run::look(app, Focus::Picture(n)),
        Target::Act(action) => act(app, action),
    }
}

/// Handles the wheel: scrolls what is under the pointer, whatever has the focus.
pub(super) fn wheel(app: &mut App, lines: isize, column: u16, row: u16) {
    let under = app.pointed_at(column, row);
    let pane = under.iter().find_map(|(_, target)| match target {
        Target::Pane(pane) => Some(*pane),
        _ => None,
    });
    let Some(open) = &mut app.open_lesson else {
        return scroll(app, lines);
    };
    let session = &mut open.walk.session;
    match pane {
        Some(Pane::Stage) => session.move_rows(lines),
        Some(Pane::Why) if session.asks_why() => session.move_cursor(1, lines),
        Some(Pane::Why) => {
            let last = entries(session).len().saturating_sub(1);
            open.entry = open.entry.saturating_add_signed(lines).min(last);
        }
        _ => scroll(app, lines),
    }
}
