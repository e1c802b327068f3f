//! The run pane: steps, pictures, knobs and mistakes, as a list to choose from or as a strip.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::app::{App, OpenLesson, Pane, Target};
use super::super::entries::{Entry, entries, looked_at};
use crate::command::Action;
use crate::lesson::session::Session;
use crate::widgets::lines::{clip_entry, put, width};
use crate::widgets::stage;

/// Column at which the entries of a group begin in the strip.
const SHELF: usize = 9;

/// Width from which the steps have their own column.
const TWO_COLUMNS: usize = 56;

/// Height below which the run is a strip.
const LIST: u16 = 6;

/// Draws the run as a list or, if there is little room, as a strip.
pub(super) fn draw_run(app: &App, open: &OpenLesson, area: Rect, buf: &mut Buffer) {
    if area.height < LIST {
        return strip(app, open, area, buf);
    }
    let all = entries(&open.walk.session);
    let wide = usize::from(area.width);
    if wide < TWO_COLUMNS {
        return column(app, open, (&all, 0), area, buf);
    }
    let steps = open.walk.session.trace().steps().len();
    let left = area.width / 2;
    let part = |x: u16, width: u16| Rect {
        x: area.x + x,
        width,
        ..area
    };
    column(app, open, (&all[..steps], 0), part(0, left - 2), buf);
    let rest = part(left, area.width - left);
    column(app, open, (&all[steps..], steps), rest, buf);
}

/// Row of a column: a heading, or an entry with its index in the list.
enum Row {
    Heading(&'static str),
    Entry(usize, Entry),
}

/// Draws the part of the list that begins at entry `from`, scrolled so that the selected entry is visible, or without
/// focus the one that the stage shows.
fn column(
    app: &App,
    open: &OpenLesson,
    (all, from): (&[Entry], usize),
    area: Rect,
    buf: &mut Buffer,
) {
    let focused = open.pane == Pane::Why && app.overlay.is_none();
    let looked = looked_at(&open.walk.session);
    let mut rows = Vec::new();
    for (i, entry) in all.iter().enumerate() {
        if i == 0 || all[i - 1].group() != entry.group() {
            rows.push(Row::Heading(entry.group()));
        }
        rows.push(Row::Entry(from + i, *entry));
    }
    let here = if focused { open.entry } else { looked };
    let at = |row: &Row| matches!(row, Row::Entry(place, _) if *place == here);
    let height = usize::from(area.height);
    let first = rows.iter().position(at).map_or(0, |row| {
        row.saturating_sub(height / 2)
            .min(rows.len().saturating_sub(height))
    });
    let limit = usize::from(area.width);
    let below = rows.len().saturating_sub(first + height);
    let more = match below {
        0 => String::new(),
        below => format!(" {} {below} ", app.display.theme.glyphs().down),
    };
    for (y, row) in rows.iter().skip(first).take(height).enumerate() {
        let limit = if y + 1 == height {
            limit.saturating_sub(width(&more))
        } else {
            limit
        };
        let line = Rect {
            y: area.y + y as u16,
            height: 1,
            ..area
        };
        match row {
            Row::Heading(words) => {
                put(buf, area, 0, y, words, app.display.theme.note);
            }
            Row::Entry(place, entry) => {
                let (text, style) = entry_text(app, &open.walk.session, *entry, limit);
                let style = if focused && *place == open.entry {
                    app.display.theme.cursor
                } else if *place == looked {
                    app.display.theme.title
                } else {
                    style
                };
                put(buf, area, 0, y, &text, style);
                app.mark(line, Target::Entry(*place));
                let turned = matches!(entry, Entry::Knob(n) if *n == open.walk.session.knob());
                for (x, by) in [(0, -1), (2, 1)].into_iter().filter(|_| turned) {
                    let arrow = Rect {
                        x: line.x + x,
                        width: 1,
                        ..line
                    };
                    app.mark(arrow, Target::Act(Action::Turn(by)));
                }
            }
        }
    }
    let x = limit.saturating_sub(width(&more));
    put(buf, area, x, height - 1, &more, app.display.theme.dim);
}

/// Text and style of an entry.
fn entry_text(app: &App, session: &Session, entry: Entry, limit: usize) -> (String, Style) {
    let (theme, more) = (&app.display.theme, app.display.theme.glyphs().more);
    let lesson = session.lesson();
    match entry {
        Entry::Step(n) => {
            let step = &session.trace().steps()[n];
            // The shape may be what a prediction asks for.
            let shape = match app.unanswered() {
                Some(_) => String::new(),
                None => stage::shape(&step.axes, &step.value),
            };
            // Mark the steps that an edit has changed.
            let changed = session.is_changed(n);
            let mark = if changed { theme.glyphs().changed } else { " " };
            let before = format!("{:>3}{mark}", n + 1);
            let name = stage::readable(&step.name);
            let whole = width(&before) + width(&name) + 1 + width(&shape);
            let shape = if whole <= limit { shape } else { String::new() };
            let free = limit.saturating_sub(width(&before) + 1 + width(&shape));
            let name = clip_entry(&shortened_name(&name, free, more), free, more);
            let style = if changed { theme.note } else { theme.text };
            (format!("{before}{name} {shape}"), style)
        }
        Entry::Picture(n) => {
            let title = &session.run().pictures[n].title;
            (clip_entry(&format!("  {title}"), limit, more), theme.text)
        }
        Entry::Knob(n) => {
            let knob = &lesson.knobs[n];
            let value = session.requested().display(knob);
            let (left, right) = theme.glyphs().turn;
            let text = if n == session.knob() {
                format!("{left} {right} {} {value}", knob.name)
            } else {
                format!("    {} {value}", knob.name)
            };
            (clip_entry(&text, limit, more), theme.text)
        }
        Entry::Mistake(n) => {
            let mistake = &lesson.mistakes[n];
            let on = session.requested().broken(mistake.name);
            let mark = if on { theme.glyphs().lamp } else { " " };
            let text = format!("{} {mark} {}", n + 1, mistake.title);
            let style = if on { theme.bad } else { theme.text };
            (clip_entry(&text, limit, more), style)
        }
    }
}

/// Draws the steps around the current one, the pictures, and the mistakes, one row each.
fn strip(app: &App, open: &OpenLesson, area: Rect, buf: &mut Buffer) {
    let all = entries(&open.walk.session);
    let looked = looked_at(&open.walk.session);
    for (y, group) in ["steps", "pictures", "break it"].into_iter().enumerate() {
        let of_group = all.iter().enumerate();
        let of_group: Vec<(usize, Entry)> = of_group
            .filter(|(_, entry)| entry.group() == group)
            .map(|(place, entry)| (place, *entry))
            .collect();
        if of_group.is_empty() || y >= usize::from(area.height) {
            continue;
        }
        put(buf, area, 0, y, group, app.display.theme.note);
        draw_shelf(app, open, (&of_group, looked), (area, SHELF, y), buf);
    }
}

/// Draws entries side by side: as many as fit around the one that the stage shows.
fn draw_shelf(
    app: &App,
    open: &OpenLesson,
    (all, looked): (&[(usize, Entry)], usize),
    (area, mut x, y): (Rect, usize, usize),
    buf: &mut Buffer,
) {
    let session = &open.walk.session;
    let more = app.display.theme.glyphs().more;
    let limit = usize::from(area.width).saturating_sub(width(more) + 1);
    let short = |entry: Entry| match entry {
        Entry::Step(n) => {
            let name = stage::readable(&session.trace().steps()[n].name).into_owned();
            name.rsplit('.').next().unwrap_or_default().to_owned()
        }
        Entry::Picture(n) => session.run().pictures[n].name.to_owned(),
        Entry::Knob(n) => session.lesson().knobs[n].name.to_owned(),
        Entry::Mistake(n) => format!("{} {}", n + 1, session.lesson().mistakes[n].name),
    };
    let here = all.iter().position(|(place, _)| *place == looked);
    // Keep some entries before the current one in view.
    let mut first = here.unwrap_or(0);
    let mut used = 0;
    while first > 0 && used + width(&short(all[first - 1].1)) + 2 < (limit - x.min(limit)) / 2 {
        first -= 1;
        used += width(&short(all[first].1)) + 2;
    }
    if first > 0 {
        x = put(buf, area, x, y, &format!("{more} "), app.display.theme.dim);
    }
    for (place, entry) in &all[first..] {
        let text = short(*entry);
        if x + width(&text) > limit {
            put(buf, area, x.min(limit + 1), y, more, app.display.theme.dim);
            return;
        }
        let on = match entry {
            Entry::Mistake(n) => session
                .requested()
                .broken(session.lesson().mistakes[*n].name),
            _ => false,
        };
        let changed = matches!(entry, Entry::Step(n) if session.is_changed(*n));
        let style = if on {
            app.display.theme.bad
        } else if *place == looked {
            app.display.theme.title
        } else if changed {
            app.display.theme.note
        } else {
            app.display.theme.text
        };
        let end = put(buf, area, x, y, &text, style);
        let rect = Rect {
            x: area.x + x as u16,
            y: area.y + y as u16,
            width: (end - x) as u16,
            height: 1,
        };
        app.mark(rect, Target::Entry(*place));
        x = end + 2;
    }
}

/// Shortens a dotted name by as many of its first parts as do not fit; the last part stays.
fn shortened_name(name: &str, available: usize, more: &str) -> String {
    let mut short = name.to_owned();
    let mut rest = name;
    while width(&short) > available
        && let Some((_, tail)) = rest.split_once('.')
    {
        rest = tail;
        short = format!("{more}{rest}");
    }
    short
}
