//! What borrows the text pane: help, palette, search, questions, words.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::app::{App, Overlay};
use super::super::command;
use super::super::find::{fitting, pages_with};
use super::is_possible;
use crate::curriculum::LESSONS;
use crate::lesson::page;
use crate::lesson::picture::Status;
use crate::lesson::walk::Asked;
use crate::widgets::card::styled;
use crate::widgets::lines::{clip, put, put_line, width, wrap};
use crate::widgets::stage;

pub(super) fn overlay(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let limit = usize::from(area.width);
    match &app.overlay {
        Some(Overlay::Help(at)) => {
            let mut lines = Vec::new();
            for c in command::all() {
                let style = if is_possible(app, c.action) {
                    theme.text
                } else {
                    theme.dim
                };
                let text = format!("{:<9} {}", c.keys.join(" "), c.about);
                let mut wrapped = wrap(&text, limit.saturating_sub(2)).into_iter();
                lines.extend(wrapped.next().map(|l| (l, style)));
                lines.extend(wrapped.map(|l| (format!("          {l}"), style)));
            }
            scrolled(&lines, *at, area, buf);
        }
        Some(Overlay::Leave) => {
            let waits = app
                .working()
                .is_some_and(|work| work.status() == Status::Paused);
            let text = format!(
                "A training run {}.\n\ns  save it and end\nx  end without saving: what is kept is its last checkpoint\ng  stay here (Esc too)",
                if waits { "is paused" } else { "goes on" }
            );
            scrolled(&plain_lines(app, &text, limit), 0, area, buf);
        }
        Some(Overlay::Words(_, text, at)) => {
            scrolled(&plain_lines(app, text, limit), *at, area, buf)
        }
        Some(Overlay::Exercise(card, at)) => {
            let exercise = app
                .room
                .as_ref()
                .and_then(|r| r.walk.session.lesson().exercise.as_ref());
            let task = exercise.map_or(String::new(), |e| {
                format!(
                    "{}\nEdit exercises/{}.rs; every save is checked. H hints.\n\n",
                    e.task, e.name
                )
            });
            let mut lines = plain_lines(app, &task, limit);
            lines.extend(styled(card, limit, theme));
            scrolled(&lines, *at, area, buf);
        }
        Some(Overlay::Slope(slope, at)) => {
            let lines = match (&slope.asked, &slope.found) {
                (Err(sentence), _) => wrap(&format!("{sentence}."), limit)
                    .into_iter()
                    .map(|line| vec![(line, theme.text)])
                    .collect(),
                (Ok(_), None) => vec![vec![(theme.words("computing …"), theme.note)]],
                (Ok(_), Some(found)) => stage::differences_lines(found, limit, theme),
            };
            let height = usize::from(area.height);
            let first = (*at).min(lines.len().saturating_sub(height));
            for (y, line) in lines.iter().skip(first).take(height).enumerate() {
                put_line(buf, area, y, line);
            }
            if lines.len() > first + height {
                let more = format!(" {} more ", theme.glyphs().down);
                let x = limit.saturating_sub(width(&more));
                put(buf, area, x, height - 1, &more, theme.cursor);
            }
        }
        Some(Overlay::Ask(ask)) => question(app, ask, area, buf),
        Some(Overlay::Edit(typed)) => {
            let Some(session) = app.room.as_ref().map(|r| &r.walk.session) else {
                return;
            };
            let Some(step) = session.step() else { return };
            let at = session.cursor();
            let now = format!("{}{at:?} is {}", step.name, step.value.at(at));
            let text = format!(
                "{now}.\n\nType its new value and press Enter; Esc leaves it.\n\nEverything that is computed from it runs again. d draws what changed, u takes it back."
            );
            put(buf, area, 0, 0, &format!("= {typed}"), theme.title);
            for (y, line) in wrap(&text, limit).into_iter().enumerate() {
                put(buf, area, 0, 2 + y, &line, theme.text);
            }
        }
        Some(Overlay::Palette(choice)) => {
            put(buf, area, 0, 0, &format!(":{}", choice.typed), theme.title);
            let found = fitting(&choice.typed);
            let chosen = choice.chosen.min(found.len().saturating_sub(1));
            let first = chosen.saturating_sub(usize::from(area.height).saturating_sub(4));
            for (y, c) in found.iter().enumerate().skip(first) {
                let possible = is_possible(app, c.action);
                let style = if y == chosen {
                    theme.cursor
                } else if possible {
                    theme.text
                } else {
                    theme.dim
                };
                put(
                    buf,
                    area,
                    0,
                    2 + y - first,
                    &clip(
                        &format!("{:<14} {:>3}  {}", c.name, c.shown, c.about),
                        limit,
                        "…",
                    ),
                    style,
                );
            }
        }
        Some(Overlay::Search(choice)) => {
            put(buf, area, 0, 0, &format!("/{}", choice.typed), theme.title);
            let found = pages_with(&choice.typed);
            let chosen = choice.chosen.min(found.len().saturating_sub(1));
            for (y, (lesson, page, title)) in found.iter().enumerate() {
                let style = if y == chosen {
                    theme.cursor
                } else {
                    theme.text
                };
                let text = format!("{:02} page {}: {title}", LESSONS[*lesson].number, page + 1);
                put(buf, area, 0, 2 + y, &clip(&text, limit, "…"), style);
            }
        }
        None => {}
    }
}

/// Lines of words; in a text of code nothing is wrapped, so that it can be read as code.
pub(super) fn plain_lines(app: &App, text: &str, limit: usize) -> Vec<(String, Style)> {
    let wrapped = text.lines().flat_map(|line| {
        if line.starts_with(' ') || line.is_empty() {
            vec![clip(line, limit, "…")]
        } else {
            wrap(line, limit)
        }
    });
    wrapped.map(|line| (line, app.theme.text)).collect()
}

pub(super) fn scrolled(lines: &[(String, Style)], at: usize, area: Rect, buf: &mut Buffer) {
    let height = usize::from(area.height);
    let first = at.min(lines.len().saturating_sub(height));
    for (y, (line, style)) in lines.iter().skip(first).take(height).enumerate() {
        put(buf, area, 0, y, line, *style);
    }
}

pub(super) fn question(app: &App, ask: &Asked, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let limit = usize::from(area.width);
    let question = ask.question();
    let mut lines: Vec<(String, Style)> = wrap(&page::unmarked(&question.ask), limit)
        .into_iter()
        .map(|l| (l, theme.title))
        .collect();
    lines.push((String::new(), theme.text));
    for (i, option) in question.options.iter().enumerate() {
        let tried = ask.tried().iter().find(|(o, _)| *o == i);
        let style = tried.map_or(
            theme.text,
            |(_, right)| if *right { theme.good } else { theme.bad },
        );
        let mark = tried.map_or(' ', |(_, right)| if *right { '+' } else { '-' });
        let text = format!("{} {mark} {}", i + 1, page::unmarked(&option.text));
        lines.extend(wrap(&text, limit).into_iter().map(|l| (l, style)));
        if let Some((_, right)) = tried {
            let word = if *right { "Yes." } else { "No." };
            let why = format!("{word} {}", page::unmarked(&option.why));
            lines.extend(
                wrap(&why, limit.saturating_sub(4))
                    .into_iter()
                    .map(|l| (format!("    {l}"), theme.text)),
            );
        }
    }
    scrolled(&lines, 0, area, buf);
}
