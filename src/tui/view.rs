//! Draws the state. Nothing here computes or changes it.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::app::{App, Ask, Overlay, Pane, Room};
use super::command::{self, Action, COMMANDS};
use super::update::{fitting, pages_with};
use crate::curriculum::LESSONS;
use crate::lesson::Body;
use crate::lesson::live::Status;
use crate::lesson::page;
use crate::lesson::session::chart::has_chart;
use crate::widgets::curves::view::Turn;
use crate::widgets::lines::{Chunk, clip, fit, put, put_line, width, wrap};
use crate::widgets::{code, prose, stage};

/// The smallest screen that the walkthrough is drawn on.
const LEAST: (u16, u16) = (60, 20);

/// Draws everything.
pub fn view(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    draw(app, area, frame.buffer_mut());
}

/// Draws everything into a buffer.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let words = format!(
            "The walkthrough needs {}×{} characters, this window has {}×{}. Make it larger, or end with Q and run transformer-tutor --plain.",
            LEAST.0, LEAST.1, area.width, area.height
        );
        for (y, line) in wrap(&words, usize::from(area.width.max(1)))
            .iter()
            .enumerate()
        {
            put(buf, area, 0, y, line, app.theme.text);
        }
        return;
    }
    header(app, row(area, 0), buf);
    footer(app, row(area, area.height - 1), buf);
    let body = Rect {
        y: area.y + 1,
        height: area.height - 2,
        ..area
    };
    for (rect, pane) in panes(app, area) {
        let focused = app.room.as_ref().is_some_and(|room| room.pane == pane);
        let style = if focused {
            app.theme.title
        } else {
            app.theme.dim
        };
        let inner = frame(title(app, pane), rect, buf, style, app.theme.ascii);
        draw_pane(app, pane, inner, buf);
    }
    if app.room.is_none() {
        let inner = Rect {
            x: body.x + 2,
            width: body.width - 4,
            ..body
        };
        if app.overlay.is_some() {
            overlay(app, inner, buf);
        } else {
            lessons(app, inner, buf);
        }
    }
}

fn row(area: Rect, y: u16) -> Rect {
    Rect {
        y: area.y + y,
        height: 1,
        ..area
    }
}

/// The panes that fit, with their places.
fn panes(app: &App, area: Rect) -> Vec<(Rect, Pane)> {
    let Some(room) = &app.room else {
        return Vec::new();
    };
    let body = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..area
    };
    let part = |x: u16, width: u16| Rect {
        x: body.x + x,
        width,
        ..body
    };
    if area.width >= 120 && area.height >= 34 {
        let (read, why) = (area.width * 34 / 100, area.width * 30 / 100);
        let stage = area.width - read - why;
        vec![
            (part(0, read), Pane::Read),
            (part(read, stage), Pane::Stage),
            (part(read + stage, why), Pane::Why),
        ]
    } else if area.width >= 80 && area.height >= 24 {
        // The way down borrows the text's place, so that the tensor stays in view.
        let left = if room.session.why().is_some() && app.overlay.is_none() {
            Pane::Why
        } else {
            Pane::Read
        };
        let read = area.width * 48 / 100;
        vec![
            (part(0, read), left),
            (part(read, area.width - read), Pane::Stage),
        ]
    } else {
        let pane = if app.overlay.is_some() {
            Pane::Read
        } else {
            room.pane
        };
        vec![(body, pane)]
    }
}

/// The pane under a place of the screen.
pub fn pane_at(app: &App, column: u16, row: u16) -> Option<Pane> {
    let area = Rect::new(0, 0, app.size.0, app.size.1);
    let hit = |rect: &Rect| rect.contains((column, row).into());
    panes(app, area)
        .into_iter()
        .find(|(rect, _)| hit(rect))
        .map(|(_, pane)| pane)
}

fn title(app: &App, pane: Pane) -> String {
    let Some(room) = &app.room else {
        return String::new();
    };
    match (pane, &app.overlay) {
        (Pane::Read, Some(Overlay::Help(_))) => "help".to_owned(),
        (Pane::Read, Some(Overlay::Palette(_))) => "go to".to_owned(),
        (Pane::Read, Some(Overlay::Search(_))) => "search".to_owned(),
        (Pane::Read, Some(Overlay::Edit(_))) => "edit this cell".to_owned(),
        (Pane::Read, Some(Overlay::Slope(..))) => "check a gradient".to_owned(),
        (Pane::Read, Some(Overlay::Leave)) => "end?".to_owned(),
        (Pane::Read, Some(Overlay::Ask(ask))) if ask.quiz => {
            format!("quiz {}/{}", ask.at + 1, ask.questions.len())
        }
        (Pane::Read, Some(Overlay::Ask(_))) => "predict".to_owned(),
        (Pane::Read, Some(Overlay::Words(title, ..))) => title.clone(),
        (Pane::Read, Some(Overlay::Exercise(..))) => {
            let exercise = room.session.lesson().exercise.as_ref();
            exercise.map_or(String::new(), |exercise| {
                format!("exercises/{}.rs", exercise.name)
            })
        }
        (Pane::Read, None) => room.pages[room.page].title.clone(),
        (Pane::Stage, _) => "watch".to_owned(),
        (Pane::Why, _) if room.session.why().is_some() => "why this cell".to_owned(),
        (Pane::Why, _) => "the run".to_owned(),
    }
}

/// A frame with a title; returns what is inside.
fn frame(title: String, area: Rect, buf: &mut Buffer, style: Style, ascii: bool) -> Rect {
    let (level, upright, corners) = if ascii {
        ("-", "|", ["+"; 4])
    } else {
        ("─", "│", ["┌", "┐", "└", "┘"])
    };
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
    put(
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
    let room = usize::from(area.width);
    let Some(open) = &app.room else {
        put(buf, area, 1, 0, "transformer-tutor", app.theme.title);
        return;
    };
    let lesson = open.session.lesson();
    let (page, pages) = (open.page + 1, open.pages.len());
    let glyphs = app.theme.glyphs().shades;
    let bar: String = (0..pages)
        .map(|i| if i < page { glyphs[5] } else { glyphs[2] })
        .collect();
    let done = app.progress.lesson(lesson.name);
    let left = lesson.minutes as usize * pages.saturating_sub(done.pages.len()) / pages.max(1);
    let mut chunks = vec![
        Chunk::new(9, format!(" {}", lesson.heading()), app.theme.title),
        Chunk::new(8, format!("{page}/{pages}"), app.theme.text),
        Chunk::new(5, bar, app.theme.dim),
        Chunk::new(3, format!("{left} min left"), app.theme.dim),
    ];
    if done.solved {
        chunks.push(Chunk::new(4, "exercise solved", app.theme.good));
    }
    if app.is_slow() {
        let words = "computing…, Esc stops waiting";
        chunks.push(Chunk::new(8, words, app.theme.note));
    }
    if let Some(work) = app.working() {
        let word = match work.status() {
            Status::Working => "trains",
            _ => "paused",
        };
        let text = format!("{} {word}", app.theme.glyphs().lamp);
        chunks.push(Chunk::new(6, text, app.theme.good));
    }
    chunks.extend(
        stage::leak(&open.session, &app.theme).map(|(words, style)| {
            Chunk::new(
                7,
                format!("leak {} {words}", app.theme.glyphs().lamp),
                style,
            )
        }),
    );
    put_line(buf, area, 0, &fit(chunks, room));
}

fn footer(app: &App, area: Rect, buf: &mut Buffer) {
    let room = usize::from(area.width);
    if let Some(notice) = &app.notice {
        put(
            buf,
            area,
            1,
            0,
            &clip(notice, room - 2, "…"),
            app.theme.note,
        );
        return;
    }
    let in_question = matches!(app.overlay, Some(Overlay::Ask(_)));
    let typing = matches!(
        app.overlay,
        Some(Overlay::Palette(_) | Overlay::Search(_) | Overlay::Edit(_))
    );
    let mut chunks = Vec::new();
    let add = |chunks: &mut Vec<Chunk>, keys: &str, word: &str, keep| {
        chunks.push(
            Chunk::new(keep, keys.to_owned(), app.theme.title)
                .and(format!(" {word}"), app.theme.text),
        );
    };
    if in_question {
        add(&mut chunks, "1-9", "choose", 9);
        // Enter waits for the right answer.
        if matches!(&app.overlay, Some(Overlay::Ask(ask)) if ask.tried.iter().any(|(_, right)| *right))
        {
            add(&mut chunks, "↵", "go on", 8);
        }
        add(&mut chunks, "Esc", "close", 7);
    } else if typing {
        add(&mut chunks, "↑↓", "choose", 9);
        add(&mut chunks, "↵", "go", 8);
        add(&mut chunks, "Esc", "close", 7);
    } else {
        let possible = COMMANDS
            .iter()
            .filter(|c| !c.footer.is_empty() && is_possible(app, c.action));
        for (place, command) in possible.enumerate() {
            add(
                &mut chunks,
                command.shown,
                command.footer,
                200 - place as u8,
            );
        }
    }
    put_line(
        buf,
        Rect {
            x: area.x + 1,
            width: area.width - 1,
            ..area
        },
        0,
        &fit(chunks, room - 1),
    );
}

/// Whether a command would do something now.
pub fn is_possible(app: &App, action: Action) -> bool {
    let Some(room) = &app.room else {
        return matches!(
            action,
            Action::Help
                | Action::Palette
                | Action::Search
                | Action::Why
                | Action::Move(..)
                | Action::Quit
                | Action::Mouse
                | Action::Suspend
                | Action::Play
                | Action::Break(_)
        );
    };
    let session = &room.session;
    match action {
        Action::Difference => {
            !session.edits().is_empty() || session.settings().mistakes().next().is_some()
        }
        Action::Edit => session.step().is_some() && session.lens().is_none(),
        Action::Undo => !session.edits().is_empty(),
        Action::Up | Action::Partner => session.why().is_some(),
        Action::Run => matches!(
            session.picture().map(|p| &p.body),
            Some(Body::Job(_) | Body::Live(_))
        ),
        Action::Steer(_) => matches!(session.picture().map(|p| &p.body), Some(Body::Live(_))),
        Action::Differences => session.question().is_ok(),
        Action::Chart(turn) => {
            let body = match &room.job {
                Some((_, progress)) => Some(&progress.body),
                None => session.picture().map(|p| &p.body),
            };
            body.is_some_and(has_chart)
                && match turn {
                    Turn::Whole => session.view().window.is_some(),
                    Turn::Newest => session.view().at.is_some(),
                    _ => true,
                }
        }
        Action::Picture(_) => !session.run().pictures.is_empty(),
        Action::Predict => room.pages[room.page].predictions().next().is_some(),
        Action::Exercise | Action::Hint => session.lesson().exercise.is_some(),
        Action::Quiz => !session.lesson().quiz.is_empty(),
        Action::Play => !app.plays(),
        Action::Break(n) => n <= session.lesson().mistakes.len(),
        Action::Why => session.step().is_some() || session.place_at_cursor().is_some(),
        Action::Lead(_) => session.cursor_shape().len() > 2,
        _ => true,
    }
}

fn draw_pane(app: &App, pane: Pane, area: Rect, buf: &mut Buffer) {
    let Some(room) = &app.room else { return };
    match pane {
        Pane::Read if app.overlay.is_some() => overlay(app, area, buf),
        Pane::Read => read(app, room, area, buf),
        Pane::Stage => watch(app, room, area, buf),
        Pane::Why if room.session.why().is_some() => {
            stage::draw_why(&room.session, area, buf, &app.theme)
        }
        Pane::Why => steps(app, room, area, buf),
    }
}

fn read(app: &App, room: &Room, area: Rect, buf: &mut Buffer) {
    let mut wrapped = room.wrapped.borrow_mut();
    let shown = app.blocks_shown();
    let key = (room.page, shown, area.width, code::finished());
    if wrapped.as_ref().is_none_or(|(of, _)| *of != key) {
        let blocks = &room.pages[room.page].blocks;
        let mut lines = prose::lines(&blocks[..shown], area.width, &app.prose());
        if shown < blocks.len() {
            lines.push(Line::default());
            lines.push(Line::styled(
                "p asks, then the page goes on.",
                app.theme.note,
            ));
        }
        *wrapped = Some((key, lines));
    }
    let Some((_, lines)) = wrapped.as_ref() else {
        return;
    };
    let height = usize::from(area.height);
    let first = room.scroll.min(lines.len().saturating_sub(height));
    for (y, line) in lines.iter().skip(first).take(height).enumerate() {
        line.render(
            Rect {
                y: area.y + y as u16,
                height: 1,
                ..area
            },
            buf,
        );
    }
    if lines.len() > first + height {
        let more = format!(" {} more ", app.theme.glyphs().down);
        let x = usize::from(area.width).saturating_sub(width(&more));
        put(buf, area, x, height - 1, &more, app.theme.cursor);
    }
}

fn watch(app: &App, room: &Room, area: Rect, buf: &mut Buffer) {
    let open = app.unanswered();
    if let (Some(question), false) = (
        open.first(),
        matches!(app.overlay, Some(Overlay::Ask(Ask { quiz: true, .. }))),
    ) {
        let mut y = usize::from(area.height) / 4;
        put(buf, area, 0, y, "Before you look:", app.theme.note);
        y += 2;
        for line in wrap(&page::unmarked(&question.ask), usize::from(area.width)) {
            put(buf, area, 0, y, &line, app.theme.text);
            y += 1;
        }
        put(
            buf,
            area,
            0,
            y + 1,
            "p answers; then the stage shows.",
            app.theme.dim,
        );
        return;
    }
    if let (Some((_, progress)), Some(shown)) = (&room.job, room.session.picture()) {
        let says = if progress.done < 1.0 {
            format!(
                "{:.0} % done, Esc stops. {}",
                progress.done * 100.0,
                progress.says
            )
        } else {
            progress.says.clone()
        };
        stage::draw_body(
            &progress.body,
            &says,
            &shown.title,
            stage::Shown {
                cursor: &[],
                view: room.session.view(),
            },
            area,
            buf,
            &app.theme,
        );
        return;
    }
    stage::draw(&room.session, area, buf, &app.theme);
}

/// The third pane while no cell is asked about: the recorded run, and the lesson's switches.
fn steps(app: &App, room: &Room, area: Rect, buf: &mut Buffer) {
    let all = room.session.trace().steps();
    let mistakes = room.session.lesson().mistakes;
    let limit = usize::from(area.width);
    let pictures = &room.session.run().pictures;
    let reserved = mistakes.len() + pictures.len() + 4;
    let height = usize::from(area.height).saturating_sub(reserved).max(3);
    let shown = room
        .session
        .step()
        .and_then(|s| all.iter().position(|x| std::ptr::eq(x, s)));
    let first = shown
        .unwrap_or(0)
        .saturating_sub(height / 2)
        .min(all.len().saturating_sub(height));
    let mut y = 0;
    for (number, step) in all.iter().enumerate().skip(first).take(height) {
        let style = if Some(number) == shown {
            app.theme.cursor
        } else {
            app.theme.text
        };
        let shape = stage::shape(&step.axes, &step.value);
        let before = format!("{:>2} ", number + 1);
        let free = limit.saturating_sub(width(&before) + 1 + width(&shape));
        let name = ending(&step.name, free, app.theme.glyphs().more);
        let text = format!("{before}{name} {shape}");
        put(
            buf,
            area,
            0,
            y,
            &clip(&text, limit, app.theme.glyphs().more),
            style,
        );
        y += 1;
    }
    y += 1;
    for p in pictures {
        let here = room.session.picture().is_some_and(|q| std::ptr::eq(p, q));
        let style = if here {
            app.theme.cursor
        } else {
            app.theme.text
        };
        put(
            buf,
            area,
            0,
            y,
            &clip(&format!(" v {}", p.title), limit, app.theme.glyphs().more),
            style,
        );
        y += 1;
    }
    y += 1;
    put(buf, area, 0, y, "break it:", app.theme.note);
    for (i, mistake) in mistakes.iter().enumerate() {
        let on = room.session.asked().broken(mistake.name);
        let style = if on { app.theme.bad } else { app.theme.text };
        let mark = if on { app.theme.glyphs().lamp } else { " " };
        put(
            buf,
            area,
            0,
            y + 1 + i,
            &clip(
                &format!("{} {mark} {}", i + 1, mistake.title),
                limit,
                app.theme.glyphs().more,
            ),
            style,
        );
    }
}

/// A name of parts between points without as many of its first parts as do not fit; its last part stays.
fn ending(name: &str, room: usize, more: &str) -> String {
    let mut short = name.to_owned();
    let mut rest = name;
    while width(&short) > room
        && let Some((_, tail)) = rest.split_once('.')
    {
        rest = tail;
        short = format!("{more}{rest}");
    }
    short
}

/// The row of the first lesson in the list.
const LIST_TOP: usize = 6;

/// The lesson under a row of the screen.
pub fn lesson_at(app: &App, row: u16) -> Option<usize> {
    let line = usize::from(row).checked_sub(1 + LIST_TOP)?;
    (app.room.is_none() && line / 3 < LESSONS.len()).then_some(line / 3)
}

fn lessons(app: &App, area: Rect, buf: &mut Buffer) {
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

fn overlay(app: &App, area: Rect, buf: &mut Buffer) {
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
                .and_then(|r| r.session.lesson().exercise.as_ref());
            let task = exercise.map_or(String::new(), |e| {
                format!(
                    "{}\nEdit exercises/{}.rs; every save is checked. H hints.\n\n",
                    e.task, e.name
                )
            });
            let mut lines = plain_lines(app, &task, limit);
            lines.extend(card.styled(limit, theme));
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
            let Some(session) = app.room.as_ref().map(|r| &r.session) else {
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
fn plain_lines(app: &App, text: &str, limit: usize) -> Vec<(String, Style)> {
    let wrapped = text.lines().flat_map(|line| {
        if line.starts_with(' ') || line.is_empty() {
            vec![clip(line, limit, "…")]
        } else {
            wrap(line, limit)
        }
    });
    wrapped.map(|line| (line, app.theme.text)).collect()
}

fn scrolled(lines: &[(String, Style)], at: usize, area: Rect, buf: &mut Buffer) {
    let height = usize::from(area.height);
    let first = at.min(lines.len().saturating_sub(height));
    for (y, (line, style)) in lines.iter().skip(first).take(height).enumerate() {
        put(buf, area, 0, y, line, *style);
    }
}

fn question(app: &App, ask: &Ask, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let limit = usize::from(area.width);
    let question = &ask.questions[ask.at];
    let mut lines: Vec<(String, Style)> = wrap(&page::unmarked(&question.ask), limit)
        .into_iter()
        .map(|l| (l, theme.title))
        .collect();
    lines.push((String::new(), theme.text));
    for (i, option) in question.options.iter().enumerate() {
        let tried = ask.tried.iter().find(|(o, _)| *o == i);
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
