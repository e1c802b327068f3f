//! The help: first the ten keys that a newcomer needs and those of the page, then every key by topic.

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
    let mut listed = |title: &str, commands: &mut dyn Iterator<Item = &'static Command>, style| {
        let rows: Vec<(String, String)> = commands.filter_map(|c| row(app, c)).collect();
        if rows.is_empty() {
            return;
        }
        lines.push((String::new(), theme.text));
        lines.extend(
            wrap(title, limit)
                .into_iter()
                .map(|line| (line, theme.title)),
        );
        for (keys, about) in rows {
            entry(&keys, &about, limit, style, &mut lines);
        }
    };
    let possible = |command: &&Command| is_possible(app, command.action);
    for group in Group::ALL {
        listed(
            group.title(),
            &mut group.commands().filter(possible),
            theme.text,
        );
    }
    let others = Group::ALL.into_iter().flat_map(Group::commands);
    let mut others = others.filter(|command| !possible(command));
    listed("What does nothing here and now", &mut others, theme.dim);
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
