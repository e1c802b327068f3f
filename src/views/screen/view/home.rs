//! The home screen: a map of the model, the lessons in parts, and how far the learner is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::app::{App, Target};
use crate::curriculum::{self, LESSONS, PARTS};
use crate::lesson::Lesson;
use crate::lesson::glossary;
use crate::lesson::mine::MILESTONES;
use crate::lesson::progress::Progress;
use crate::lesson::walk;
use crate::widgets::lines::{clip, clip_entry, put, width, wrap};
use crate::widgets::theme::Theme;

mod lesson_state;
mod model;

use lesson_state::{LessonState, lesson_state};
use model::{HEIGHT, MAP, model};

/// Rows above the list.
const TOP: usize = 4;

/// One line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// The name of a part of the course, by its index in [`PARTS`].
    Part(usize),
    /// A lesson, by its index in [`LESSONS`].
    Station(usize),
}

/// Layout of the home screen.
struct HomeLayout {
    list: Rect,
    /// First visible line of the list.
    first: usize,
    map: Option<Rect>,
    /// Area that describes the selected lesson.
    about: Rect,
}

fn entries() -> Vec<Entry> {
    let parts = PARTS.iter().enumerate();
    let lines = parts.flat_map(|(part, &(_, from, to))| {
        let of = LESSONS.iter().enumerate();
        let of = of.filter(move |(_, l)| (from..=to).contains(&l.number));
        std::iter::once(Entry::Part(part)).chain(of.map(|(place, _)| Entry::Station(place)))
    });
    lines.collect()
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
        .position(|e| *e == Entry::Station(app.list.chosen));
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
    app.mark(line, Target::Lesson(app.list.chosen));
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
        match entry {
            Entry::Part(part) => heading(app, part, layout.list, y, buf),
            Entry::Station(place) => station(app, place, layout.list, y, buf),
        }
    }
    draw_hidden_count(&layout, theme, buf);
    if let Some(map) = layout.map {
        model(app, map, buf);
    }
    draw_selected_lesson(app, layout.about, buf);
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

/// Summary of what is done, out of how much, as far as it fits.
fn summary(app: &App, limit: usize) -> String {
    let core = app.progress.is_core();
    let path = LESSONS.iter().filter(|lesson| !core || lesson.is_core());
    let done = path
        .clone()
        .filter(|l| lesson_state(app, l) == LessonState::Done);
    let exercises = curriculum::exercises().count();
    let solved = curriculum::exercises().filter(|(_, _, e)| e.done(&app.progress).solved);
    let minutes: u32 = LESSONS.iter().map(|l| l.minutes).sum();
    let left = if curriculum::core_is_read(&app.progress) {
        core_left(&app.progress)
    } else {
        let hours = |minutes: u32| (minutes + 30) / 60;
        let core = hours(curriculum::core_minutes());
        format!("{} h in all, core {core} h", hours(minutes))
    };
    let word = if core { "core lessons" } else { "lessons" };
    let mut summary = format!("{} of {} {word} read", done.count(), path.count());
    let functions = format!("{} of {exercises} functions yours", solved.count());
    for part in [functions, left] {
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
        curriculum::core_predictions_open(progress),
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
    let chosen = &LESSONS[app.list.chosen];
    let enter = if app.display.theme.ascii {
        "Enter"
    } else {
        "↵"
    };
    let done = app.progress.lesson(chosen.name);
    match (app.progress.last(), lesson_state(app, chosen)) {
        (None, _) if chosen.name == walk::TOUR => {
            let minutes = chosen.minutes;
            format!("{enter} begins the tour, which takes {minutes} minutes.")
        }
        (Some(last), LessonState::Begun | LessonState::Done) if last == chosen.name => {
            let page = done.stopped_at.as_deref();
            let page = page.and_then(|id| chosen.page_number(id)).unwrap_or(0) + 1;
            format!(
                "{enter} continues where you were: {}, page {page}",
                chosen.heading()
            )
        }
        (Some(last), LessonState::New) if follows(last, chosen.name) => {
            format!(
                "{enter} continues with the next lesson: {}",
                chosen.heading()
            )
        }
        _ => format!("{enter} opens {}", chosen.heading()),
    }
}

/// True if the lesson `next` comes right after the lesson `last`.
fn follows(last: &str, next: &str) -> bool {
    LESSONS
        .windows(2)
        .any(|pair| (pair[0].name, pair[1].name) == (last, next))
}

fn heading(app: &App, part: usize, area: Rect, y: usize, buf: &mut Buffer) {
    let (name, from, to) = PARTS[part];
    let of = || LESSONS.iter().filter(|l| (from..=to).contains(&l.number));
    let done = of()
        .filter(|l| lesson_state(app, l) == LessonState::Done)
        .count();
    let count = format!("{done} of {}", of().count());
    put(buf, area, 0, y, name, app.display.theme.title);
    let right = usize::from(area.width).saturating_sub(width(&count) + 1);
    put(buf, area, right, y, &count, app.display.theme.dim);
}

fn station(app: &App, place: usize, area: Rect, y: usize, buf: &mut Buffer) {
    let (theme, lesson) = (&app.display.theme, &LESSONS[place]);
    let line = Rect {
        y: area.y + y as u16,
        height: 1,
        ..area
    };
    app.mark(line, Target::Lesson(place));
    let state = lesson_state(app, lesson);
    let mark = match (state, theme.ascii) {
        (LessonState::New, false) => "○",
        (LessonState::Begun, false) => "◐",
        (LessonState::Done, false) => "●",
        (LessonState::New, true) => ".",
        (LessonState::Begun, true) => "+",
        (LessonState::Done, true) => "#",
    };
    let style = match state {
        LessonState::Done => theme.good,
        LessonState::Begun => theme.note,
        LessonState::New => theme.dim,
    };
    put(buf, area, 1, y, mark, style);
    let solved = app.progress.lesson(lesson.name).solved;
    let yours = if solved { "yours  " } else { "" };
    let core = app.progress.is_core();
    let minutes = match (lesson.is_core(), core) {
        (true, true) => format!("core {:>3} min", lesson.core_minutes()),
        (true, false) => format!(
            "core {:>2} of {:>3} min",
            lesson.core_minutes(),
            lesson.minutes
        ),
        (false, _) => format!("{:>3} min", lesson.minutes),
    };
    let right = usize::from(area.width).saturating_sub(width(&minutes) + 1);
    let available = right.saturating_sub(4 + width(yours));
    let chosen = if place == app.list.chosen {
        theme.cursor
    } else if core && !lesson.is_core() {
        theme.dim
    } else {
        theme.text
    };
    let words = format!(
        " {} ",
        clip_entry(
            &lesson.heading(),
            available.saturating_sub(2),
            theme.glyphs().more
        )
    );
    put(buf, area, 3, y, &words, chosen);
    put(
        buf,
        area,
        right.saturating_sub(width(yours)),
        y,
        yours,
        theme.good,
    );
    put(buf, area, right, y, &minutes, theme.dim);
}

/// Draws what the selected lesson teaches and what it builds on.
fn draw_selected_lesson(app: &App, area: Rect, buf: &mut Buffer) {
    let (theme, lesson) = (&app.display.theme, &LESSONS[app.list.chosen]);
    let mut lines: Vec<(String, Style)> = Vec::new();
    let available = usize::from(area.width);
    let mut say = |words: &str, style| {
        lines.extend(wrap(words, available).into_iter().map(|line| (line, style)));
    };
    if area.height > 4 {
        say(&lesson.heading(), theme.title);
    }
    let gains = if app.progress.is_core() {
        lesson.gains_of_core()
    } else {
        lesson.gains
    };
    match (lesson_state(app, lesson), gains.strip_prefix("You ")) {
        (LessonState::Done, _) | (_, None) => say(gains, theme.text),
        (_, Some(gains)) => say(&format!("After this lesson you {gains}"), theme.text),
    }
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
        let needs = lesson
            .needs
            .iter()
            .filter_map(|name| curriculum::find(name).ok());
        let titles: Vec<String> = needs.map(Lesson::heading).collect();
        say(&format!("Builds on {}.", titles.join(", ")), theme.dim);
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

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::lesson::progress::Progress;
    use crate::widgets::lines::text;

    fn app(size: (u16, u16)) -> App {
        let mut app = App::new(
            None,
            Theme::by_name("mono").unwrap(),
            Progress::default(),
            None,
        );
        app.display.size = size;
        app
    }

    fn shown(app: &App) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, app.display.size.0, app.display.size.1));
        super::super::draw(app, buf.area, &mut buf);
        text(&buf)
    }

    #[test]
    fn the_core_path_is_complete_only_with_its_predictions_and_functions() {
        let mut app = app((80, 24));
        for lesson in LESSONS.iter().filter(|lesson| lesson.is_core()) {
            app.progress
                .lesson_mut(lesson.name)
                .pages
                .extend(lesson.core_page_ids());
        }
        let open = curriculum::core_predictions_open(&app.progress);
        assert!(open > 10, "{open}");
        assert!(shown(&app).contains(&format!("core: {open} predictions open")));
        for lesson in LESSONS.iter().filter(|lesson| lesson.is_core()) {
            let done = app.progress.lesson_mut(lesson.name);
            let ids = lesson.core_prediction_ids().into_iter();
            done.answers.extend(ids.map(|id| (id.to_owned(), false)));
        }
        assert!(shown(&app).contains("functions to write"));
        for exercise in LESSONS.iter().filter_map(|lesson| lesson.exercise.as_ref()) {
            exercise.done_mut(&mut app.progress).solved = true;
        }
        assert!(shown(&app).contains("core path complete"));
    }

    #[test]
    fn the_selected_lesson_promises_what_the_chosen_path_teaches() {
        let mut app = app((120, 40));
        app.list.chosen = 7;
        let lesson = LESSONS[7];
        for (core, gains) in [(false, lesson.gains), (true, lesson.gains_of_core())] {
            app.progress.set_core(core);
            // The sentence is longer than a line.
            let words: Vec<&str> = gains.split(' ').skip(1).take(2).collect();
            let promise = format!("After this lesson you {}", words.join(" "));
            assert!(shown(&app).contains(&promise), "{promise}");
        }
    }

    #[test]
    fn every_station_can_be_seen_and_clicked_at_every_size() {
        for size in [(60, 20), (80, 24), (120, 40), (200, 60)] {
            let mut app = app(size);
            for (place, lesson) in LESSONS.iter().enumerate() {
                app.list.chosen = place;
                let lines = shown(&app);
                let title: String = lesson.heading().chars().take(12).collect();
                let list_from = if size.0 >= 104 { usize::from(MAP) } else { 0 };
                let on_row = |line: &str| {
                    let row: String = line.chars().skip(list_from).collect();
                    row.contains(&title) && row.contains("min")
                };
                let row = lines.lines().position(on_row);
                let row = row.unwrap_or_else(|| panic!("{place} at {size:?}:\n{lines}"));
                let column = size.0 - 10;
                let hit = app.pointed_at(column, row as u16);
                let hit: Vec<Target> = hit.into_iter().map(|(_, target)| target).collect();
                assert_eq!(hit, [Target::Lesson(place)], "{size:?}\n{lines}");
            }
        }
    }

    #[test]
    fn lessons_read_are_marked_and_the_last_is_continued() {
        let mut app = app((120, 40));
        assert!(shown(&app).contains("0 of 26 lessons read"));
        assert!(shown(&app).contains("begins the tour"));
        let tour = LESSONS[0].pages().unwrap();
        let done = app.progress.lesson_mut("tour");
        done.pages.extend(tour.iter().map(|page| page.id.clone()));
        done.stopped_at = Some(tour[2].id.clone());
        let lines = shown(&app);
        assert!(lines.contains("1 of 26 lessons read"), "{lines}");
        assert!(
            lines.contains("where you were: 00 The tour, page 3"),
            "{lines}"
        );
    }
}
