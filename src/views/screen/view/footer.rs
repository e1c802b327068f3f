//! The footer: what is possible here, and above it a notice for the learner.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::app::{App, Overlay, Pane, Station, Target};
use super::super::layout::ScreenSize;
use super::super::possible::is_possible;
use super::{page_keys, row};
use crate::command::{Action, COMMANDS, Command};
use crate::curriculum::LESSONS;
use crate::typeset::shorten::shortened;
use crate::widgets::lines::{Chunk, fit, put_line, put_over, width, wrap};

/// An entry of the footer, and what a click on it does.
type Entry = (Chunk, Option<Action>);

/// Draws the footer.
pub(super) fn footer(app: &App, area: Rect, buf: &mut Buffer) {
    let mut all: Vec<Entry> = Vec::new();
    if app.playing.is_some() {
        all.push(entry(app, "any key", "shows the result at once", 9, None));
    }
    all.extend(match &app.overlay {
        Some(overlay) => of_overlay(app, overlay).unwrap_or_else(|| of_screen(app)),
        None => of_screen(app),
    });
    let line = Rect {
        x: area.x + 1,
        width: area.width - 1,
        ..area
    };
    let chunks: Vec<Chunk> = all.iter().map(|(chunk, _)| chunk.clone()).collect();
    let shown = fit(chunks, usize::from(area.width) - 1);
    put_line(buf, line, 0, &shown);
    mark_footer(app, line, &shown, &all);
}

/// An entry with the priority `keep`: where space is short, entries of higher priority stay.
fn entry(app: &App, keys: &str, word: &str, keep: u8, action: Option<Action>) -> Entry {
    let theme = &app.display.theme;
    let chunk = Chunk::new(keep, theme.words(keys), theme.title);
    (chunk.and(format!(" {word}"), theme.text), action)
}

/// Entries of an overlay; `None` if it has none of its own.
fn of_overlay(app: &App, overlay: &Overlay) -> Option<Vec<Entry>> {
    let key = |keys: &str, word: &str, keep| entry(app, keys, word, keep, None);
    let act = |keys: &str, word: &str, keep, action| entry(app, keys, word, keep, Some(action));
    let close = |keep| act("Esc", "close", keep, Action::Close);
    Some(match overlay {
        Overlay::Ask(ask) if ask.is_settled() => vec![key("n ↵", "go on", 8), close(7)],
        Overlay::Ask(ask) => {
            let numbers = format!("1-{}", ask.question().options.len());
            let mut all = vec![key(&numbers, "choose", 9), key("↑↓ ↵", "answer", 8)];
            if !ask.quiz {
                all.push(act("n", "later", 6, Action::Page(1)));
            }
            all.push(close(7));
            all
        }
        Overlay::Palette(_) | Overlay::Search(_) | Overlay::Terms(_) => {
            vec![key("↑↓", "choose", 9), key("↵", "go", 8), close(7)]
        }
        Overlay::Exercises(_) => {
            vec![key("1-9", "open", 9), key("↑↓ ↵", "choose", 8), close(7)]
        }
        Overlay::Term(card) => {
            let first = if app.open_lesson.is_none() {
                let word = format!("opens lesson {:02}", card.lesson);
                act("↵", &word, 8, Action::Why)
            } else {
                act("D", "next term", 6, Action::Term)
            };
            vec![first, key("↑↓", "scroll", 7), close(9)]
        }
        Overlay::Sentence(_) => {
            vec![key("↵", "translate", 9), key("← →", "move", 7), close(8)]
        }
        Overlay::Explain(explain) if explain.compares => vec![
            key("1-3", "tick", 9),
            key("⌫", "write on", 6),
            key("↵", "keep", 8),
            close(7),
        ],
        Overlay::Explain(_) => vec![key("↵", "compare", 8), close(7)],
        Overlay::Hunt => vec![
            key("↑↓", "choose", 9),
            key("↵", "go", 8),
            act("Esc", "back", 7, Action::Close),
            act("q", "leave", 6, Action::Back),
        ],
        Overlay::Edit(_) => vec![key("↵", "set", 8), close(7)],
        _ => return None,
    })
}

/// Entries of the page, of a cell that is asked about, or of all commands.
fn of_screen(app: &App) -> Vec<Entry> {
    let Some(entries) = page_keys::entries(app) else {
        return possible(app).collect();
    };
    let all = entries.into_iter().enumerate().map(|(place, of_page)| {
        // The way on and the help stay however narrow the line is.
        let keep = match of_page.action {
            Action::Help => 255,
            Action::Page(_) => 254,
            Action::Back => 253,
            Action::Pane if app.shows_one_pane() => 252,
            _ => 200 - place as u8,
        };
        entry(app, &of_page.keys, of_page.word, keep, Some(of_page.action))
    });
    all.collect()
}

/// Entries for every command that has a word in the footer and does something now.
fn possible(app: &App) -> impl Iterator<Item = Entry> {
    let possible = COMMANDS
        .iter()
        .filter(|c| !c.footer.is_empty() && is_possible(app, c.action));
    possible.enumerate().map(move |(place, command)| {
        // The way out and the help, which lists the rest, stay however narrow the line is.
        let keep = match command.action {
            Action::Help => 255,
            Action::Back => 254,
            Action::Quit if app.open_lesson.is_none() => 253,
            _ => 200 - place as u8,
        };
        let word = footer_word(app, command.action, command.footer);
        entry(app, &keys(app, command), word, keep, Some(command.action))
    })
}

/// Keys of a command as shown here; in the list of lessons, digits are lesson numbers.
fn keys(app: &App, command: &Command) -> Cow<'static, str> {
    match (command.action, LESSONS.last()) {
        (Action::Break(_), Some(last)) if app.open_lesson.is_none() => {
            Cow::Owned(format!("00-{}", last.number))
        }
        // On small screens the backward key appears only in the help, to leave room for others.
        (Action::Page(_) | Action::Step(_) | Action::Chart(_), _)
            if app.screen_size() <= ScreenSize::Two =>
        {
            let first = command.shown.split(' ').next();
            Cow::Borrowed(first.unwrap_or(command.shown))
        }
        _ => Cow::Borrowed(command.shown),
    }
}

/// Word of a command's footer entry in the current state.
fn footer_word(app: &App, action: Action, usual: &'static str) -> &'static str {
    let listed = app.open_lesson.as_ref().is_some_and(|open| {
        open.pane == Pane::Why && !open.walk.session.asks_why() && app.overlay.is_none()
    });
    match action {
        Action::Page(_) if matches!(app.overlay, Some(Overlay::End(_))) => "go on",
        Action::Back if matches!(app.overlay, Some(Overlay::End(_))) => "lessons",
        Action::Why if app.open_lesson.is_none() => "open",
        Action::Pane if app.open_lesson.is_none() => match app.list.chosen {
            Station::Part(_) => "all lessons",
            Station::Lesson(_) => "core path",
        },
        Action::Break(_) if app.open_lesson.is_none() => "lesson",
        Action::Why if listed => "choose",
        _ => usual,
    }
}

/// Makes the footer's entries clickable: a click does what the key does.
fn mark_footer(app: &App, line: Rect, shown: &[(String, Style)], all: &[Entry]) {
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
pub(super) fn draw_notice(app: &App, lines: &[String], area: Rect, buf: &mut Buffer) {
    let first = area.height - 1 - lines.len() as u16;
    for (i, line) in lines.iter().enumerate() {
        let place = row(area, first + i as u16);
        let blank = " ".repeat(area.width.into());
        put_over(buf, place, 0, 0, &blank, Style::reset());
        put_over(buf, place, 1, 0, line, app.display.theme.note);
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
        draw_notice(&app, &lines(&notice, area), area, &mut buf);
        let drawn = text(&buf);
        let drawn = drawn.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(drawn.contains("heads cannot be"), "{drawn}");
        assert!(drawn.contains("from 1 to 512"), "{drawn}");
    }
}
