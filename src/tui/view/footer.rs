//! The footer: what is possible here, and above it a notice for the learner.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::app::{App, Overlay, Pane, Target};
use super::super::command::{Action, COMMANDS, Command};
use super::super::layout::Tier;
use super::{is_possible, page_keys, row};
use crate::curriculum::LESSONS;
use crate::typeset::shorten::shortened;
use crate::widgets::lines::{Chunk, fit, put_line, put_over, width, wrap};

pub(super) fn footer(app: &App, area: Rect, buf: &mut Buffer) {
    let room = usize::from(area.width);
    let style = (app.theme.title, app.theme.text);
    let entry = |keys: &str, word: &str, keep| {
        Chunk::new(keep, app.theme.words(keys), style.0).and(format!(" {word}"), style.1)
    };
    let mut all: Vec<(Chunk, Option<Action>)> = Vec::new();
    if app.playing.is_some() {
        all.push((entry("any key", "shows the result at once", 9), None));
    }
    match &app.overlay {
        Some(Overlay::Ask(ask)) => {
            let settled = ask.is_settled();
            if !settled {
                all.push((entry("1-9", "choose", 9), None));
            }
            let (keys, word) = if settled {
                ("n ↵", "go on")
            } else {
                ("↑↓ ↵", "answer")
            };
            all.push((entry(keys, word, 8), None));
            if !ask.quiz && !settled {
                all.push((entry("n", "later", 6), Some(Action::Page(1))));
            }
            all.push((entry("Esc", "close", 7), Some(Action::Close)));
        }
        Some(Overlay::Palette(_) | Overlay::Search(_) | Overlay::Terms(_)) => {
            all.push((entry("↑↓", "choose", 9), None));
            all.push((entry("↵", "go", 8), None));
            all.push((entry("Esc", "close", 7), Some(Action::Close)));
        }
        Some(Overlay::Exercises(_)) => {
            all.push((entry("1-9", "open", 9), None));
            all.push((entry("↑↓ ↵", "choose", 8), None));
            all.push((entry("Esc", "close", 7), Some(Action::Close)));
        }
        Some(Overlay::Term(card)) => {
            if app.room.is_none() {
                let word = format!("opens lesson {:02}", card.lesson);
                all.push((entry("↵", &word, 8), Some(Action::Why)));
            } else {
                all.push((entry("D", "next term", 6), Some(Action::Term)));
            }
            all.push((entry("↑↓", "scroll", 7), None));
            all.push((entry("Esc", "close", 9), Some(Action::Close)));
        }
        Some(Overlay::Sentence(_)) => {
            all.push((entry("↵", "translate", 9), None));
            all.push((entry("← →", "move", 7), None));
            all.push((entry("Esc", "close", 8), Some(Action::Close)));
        }
        Some(Overlay::Explain(explain)) => {
            if explain.compares {
                all.push((entry("1-3", "tick", 9), None));
                all.push((entry("⌫", "write on", 6), None));
            }
            let word = if explain.compares { "keep" } else { "compare" };
            all.push((entry("↵", word, 8), None));
            all.push((entry("Esc", "close", 7), Some(Action::Close)));
        }
        Some(Overlay::Hunt) => {
            all.push((entry("↑↓", "choose", 9), None));
            all.push((entry("↵", "go", 8), None));
            all.push((entry("Esc", "back", 7), Some(Action::Close)));
            all.push((entry("q", "leave", 6), Some(Action::Back)));
        }
        Some(Overlay::Edit(_)) => {
            all.push((entry("↵", "set", 8), None));
            all.push((entry("Esc", "close", 7), Some(Action::Close)));
        }
        _ => match page_keys::entries(app) {
            Some(entries) => {
                for (place, of_page) in entries.into_iter().enumerate() {
                    // The way on and the help stay however narrow the line is.
                    let keep = match of_page.action {
                        Action::Help => 255,
                        Action::Page(_) => 254,
                        Action::Back => 253,
                        _ => 200 - place as u8,
                    };
                    let words = entry(&of_page.keys, of_page.word, keep);
                    all.push((words, Some(of_page.action)));
                }
            }
            None => all.extend(possible(app, &entry)),
        },
    }
    let line = Rect {
        x: area.x + 1,
        width: area.width - 1,
        ..area
    };
    let chunks: Vec<Chunk> = all.iter().map(|(chunk, _)| chunk.clone()).collect();
    let shown = fit(chunks, room - 1);
    put_line(buf, line, 0, &shown);
    mark_footer(app, line, &shown, &all);
}

/// Entries for every command that has a word in the footer and does something now.
fn possible(
    app: &App,
    entry: impl Fn(&str, &str, u8) -> Chunk,
) -> impl Iterator<Item = (Chunk, Option<Action>)> {
    let possible = COMMANDS
        .iter()
        .filter(|c| !c.footer.is_empty() && is_possible(app, c.action));
    possible.enumerate().map(move |(place, command)| {
        // The way out and the help, which lists the rest, stay however narrow the line is.
        let keep = match command.action {
            Action::Help => 255,
            Action::Back => 254,
            Action::Quit if app.room.is_none() => 253,
            _ => 200 - place as u8,
        };
        let word = word(app, command.action, command.footer);
        (entry(&keys(app, command), word, keep), Some(command.action))
    })
}

/// Keys of a command as shown here; in the list of lessons, digits are lesson numbers.
fn keys(app: &App, command: &Command) -> Cow<'static, str> {
    match (command.action, LESSONS.last()) {
        (Action::Break(_), Some(last)) if app.room.is_none() => {
            Cow::Owned(format!("00-{}", last.number))
        }
        // On small screens the backward key appears only in the help, to leave room for others.
        (Action::Page(_) | Action::Step(_) | Action::Chart(_), _) if app.tier() <= Tier::Two => {
            let first = command.shown.split(' ').next();
            Cow::Borrowed(first.unwrap_or(command.shown))
        }
        _ => Cow::Borrowed(command.shown),
    }
}

/// Word of a command's footer entry in the current state.
fn word(app: &App, action: Action, usual: &'static str) -> &'static str {
    let listed = app.room.as_ref().is_some_and(|room| {
        room.pane == Pane::Why && !room.walk.session.asks_why() && app.overlay.is_none()
    });
    match action {
        Action::Page(_) if matches!(app.overlay, Some(Overlay::End(_))) => "next lesson",
        Action::Why if app.room.is_none() => "open",
        Action::Break(_) if app.room.is_none() => "lesson",
        Action::Why if listed => "choose",
        _ => usual,
    }
}

/// Makes the footer's entries clickable: a click does what the key does.
fn mark_footer(app: &App, line: Rect, shown: &[(String, Style)], all: &[(Chunk, Option<Action>)]) {
    let mut rest = shown;
    let mut x = line.x;
    while let Some((text, _)) = rest.first() {
        let here = all.iter().find(|(chunk, _)| {
            let spans = &chunk.spans;
            rest.len() >= spans.len() && rest[..spans.len()] == spans[..]
        });
        let (spans, action) = match here {
            Some((chunk, action)) => (chunk.spans.len(), *action),
            None => (1, None),
        };
        let wide: usize = rest[..spans].iter().map(|(text, _)| width(text)).sum();
        if let Some(action) = action {
            let rect = Rect {
                x,
                width: wide as u16,
                ..line
            };
            app.mark(rect, Target::Act(action));
        }
        debug_assert!(!text.is_empty());
        x += wide as u16;
        rest = &rest[spans..];
    }
}

/// Lines of a notice: at most half of the screen.
pub(super) fn lines(notice: &str, area: Rect) -> Vec<String> {
    let mut lines = wrap(&shortened(notice), usize::from(area.width - 2));
    lines.truncate(usize::from(area.height / 2));
    lines
}

/// Draws the lines of a notice above the footer, which stays visible.
pub(super) fn say(app: &App, lines: &[String], area: Rect, buf: &mut Buffer) {
    let first = area.height - 1 - lines.len() as u16;
    for (i, line) in lines.iter().enumerate() {
        let place = row(area, first + i as u16);
        let blank = " ".repeat(area.width.into());
        put_over(buf, place, 0, 0, &blank, Style::reset());
        put_over(buf, place, 1, 0, line, app.theme.note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::progress::Progress;
    use crate::widgets::lines::text;
    use crate::widgets::theme::Theme;

    #[test]
    fn a_notice_about_a_pasted_value_of_any_length_says_what_is_wrong_and_what_to_do() {
        let app = App::new(None, Theme::mono(), Progress::default(), None);
        let area = Rect::new(0, 0, 60, 20);
        let mut buf = Buffer::empty(area);
        let value = "x".repeat(100_000);
        let notice = format!("heads cannot be {value}; choose from 1 to 512");
        say(&app, &lines(&notice, area), area, &mut buf);
        let drawn = text(&buf);
        let drawn = drawn.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(drawn.contains("heads cannot be"), "{drawn}");
        assert!(drawn.contains("from 1 to 512"), "{drawn}");
    }
}
