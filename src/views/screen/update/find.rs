//! The palette, the search, the source of a tensor, and the command that shows a screen.

use super::super::app::{App, Overlay, Pane};
use super::super::entries::Entry;
use super::super::find::{Hit, fitting, searched, terms_with};
use super::card::{chosen_card, term_card};
use super::run::take;
use super::{Effect, act, leave};
use crate::curriculum::LESSONS;
use crate::lesson::glossary;
use crate::lesson::session::Intent;
use crate::lesson::source;
use crate::lesson::symbols;

pub(super) fn choose(app: &mut App) -> Option<Effect> {
    match app.overlay.take() {
        Some(Overlay::Palette(choice)) => {
            if let Some(sentence) = choice.typed.trim().strip_prefix("translate ") {
                // `:translate Der Hund schläft .`
                app.translate(sentence.trim());
                return Some(Effect::Stop);
            }
            let cell = cell_of(&choice.typed).map(ToOwned::to_owned);
            if let (Some(cell), Some(_)) = (cell, &app.open_lesson) {
                return look_at_cell(app, cell);
            }
            let session = app.open_lesson.as_ref().map(|open| &open.walk.session);
            let hits = fitting(&choice.typed, session);
            let Some(line) = hits.get(choice.chosen.min(hits.len().saturating_sub(1))) else {
                app.notice = Some(nothing_found(app, &choice.typed));
                return None;
            };
            match line.hit {
                Hit::Command(command) => act(app, command.action),
                Hit::Term(term) => {
                    app.show(term_card(term));
                    None
                }
                Hit::Setting => set(app, &line.name),
                Hit::Page(page) => leave::open_page(app, page),
                Hit::Lesson(place) => {
                    app.open(LESSONS[place]);
                    Some(Effect::Save)
                }
                Hit::Entry(entry) => {
                    // A learner who asks for a tensor wants to move in it.
                    if matches!(entry, Entry::Step(_) | Entry::Picture(_)) {
                        app.focus(Pane::Stage);
                    }
                    take(app, entry)
                }
            }
        }
        Some(Overlay::Search(choice)) => {
            let (term, pages) = searched(&choice.typed);
            let last = (usize::from(term.is_some()) + pages.len()).checked_sub(1)?;
            let chosen = choice.chosen.min(last);
            if let Some(term) = term.filter(|_| chosen == 0) {
                app.show(term_card(term));
                return None;
            }
            let (lesson, page, _) = pages.get(chosen - usize::from(term.is_some()))?;
            // From the core path, a page that is not on it leads back there.
            let open = app.open_lesson.as_ref();
            let core = open.is_some_and(|open| open.walk.core.is_some());
            app.begin(LESSONS[*lesson], Some(*page), core, app.waiting.patience);
            Some(Effect::Save)
        }
        Some(Overlay::Terms(choice)) => {
            let hits = terms_with(&choice.typed);
            match hits.get(choice.chosen.min(hits.len().saturating_sub(1))) {
                Some(term) => app.show(chosen_card(term, Some(choice))),
                None => app.show(Overlay::Terms(choice)),
            }
            None
        }
        other => {
            app.overlay = other;
            None
        }
    }
}

/// Message that nothing fits what was typed; after `look`, it names the nearest tensors and the pages that show it.
fn nothing_found(app: &mut App, typed: &str) -> String {
    let name = typed.trim().strip_prefix("look ").map(str::trim);
    let shown = match (name, &mut app.open_lesson) {
        (Some(name), Some(open)) => open.walk.session.show(name),
        _ => Ok(()),
    };
    match shown {
        Err(e) => e,
        Ok(()) => format!("Nothing here is called '{typed}'."),
    }
}

/// Sets a knob, written as `heads=3` or `sentence=the colder sea`.
fn set(app: &mut App, setting: &str) -> Option<Effect> {
    let open = app.open_lesson.as_mut()?;
    let (knob, value) = setting.split_once('=')?;
    let set = Intent::Set(knob.to_owned(), value.to_owned());
    app.notice = open.walk.session.act(&set).err();
    open.page.turned = true;
    open.page.job = None;
    Some(Effect::Stop)
}

/// Name of the cell that was typed: `weights[0,2,4,7]`, with or without `look` before it.
pub fn cell_of(typed: &str) -> Option<&str> {
    let cell = typed.trim();
    let cell = cell.strip_prefix("look ").unwrap_or(cell).trim();
    (cell.ends_with(']') && cell.contains('[')).then_some(cell)
}

/// Shows a cell, unless a question hides the stage.
fn look_at_cell(app: &mut App, cell: String) -> Option<Effect> {
    if app.asks_first() {
        return None;
    }
    let open = app.open_lesson.as_mut()?;
    open.page.job = None;
    app.notice = open.walk.session.act(&Intent::Cell(cell)).err();
    app.focus(Pane::Stage);
    Some(Effect::Stop)
}

/// Opens the card of the next term that the page names.
pub(super) fn next_term(app: &mut App) {
    let Some(open) = &mut app.open_lesson else {
        return;
    };
    // A symbol that was pointed at comes first.
    if let Some(term) = open.page.pointed.take() {
        app.show(term_card(&glossary::terms()[term]));
        return;
    }
    let page = open.walk.page();
    let in_words = glossary::named_in(&page.words());
    let in_words = in_words.into_iter().map(|(_, term)| term);
    let in_formulas = symbols::of_page(page);
    let in_formulas = in_formulas.iter().filter_map(|symbol| symbol.term);
    let mut named = Vec::new();
    for term in in_words.chain(in_formulas) {
        if !named.contains(&term) {
            named.push(term);
        }
    }
    let Some(at) = open.page.term.checked_rem(named.len()) else {
        app.notice =
            Some("This page names no term of the glossary; K lists every term.".to_owned());
        return;
    };
    open.page.term = at + 1;
    app.show(term_card(&glossary::terms()[named[at]]));
    app.notice = Some(format!(
        "Term {} of {} on this page. D shows the next, Esc closes the card.",
        at + 1,
        named.len()
    ));
}

pub(super) fn show_source(app: &mut App) {
    let Some(open) = &app.open_lesson else { return };
    let Some(step) = open.walk.session.step() else {
        return;
    };
    let include = format!(
        "{{{{#include ../../src/engine/ops/{}.rs:forward}}}}",
        step.op()
    );
    let lines = source::expand(&source::Embedded, "lessons/00-none", &include);
    let (title, text) = match lines {
        Ok((text, Some(place))) if step.computed().is_some() => {
            let fold = open.walk.fold(&place, &app.progress);
            (place.to_string(), fold.unwrap_or(text))
        }
        _ => (
            "no operation".to_owned(),
            format!("{} is {}: nothing computed it.", step.name, step.op()),
        ),
    };
    app.show(Overlay::Words(title, text));
}

/// Shell command that shows this stage.
pub fn reproduce(app: &App) -> String {
    let Some(open) = &app.open_lesson else {
        return "transformer-tutor lessons".to_owned();
    };
    let session = &open.walk.session;
    let mut command = session.command();
    match (session.step(), session.picture()) {
        (Some(step), _) => {
            let index: Vec<String> = session.cursor().iter().map(usize::to_string).collect();
            command += &format!(" --cell '{}[{}]'", step.name, index.join(","));
        }
        (None, Some(picture)) => command += &format!(" --view {}", picture.name),
        (None, None) => {}
    }
    command
}
