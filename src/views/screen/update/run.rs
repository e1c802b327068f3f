//! The run's list: moving in it, and choosing what it lists.

use super::super::app::{App, Overlay, Pane};
use super::super::entries::{Entry, entries, next_group};
use super::card::term_card;
use super::{Effect, stage};
use crate::command::Action;
use crate::lesson::glossary;
use crate::lesson::session::{Direction, Focus};
use crate::lesson::symbols::{Meaning, in_run, of_page, symbols};
use crate::widgets::stage::describe_symbol;

/// True if the list has the focus.
pub(super) fn is_listed(app: &App) -> bool {
    let open = app.open_lesson.as_ref();
    app.overlay.is_none()
        && open.is_some_and(|open| open.pane == Pane::Why && !open.walk.session.asks_why())
}

/// Moves in the list; sideways, turns the selected knob or goes to the next group.
pub(super) fn go(app: &mut App, direction: Direction, by: isize) -> Option<Effect> {
    let open = app.open_lesson.as_mut()?;
    let all = entries(&open.walk.session);
    let last = all.len().checked_sub(1)?;
    open.entry = open.entry.min(last);
    match (direction, all[open.entry]) {
        (Direction::Vertical, _) => open.entry = open.entry.saturating_add_signed(by).min(last),
        (Direction::Horizontal, Entry::Knob(_)) => {
            return stage::on_stage(app, Action::Turn(by));
        }
        (Direction::Horizontal, _) => open.entry = next_group(&all, open.entry, by),
    }
    let entry = all[open.entry];
    stand_on(app, entry)
}

/// Makes a selected knob the one to be turned.
fn stand_on(app: &mut App, entry: Entry) -> Option<Effect> {
    if let (Entry::Knob(n), Some(open)) = (entry, &mut app.open_lesson) {
        open.walk.session.choose(open.walk.lesson().knobs[n].name);
    }
    None
}

/// Chooses the selected entry.
pub(super) fn choose(app: &mut App) -> Option<Effect> {
    let open = app.open_lesson.as_ref()?;
    let all = entries(&open.walk.session);
    take(app, *all.get(open.entry)?)
}

/// Shows a step or a picture, chooses a knob, or switches a mistake.
pub(super) fn take(app: &mut App, entry: Entry) -> Option<Effect> {
    let focus = match entry {
        Entry::Mistake(n) => return stage::on_stage(app, Action::Break(n + 1)),
        Entry::Knob(n) => {
            let knob = &app.open_lesson.as_ref()?.walk.lesson().knobs[n];
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

/// Points at the next symbol of the page's formulas: names its meaning, and shows its tensor or its term's card.
pub(super) fn point(app: &mut App) -> Option<Effect> {
    let revealed = app.unanswered().is_none();
    // Close the previous symbol's card to uncover the formula.
    if matches!(app.overlay, Some(Overlay::Term(_))) {
        app.overlay = None;
    }
    let open = app.open_lesson.as_mut()?;
    let session = &open.walk.session;
    let all = symbols(open.walk.page(), session);
    let count = all.len();
    if count == 0 {
        let words = "No symbol of this page's formulas is a tensor or a knob of the run, or a term of the glossary.";
        app.notice = Some(words.to_owned());
        return None;
    }
    let at = open.page.symbol % count;
    let (symbol, meaning) = &all[at];
    let sentence = describe_symbol(session, symbol, *meaning, revealed);
    let card = of_page(open.walk.page())
        .iter()
        .find(|other| other.base == *symbol && other.term.is_some())
        .and_then(|other| other.term);
    let place = match (meaning, card) {
        (Meaning::Step(_) | Meaning::Knob(_), Some(_)) => {
            format!("symbol {} of {count}, ; moves on, D opens its card", at + 1)
        }
        _ => format!("symbol {} of {count}, ; moves on", at + 1),
    };
    let meaning = *meaning;
    (open.page.symbol, open.page.pointed) = (at + 1, card);
    let effect = show(app, meaning, revealed);
    app.notice = Some(match meaning {
        Meaning::Term(_) => format!("{place}, Esc closes the card."),
        _ => format!("{sentence} ({place})."),
    });
    effect
}

/// Points at a symbol of the page's formulas, by its index in [`of_page`]: shows its tensor, and opens its card if the
/// glossary has one.
pub(super) fn point_at(app: &mut App, n: usize) -> Option<Effect> {
    let revealed = app.unanswered().is_none();
    let open = app.open_lesson.as_ref()?;
    let session = &open.walk.session;
    let symbol = of_page(open.walk.page()).into_iter().nth(n)?;
    let in_run = in_run(&symbol, session);
    let sentence = in_run.map(|meaning| describe_symbol(session, &symbol.base, meaning, revealed));
    let effect = in_run.and_then(|meaning| show(app, meaning, revealed));
    if let Some(term) = symbol.term {
        show(app, Meaning::Term(term), revealed);
    }
    app.notice = match (sentence, symbol.term) {
        (Some(sentence), _) => Some(format!("{sentence}.")),
        (None, Some(_)) => None,
        (None, None) => Some(format!(
            "{} is neither a tensor nor a knob of this run, and the glossary has no card for it.",
            symbol.base
        )),
    };
    effect
}

/// Shows the meaning of a symbol: its tensor on the stage, its term on a card.
fn show(app: &mut App, meaning: Meaning, revealed: bool) -> Option<Effect> {
    match meaning {
        Meaning::Step(n) if revealed => look(app, Focus::Step(n)),
        Meaning::Step(_) | Meaning::Knob(_) => None,
        Meaning::Term(n) => {
            app.overlay = glossary::terms().get(n).map(term_card);
            None
        }
    }
}

/// Shows a step or a picture, unless a prediction is still to be made.
pub(super) fn look(app: &mut App, focus: Focus) -> Option<Effect> {
    if app.asks_first() {
        return None;
    }
    let open = app.open_lesson.as_mut()?;
    open.page.job = None;
    open.walk.session.set_focus(focus);
    // Where one pane is visible at a time, show the stage.
    if app.shows_one_pane() {
        app.focus(Pane::Stage);
    }
    Some(Effect::Stop)
}
