//! The list of the run: it can be moved in, and what it lists can be chosen.

use super::super::app::{App, Pane};
use super::super::command::Action;
use super::super::entries::{Entry, entries, next_group};
use super::{Effect, stage};
use crate::lesson::session::Focus;
use crate::lesson::symbols::{Meaning, symbols};
use crate::widgets::stage::describe_symbol;

/// Whether the list has the focus.
pub(super) fn is_listed(app: &App) -> bool {
    let room = app.room.as_ref();
    app.overlay.is_none()
        && room.is_some_and(|room| room.pane == Pane::Why && room.walk.session.why().is_none())
}

/// Moves in the list; to the side it turns a knob, or goes to the next group.
pub(super) fn go(app: &mut App, columns: isize, rows: isize) -> Option<Effect> {
    let room = app.room.as_mut()?;
    let all = entries(&room.walk.session);
    let last = all.len().checked_sub(1)?;
    room.entry = room.entry.min(last);
    match (columns, all[room.entry]) {
        (0, _) => room.entry = room.entry.saturating_add_signed(rows).min(last),
        (by, Entry::Knob(_)) => return stage::on_stage(app, Action::Turn(by)),
        (by, _) => room.entry = next_group(&all, room.entry, by),
    }
    let entry = all[room.entry];
    stand_on(app, entry)
}

/// A knob that the list stands on is the one that is turned.
fn stand_on(app: &mut App, entry: Entry) -> Option<Effect> {
    if let (Entry::Knob(n), Some(room)) = (entry, &mut app.room) {
        room.walk.session.choose(room.walk.lesson().knobs[n].name);
    }
    None
}

/// Does what the entry stands for.
pub(super) fn choose(app: &mut App) -> Option<Effect> {
    let room = app.room.as_ref()?;
    let all = entries(&room.walk.session);
    take(app, *all.get(room.entry)?)
}

/// Looks at a step or a picture, chooses a knob, switches a mistake.
pub(super) fn take(app: &mut App, entry: Entry) -> Option<Effect> {
    let focus = match entry {
        Entry::Mistake(n) => return stage::on_stage(app, Action::Break(n + 1)),
        Entry::Knob(n) => {
            let knob = &app.room.as_ref()?.walk.lesson().knobs[n];
            let name = knob.name;
            app.notice = Some(format!(
                "{name}: {}. [ and ] turn it, :{name}=VALUE sets it.",
                knob.about
            ));
            return stand_on(app, entry);
        }
        Entry::Step(n) => Focus::Step(n),
        Entry::Picture(n) => Focus::Picture(n),
    };
    look(app, focus)
}

/// Points at the next symbol of the page's formulas: names what it stands for, and looks at that.
pub(super) fn point(app: &mut App) -> Option<Effect> {
    let told = app.unanswered().is_none();
    let room = app.room.as_mut()?;
    let session = &room.walk.session;
    let all = symbols(room.walk.page(), session);
    let count = all.len();
    if count == 0 {
        let words = "No symbol of this page's formulas is a tensor or a knob of the run.";
        app.notice = Some(words.to_owned());
        return None;
    }
    let at = room.symbol % count;
    let (symbol, meaning) = &all[at];
    let place = format!("symbol {} of {count}, ; goes on", at + 1);
    let said = describe_symbol(session, symbol, *meaning, told);
    let focus = match *meaning {
        Meaning::Step(n) => Some(Focus::Step(n)),
        Meaning::Knob(_) => None,
    };
    room.symbol = at + 1;
    let effect = match focus.filter(|_| told) {
        Some(focus) => look(app, focus),
        None => None,
    };
    app.notice = Some(format!("{said} ({place})."));
    effect
}

/// Looks at something of the run, unless a prediction is still to be made.
pub(super) fn look(app: &mut App, focus: Focus) -> Option<Effect> {
    if app.unanswered().is_some() {
        app.notice = Some("Predict first: p asks, then the stage shows.".to_owned());
        return None;
    }
    let room = app.room.as_mut()?;
    room.job = None;
    room.walk.session.set_focus(focus);
    // What does not fit beside the stage makes room for it.
    if app.tier() <= super::super::layout::Tier::One {
        app.focus(Pane::Stage);
    }
    Some(Effect::Stop)
}
