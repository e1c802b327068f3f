//! The panes of a lesson: its text, the stage, the steps.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::super::app::{App, Overlay, Room};
use crate::lesson::page;
use crate::widgets::lines::{clip, put, width, wrap};
use crate::widgets::{code, prose, stage};

pub(super) fn read(app: &App, room: &Room, area: Rect, buf: &mut Buffer) {
    let mut wrapped = room.wrapped.borrow_mut();
    let shown = app.blocks_shown();
    let folded = room.walk.folded(&app.progress).is_some();
    let key = (room.walk.page, shown, folded, area.width, code::finished());
    if wrapped.as_ref().is_none_or(|(of, _)| *of != key) {
        let blocks = room.walk.blocks(&app.progress);
        let mut lines = prose::lines(&blocks, area.width, &app.prose());
        if shown < room.walk.page().blocks.len() {
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
    stage::draw(&room.walk.session, area, buf, &app.theme);
}

/// The third pane while no cell is asked about: the recorded run, and the lesson's switches.
pub(super) fn steps(app: &App, room: &Room, area: Rect, buf: &mut Buffer) {
    let all = room.walk.session.trace().steps();
    let mistakes = room.walk.session.lesson().mistakes;
    let limit = usize::from(area.width);
    let pictures = &room.walk.session.run().pictures;
    let reserved = mistakes.len() + pictures.len() + 4;
    let height = usize::from(area.height).saturating_sub(reserved).max(3);
    let shown = room
        .walk
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
        let here = room
            .walk
            .session
            .picture()
            .is_some_and(|q| std::ptr::eq(p, q));
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
        let on = room.walk.session.asked().broken(mistake.name);
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
pub(super) fn ending(name: &str, room: usize, more: &str) -> String {
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
