//! The footer while a page is read, with the keys that the page mentions, and while a cell is asked about; and in both
//! the way on, back and to the help.

use super::super::app::{App, OpenLesson, Pane};
use super::super::mode::Mode;
use super::super::possible::is_possible;
use crate::command::{Action, of_key};
use crate::lesson::Body;

/// Most entries of the footer while a page is read.
const MOST: usize = 6;

/// A footer entry: its keys, its word, and what a click on it does.
pub(super) struct Entry {
    pub keys: String,
    pub word: &'static str,
    pub action: Action,
}

impl Entry {
    fn new(keys: &str, word: &'static str, action: Action) -> Self {
        Self {
            keys: keys.to_owned(),
            word,
            action,
        }
    }
}

/// The entries for the page or the cell, at most [`MOST`]; `None` while the run is explored or something covers the
/// text.
pub(super) fn entries(app: &App) -> Option<Vec<Entry>> {
    let open = app.open_lesson.as_ref()?;
    if app.overlay.is_some() {
        return None;
    }
    match open.mode() {
        Mode::Read => {}
        Mode::Explore => return None,
        Mode::Study => return Some(of_cell()),
    }
    let beside = open.walk.core.is_some() && open.walk.step().is_none();
    let onward = if beside { "back" } else { "next" };
    let mut last = vec![
        Entry::new("n", onward, Action::Page(1)),
        Entry::new("q", "lessons", Action::Back),
        Entry::new("?", "help", Action::Help),
    ];
    if !open.walk.is_tour() || app.shows_one_pane() {
        let word = match open.pane {
            Pane::Stage if app.turns_to_picture() => "text",
            _ if app.shows_one_pane() => "picture",
            _ => "explore",
        };
        last.insert(0, Entry::new("⇥", word, Action::Pane));
    }
    let mut all = of_page(app, open);
    all.truncate(MOST - last.len());
    all.extend(last);
    Some(all)
}

/// Entries while a cell is asked about.
fn of_cell() -> Vec<Entry> {
    vec![
        Entry::new("↑↓ ↵", "ask the chosen number", Action::Why),
        Entry::new("⌫", "one level up", Action::Up),
        Entry::new("Esc", "back to the page", Action::Close),
        Entry::new("?", "help", Action::Help),
    ]
}

/// Entries for the keys that the page's text mentions: the question, the switches, which share one entry, and the
/// others in the order of the text.
pub(super) fn of_page(app: &App, open: &OpenLesson) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    if app.unanswered().is_some() {
        all.push(Entry::new("p", "predict", Action::Predict));
    }
    for key in open.walk.keys_named() {
        let Some(action) = of_key(&name(key)).filter(|action| is_possible(app, *action)) else {
            continue;
        };
        let same = all.iter().position(|entry| match action {
            Action::Break(_) => matches!(entry.action, Action::Break(_)),
            _ => entry.action == action,
        });
        match same {
            Some(n) if matches!(action, Action::Break(_)) && !all[n].keys.contains(key) => {
                all[n].keys += &format!(" {key}");
            }
            Some(_) => {}
            None => {
                let word = match action {
                    Action::Lead(_) if shows_diagrams(open) => Some("other tokens"),
                    _ => footer_word(action),
                };
                all.extend(word.map(|word| Entry::new(printed_key(key), word, action)));
            }
        }
    }
    for entry in &mut all {
        entry.keys = as_range(&entry.keys);
    }
    // Where not all of them have room, the question and the switches come first.
    all.sort_by_key(|entry| match entry.action {
        Action::Predict => 0,
        Action::Break(_) => 1,
        _ => 2,
    });
    all
}

/// Digits that follow each other as a range: `1-5 9` for `1 2 3 4 5 9`. Fewer than four stay as they are.
fn as_range(keys: &str) -> String {
    let digits: Option<Vec<u32>> = keys.split(' ').map(|key| key.parse().ok()).collect();
    let Some(mut digits) = digits else {
        return keys.to_owned();
    };
    digits.sort_unstable();
    let runs = digits.chunk_by(|a, b| *b == a + 1).map(|run| match run {
        [first, .., last] if run.len() > 3 => format!("{first}-{last}"),
        _ => run.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// True if the stage shows diagrams, whose leading index is a token.
fn shows_diagrams(open: &OpenLesson) -> bool {
    let picture = open.walk.session.picture();
    picture.is_some_and(|picture| matches!(picture.body, Body::Diagrams(_)))
}

/// The key as commands spell it: `enter` for `Enter`, `<` for `<` or `>`.
fn name(key: &str) -> String {
    match key {
        "Enter" | "Space" | "Backspace" | "Tab" => key.to_lowercase(),
        _ => key.chars().next().map(String::from).unwrap_or_default(),
    }
}

/// The key as the footer prints it.
fn printed_key(key: &str) -> &str {
    match key {
        "Enter" => "↵",
        "Space" => "␣",
        "Backspace" => "⌫",
        "]" => "[ ]",
        key if key.starts_with('<') => "< >",
        key => key,
    }
}

/// The footer's word for an action that a page mentions; `None` for those that every page has.
fn footer_word(action: Action) -> Option<&'static str> {
    Some(match action {
        Action::Why => "why this number",
        Action::Break(_) => "break it",
        Action::Turn(_) => "turn the knob",
        Action::Palette => "type a command",
        Action::Step(1) => "next step",
        Action::Step(_) => "step back",
        Action::Picture(_) => "next picture",
        Action::Lead(_) => "other heads",
        Action::Sentence => "your sentence",
        Action::Exercise => "write it",
        Action::Quiz => "questions",
        Action::Run => "run it",
        Action::Difference => "difference",
        Action::ShowGradients(_) => "gradients",
        Action::CheckGradient => "check a gradient",
        Action::Edit => "edit the cell",
        Action::Undo => "undo",
        Action::Play => "playground",
        Action::Mine => "my model",
        Action::Hint => "hint",
        Action::Chart(_) => "zoom",
        Action::Predict => "predict",
        Action::Up => "up",
        Action::Term => "define a term",
        Action::Steer(_) => "steer the run",
        Action::Core => "core path",
        Action::Hunt => "find a fault",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum::{LESSONS, PLAYGROUND};
    use crate::lesson::marks;

    #[test]
    fn many_switches_in_a_row_are_a_range() {
        assert_eq!(as_range("1 2 3 4 5 6 7"), "1-7");
        assert_eq!(as_range("1 2 6"), "1 2 6");
        assert_eq!(as_range("1 2 3 5 6"), "1 2 3 5 6");
        assert_eq!(as_range("1 2 3 4 5 9"), "1-5 9");
        assert_eq!(as_range("[ ]"), "[ ]");
    }

    #[test]
    fn every_key_that_a_text_refers_to_has_a_place_in_the_footer() {
        for lesson in LESSONS.into_iter().chain([PLAYGROUND]) {
            for key in marks(lesson.text).filter_map(|(_, mark)| mark.ok()?.key(lesson)) {
                let action = of_key(&name(&key));
                let everywhere =
                    matches!(action, Some(Action::Page(_) | Action::Back | Action::Help));
                let placed =
                    action.is_some_and(|action| everywhere || footer_word(action).is_some());
                assert!(placed, "{}: '{key}'", lesson.name);
            }
        }
    }
}
