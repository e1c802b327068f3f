//! Drawing of the state; nothing here computes or changes it.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::app::{App, Overlay, Pane, Target};
use super::layout::{LEAST, ScreenSize, inside, whole};
use super::text::fits_a_frame;
use crate::lesson::picture::Status;
use crate::widgets::lines::{Chunk, clip_entry, fit, put, put_line, put_over, wrap};
use crate::widgets::mini_map::mini_map;
use crate::widgets::stage;

mod cards;
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
        hunt::hunt(app, whole(area), buf);
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
        height: body.height - u16::from(app.overlay.is_some()),
        ..body
    };
    if app.overlay.is_some() {
        overlay(app, inner, buf);
    } else {
        home(app, inner, buf);
    }
}

/// Draws the panes of a lesson and the rules between them. A notice will cover `covered` rows above the footer.
fn draw_panes(app: &App, area: Rect, covered: u16, buf: &mut Buffer) {
    let theme = &app.display.theme;
    let panes = panes(app, area);
    for (rect, pane) in &panes {
        let open = app.open_lesson.as_ref();
        let style = if open.is_some_and(|open| open.pane == *pane) {
            theme.title
        } else {
            theme.dim
        };
        app.mark(*rect, Target::Pane(*pane));
        let inner = inside(*rect);
        let title = title(app, *pane, usize::from(inner.width));
        frame(title, *rect, buf, style, theme.ascii);
        draw_pane(app, *pane, inner, buf);
    }
    if panes.is_empty() {
        return;
    }
    lower_rule(app, area, covered, buf);
    for (rect, pane) in &panes {
        reading::mark_hidden(app, *pane, *rect, buf);
    }
}

/// Draws the rule above the footer, or above the notice that covers it, with the ends of upright rules.
fn lower_rule(app: &App, area: Rect, covered: u16, buf: &mut Buffer) {
    let rules = Rules::of(app.display.theme.ascii);
    let y = area.height - 2 - covered;
    for x in 0..usize::from(area.width) {
        let above = buf.cell((area.x + x as u16, area.y + y - 1));
        let meets = above.is_some_and(|cell| cell.symbol() == rules.upright);
        let symbol = if meets { rules.foot } else { rules.level };
        put_over(buf, area, x, y.into(), symbol, app.display.theme.dim);
    }
}

/// Lines of the notice above the footer; none if there is no notice.
fn notice(app: &App, area: Rect) -> Vec<String> {
    let opening = app.opening.as_ref().map(|opening| opening.words());
    let notice = app.notice.clone().or(opening);
    notice.map_or_else(Vec::new, |notice| footer::lines(&notice, area))
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
    if open.full && app.overlay.is_none() {
        return vec![(whole(area), Pane::Stage)];
    }
    let layout = app.pane_layout();
    let asks = open.walk.session.asks_why() || open.pane == Pane::Why;
    // The text's place shows the text or an overlay, else the pane in focus if that has no place of its own.
    let read = match (layout.run, layout.stage) {
        _ if app.overlay.is_some() => Pane::Read,
        (_, None) => open.pane,
        (None, _) if asks => Pane::Why,
        _ => Pane::Read,
    };
    let all = [
        Some((layout.read, read)),
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

/// Characters of the rules between panes.
struct Rules {
    level: &'static str,
    upright: &'static str,
    /// Where an upright rule begins below the header, at another rule, and where it ends.
    head: &'static str,
    joint: &'static str,
    foot: &'static str,
}

impl Rules {
    fn of(ascii: bool) -> Self {
        if ascii {
            Self {
                level: "-",
                upright: "|",
                head: "+",
                joint: "+",
                foot: "+",
            }
        } else {
            Self {
                level: "─",
                upright: "│",
                head: "┬",
                joint: "├",
                foot: "┴",
            }
        }
    }
}

/// Draws the rule above a pane with its title and, on the left of one that is not at the edge, an upright rule; returns the
/// area inside.
fn frame(title: String, pane: Rect, buf: &mut Buffer, style: Style, ascii: bool) -> Rect {
    let rules = Rules::of(ascii);
    let wide = usize::from(pane.width);
    if wide < 8 || pane.height < 2 {
        return pane;
    }
    put(buf, pane, 0, 0, &rules.level.repeat(wide), style);
    if pane.x > 0 {
        let first = if pane.y == 1 { rules.head } else { rules.joint };
        put_over(buf, pane, 0, 0, first, style);
        for y in 1..usize::from(pane.height) {
            put(buf, pane, 0, y, rules.upright, style);
        }
    }
    let title = format!(" {} ", clip_entry(&title, wide - 6, "…"));
    put_over(buf, pane, 2, 0, &title, style);
    inside(pane)
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
