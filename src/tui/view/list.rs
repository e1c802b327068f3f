//! The list of lessons.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::app::App;
use crate::curriculum::LESSONS;
use crate::widgets::lines::{clip, put, wrap};

/// The row of the first lesson in the list.
const LIST_TOP: usize = 6;

/// The lesson under a row of the screen.
pub fn lesson_at(app: &App, row: u16) -> Option<usize> {
    let line = usize::from(row).checked_sub(1 + LIST_TOP)?;
    (app.room.is_none() && line / 3 < LESSONS.len()).then_some(line / 3)
}

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
    for (y, line) in wrap(words, limit).iter().take(2).enumerate() {
        put(buf, area, 0, 2 + y, line, theme.text);
    }
    put(
        buf,
        area,
        0,
        4,
        "Enter opens a lesson, arrows choose, ? helps, Q ends.",
        theme.dim,
    );
    let free = (usize::from(area.height).saturating_sub(LIST_TOP) / 3).max(1);
    let first = app.chosen.saturating_sub(free - 1);
    for (place, (number, lesson)) in LESSONS
        .iter()
        .enumerate()
        .skip(first)
        .take(free)
        .enumerate()
    {
        let y = LIST_TOP + place * 3;
        let done = app.progress.lesson(lesson.name);
        let style = if number == app.chosen {
            theme.cursor
        } else {
            theme.title
        };
        put(buf, area, 0, y, &format!(" {} ", lesson.heading()), style);
        let right = done.answers.values().filter(|r| **r).count();
        let mut state = format!("{} min", lesson.minutes);
        if !done.pages.is_empty() {
            state += &format!(", {} pages read", done.pages.len());
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
