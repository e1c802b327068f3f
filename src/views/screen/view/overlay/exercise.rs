//! The exercises of the open lesson: their list, and the task of one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::super::app::{App, Target};
use super::plain_lines;
use crate::lesson::exercise::workbook::Workbook;
use crate::lesson::{Exercise, Lesson, Tier};
use crate::typeset::sanitize::clean;
use crate::widgets::lines::{Chunk, clip, fit, put, put_line};
use crate::widgets::wrap::wrap_plain;

/// Draws the list of exercises and, below it, the task of the selected one.
pub(super) fn list(
    app: &App,
    lesson: &'static Lesson,
    chosen: usize,
    area: Rect,
    buf: &mut Buffer,
) {
    let (theme, limit) = (&app.display.theme, usize::from(area.width));
    let all: Vec<_> = lesson.exercises().collect();
    let words = format!("Choose one: 1-{}, or ↑↓ and Enter.", all.len());
    put(
        buf,
        area,
        0,
        0,
        &theme.words(&clip(&words, limit, "…")),
        theme.dim,
    );
    let longest = all.iter().map(|e| e.name.len()).max().unwrap_or_default();
    for (n, exercise) in all.iter().enumerate() {
        let done = exercise.done(&app.progress);
        let tier = exercise.tier(&app.progress);
        let state = match (done.solved, done.attempts > 0) {
            (true, _) => format!("solved, {}", done.solved_at.unwrap_or_default()),
            (false, true) => format!("tried, {tier}"),
            (false, false) => tier.to_string(),
        };
        let (name, minutes) = (exercise.name, exercise.minutes());
        let kind = exercise.kind;
        let style = match (n == chosen, done.solved) {
            (true, _) => theme.cursor,
            (false, true) => theme.good,
            (false, false) => theme.text,
        };
        // Whatever does not fit here is shown below for the selected exercise.
        let parts = [
            (9, format!("{} {name:<longest$}", n + 1)),
            (8, format!("{kind:<9}")),
            (6, format!("{minutes:>2} min")),
            (5, theme.words(&state)),
        ];
        let parts = parts.map(|(keep, text)| Chunk::new(keep, text, style));
        put_line(buf, area, 2 + n, &fit(parts.to_vec(), limit));
        let place = Rect {
            y: area.y.saturating_add(2 + n as u16),
            height: 1,
            ..area
        };
        app.mark(place.intersection(area), Target::Hit(n));
    }
    let Some(exercise) = all.get(chosen) else {
        return;
    };
    let about = format!("{} {}", effort(exercise), tier_line(app, exercise));
    let effort = wrap_plain(&about, limit);
    let effort = effort.into_iter().map(|line| (line, theme.dim));
    let task = plain_lines(app, &exercise.asks(exercise.tier(&app.progress)), limit);
    for (y, (line, style)) in effort.chain(task).enumerate() {
        put(buf, area, 0, 3 + all.len() + y, &line, style);
    }
}

/// Sentence about the exercise's kind and its length.
fn effort(exercise: &Exercise) -> String {
    let (kind, minutes) = (exercise.kind, exercise.minutes());
    format!("A {kind} exercise, about {minutes} minutes.")
}

/// Sentence about the exercise's tier, and the key that changes it.
fn tier_line(app: &App, exercise: &Exercise) -> String {
    let tier = exercise.tier(&app.progress);
    format!(
        "Tier {tier} ({}). Press * to change it before you write.",
        tier.begins_with()
    )
}

/// Lines that say what to write, and where.
pub(super) fn task(app: &App, exercise: &Exercise, limit: usize) -> Vec<(String, Style)> {
    let theme = &app.display.theme;
    let mut lines = plain_lines(app, &exercise.asks(exercise.tier(&app.progress)), limit);
    let mut say = |text: &str, style| {
        lines.extend(
            wrap_plain(text, limit)
                .into_iter()
                .map(|line| (line, style)),
        );
    };
    say(
        &format!("{} {}", effort(exercise), tier_line(app, exercise)),
        theme.dim,
    );
    say("", theme.text);
    let code = match exercise.tier(&app.progress) {
        Tier::Blank => exercise.frame(),
        Tier::Guided | Tier::Open => exercise.signature().to_owned(),
    };
    for line in code.lines() {
        say(line, theme.title);
    }
    say("", theme.text);
    let file = match &app.file {
        Some(file) => Workbook::shown(file),
        None => Workbook::name(exercise),
    };
    say("Your file:", theme.dim);
    say(&clean(&file), theme.note);
    let long = exercise.lines().map_or(String::new(), |n| {
        format!(" The reference has {n} lines of code.")
    });
    say(
        &format!(
            "E opens it in $EDITOR. Every save is checked. H gives a hint, X shows your model.{long}"
        ),
        theme.text,
    );
    say("", theme.text);
    lines
}
