//! Overlays in the text pane: help, palette, search, questions, texts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::app::{App, Choice, Overlay, Target};
use super::super::find::{Found, fitting, pages_with, terms_with};
use super::super::line::Typed;
use super::super::overlay::Explain;
use super::super::update::cell_of;
use super::reading::scroll;
use super::{help, is_possible};
use crate::curriculum::LESSONS;
use crate::lesson::MOST;
use crate::lesson::page;
use crate::lesson::picture::Status;
use crate::lesson::walk::Asked;
use crate::widgets::card::styled;
use crate::widgets::lines::{clip_entry, put, put_line, width, wrap};
use crate::widgets::stage;

mod exercise;

pub(super) fn overlay(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let limit = usize::from(area.width);
    match &app.overlay {
        Some(Overlay::Help(at)) => scrolled(app, &help::lines(app, limit), *at, area, buf),
        Some(Overlay::Leave) => {
            let waits = app
                .working()
                .is_some_and(|work| work.status() == Status::Paused);
            let text = format!(
                "A training run {}.\n\ns  save it and end\nx  end without saving: what is kept is its last checkpoint\ng  stay here (Esc too)",
                if waits { "is paused" } else { "goes on" }
            );
            scrolled(app, &plain_lines(app, &text, limit), 0, area, buf);
        }
        Some(Overlay::Words(_, text, at) | Overlay::End(text, at)) => {
            scrolled(app, &plain_lines(app, text, limit), *at, area, buf)
        }
        Some(Overlay::Term(card)) => {
            scrolled(
                app,
                &plain_lines(app, &card.text, limit),
                card.at,
                area,
                buf,
            );
        }
        Some(Overlay::Terms(choice)) => {
            let found = terms_with(&choice.typed);
            let lines = found.iter().map(|term| {
                let line = format!("{:<22} {}", term.name, term.means);
                (theme.words(&line), theme.text)
            });
            choices(app, ("K ", choice), lines.collect(), area, buf);
        }
        Some(Overlay::Exercise(card, at)) => {
            let exercise = app.room.as_ref().and_then(|room| room.exercise);
            let mut lines = exercise.map_or_else(Vec::new, |e| exercise::task(app, e, limit));
            lines.extend(styled(card, limit, theme));
            scrolled(app, &lines, *at, area, buf);
        }
        Some(Overlay::Exercises(chosen)) => {
            if let Some(room) = &app.room {
                exercise::list(app, room.walk.lesson(), *chosen, area, buf);
            }
        }
        Some(Overlay::Mine(card, at)) => {
            scrolled(app, &styled(card, limit, theme), *at, area, buf);
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
            scroll(app, &lines, *at, area, buf, |line, rect, buf| {
                put_line(buf, rect, 0, line);
            });
        }
        Some(Overlay::Ask(ask)) => question(app, ask, area, buf),
        Some(Overlay::Edit(typed)) => {
            let Some(session) = app.room.as_ref().map(|r| &r.walk.session) else {
                return;
            };
            let Some(step) = session.step() else { return };
            let at = session.cursor();
            let now = format!(
                "{}{at:?} is {}",
                stage::readable(&step.name),
                step.value.at(at)
            );
            let text = format!(
                "= {typed}\n\n{now}.\n\nType its new value and press Enter; Esc leaves it.\n\nEverything that is computed from it runs again. d draws what changed, u takes it back."
            );
            let mut lines = plain_lines(app, &text, limit);
            lines[0].1 = theme.title;
            scrolled(app, &lines, 0, area, buf);
        }
        Some(Overlay::Palette(choice)) => {
            let session = app.room.as_ref().map(|room| &room.walk.session);
            let found = fitting(&choice.typed, session);
            let lines = found.iter().map(|line| {
                let possible = match line.found {
                    Found::Command(command) => is_possible(app, command.action),
                    Found::Entry(_) | Found::Term(_) | Found::Lesson(_) => true,
                };
                let style = if possible { theme.text } else { theme.dim };
                let text = format!("{:<16} {:>3}  {}", line.name, line.key, line.about);
                (text, style)
            });
            // Text that Enter acts on directly, instead of choosing a match.
            let typed = choice.typed.trim_start();
            let says = match () {
                () if typed.starts_with("translate ") => {
                    "Type a German sentence. Enter translates it."
                }
                () if cell_of(typed).is_some() && app.room.is_some() => "Enter looks at this cell.",
                () if typed.contains('=') => "Enter sets this knob.",
                () => return choices(app, (":", choice), lines.collect(), area, buf),
            };
            choices(
                app,
                (":", choice),
                vec![(says.to_owned(), theme.text)],
                area,
                buf,
            );
        }
        Some(Overlay::Sentence(typed)) => sentence(app, typed, area, buf),
        Some(Overlay::Explain(explain)) => own_words(app, explain, area, buf),
        Some(Overlay::Search(choice)) => {
            let found = pages_with(&choice.typed);
            let lines = found.iter().map(|(lesson, page, title)| {
                let number = LESSONS[*lesson].number;
                (
                    format!("{number:02} page {}: {title}", page + 1),
                    theme.text,
                )
            });
            choices(app, ("/", choice), lines.collect(), area, buf);
        }
        None => {}
    }
}

/// Draws the line in which a sentence is typed, and what Enter does with it.
fn sentence(app: &App, typed: &Typed, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let glyphs = theme.glyphs();
    let window = typed.window(area.width.into());
    let mark = |there| if there { glyphs.more } else { " " };
    let (left, right) = (mark(window.more.0), mark(window.more.1));
    put_line(
        buf,
        area,
        0,
        &[
            (left.chars().take(1).collect(), theme.dim),
            (window.before, theme.title),
            (window.under, theme.cursor),
            (window.after, theme.title),
            (right.chars().take(1).collect(), theme.dim),
        ],
    );
    let there = app.room.as_ref().is_some_and(|room| room.walk.is_tour());
    let what = match there {
        true => "the model writes its translation here, token by token",
        false => "the playground shows its translation; q leads back here",
    };
    let count = typed.count();
    let words = format!(
        "Type a German sentence and press Enter: {what}. It may have {MOST} characters; this one has {count}."
    );
    for (y, line) in wrap(&words, area.width.into()).iter().enumerate() {
        put(buf, area, 0, 2 + y, line, theme.text);
    }
}

/// Draws the question to answer in one's own words, the answer, and the rubric when it is compared.
fn own_words(app: &App, explain: &Explain, area: Rect, buf: &mut Buffer) {
    let (theme, limit) = (&app.theme, usize::from(area.width));
    let lesson = app.room.as_ref().map(|room| room.walk.lesson());
    let Some(open) = lesson.and_then(|lesson| lesson.own_words) else {
        return;
    };
    let wrapped = |text: &str, style| {
        let lines = wrap(&theme.words(text), limit).into_iter();
        lines.map(move |line| (line, style)).collect::<Vec<_>>()
    };
    let blank = || vec![(String::new(), theme.text)];
    let mut lines = [wrapped(&page::unmarked(open.ask), theme.title), blank()].concat();
    let window = explain.typed.window(usize::MAX);
    let cursor = if explain.compares { "" } else { "_" };
    let answer = format!("{}{cursor}{}{}", window.before, window.under, window.after);
    lines.extend(wrapped(answer.trim_end(), theme.text));
    let written = lines.len();
    lines.extend(blank());
    if explain.compares {
        lines.extend(wrapped(
            "Which of these points does your answer contain?",
            theme.note,
        ));
        for (n, (point, has)) in std::iter::zip(open.points, explain.points).enumerate() {
            let tick = if has { "x" } else { " " };
            let style = if has { theme.good } else { theme.text };
            let point = page::unmarked(point);
            lines.extend(wrapped(&format!("{} [{tick}] {point}", n + 1), style));
        }
    } else {
        let words = "Write two or three sentences, as you would to a colleague. Enter then shows three points to compare with.";
        lines.extend(wrapped(words, theme.note));
    }
    // While the answer is being written, its end stays in view.
    let room = usize::from(area.height);
    let at = if explain.compares {
        lines.len()
    } else {
        written + 1
    };
    scrolled(app, &lines, at.saturating_sub(room), area, buf);
}

/// Draws the typed text and its matches, scrolled so that the selected one is visible.
fn choices(
    app: &App,
    (mark, choice): (&str, &Choice),
    found: Vec<(String, Style)>,
    area: Rect,
    buf: &mut Buffer,
) {
    let (theme, limit) = (&app.theme, usize::from(area.width));
    put(
        buf,
        area,
        0,
        0,
        &format!("{mark}{}", choice.typed),
        theme.title,
    );
    if found.is_empty() {
        let words = if choice.typed.trim().is_empty() {
            "Type what you look for."
        } else {
            "Nothing fits."
        };
        put(buf, area, 0, 2, words, theme.dim);
        return;
    }
    let chosen = choice.chosen.min(found.len() - 1);
    let whole = wrap(&found[chosen].0, limit.saturating_sub(2));
    // If the selected line is too long for the pane, repeat it wrapped below the list.
    let below = match width(&found[chosen].0) > limit {
        true => whole.len().min(3) + 1,
        false => 0,
    };
    let height = usize::from(area.height).saturating_sub(2 + below).max(1);
    let first = chosen
        .saturating_sub(height / 2)
        .min(found.len().saturating_sub(height));
    for (y, (text, style)) in found.iter().skip(first).take(height).enumerate() {
        let style = if first + y == chosen {
            theme.cursor
        } else {
            *style
        };
        put(
            buf,
            area,
            0,
            2 + y,
            &clip_entry(text, limit, theme.glyphs().more),
            style,
        );
        let line = Rect {
            y: area.y + 2 + y as u16,
            height: 1,
            ..area
        };
        app.mark(line.intersection(area), Target::Found(first + y));
    }
    if below > 0 {
        let y = usize::from(area.height).saturating_sub(below - 1);
        for (i, line) in whole.iter().take(below - 1).enumerate() {
            put(buf, area, 2, y + i, line, theme.dim);
        }
    }
}

/// Wraps text into lines; the rest of a line of code that is too long is indented further.
pub(super) fn plain_lines(app: &App, text: &str, limit: usize) -> Vec<(String, Style)> {
    let wrapped = text.lines().flat_map(|line| {
        let inner = line.trim_start();
        let indent = width(line) - width(inner);
        if inner.is_empty() {
            return vec![String::new()];
        }
        if indent == 0 || width(line) <= limit {
            return match width(line) <= limit {
                true => vec![line.to_owned()],
                false => wrap(line, limit),
            };
        }
        let further = " ".repeat((indent + 4).min(limit / 2));
        let lines = wrap(inner, limit.saturating_sub(width(&further)).max(1));
        let lines = lines.into_iter().enumerate();
        let lines = lines.map(|(i, words)| match i {
            0 => format!("{}{words}", " ".repeat(indent.min(limit / 2))),
            _ => format!("{further}{words}"),
        });
        lines.collect()
    });
    wrapped.map(|line| (line, app.theme.text)).collect()
}

fn scrolled(app: &App, lines: &[(String, Style)], at: usize, area: Rect, buf: &mut Buffer) {
    scroll(app, lines, at, area, buf, |(line, style), rect, buf| {
        put(buf, rect, 0, 0, line, *style);
    });
}

fn question(app: &App, ask: &Asked, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let limit = usize::from(area.width);
    let question = ask.question();
    let mut lines: Vec<(String, Style, Option<usize>)> = Vec::new();
    if let Some(heading) = ask.heading() {
        for line in wrap(&heading, limit) {
            lines.push((line, theme.note, None));
        }
        lines.push((String::new(), theme.text, None));
    }
    for line in wrap(&page::unmarked(&question.ask), limit) {
        lines.push((line, theme.title, None));
    }
    lines.push((String::new(), theme.text, None));
    for (i, option) in question.options.iter().enumerate() {
        let tried = ask.tried().iter().find(|(o, _)| *o == i);
        let style = match tried {
            Some((_, true)) => theme.good,
            Some((_, false)) => theme.bad,
            None if ask.chosen() == Some(i) => theme.cursor,
            None => theme.text,
        };
        let mark = match tried {
            Some((_, true)) => "+",
            Some((_, false)) => "-",
            None if ask.chosen() == Some(i) => theme.glyphs().turn.1,
            None => " ",
        };
        let text = wrap(
            &page::unmarked(&option.text),
            limit.saturating_sub(4).max(1),
        );
        for (n, line) in text.into_iter().enumerate() {
            let before = match n {
                0 => format!("{} {mark} ", i + 1),
                _ => "    ".to_owned(),
            };
            lines.push((before + &line, style, Some(i)));
        }
        let judged = app.judging.as_ref();
        if judged.is_some_and(|judged| judged.id == question.id && judged.option == i) {
            let far = app.how_far().filter(|far| !far.is_empty());
            let far = far.map_or(String::new(), |far| format!(" {far}."));
            let words = format!("computing the answer …{far} Esc cancels.");
            for line in wrap(&theme.words(&words), limit.saturating_sub(4).max(1)) {
                lines.push((format!("    {line}"), theme.note, Some(i)));
            }
        }
        if let Some((_, right)) = tried {
            let word = if *right { "Yes." } else { "No." };
            let why = format!("{word} {}", page::unmarked(&option.why));
            for line in wrap(&why, limit.saturating_sub(4).max(1)) {
                lines.push((format!("    {line}"), theme.text, Some(i)));
            }
        }
    }
    // Keep the option chosen or answered last in view, with the reason below it.
    let judged = app.judging.as_ref().map(|judged| judged.option);
    let last = judged
        .or(ask.chosen())
        .or(ask.tried().last().map(|(n, _)| *n));
    let end = lines
        .iter()
        .rposition(|line| last.is_some() && line.2 == last);
    let height = usize::from(area.height);
    let at = end.map_or(0, |end| (end + 2).saturating_sub(height));
    let free = |n: usize| ask.option(n).is_some();
    scroll(
        app,
        &lines,
        at,
        area,
        buf,
        |(line, style, option), rect, buf| {
            put(buf, rect, 0, 0, line, *style);
            if let Some(n) = option.filter(|n| free(*n)) {
                app.mark(rect, Target::Answer(n));
            }
        },
    );
}
