//! The help: the ten keys that a newcomer needs, those of the page, and the others in groups, one of which is open.

use ratatui::style::Style;

use super::super::app::{App, OpenLesson};
use super::super::possible::is_possible;
use super::page_keys;
use crate::command::{Action, Command, FIRST_KEYS, Group};
use crate::widgets::lines::{width, wrap};

/// Width of the column of keys.
const KEYS: usize = 11;

/// Lines of the help in `limit` columns.
pub(super) fn lines(app: &App, limit: usize) -> Vec<(String, Style)> {
    let theme = &app.display.theme;
    let mut lines = Vec::new();
    lines.push(("Begin with these".to_owned(), theme.title));
    for (keys, about) in FIRST_KEYS {
        entry(keys, about, limit, theme.text, &mut lines);
    }
    let of_page = app
        .open_lesson
        .as_ref()
        .map(|open| page_keys::of_page(app, open));
    if let Some(of_page) = of_page.filter(|entries| !entries.is_empty()) {
        lines.push((String::new(), theme.text));
        lines.push(("On this page".to_owned(), theme.title));
        for of_page in of_page {
            entry(&of_page.keys, of_page.word, limit, theme.text, &mut lines);
        }
    }
    if let Some(words) = caption(app) {
        section(
            "The caption of this picture",
            &words,
            app,
            limit,
            &mut lines,
        );
    }
    if app.open_lesson.as_ref().is_some_and(OpenLesson::has_map) {
        let words = "It is the model, from left to right. A part is named once you have read about it; a part in brackets is what this page is about.";
        section("The row at the top", words, app, limit, &mut lines);
    }
    let possible = |command: &&Command| is_possible(app, command.action);
    lines.push((String::new(), theme.text));
    let more = "More keys: a number lists a group";
    lines.extend(
        wrap(more, limit)
            .into_iter()
            .map(|line| (line, theme.title)),
    );
    for (number, group) in Group::ALL.into_iter().enumerate() {
        let style = if app.help_group == Some(number) {
            theme.title
        } else {
            theme.text
        };
        entry(
            &(number + 1).to_string(),
            group.title(),
            limit,
            style,
            &mut lines,
        );
    }
    let others = Group::ALL.len();
    let title = "What does nothing here and now";
    entry(
        &(others + 1).to_string(),
        title,
        limit,
        theme.text,
        &mut lines,
    );
    let mouse = "A click chooses, a second one on the same cell asks where it came from; the wheel scrolls what is under it.";
    entry("mouse", mouse, limit, theme.text, &mut lines);
    let chosen: Vec<&Command> = match app.help_group {
        Some(number) if number < others => Group::ALL[number].commands().filter(possible).collect(),
        Some(number) if number == others => {
            let all = Group::ALL.into_iter().flat_map(Group::commands);
            all.filter(|command| !possible(command)).collect()
        }
        _ => return lines,
    };
    // A group that is asked for comes first.
    let first = std::mem::take(&mut lines);
    let title = app.help_group.and_then(|number| Group::ALL.get(number));
    let title = title.map_or("What does nothing here and now", |group| group.title());
    lines.extend(
        wrap(title, limit)
            .into_iter()
            .map(|line| (line, theme.title)),
    );
    for (keys, about) in chosen.into_iter().filter_map(|command| row(app, command)) {
        entry(&keys, &about, limit, theme.text, &mut lines);
    }
    lines.push((String::new(), theme.text));
    lines.extend(first);
    lines
}

/// Caption of the picture on the stage, which a small screen may cut.
fn caption(app: &App) -> Option<String> {
    let open = app.open_lesson.as_ref()?;
    let picture = open.walk.session.picture()?;
    let revealed = app.unanswered().is_none() && !picture.says.is_empty();
    revealed.then(|| picture.says.clone())
}

/// Adds a text below a heading.
fn section(heading: &str, words: &str, app: &App, limit: usize, lines: &mut Vec<(String, Style)>) {
    let theme = &app.display.theme;
    lines.push((String::new(), theme.text));
    lines.push((heading.to_owned(), theme.title));
    let words = wrap(&theme.words(words), limit).into_iter();
    lines.extend(words.map(|line| (line, theme.text)));
}

/// Keys of a command and what it does; `None` if another command's line covers it.
fn row(app: &App, command: &Command) -> Option<(String, String)> {
    match command.action {
        Action::Break(1) => {
            let count = app
                .open_lesson
                .as_ref()
                .map(|open| open.walk.lesson().mistakes.len());
            let keys = format!("1 to {}", count.filter(|n| *n > 1).unwrap_or(9));
            let about = "each switches a mistake of this lesson on or off";
            Some((keys, about.to_owned()))
        }
        Action::Break(_) => None,
        _ => Some((command.keys.join(" "), command.about.to_owned())),
    }
}

/// Adds lines with the keys and, beside them, what they do.
fn entry(keys: &str, about: &str, limit: usize, style: Style, lines: &mut Vec<(String, Style)>) {
    let available = limit.saturating_sub(KEYS + 1).max(1);
    for (i, line) in wrap(about, available).into_iter().enumerate() {
        let keys = if i == 0 { keys } else { "" };
        let gap = " ".repeat((KEYS + 1).saturating_sub(width(keys)).max(1));
        lines.push((format!("{keys}{gap}{line}"), style));
    }
}
