//! The hunt: the lists on the left, the report or the newest finding on the right.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::app::{App, Hunting, Target};
use super::super::layout::ScreenSize;
use super::reading::scroll;
use super::{frame, lower_rule};
use crate::lesson::hunt::Board;
use crate::widgets::lines::{clip_entry, put, width, wrap};
use crate::widgets::stage;

/// Draws the case between the header and the rule above the footer.
pub(super) fn hunt(app: &App, area: Rect, buf: &mut Buffer) {
    let (theme, ascii) = (&app.display.theme, app.display.theme.ascii);
    let screen = Rect {
        y: area.y - 1,
        height: area.height + 3,
        ..area
    };
    let board = match &app.hunting {
        Some(Hunting::Ready(board)) => board,
        _ => {
            let inner = frame("the hunt".to_owned(), area, buf, theme.dim, ascii);
            lower_rule(app, screen, 0, buf);
            put(buf, inner, 0, 0, &theme.words("computing …"), theme.note);
            return;
        }
    };
    let (lists, finding) = places(area, board);
    let title = match board.finding() {
        Some((look, _)) => format!("watch: {look}"),
        None => "watch".to_owned(),
    };
    let left = frame("the hunt".to_owned(), lists, buf, theme.title, ascii);
    let right = frame(title, finding, buf, theme.dim, ascii);
    lower_rule(app, screen, 0, buf);
    list(app, board, left, buf);
    shown(app, board, right, buf);
}

/// The areas of the lists and of what is shown: side by side, or one above the other on a narrow screen.
fn places(area: Rect, board: &Board) -> (Rect, Rect) {
    if ScreenSize::of((area.width, area.height + 3)) <= ScreenSize::One {
        let rows = (board.entries().len() as u16 + 4).min(area.height / 2);
        let top = Rect {
            height: rows,
            ..area
        };
        let below = Rect {
            y: area.y + rows,
            height: area.height - rows,
            ..area
        };
        return (top, below);
    }
    let wide = area.width * 2 / 5;
    let left = Rect {
        width: wide,
        ..area
    };
    let right = Rect {
        x: area.x + wide,
        width: area.width - wide,
        ..area
    };
    (left, right)
}

/// Draws the open list and, below it, what the chosen entry does.
fn list(app: &App, board: &Board, area: Rect, buf: &mut Buffer) {
    let theme = &app.display.theme;
    let (entries, chosen) = (board.entries(), board.chosen());
    let room = usize::from(area.width);
    put(buf, area, 0, 0, &board.heading(), theme.dim);
    put(buf, area, 0, 1, &board.title(), theme.note);
    let about = entries.get(chosen).map_or("", |entry| &entry.about);
    let about = wrap(about, room);
    let rows = usize::from(area.height).saturating_sub(2);
    // The description stays if at least three entries have room beside it.
    let below = if rows > about.len() + 4 {
        about.len() + 1
    } else {
        0
    };
    let rows = rows - below;
    let names = entries.iter().map(|entry| width(&entry.name));
    let wide = names.max().unwrap_or(0) + 3;
    let first = (chosen + 1).saturating_sub(rows);
    for (y, (n, entry)) in entries
        .iter()
        .enumerate()
        .skip(first)
        .take(rows)
        .enumerate()
    {
        let style = if n == chosen {
            theme.cursor
        } else {
            theme.text
        };
        let name = format!(" {} ", entry.name);
        let name = clip_entry(&name, room, theme.glyphs().more);
        put(buf, area, 0, y + 2, &name, style);
        let about = clip_entry(&entry.about, room.saturating_sub(wide), theme.glyphs().more);
        put(buf, area, wide, y + 2, &about, theme.dim);
        let line = Rect {
            y: area.y + y as u16 + 2,
            height: 1,
            ..area
        };
        app.mark(line, Target::Hit(n));
    }
    if below > 0 {
        let from = usize::from(area.height) - about.len();
        for (i, line) in about.iter().enumerate() {
            put(buf, area, 0, from + i, line, theme.dim);
        }
    }
}

/// Draws the newest finding, with its picture if there is one, or the text that is shown instead.
fn shown(app: &App, board: &Board, area: Rect, buf: &mut Buffer) {
    let theme = &app.display.theme;
    let room = usize::from(area.width);
    // In few rows, the numbers of the text say more than a drawing.
    let drawing = board
        .finding()
        .and_then(|(_, finding)| finding.drawing.as_ref())
        .filter(|_| area.height >= 12);
    let text = board.text();
    // Tables are lines of columns: a line is wrapped only if it does not fit.
    let lines = text.lines().flat_map(|line| {
        if width(line) > room {
            wrap(line, room)
        } else {
            vec![line.to_owned()]
        }
    });
    let mut lines: Vec<String> = lines.collect();
    let mut below = area;
    if let Some(body) = drawing {
        // The picture has the numbers; what the text says about them comes last.
        let says: Vec<String> = lines.split_off(lines.len().saturating_sub(2));
        let rows = area.height.saturating_sub(says.len() as u16 + 1);
        let picture = Rect {
            height: rows,
            ..area
        };
        let nothing = stage::PictureView {
            cursor: &[],
            view: Default::default(),
            written: None,
        };
        stage::draw_body(body, "", "", nothing, picture, buf, theme);
        below = Rect {
            y: area.y + rows + 1,
            height: area.height - rows - 1,
            ..area
        };
        lines = says;
    }
    scroll(
        app,
        &lines,
        app.overlay_line,
        below,
        buf,
        |line, rect, buf| {
            put(buf, rect, 0, 0, line, theme.text);
        },
    );
}
