//! A picture's data drawn with its sentence, including the progress of a job.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::lesson::chart::View;
use crate::lesson::picture::{Live, Part, Status, Written};
use crate::lesson::{Body, Picture};
use crate::typeset::number::short;
use crate::widgets::heatmap::{Axis, Heat, Values};
use crate::widgets::lines::{self, Chunk, put, put_line};
use crate::widgets::theme::Theme;
use crate::widgets::{bars, curves, diagram, map, plane, table};

/// The view of a picture.
#[derive(Clone, Copy, Default)]
pub struct PictureView<'a> {
    /// `[row, column]` of a matrix, or the row of a table or bar chart.
    pub cursor: &'a [usize],
    /// View of a chart.
    pub view: View,
    /// Progress of a heat map that is written row by row.
    pub written: Option<&'a Written>,
}

impl PictureView<'_> {
    fn row(&self) -> usize {
        self.cursor.first().copied().unwrap_or(0)
    }
}

/// Draws a picture's data, or the progress of a job, with a sentence below. An empty title takes no line.
pub fn draw_body(
    body: &Body,
    says: &str,
    title: &str,
    shown: PictureView<'_>,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let parts = Parts::of(body, says, title, shown, area, theme);
    for (y, line) in parts.above.iter().enumerate() {
        put(buf, area, 0, y, line, theme.title);
    }
    draw_data(body, shown, parts.drawing, buf, theme);
    let from = usize::from(parts.drawing.bottom() - area.y) + parts.spare;
    for (i, line) in parts.below.iter().enumerate() {
        put_line(buf, area, from + i, line);
    }
}

/// Division of a picture's area.
struct Parts {
    /// Lines of the title.
    above: Vec<String>,
    /// Area of the data.
    drawing: Rect,
    /// Empty rows below the data.
    spare: usize,
    /// Lines below the drawing: its caption and its sentence.
    below: Vec<lines::Line>,
}

impl Parts {
    fn of(
        body: &Body,
        says: &str,
        title: &str,
        shown: PictureView<'_>,
        area: Rect,
        theme: &Theme,
    ) -> Self {
        let (available, height) = (usize::from(area.width), usize::from(area.height));
        let above = title_lines(title, available, height, theme);
        let top = above.len();
        let mut below = body_caption(body, shown, available, theme);
        let words = lines::wrap(says, available.min(96));
        let last_words = shown
            .written
            .map(|w| lines::wrap(&w.end, available.min(96)).len());
        let words_height = last_words.unwrap_or(0).max(words.len());
        // The drawing keeps at least half of the room. A heat map gets all of its rows if they fit, else two thirds.
        let left = height - top;
        // A map that is being written has no cursor, so only its sentence needs room below it.
        let few = match shown.written {
            Some(_) => words_height.min(LEAST_BELOW),
            None => LEAST_BELOW,
        };
        let few = few.min(left / 2);
        let under = Rect::new(area.x, area.y + top as u16, area.width, (left - few) as u16);
        let (mut most, mut least) = (left / 2, below.len());
        if let Body::Matrix { .. } = body {
            let whole = with_matrix(body, shown, |heat| heat.whole_height(under, theme));
            most = whole.map_or(left / 3, |rows| left - rows).max(few);
            let numbers = with_matrix(body, shown, |heat| heat.has_numbers(under, theme));
            least = match (numbers, shown.written) {
                (true, Some(_)) => 0,
                (true, None) => 1,
                (false, _) => 2,
            };
        } else if let Some(rows) = least_height(body, available) {
            // Visible rows are worth more than the end of a long sentence.
            most = left.saturating_sub(rows).clamp((left / 3).max(few), most);
        }
        // The sentence matters more than the range, and more than the colour legend if the cells contain numbers.
        while below.len() > least && below.len() + words_height > most {
            below.remove(below.len().min(2) - 1);
        }
        let rows = below.len() + words_height;
        below.extend(words.into_iter().map(|line| vec![(line, theme.text)]));
        below.resize(rows, Vec::new());
        if below.len() > most {
            below.truncate(most);
            mark_end(&mut below, available, theme);
        }
        let free = height - top - below.len();
        let whole = Rect::new(area.x, area.y + top as u16, area.width, free as u16);
        let wanted = match body {
            Body::Matrix { .. } => with_matrix(body, shown, |heat| heat.height(whole, theme)),
            _ => body_height(body, available).unwrap_or(usize::MAX),
        };
        let spare = usize::from(!below.is_empty() && free > wanted);
        let rows = free.min(wanted) as u16;
        Self {
            above,
            drawing: Rect::new(area.x, area.y + top as u16, area.width, rows),
            spare,
            below,
        }
    }
}

/// Lines that a heat map leaves for the number at its cursor and its sentence, however many rows it has.
const LEAST_BELOW: usize = 3;

/// Number of rows in which a picture and its sentence are completely readable. A heat map needs all its rows, a line
/// for the number at its cursor, and at most two for its sentence.
pub(super) fn readable_height(
    picture: &Picture,
    cursor: &[usize],
    area: Rect,
    theme: &Theme,
) -> Option<usize> {
    let shown = PictureView {
        cursor,
        ..PictureView::default()
    };
    let (available, height) = (usize::from(area.width), usize::from(area.height));
    let above = title_lines(&picture.title, available, height, theme).len();
    match &picture.body {
        data @ Body::Matrix { .. } => {
            let rows = lines::wrap(&picture.says, available.min(96)).len();
            let beside = above + (1 + rows).min(LEAST_BELOW);
            let free = Rect {
                height: area.height.saturating_sub(beside as u16),
                ..area
            };
            let map = with_matrix(data, shown, |heat| heat.whole_height(free, theme))?;
            Some(map + beside)
        }
        Body::Job(_) | Body::Live(_) => None,
        _ => Some(wanted_height(picture, available)),
    }
}

/// Marks truncated text at its end with the key of the help, which has all of it; with more room, more is shown.
fn mark_end(lines: &mut [lines::Line], available: usize, theme: &Theme) {
    let more = format!("{} (?)", theme.glyphs().more);
    let Some((text, _)) = lines.last_mut().and_then(|line| line.last_mut()) else {
        return;
    };
    while lines::width(text) + 1 + lines::width(&more) > available
        && let Some((before, _)) = text.rsplit_once(' ')
    {
        *text = before.to_owned();
    }
    *text = format!("{text} {more}");
}

/// Number of rows that a picture asks for in `available` columns, with its title and sentence.
pub(super) fn wanted_height(picture: &Picture, available: usize) -> usize {
    let says = lines::wrap(&picture.says, available.min(96)).len();
    let title = lines::wrap(&picture.title, available).len();
    let data = match &picture.body {
        Body::Matrix { values, .. } => values.shape().first().map_or(1, |n| n + 4),
        body => body_height(body, available).unwrap_or(40),
    };
    title + data + says
}

/// Index of the cell or box at a position of a picture drawn in `area`.
pub(super) fn index_at(
    picture: &Picture,
    cursor: &[usize],
    area: Rect,
    (x, y): (u16, u16),
    theme: &Theme,
) -> Option<Vec<usize>> {
    let (data, says) = (&picture.body, &picture.says);
    let shown = PictureView {
        cursor,
        ..PictureView::default()
    };
    let place = Parts::of(data, says, &picture.title, shown, area, theme).drawing;
    match data {
        Body::Map(map) => map::index_at(map, cursor, place, (x, y)),
        Body::Diagrams(all) => diagram::index_at(all, cursor, place, (x, y)),
        data => with_matrix(data, shown, |heat| heat.index_at(place, x, y, theme)),
    }
}

/// Lines of a title: one, or up to three if there is enough height.
fn title_lines(title: &str, available: usize, height: usize, theme: &Theme) -> Vec<String> {
    let wrapped = lines::wrap(title, available);
    match wrapped.len() {
        _ if title.is_empty() || height <= 2 => Vec::new(),
        2 | 3 if height > 10 => wrapped,
        _ => vec![lines::clip_entry(title, available, theme.glyphs().more)],
    }
}

fn draw_data(body: &Body, shown: PictureView<'_>, area: Rect, buf: &mut Buffer, theme: &Theme) {
    match body {
        Body::Matrix { .. } => with_matrix(body, shown, |heat| heat.draw(area, buf, theme)),
        Body::Bars { unit, bars, log } => {
            let log = *log;
            bars::Chart { unit, bars, log }.draw(shown.row(), area, buf, theme);
        }
        Body::Curves {
            x,
            y,
            log,
            apart,
            series,
        } => {
            let chart = curves::Chart {
                x,
                y,
                log: *log,
                apart: *apart,
                series,
                view: shown.view,
            };
            chart.draw(area, buf, theme);
        }
        Body::Table { header, rows } => {
            table::draw((header, rows), shown.row(), area, buf, theme);
        }
        Body::Map(map) => map::draw(map, shown.cursor, area, buf, theme),
        Body::Planes(planes) => plane::draw(planes, shown.cursor, area, buf, theme),
        Body::Diagrams(all) => diagram::draw(all, shown.cursor, area, buf, theme),
        Body::Live(live) => draw_live(live, shown.view, area, buf, theme),
        Body::Job(job) => {
            let words = lines::wrap(&job.about, area.width.into());
            let start = "Not started yet: Enter or r starts it.".to_owned();
            for (i, line) in words.iter().chain([&start]).enumerate() {
                put(
                    buf,
                    area,
                    0,
                    i,
                    line,
                    if *line == start {
                        theme.note
                    } else {
                        theme.text
                    },
                );
            }
        }
    }
}

/// Draws live work: its status, its progress, and as many of its parts as fit.
fn draw_live(live: &Live, view: View, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let (available, height) = (usize::from(area.width), usize::from(area.height));
    let (says, done, parts) = live.work.shown();
    let mut y = 0;
    if live.work.status() != Status::Idle {
        let glyphs = theme.glyphs().shades;
        let full = (done.clamp(0.0, 1.0) * available as f32) as usize;
        let bar = glyphs[5].repeat(full) + &glyphs[2].repeat(available - full);
        put(buf, area, 0, 0, &bar, theme.dim);
        y += 1;
    }
    let words = if parts.is_empty() { &live.about } else { "" };
    let wrapped = lines::wrap(&format!("{words} {says}"), available);
    for line in wrapped.iter().take((height / 2).max(4)) {
        put(buf, area, 0, y, line, theme.text);
        y += 1;
    }
    // Each part takes a title, the drawing and an empty row. A chart takes what the others leave.
    let wanted = |part: &Part| match &part.body {
        Body::Matrix { values, .. } => values.shape()[0] + 5,
        body => least_height(body, available).unwrap_or(9) + 2,
    };
    let free = height.saturating_sub(y);
    let mut fitting = 1;
    while fitting < parts.len() && parts[..=fitting].iter().map(wanted).sum::<usize>() <= free {
        fitting += 1;
    }
    let shown = &parts[..fitting.min(parts.len())];
    let spare = free.saturating_sub(shown.iter().map(wanted).sum());
    for part in shown {
        let takes = match &part.body {
            Body::Curves { .. } => wanted(part) + spare,
            _ => wanted(part),
        };
        let rows = takes.min(height.saturating_sub(y)).saturating_sub(2);
        let title = lines::clip(&part.title, available, theme.glyphs().more);
        put(buf, area, 0, y, &title, theme.title);
        let inner = Rect::new(area.x, area.y + y as u16 + 1, area.width, rows as u16);
        let shown = PictureView {
            view,
            ..PictureView::default()
        };
        draw_data(&part.body, shown, inner, buf, theme);
        y += takes;
    }
}

/// Maximum number of rows that a picture uses; `None` if it fills any room.
fn body_height(body: &Body, available: usize) -> Option<usize> {
    match body {
        Body::Matrix { .. } => None,
        Body::Bars { unit, bars, log } => {
            let log = *log;
            Some(bars::Chart { unit, bars, log }.height())
        }
        Body::Table { header, rows } => {
            Some(table::height(header, rows, available) + rows.len().saturating_sub(1))
        }
        Body::Map(map) => Some(map::height(map, available)),
        Body::Diagrams(all) => Some(diagram::heights(all)[1]),
        Body::Curves { .. } | Body::Live(_) | Body::Planes(_) => None,
        Body::Job(job) => Some(lines::wrap(&job.about, available).len() + 1),
    }
}

/// Number of rows in which a whole table, bar chart or map is visible.
fn least_height(body: &Body, available: usize) -> Option<usize> {
    match body {
        Body::Bars { bars, log, .. } => Some(bars.len() + 1 + 2 * usize::from(*log)),
        Body::Table { header, rows } => Some(table::height(header, rows, available)),
        Body::Map(_) => body_height(body, available),
        Body::Diagrams(all) => Some(diagram::heights(all)[0]),
        _ => None,
    }
}

fn body_caption(
    body: &Body,
    shown: PictureView<'_>,
    available: usize,
    theme: &Theme,
) -> Vec<lines::Line> {
    let sentences = match body {
        Body::Planes(planes) => plane::caption(planes, shown.cursor),
        Body::Diagrams(all) => diagram::caption(all, shown.cursor, available),
        _ => String::new(),
    };
    if !sentences.is_empty() {
        let line = |line: String| vec![(theme.words(&line), theme.note)];
        return lines::wrap(&sentences, available.min(96))
            .into_iter()
            .map(line)
            .collect();
    }
    let Body::Matrix { notes, .. } = body else {
        return Vec::new();
    };
    with_matrix(body, shown, |heat| {
        // While the heat map is being written there is no cursor, so only its colours need explaining.
        if shown.written.is_some() {
            return heat.caption(available, theme).pop().into_iter().collect();
        }
        let (row, column) = heat.place();
        let mut chunks = Vec::new();
        if let Some((value, _)) = heat.value_at_cursor() {
            let text = format!("[{row},{column}] = {}", theme.words(&short(value, 10)));
            chunks.push(Chunk::new(9, text, theme.text));
        }
        chunks.push(Chunk::new(6, heat.words_at_cursor(theme), theme.dim));
        let note = notes.get(row).and_then(|row| row.get(column));
        chunks.push(Chunk::new(8, note.cloned().unwrap_or_default(), theme.note));
        let mut caption = vec![lines::fit(chunks, available)];
        caption.extend(heat.caption(available, theme));
        caption
    })
}

pub(super) fn with_matrix<T: Default>(
    body: &Body,
    shown: PictureView<'_>,
    then: impl FnOnce(&Heat) -> T,
) -> T {
    let Body::Matrix {
        values,
        nature,
        rows,
        columns,
        links_words,
        ..
    } = body
    else {
        return T::default();
    };
    let row_word = |i: usize| rows.1.get(i).map(String::as_str);
    let column_word = |i: usize| columns.1.get(i).map(String::as_str);
    // If not all rows fit, show the newest.
    let newest = shown.written.map(|w| [w.rows.saturating_sub(1), 0]);
    let cursor = newest.as_ref().map_or(shown.cursor, |at| &at[..]);
    let fits =
        cursor.len() == values.rank() && cursor.iter().zip(values.shape()).all(|(i, n)| i < n);
    let origin = vec![0; values.rank()];
    then(&Heat {
        values: Values::of(values),
        nature: *nature,
        rows: Axis {
            name: rows.0.clone(),
            word: Some(&row_word),
        },
        columns: Axis {
            name: columns.0.clone(),
            word: Some(&column_word),
        },
        cursor: if fits { cursor } else { &origin },
        operands: Vec::new(),
        written: shown.written.map(|w| w.rows),
        weights: *links_words,
        asked: false,
    })
}
