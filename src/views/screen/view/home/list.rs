//! The list of the home screen: the core path, then the lessons.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::super::app::{App, Station};
use super::state::{State, lesson_state, pages_read, part_state};
use super::{part_minutes, target};
use crate::curriculum::{self, LESSONS, PARTS};
use crate::widgets::lines::{clip_entry, put, width};

/// One line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The heading of the core path.
    CorePath,
    /// The heading of lessons that belong together, by its index in [`PARTS`].
    Lessons(usize),
    Station(Station),
}

/// The lines of the list.
pub fn entries() -> Vec<Entry> {
    let mut all = vec![Entry::CorePath];
    for station in Station::all() {
        if let Station::Lesson(place) = station {
            let number = LESSONS[place].number;
            all.extend((PARTS.iter().position(|(_, from, _)| *from == number)).map(Entry::Lessons));
        }
        all.push(Entry::Station(station));
    }
    all
}

/// Draws a line of the list.
pub fn draw(app: &App, entry: Entry, area: Rect, y: usize, buf: &mut Buffer) {
    match entry {
        Entry::CorePath => core_heading(app, area, y, buf),
        Entry::Lessons(part) => heading(app, part, area, y, buf),
        Entry::Station(station) => draw_station(app, station, area, y, buf),
    }
}

/// Draws a heading, with a count or a time at its right.
fn draw_heading(app: &App, name: &str, right: &str, area: Rect, y: usize, buf: &mut Buffer) {
    put(buf, area, 0, y, name, app.display.theme.title);
    let at = usize::from(area.width).saturating_sub(width(right) + 1);
    put(buf, area, at, y, right, app.display.theme.dim);
}

fn core_heading(app: &App, area: Rect, y: usize, buf: &mut Buffer) {
    let hours = (curriculum::core_path().minutes() + 30) / 60;
    draw_heading(app, "THE CORE PATH", &format!("{hours} h"), area, y, buf);
}

fn heading(app: &App, part: usize, area: Rect, y: usize, buf: &mut Buffer) {
    let (name, from, to) = PARTS[part];
    if part == 0 {
        let minutes: u32 = LESSONS.iter().map(|lesson| lesson.minutes).sum();
        let hours = format!("{} h", (minutes + 30) / 60);
        return draw_heading(app, "ALL LESSONS, WITH ALL PAGES", &hours, area, y, buf);
    }
    let of = || LESSONS.iter().filter(|l| (from..=to).contains(&l.number));
    let done = of().filter(|l| lesson_state(app, l) == State::Done);
    let count = format!("{} of {}", done.count(), of().count());
    draw_heading(app, name, &count, area, y, buf);
}

fn draw_station(app: &App, station: Station, area: Rect, y: usize, buf: &mut Buffer) {
    let theme = &app.display.theme;
    let line = Rect {
        y: area.y + y as u16,
        height: 1,
        ..area
    };
    app.mark(line, target(station));
    let (state, title, minutes, done) = match station {
        Station::Part(number) => {
            let part = &curriculum::core_path().parts[number];
            let state = part_state(app, part);
            let done = match state {
                State::Begun => {
                    format!("{} of {} pages  ", pages_read(app, part), part.steps.len())
                }
                State::New | State::Done => String::new(),
            };
            (state, part.title.clone(), part_minutes(part), done)
        }
        Station::Lesson(place) => {
            let lesson = LESSONS[place];
            let solved = app.progress.lesson(lesson.name).solved;
            let done = if solved { "yours  " } else { "" };
            let state = lesson_state(app, lesson);
            (state, lesson.heading(), lesson.minutes, done.to_owned())
        }
    };
    let mark = match (state, theme.ascii) {
        (State::New, false) => "○",
        (State::Begun, false) => "◐",
        (State::Done, false) => "●",
        (State::New, true) => ".",
        (State::Begun, true) => "+",
        (State::Done, true) => "#",
    };
    let style = match state {
        State::Done => theme.good,
        State::Begun => theme.note,
        State::New => theme.dim,
    };
    put(buf, area, 1, y, mark, style);
    let minutes = format!("{minutes:>3} min");
    let right = usize::from(area.width).saturating_sub(width(&minutes) + 1);
    let available = right.saturating_sub(4 + width(&done));
    let chosen = if station == app.list.chosen {
        theme.cursor
    } else {
        theme.text
    };
    let title = clip_entry(&title, available.saturating_sub(2), theme.glyphs().more);
    put(buf, area, 3, y, &format!(" {title} "), chosen);
    put(
        buf,
        area,
        right.saturating_sub(width(&done)),
        y,
        &done,
        style,
    );
    put(buf, area, right, y, &minutes, theme.dim);
}
