//! The home screen: a map of the model, the core path, the lessons, and how far the learner is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::app::{App, Station, Target};
use crate::curriculum::{self, LESSONS};
use crate::lesson::Lesson;
use crate::lesson::core_path::Part;
use crate::lesson::glossary;
use crate::lesson::mine::MILESTONES;
use crate::lesson::progress::Progress;
use crate::widgets::lines::{clip, put, width, wrap};
use crate::widgets::theme::Theme;

mod list;
mod model;
mod state;
#[cfg(test)]
mod tests;

use list::{Entry, entries};
use model::{HEIGHT, MAP, model};
use state::{State, lesson_state, part_state};

/// Rows above the list.
const TOP: usize = 4;

/// Layout of the home screen.
struct HomeLayout {
    list: Rect,
    /// First visible line of the list.
    first: usize,
    map: Option<Rect>,
    /// Area that describes the selected lesson.
    about: Rect,
}

fn home_layout(app: &App, area: Rect) -> HomeLayout {
    let top = TOP as u16;
    let wide = area.width >= 100 && area.height >= 34;
    let below = if wide { 0 } else { 4.min(area.height / 4) };
    let side = if wide { MAP } else { 0 };
    let list = Rect {
        x: area.x + side,
        y: area.y + top,
        width: area.width - side,
        height: area.height.saturating_sub(top + below),
    };
    // If not all entries fit, the last line says how many there are above and below.
    let list = if entries().len() > usize::from(list.height) {
        Rect {
            height: list.height.saturating_sub(1),
            ..list
        }
    } else {
        list
    };
    let at = entries()
        .iter()
        .position(|entry| *entry == Entry::Station(app.list.chosen));
    let (rows, at) = (usize::from(list.height), at.unwrap_or(0));
    let last = entries().len().saturating_sub(rows);
    // Keep a line of context below the selected lesson.
    let first = (at + 2).saturating_sub(rows).min(last);
    let map_rows = HEIGHT as u16 + 1;
    HomeLayout {
        list,
        first: if at < rows.saturating_sub(1) {
            0
        } else {
            first
        },
        map: wide.then_some(Rect {
            x: area.x,
            y: list.y,
            width: MAP - 3,
            height: map_rows,
        }),
        about: if wide {
            Rect {
                x: area.x,
                y: list.y + map_rows + 1,
                width: MAP - 3,
                height: area.height.saturating_sub(top + map_rows + 1),
            }
        } else {
            Rect {
                y: area.bottom().saturating_sub(below),
                height: below,
                ..area
            }
        },
    }
}

pub(super) fn home(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.display.theme;
    let limit = usize::from(area.width);
    let title = "Understand the Transformer by running it.";
    put(buf, area, 0, 0, title, theme.title);
    put(buf, area, 0, 1, &summary(app, limit), theme.dim);
    let next = enter_destination(app);
    let line = Rect {
        y: area.y + 2,
        height: 1,
        ..area
    };
    app.mark(line, target(app.list.chosen));
    put(
        buf,
        area,
        0,
        2,
        &clip(&next, limit, theme.glyphs().more),
        theme.note,
    );
    let layout = home_layout(app, area);
    for (y, entry) in entries()
        .into_iter()
        .skip(layout.first)
        .take(usize::from(layout.list.height))
        .enumerate()
    {
        list::draw(app, entry, layout.list, y, buf);
    }
    draw_hidden_count(&layout, theme, buf);
    if let Some(map) = layout.map {
        model(app, map, buf);
    }
    draw_selected(app, layout.about, buf);
}

/// Draws, below the list, how many of its lines are out of view.
fn draw_hidden_count(layout: &HomeLayout, theme: &Theme, buf: &mut Buffer) {
    let rows = usize::from(layout.list.height);
    let below = entries().len().saturating_sub(layout.first + rows);
    if below + layout.first == 0 {
        return;
    }
    let line = Rect {
        y: layout.list.bottom(),
        height: 1,
        ..layout.list
    };
    let text = match (layout.first, below) {
        (0, below) => format!(" {} {below} more ", theme.glyphs().down),
        (above, 0) => format!(" {} {above} more ", theme.glyphs().up),
        (above, below) => format!(
            " {} {above} more  {} {below} more ",
            theme.glyphs().up,
            theme.glyphs().down
        ),
    };
    let x = usize::from(line.width).saturating_sub(width(&text) + 1);
    put(buf, line, x, 0, &text, theme.cursor);
}

/// What a click on an entry of the list opens.
fn target(station: Station) -> Target {
    match station {
        Station::Part(part) => Target::Part(part),
        Station::Lesson(place) => Target::Lesson(place),
    }
}

/// Minutes for a part of the core path.
fn part_minutes(part: &Part) -> u32 {
    let pages = curriculum::core_path().pages(part);
    pages.iter().map(|step| step.minutes).sum()
}

/// Summary of what is done, out of how much, as far as it fits.
fn summary(app: &App, limit: usize) -> String {
    let path = curriculum::core_path();
    let parts = path.parts.iter();
    let parts = parts.filter(|part| part_state(app, part) == State::Done);
    let lessons = LESSONS.iter();
    let lessons = lessons.filter(|lesson| lesson_state(app, lesson) == State::Done);
    let exercises = curriculum::exercises().count();
    let solved = curriculum::exercises().filter(|(_, _, e)| e.done(&app.progress).solved);
    let left = if path.is_read(&app.progress) {
        core_left(&app.progress)
    } else {
        let unread = path
            .steps
            .iter()
            .filter(|step| !step.is_read(&app.progress));
        let minutes: u32 = unread.map(|step| step.minutes).sum();
        match minutes {
            0..90 => format!("core path: {minutes} min left"),
            _ => format!("core path: {} h left", (minutes + 30) / 60),
        }
    };
    let mut summary = format!("{} of {} parts read", parts.count(), path.parts.len());
    let further = format!("{} of {} lessons in full", lessons.count(), LESSONS.len());
    let functions = format!("{} of {exercises} functions yours", solved.count());
    for part in [left, functions, further] {
        let longer = format!("{summary} · {part}");
        if width(&longer) > limit {
            break;
        }
        summary = longer;
    }
    summary
}

/// What is left of the core path once all of its pages have been read.
fn core_left(progress: &Progress) -> String {
    match (
        curriculum::core_path().predictions_open(progress),
        curriculum::core_exercises_open(progress),
    ) {
        (0, 0) => "core path complete".to_owned(),
        (0, 1) => "core: 1 function to write".to_owned(),
        (0, n) => format!("core: {n} functions to write"),
        (1, _) => "core: 1 prediction open".to_owned(),
        (n, _) => format!("core: {n} predictions open"),
    }
}

/// Description of where Enter leads.
fn enter_destination(app: &App) -> String {
    let enter = if app.display.theme.ascii {
        "Enter"
    } else {
        "↵"
    };
    let path = curriculum::core_path();
    let page = |number: usize, title: &str, pages: usize| {
        format!("{enter} goes on with “{title}”, page {number} of {pages}")
    };
    match app.list.chosen {
        Station::Part(number) => {
            let part = &path.parts[number];
            let minutes = part_minutes(part);
            match part_state(app, part) {
                State::New if app.progress.last().is_none() && number == 0 => {
                    format!(
                        "{enter} begins with “{}”, which takes {minutes} minutes.",
                        part.title
                    )
                }
                State::New => format!("{enter} opens “{}”, {minutes} minutes", part.title),
                State::Begun | State::Done => {
                    let step = path.place_in(part, &app.progress);
                    page(step - part.steps.start + 1, &part.title, part.steps.len())
                }
            }
        }
        Station::Lesson(place) => {
            let lesson = LESSONS[place];
            let done = app.progress.lesson(lesson.name);
            match app.progress.last() {
                Some(last) if last == lesson.name && done.is_begun() => {
                    let at = done.stopped_at.as_deref();
                    let at = at.and_then(|id| lesson.page_number(id)).unwrap_or(0);
                    page(at + 1, &lesson.heading(), lesson.page_count())
                }
                _ => format!("{enter} opens all pages of {}", lesson.heading()),
            }
        }
    }
}

/// Draws what the selected part or lesson teaches and what it builds on.
fn draw_selected(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.display.theme;
    let mut lines: Vec<(String, Style)> = Vec::new();
    let available = usize::from(area.width);
    let mut say = |words: &str, style| {
        lines.extend(wrap(words, available).into_iter().map(|line| (line, style)));
    };
    let path = curriculum::core_path();
    let (state, title, gains, what) = match app.list.chosen {
        Station::Part(number) => {
            let part = &path.parts[number];
            (
                part_state(app, part),
                part.title.clone(),
                &*part.gains,
                "part",
            )
        }
        Station::Lesson(place) => {
            let lesson = LESSONS[place];
            (
                lesson_state(app, lesson),
                lesson.heading(),
                lesson.gains,
                "lesson",
            )
        }
    };
    if area.height > 4 {
        say(&title, theme.title);
    }
    match (state, gains.strip_prefix("You ")) {
        (State::Done, _) | (_, None) => say(gains, theme.text),
        (_, Some(gains)) => say(&format!("After this {what} you {gains}"), theme.text),
    }
    if let Station::Lesson(place) = app.list.chosen {
        let lesson = LESSONS[place];
        let done = app.progress.lesson(lesson.name);
        let right = done.answers.values().filter(|right| **right).count();
        if !done.answers.is_empty() {
            let words = format!(
                "{right} of {} answers right at the first try.",
                done.answers.len()
            );
            say(&words, theme.dim);
        }
        if !lesson.needs.is_empty() {
            let needs = lesson.needs.iter();
            let needs = needs.filter_map(|name| curriculum::find(name).ok());
            let titles: Vec<String> = needs.map(Lesson::heading).collect();
            say(&format!("Builds on {}.", titles.join(", ")), theme.dim);
        }
    }
    let skip = usize::from(area.height <= 4);
    for (y, (line, style)) in lines
        .iter()
        .take(usize::from(area.height).saturating_sub(skip))
        .enumerate()
    {
        put(buf, area, 0, y + skip, line, *style);
    }
    draw_offers(app, lines.len() + skip, area, buf);
}

/// What the program offers besides the lessons.
fn other_offers(app: &App) -> [String; 4] {
    let (reached, all) = (app.progress.milestones().len(), MILESTONES.len());
    [
        "P  the playground: your own sentence".to_owned(),
        format!("X  your own model: {reached} of {all} milestones"),
        "C  the hunt: find the fault in a model".to_owned(),
        format!("K  the glossary: {} terms", glossary::terms().len()),
    ]
}

/// Draws what there is besides the lessons, below a lesson's summary of `elapsed` rows, if it fits.
fn draw_offers(app: &App, taken: usize, area: Rect, buf: &mut Buffer) {
    let (theme, all) = (&app.display.theme, other_offers(app));
    let rows = usize::from(area.height);
    let fits = all
        .iter()
        .all(|line| width(line) <= usize::from(area.width));
    if fits && taken + 1 + all.len() <= rows {
        for (n, line) in all.iter().enumerate() {
            put(buf, area, 0, rows - all.len() + n, line, theme.note);
        }
    }
}
