//! Drawing of the state; nothing here computes or changes it.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::app::{App, Overlay, Pane, Target};
use super::layout::{LEAST, RunPane, ScreenSize, pane_layout};
use super::text::fits_a_frame;
use crate::command::Action;
use crate::lesson::picture::Status;
use crate::widgets::lines::{Chunk, clip, fit, put, put_line, put_over, width, wrap};
use crate::widgets::mini_map::mini_map;
use crate::widgets::stage;

mod footer;
mod help;
mod home;
mod hunt;
mod overlay;
mod page_keys;
mod reading;
mod run;

use footer::{draw_notice, footer};
use home::home;
use overlay::overlay;
use reading::{draw_stage, draw_text};
use run::draw_run;

/// Draws everything.
pub fn view(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    draw(app, area, frame.buffer_mut());
}

/// Draws everything into a buffer.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    app.last_frame.targets.borrow_mut().clear();
    app.last_frame.shown.take();
    if ScreenSize::of((area.width, area.height)) == ScreenSize::TooSmall {
        return ask_for_room(app, area, buf);
    }
    header(app, row(area, 0), buf);
    let body = Rect {
        y: area.y + 1,
        height: area.height - 2,
        ..area
    };
    let notice = notice(app, area);
    if matches!(app.overlay, Some(Overlay::Hunt)) {
        hunt::hunt(app, body, buf);
    } else if app.open_lesson.is_none() {
        draw_outside_lessons(app, body, buf);
    }
    draw_panes(app, area, notice.len() as u16, buf);
    footer(app, row(area, area.height - 1), buf);
    draw_notice(app, &notice, area, buf);
}

/// Says that the screen is too small, and what to do.
fn ask_for_room(app: &App, area: Rect, buf: &mut Buffer) {
    let words = format!(
        "The walkthrough needs {}×{} characters, this window has {}×{}. Make it larger, or end with Q and run transformer-tutor --plain.",
        LEAST.0, LEAST.1, area.width, area.height
    );
    let lines = wrap(&words, usize::from(area.width.max(1)));
    for (y, line) in lines.iter().enumerate() {
        put(buf, area, 0, y, line, app.display.theme.text);
    }
}

/// Draws the list of lessons, or what is open over it.
fn draw_outside_lessons(app: &App, body: Rect, buf: &mut Buffer) {
    let inner = Rect {
        x: body.x + 2,
        width: body.width - 4,
        ..body
    };
    if app.overlay.is_some() {
        overlay(app, inner, buf);
    } else {
        home(app, inner, buf);
    }
}

/// Draws the panes of a lesson in their frames. A notice will cover `covered` rows above the footer.
fn draw_panes(app: &App, area: Rect, covered: u16, buf: &mut Buffer) {
    for (rect, pane) in panes(app, area) {
        let focused = app
            .open_lesson
            .as_ref()
            .is_some_and(|open| open.pane == pane);
        let style = if focused {
            app.display.theme.title
        } else {
            app.display.theme.dim
        };
        app.mark(rect, Target::Pane(pane));
        let inside = usize::from(rect.width).saturating_sub(4);
        let title = title(app, pane, inside);
        let inner = frame(title, rect, buf, style, app.display.theme.ascii);
        draw_pane(app, pane, inner, buf);
        // A notice covers the last rows of a pane, which then ends above the notice.
        let top = area.height - 1 - covered;
        let rect = Rect {
            height: rect.height.min((area.y + top).saturating_sub(rect.y)),
            ..rect
        };
        if covered > 0 {
            lower_border(rect, buf, style, app.display.theme.ascii);
        }
        if app.overlay.is_none() {
            label_border(app, pane, rect, buf);
        }
    }
}

/// Lines of the notice above the footer; none if there is no notice.
fn notice(app: &App, area: Rect) -> Vec<String> {
    let opening = app.opening.as_ref().map(|opening| opening.words());
    let notice = app.notice.clone().or(opening);
    notice.map_or_else(Vec::new, |notice| footer::lines(&notice, area))
}

/// Names keys on the lower border of a pane: where one pane is visible at a time, those that lead to the others; on the
/// stage of a small screen, the one that enlarges it.
fn label_border(app: &App, pane: Pane, rect: Rect, buf: &mut Buffer) {
    let focused = app
        .open_lesson
        .as_ref()
        .is_some_and(|open| open.pane == pane && !open.full);
    let alone = app.shows_one_pane();
    let labels: &[(&str, Action)] = match pane {
        Pane::Read if alone => &[(" Tab: the picture ", Action::Pane)],
        Pane::Stage if alone && app.turns_to_picture() => &[
            (" Tab: the text ", Action::Pane),
            (" Shift-Tab: the steps and knobs ", Action::List),
        ],
        Pane::Stage if alone => &[(" Tab: the steps and knobs ", Action::Pane)],
        Pane::Why if alone => &[(" Tab: the text ", Action::Pane)],
        Pane::Stage if app.screen_size() == ScreenSize::Two && focused => {
            &[(" Z: the whole screen ", Action::Full)]
        }
        _ => &[],
    };
    let mut x = rect.x + 2;
    for (words, action) in labels {
        let wide = width(words) as u16;
        let place = Rect::new(x, rect.bottom() - 1, wide, 1).intersection(rect);
        put_over(buf, place, 0, 0, words, app.display.theme.cursor);
        app.mark(place, Target::Act(*action));
        x += wide + 1;
    }
}

fn row(area: Rect, y: u16) -> Rect {
    Rect {
        y: area.y + y,
        height: 1,
        ..area
    }
}

/// Panes that are drawn, with their areas.
fn panes(app: &App, area: Rect) -> Vec<(Rect, Pane)> {
    let hunts = matches!(app.overlay, Some(Overlay::Hunt));
    let Some(open) = app.open_lesson.as_ref().filter(|_| !hunts) else {
        return Vec::new();
    };
    let asked = open.walk.session.asks_why();
    let run = if asked || open.pane == Pane::Why {
        RunPane::Open
    } else if open.page.explores && !open.walk.is_tour() {
        RunPane::Strip
    } else {
        RunPane::Hidden
    };
    let layout = pane_layout(area, run);
    // The text's area shows the text or an overlay, else the pane in focus if that has no area of its own.
    let read = match (layout.run, &app.overlay) {
        (_, Some(_)) | (Some(_), None) => Pane::Read,
        (None, None) if layout.stage.is_none() => open.pane,
        (None, None) if asked || open.pane == Pane::Why => Pane::Why,
        (None, None) => Pane::Read,
    };
    let body = row(area, 1).union(row(area, area.height - 2));
    if open.full && app.overlay.is_none() {
        return vec![(body, Pane::Stage)];
    }
    if app.reads_across() {
        return vec![(body, Pane::Read)];
    }
    let all = [
        layout.read.map(|rect| (rect, read)),
        layout.stage.map(|rect| (rect, Pane::Stage)),
        layout.run.map(|rect| (rect, Pane::Why)),
    ];
    all.into_iter().flatten().collect()
}

/// Title of a pane with `inside` columns.
fn title(app: &App, pane: Pane, inside: usize) -> String {
    let Some(open) = &app.open_lesson else {
        return String::new();
    };
    match (pane, &app.overlay) {
        (Pane::Read, Some(Overlay::Help)) => "help".to_owned(),
        (Pane::Read, Some(Overlay::Palette(_))) => "go to".to_owned(),
        (Pane::Read, Some(Overlay::Search(_))) => "search".to_owned(),
        (Pane::Read, Some(Overlay::Sentence(_))) => "translate your sentence".to_owned(),
        (Pane::Read, Some(Overlay::Explain(_))) => "in your own words".to_owned(),
        (Pane::Read, Some(Overlay::Edit(_))) => "edit this cell".to_owned(),
        (Pane::Read, Some(Overlay::GradientCheck(_))) => "check a gradient".to_owned(),
        (Pane::Read, Some(Overlay::Leave)) => "end?".to_owned(),
        (Pane::Read, Some(Overlay::Ask(ask))) if ask.quiz => ask.place(),
        (Pane::Read, Some(Overlay::Ask(_))) => "predict".to_owned(),
        (Pane::Read, Some(Overlay::Words(title, _))) => title.clone(),
        (Pane::Read, Some(Overlay::Terms(_))) => "glossary".to_owned(),
        (Pane::Read, Some(Overlay::Term(card))) => card.name.clone(),
        (Pane::Read, Some(Overlay::End(_))) if open.walk.core.is_some() => {
            "the end of the part".to_owned()
        }
        (Pane::Read, Some(Overlay::End(_))) => "the end of the lesson".to_owned(),
        (Pane::Read, Some(Overlay::Exercise(_))) => {
            let name = open.exercise.map_or("", |exercise| exercise.name);
            let path = format!("exercises/{name}.rs");
            if fits_a_frame(&path, inside) {
                path
            } else {
                format!("{name}.rs")
            }
        }
        (Pane::Read, Some(Overlay::Exercises(_))) => "exercises".to_owned(),
        (Pane::Read, Some(Overlay::Mine(_))) => "my model".to_owned(),
        (Pane::Read, None | Some(Overlay::Hunt)) => match &open.walk.page().title {
            title if fits_a_frame(title, inside) => title.clone(),
            // The page's title is then drawn above the text.
            _ => "read".to_owned(),
        },
        (Pane::Stage, _) if open.full => "the stage, Esc shows the text again".to_owned(),
        (Pane::Stage, _) => {
            let session = &open.walk.session;
            format!("watch: {}", session.lesson().runs(session.settings()))
        }
        (Pane::Why, _) if open.walk.session.asks_why() => "why this cell".to_owned(),
        (Pane::Why, _) => "the run".to_owned(),
    }
}

/// Characters of a frame: level, upright, and the corners from the upper left to the lower right.
fn frame_characters(ascii: bool) -> (&'static str, &'static str, [&'static str; 4]) {
    if ascii {
        ("-", "|", ["+"; 4])
    } else {
        ("─", "│", ["┌", "┐", "└", "┘"])
    }
}

/// Draws the lower border of a frame over what is there.
fn lower_border(area: Rect, buf: &mut Buffer, style: Style, ascii: bool) {
    if area.width < 4 || area.height < 2 {
        return;
    }
    let (level, _, corners) = frame_characters(ascii);
    let line = level.repeat(usize::from(area.width) - 2);
    let line = format!("{}{line}{}", corners[2], corners[3]);
    put_over(buf, area, 0, usize::from(area.height) - 1, &line, style);
}

/// Draws a frame with a title; returns the area inside.
fn frame(title: String, area: Rect, buf: &mut Buffer, style: Style, ascii: bool) -> Rect {
    let (level, upright, corners) = frame_characters(ascii);
    let (w, h) = (usize::from(area.width), usize::from(area.height));
    if w < 4 || h < 3 {
        return area;
    }
    put(
        buf,
        area,
        0,
        0,
        &format!("{}{}{}", corners[0], level.repeat(w - 2), corners[1]),
        style,
    );
    put(
        buf,
        area,
        0,
        h - 1,
        &format!("{}{}{}", corners[2], level.repeat(w - 2), corners[3]),
        style,
    );
    for y in 1..h - 1 {
        put(buf, area, 0, y, upright, style);
        put(buf, area, w - 1, y, upright, style);
    }
    put_over(
        buf,
        area,
        2,
        0,
        &format!(" {} ", clip(&title, w - 6, "…")),
        style,
    );
    Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width - 4,
        height: area.height - 2,
    }
}

fn header(app: &App, area: Rect, buf: &mut Buffer) {
    let available = usize::from(area.width);
    let Some(open) = &app.open_lesson else {
        put(
            buf,
            area,
            1,
            0,
            "transformer-tutor",
            app.display.theme.title,
        );
        return;
    };
    let lesson = open.walk.session.lesson();
    let (heading, page, pages) = open.walk.place(&app.progress);
    let glyphs = app.display.theme.glyphs().shades;
    let bar: String = (0..pages)
        .map(|i| if i < page { glyphs[5] } else { glyphs[2] })
        .collect();
    let done = app.progress.lesson(lesson.name);
    let (left, optional) = open.walk.left(&app.progress);
    let mut chunks = vec![
        Chunk::new(9, format!(" {heading}"), app.display.theme.title),
        Chunk::new(8, format!("{page}/{pages}"), app.display.theme.text),
        Chunk::new(1, bar, app.display.theme.dim),
    ];
    let (lit, known) = open.walk.model_parts();
    // A map that grows with the pages stays in sight on all of them, or is never drawn.
    let grows = !lesson.reveals.is_empty();
    if open.has_map() && (!grows || app.screen_size() >= ScreenSize::Two) {
        chunks.push(mini_map(
            if grows { 6 } else { 3 },
            lit,
            |part| known.contains(&part),
            &app.display.theme,
        ));
    }
    let core = match (open.walk.step(), app.progress.is_core() && !app.plays()) {
        (Some(_), _) => Some((2, "core path")),
        (None, true) if open.walk.core.is_some() => Some((6, "n goes back to the core path")),
        (None, true) => Some((2, "J goes back to the core path")),
        (None, false) => None,
    };
    chunks.extend(core.map(|(keep, words)| Chunk::new(keep, words, app.display.theme.note)));
    if left > 0 {
        let words = format!("about {left} minutes left");
        chunks.push(Chunk::new(4, words, app.display.theme.dim));
    }
    if optional > 0 {
        let pages = if optional == 1 { "page" } else { "pages" };
        let words = format!("{optional} optional {pages}");
        chunks.push(Chunk::new(1, words, app.display.theme.dim));
    }
    if done.solved {
        chunks.push(Chunk::new(4, "exercise solved", app.display.theme.good));
    }
    if let Some(far) = app.how_far() {
        let far = if far.is_empty() {
            far
        } else {
            format!(" {far}")
        };
        let words = app
            .display
            .theme
            .words(&format!("computing…{far}, Esc cancels"));
        chunks.push(Chunk::new(8, words, app.display.theme.note));
    }
    if let Some(work) = app.working() {
        let word = match work.status() {
            Status::Working => "trains",
            _ => "is paused",
        };
        let text = format!("{} your run {word}", app.display.theme.glyphs().lamp);
        chunks.push(Chunk::new(6, text, app.display.theme.good));
    }
    // Do not give away what a prediction may ask for.
    let revealed = app.unanswered().is_none();
    chunks.extend(
        (stage::leak(&open.walk.session, &app.display.theme).filter(|_| revealed)).map(
            |(words, style)| {
                // A leak matters more than where the lesson is, and its absence more than how long it takes.
                let leaks = style == app.display.theme.bad;
                Chunk::new(
                    if leaks { 7 } else { 5 },
                    format!("leak {} {words}", app.display.theme.glyphs().lamp),
                    style,
                )
            },
        ),
    );
    put_line(buf, area, 0, &fit(chunks, available));
}

fn draw_pane(app: &App, pane: Pane, area: Rect, buf: &mut Buffer) {
    let Some(open) = &app.open_lesson else { return };
    match pane {
        Pane::Read if app.overlay.is_some() => overlay(app, area, buf),
        Pane::Read => draw_text(app, open, area, buf),
        Pane::Stage => draw_stage(app, open, area, buf),
        Pane::Why if open.walk.session.asks_why() => {
            let (rows, first) = stage::draw_why(&open.walk.session, area, buf, &app.display.theme);
            for (term, y) in (first..).zip(rows) {
                let line = Rect {
                    y,
                    height: 1,
                    ..area
                };
                app.mark(line, Target::Term(term));
            }
        }
        Pane::Why => draw_run(app, open, area, buf),
    }
}
