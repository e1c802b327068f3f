//! The panes of a lesson: its text and the stage.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::super::app::{App, Overlay, Room, Shown, Target};
use super::super::layout::Tier;
use crate::lesson::page;
use crate::widgets::lines::{put, width, wrap};
use crate::widgets::{code, prose, stage};

pub(super) fn read(app: &App, room: &Room, area: Rect, buf: &mut Buffer) {
    let mut wrapped = room.wrapped.borrow_mut();
    let shown = app.blocks_shown();
    let key = (room.walk.page, shown, area.width, code::finished());
    if wrapped.as_ref().is_none_or(|(of, _)| *of != key) {
        let blocks = &room.walk.page().blocks;
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
    scroll(app, lines, room.scroll, area, buf, |line, rect, buf| {
        line.render(rect, buf);
    });
}

/// Draws the lines from `at` on, and says how many follow in a row of its own.
pub(super) fn scroll<L>(
    app: &App,
    lines: &[L],
    at: usize,
    area: Rect,
    buf: &mut Buffer,
    draw: impl Fn(&L, Rect, &mut Buffer),
) {
    let height = usize::from(area.height);
    // The last row is the mark's while anything follows.
    let rows = match lines.len() > height {
        true => height.saturating_sub(1).max(1),
        false => height,
    };
    let shown = Shown {
        first: at.min(lines.len().saturating_sub(rows)),
        lines: lines.len(),
        rows,
    };
    app.shown.set(shown);
    for (y, line) in lines.iter().skip(shown.first).take(rows).enumerate() {
        let rect = Rect {
            y: area.y + y as u16,
            height: 1,
            ..area
        };
        draw(line, rect, buf);
    }
    if lines.len() > height {
        let glyphs = app.theme.glyphs();
        let (text, style) = match shown.last() - shown.first {
            0 => ("the end".to_owned(), app.theme.dim),
            more => (format!(" {} {more} more ", glyphs.down), app.theme.cursor),
        };
        let x = usize::from(area.width).saturating_sub(width(&text));
        put(buf, area, x, height - 1, &text, style);
    }
}

pub(super) fn watch(app: &App, room: &Room, area: Rect, buf: &mut Buffer) {
    let in_quiz = matches!(&app.overlay, Some(Overlay::Ask(asked)) if asked.quiz);
    if let Some(question) = app.unanswered().filter(|_| !in_quiz) {
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
    if let (Some((_, progress)), Some(shown)) = (&room.job, room.walk.session.picture()) {
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
                view: room.walk.session.view(),
            },
            area,
            buf,
            &app.theme,
        );
        return;
    }
    let session = &room.walk.session;
    let beside_run = app.tier() >= Tier::Three && !room.full;
    app.mark(area, Target::Stage(beside_run));
    match beside_run {
        true => stage::draw_beside_run(session, area, buf, &app.theme),
        false => stage::draw(session, area, buf, &app.theme),
    }
}
