//! The help: first what a newcomer needs, then every key, by what it is about.

use ratatui::style::Style;

use super::super::app::App;
use super::super::command::groups::{FIRST, Group};
use super::super::command::{Action, Command};
use super::is_possible;
use crate::widgets::lines::{width, wrap};

/// The columns of the keys.
const KEYS: usize = 11;

/// The lines of the help in `limit` columns.
pub(super) fn lines(app: &App, limit: usize) -> Vec<(String, Style)> {
    let theme = &app.theme;
    let mut lines = vec![("Begin with these".to_owned(), theme.title)];
    for (keys, about) in FIRST {
        entry(keys, about, limit, theme.text, &mut lines);
    }
    let possible = |group: &Group| group.commands().any(|c| is_possible(app, c.action));
    let (now, later): (Vec<Group>, Vec<Group>) = Group::ALL.into_iter().partition(possible);
    lines.push((String::new(), theme.text));
    let all = "All keys. What is dim does nothing here and now.";
    lines.extend(wrap(all, limit).into_iter().map(|line| (line, theme.note)));
    for group in now.into_iter().chain(later) {
        lines.push((String::new(), theme.text));
        lines.push((group.title().to_owned(), theme.title));
        for command in group.commands() {
            let style = match is_possible(app, command.action) {
                true => theme.text,
                false => theme.dim,
            };
            if let Some((keys, about)) = said(app, command) {
                entry(&keys, &about, limit, style, &mut lines);
            }
        }
    }
    lines
}

/// The keys of a command and what it does; `None` where another line says it for several.
fn said(app: &App, command: &Command) -> Option<(String, String)> {
    match command.action {
        Action::Break(1) => {
            let count = app
                .room
                .as_ref()
                .map(|room| room.walk.lesson().mistakes.len());
            let keys = format!("1 to {}", count.filter(|n| *n > 1).unwrap_or(9));
            let about = "each switches a mistake of this lesson on or off";
            Some((keys, about.to_owned()))
        }
        Action::Break(_) => None,
        _ => Some((command.keys.join(" "), command.about.to_owned())),
    }
}

/// The keys, and beside them what they do.
fn entry(keys: &str, about: &str, limit: usize, style: Style, lines: &mut Vec<(String, Style)>) {
    let room = limit.saturating_sub(KEYS + 1).max(1);
    for (i, line) in wrap(about, room).into_iter().enumerate() {
        let keys = if i == 0 { keys } else { "" };
        let gap = " ".repeat((KEYS + 1).saturating_sub(width(keys)).max(1));
        lines.push((format!("{keys}{gap}{line}"), style));
    }
}
