//! The list of lessons.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::app::{App, Target};
use crate::curriculum::LESSONS;
use crate::widgets::lines::{clip, put, wrap};

pub(super) fn lessons(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let limit = usize::from(area.width);
    put(
        buf,
        area,
        0,
        1,
        "Understand the Transformer by running it.",
        theme.title,
    );
    let words = "Every number you will see comes from a real run. Ask any cell where it came from, break any part, write it yourself.";
    let mut top = 2;
    for line in wrap(words, limit) {
        put(buf, area, 0, top, &line, theme.text);
        top += 1;
    }
    put(
        buf,
        area,
        0,
        top,
        "Enter opens a lesson, arrows choose, ? helps, Q ends.",
        theme.dim,
    );
    // The first lesson stands below an empty row.
    let top = top + 2;
    let free = (usize::from(area.height).saturating_sub(top) / 3).max(1);
    let first = app.chosen.saturating_sub(free - 1);
    for (place, (number, lesson)) in LESSONS
        .iter()
        .enumerate()
        .skip(first)
        .take(free)
        .enumerate()
    {
        let y = top + place * 3;
        let rows = Rect {
            y: area.y + y as u16,
            height: 2,
            ..area
        };
        app.mark(rows.intersection(area), Target::Lesson(number));
        let done = app.progress.lesson(lesson.name);
        let style = if number == app.chosen {
            theme.cursor
        } else {
            theme.title
        };
        put(buf, area, 0, y, &format!(" {} ", lesson.heading()), style);
        let right = done.answers.values().filter(|r| **r).count();
        let mut state = format!("{} min", lesson.minutes);
        match done.pages.len() {
            0 => {}
            1 => state += ", 1 page read",
            pages => state += &format!(", {pages} pages read"),
        }
        if !done.answers.is_empty() {
            state += &format!(", {right} of {} right", done.answers.len());
        }
        if done.solved {
            state += ", exercise solved";
        }
        if !lesson.needs.is_empty() {
            state += &format!(", builds on {}", lesson.needs.join(", "));
        }
        put(
            buf,
            area,
            4,
            y + 1,
            &clip(&state, limit - 4, "…"),
            theme.dim,
        );
    }
}
