//! A session's stage: the tensor or picture looked at, the step, the knobs, and why a cell is what
//! it is. Drawn into a buffer, or said in words.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::heatmap::{Axis, Heat, Values};
use super::lines::{self, Chunk, put, put_line};
use super::theme::Theme;
use super::{bars, curves, map, table};
use crate::autograd::{Nature, Step, Trace};
use crate::lesson::Body;
use crate::lesson::chart::View;
use crate::lesson::picture::{Live, Part, Status};
use crate::lesson::session::{Focus, Session};
use crate::tensor::Tensor;
use crate::typeset::number::short;

mod charted;
mod differences;
mod footer;
mod operands;
mod say;
mod shares;
mod symbol;
mod why;

pub use differences::{describe_differences, lines as differences_lines};
pub use operands::draw as draw_operands;
pub use say::{describe, describe_body, describe_why};
pub use symbol::describe_symbol;
pub use why::draw_why;

/// Draws what the session looks at, with its step, shape, range, knobs and refusal.
///
/// In little room the lines below the drawing go, in this order: the strip of steps, the switches,
/// the range, the knobs, the leak meter, the step. The title, the cursor's value and a refusal stay.
pub fn draw(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    draw_with(session, area, buf, theme, true);
}

/// As [`draw`], beside a list of the steps: the strip of their names is left out.
pub fn draw_beside_run(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    if !area.is_empty() {
        draw_with(session, area, buf, theme, false);
    }
}

fn draw_with(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme, strip: bool) {
    let room = usize::from(area.width);
    let (body, foot) = split(session, area, theme, strip);
    if let Some(picture) = session.picture() {
        // Its title is drawn with it, in two lines where one is too short.
        let whole = Rect::new(area.x, area.y, area.width, body.bottom() - area.y);
        let (data, says) = (&picture.body, &picture.says);
        let shown = Shown {
            cursor: session.cursor(),
            view: session.view(),
        };
        draw_body(data, says, &picture.title, shown, whole, buf, theme);
    } else {
        put_line(buf, area, 0, &title(session, room, theme));
        with_heat(session, |heat| match multiples(session) {
            Some(axis) => heat.draw_multiples(axis, body, buf, theme),
            None => heat.draw(body, buf, theme),
        });
    }
    let below = usize::from(body.bottom() - area.top());
    for (i, line) in foot.iter().enumerate() {
        put_line(buf, area, below + i, line);
    }
}

/// The index of the cell drawn at a place of the `area` given to [`draw`], for the mouse.
pub fn index_at(
    session: &Session,
    area: Rect,
    x: u16,
    y: u16,
    theme: &Theme,
) -> Option<Vec<usize>> {
    index_in(session, area, (x, y), theme, true)
}

/// As [`index_at`], of what [`draw_beside_run`] draws.
pub fn index_beside_run(
    session: &Session,
    area: Rect,
    at: (u16, u16),
    theme: &Theme,
) -> Option<Vec<usize>> {
    index_in(session, area, at, theme, false)
}

fn index_in(
    session: &Session,
    area: Rect,
    (x, y): (u16, u16),
    theme: &Theme,
    strip: bool,
) -> Option<Vec<usize>> {
    if multiples(session).is_some() {
        return None;
    }
    let (body, _) = split(session, area, theme, strip);
    let Some(picture) = session.picture() else {
        return with_heat(session, |heat| heat.index_at(body, x, y, theme));
    };
    let whole = Rect::new(area.x, area.y, area.width, body.bottom() - area.y);
    let cursor = session.cursor();
    let (data, says) = (&picture.body, &picture.says);
    let place = Parts::of(data, says, &picture.title, cursor, whole, theme).drawing;
    match data {
        Body::Map(map) => map::index_at(map, cursor, place, (x, y)),
        data => with_matrix(data, cursor, |heat| heat.index_at(place, x, y, theme)),
    }
}

/// The room of the drawing, and the lines below it that are kept.
fn split(session: &Session, area: Rect, theme: &Theme, strip: bool) -> (Rect, Vec<lines::Line>) {
    let height = usize::from(area.height);
    let below = footer::lines(session, area.width.into(), theme, strip);
    let rows = session.tensor_rows() + 2;
    let foot = footer::kept(below, height.saturating_sub(1), rows);
    let body_height = height.saturating_sub(1 + foot.len());
    let top = area.y + 1.min(area.height);
    let body = Rect::new(area.x, top, area.width, body_height as u16);
    // A small drawing leaves its lines right below it, not at the far end of the pane.
    let used = match session.step() {
        Some(_) if multiples(session).is_none() => {
            body_height.min(with_heat(session, |heat| heat.height(body, theme)) + 1)
        }
        _ => body_height,
    };
    let height = used as u16;
    (Rect { height, ..body }, foot)
}

/// The axis whose slices are shown side by side, if they are: the last before rows and columns.
fn multiples(session: &Session) -> Option<&'static str> {
    let step = session.step().filter(|_| session.shows_multiples())?;
    step.axes.len().checked_sub(3).map(|axis| step.axes[axis])
}

trait Rows {
    fn tensor_rows(&self) -> usize;
}

impl Rows for Session {
    /// The rows that the drawing would like.
    fn tensor_rows(&self) -> usize {
        match self.step().map(|step| step.value.shape().to_vec()) {
            Some(shape) if multiples(self).is_some() => 4 * shape[shape.len() - 2],
            Some(shape) if shape.len() >= 2 => shape[shape.len() - 2] + 3,
            // A vector is folded over some lines.
            Some(shape) => 1 + shape.first().map_or(1, |n| n.div_ceil(8).min(24)),
            None => 40,
        }
    }
}

fn title(session: &Session, room: usize, theme: &Theme) -> lines::Line {
    let Some(step) = session.step() else {
        return Vec::new();
    };
    let readable = readable(&step.name);
    let mut name = &readable[..];
    while lines::width(name) > room
        && let Some((_, tail)) = name.split_once('.')
    {
        name = tail;
    }
    let mut chunks = vec![
        Chunk::new(9, lines::clip(name, room, theme.glyphs().more), theme.title),
        Chunk::new(3, shape(&step.axes, &step.value), theme.dim),
        Chunk::new(6, leading(step, session.cursor()), theme.note),
    ];
    if let Some(of) = session.lens() {
        let name = &session.trace().steps()[of.step].name;
        let last = name.rsplit('.').next().unwrap_or(name);
        let cell = if of.index.is_empty() {
            String::new()
        } else {
            format!("{:?}", of.index).replace(' ', "")
        };
        let still = step.value.data().iter().all(|x| *x == 0.0);
        // What is shown is said in any room: the name goes before the word.
        let said = [
            format!("∂ {last}{cell} / ∂ this"),
            format!("∂ {last}{cell}"),
            "gradient".to_owned(),
        ];
        let free = room.saturating_sub(chunks[0].width() + 2);
        let fits = said.iter().position(|words| lines::width(words) <= free);
        chunks.push(Chunk::new(10, said[fits.unwrap_or(2)].clone(), theme.note));
        if still {
            chunks.push(Chunk::new(7, "no influence", theme.dim));
        }
    } else if matches!(session.focus(), Focus::Step(n) if session.is_changed(n)) {
        chunks.push(Chunk::new(8, "changed", theme.note));
    }
    if session.shows_difference() {
        let to = if session.edits().is_empty() {
            "the sound run"
        } else {
            "the run before"
        };
        let text = format!("{} to {to}", theme.glyphs().delta);
        chunks.push(match session.difference_exists() {
            true => Chunk::new(7, text, theme.note),
            false => Chunk::new(7, "the sound run has no such tensor", theme.bad),
        });
    }
    lines::fit(chunks, room)
}

trait Difference {
    fn difference_exists(&self) -> bool;
}

impl Difference for Session {
    fn difference_exists(&self) -> bool {
        self.step().is_some_and(|step| sound(self, step).is_some())
    }
}

/// The tensor of the sound run that a step is compared with.
fn sound<'a>(session: &'a Session, step: &Step) -> Option<&'a Tensor> {
    let sound = session.reference().trace.tensor(&step.name)?;
    (sound.shape() == step.value.shape()).then_some(sound)
}

/// `(30 b, 8 h, 10 t, 11 s)`.
pub fn shape(axes: &[&str], value: &Tensor) -> String {
    if value.rank() == 0 {
        return "(one number)".to_owned();
    }
    let sizes = value.shape().iter().zip(axes);
    let named = sizes.map(|(n, axis)| {
        if axis.is_empty() {
            n.to_string()
        } else {
            format!("{n} {axis}")
        }
    });
    format!("({})", named.collect::<Vec<_>>().join(", "))
}

/// `(30,8,10,11)`.
fn sizes(value: &Tensor) -> String {
    let sizes: Vec<String> = value.shape().iter().map(ToString::to_string).collect();
    format!("({})", sizes.join(","))
}

/// `b0 h2`: the indices before the last two.
fn leading(step: &Step, cursor: &[usize]) -> String {
    let places = step.axes.iter().zip(cursor).zip(step.value.shape());
    let leading = places.take(step.value.rank().saturating_sub(2));
    // A placeholder's only index says nothing.
    let leading = leading.filter(|((axis, _), n)| !axis.is_empty() || **n > 1);
    let leading = leading.map(|(place, _)| place);
    let words = leading.map(|(axis, i)| {
        if axis.is_empty() {
            format!("[{i}]")
        } else {
            format!("{axis}{i}")
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `scores[0,2,4,7]`.
fn cell_name(name: &str, index: &[usize]) -> String {
    if index.is_empty() {
        return name.to_owned();
    }
    let index: Vec<String> = index.iter().map(ToString::to_string).collect();
    format!("{name}[{}]", index.join(","))
}

/// The last word of a path: `scores` of `encoder.layers.0.self_attn.scores`.
fn last_name(name: &str) -> Cow<'_, str> {
    readable(name.rsplit('.').next().unwrap_or(name))
}

/// A tensor's name as people read it: the second `matmul` of a run is `matmul (2nd)`, not `matmul#2`.
pub fn readable(name: &str) -> Cow<'_, str> {
    let Some((name, number)) = name.rsplit_once('#') else {
        return Cow::Borrowed(name);
    };
    let ending = match (number.as_bytes(), number.parse::<usize>()) {
        ([.., b'1', _], _) => "th",
        (_, Ok(n)) if n % 10 == 1 => "st",
        (_, Ok(n)) if n % 10 == 2 => "nd",
        (_, Ok(n)) if n % 10 == 3 => "rd",
        _ => "th",
    };
    Cow::Owned(format!("{name} ({number}{ending})"))
}

/// The sentence of the batch that an index lies in.
fn batch(axes: &[&str], index: &[usize]) -> usize {
    let at = axes.iter().position(|axis| *axis == "b");
    at.and_then(|at| index.get(at)).copied().unwrap_or(0)
}

/// The words on the axes of a cell: `t4 "runs", s7 "Hund"`; empty where there are none.
fn words(trace: &Trace, step: &Step, index: &[usize]) -> String {
    let batch = batch(&step.axes, index);
    let places = step.axes.iter().zip(index);
    let words = places.filter_map(|(axis, &i)| {
        let word = trace.word(axis, batch, i)?;
        Some(format!("{axis}{i} \"{word}\""))
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The step's numbers, with the rule that says which are blocked.
fn values(session: &Session, number: usize) -> Values {
    let trace = session.trace();
    let step = &trace.steps()[number];
    let mut values = Values::of(&step.value);
    // Blocked scores pass through a softmax: their weights are blocked too, not just small.
    let scores = match (step.op(), step.inputs().first()) {
        ("softmax" | "dropout", Some(&input)) => input,
        _ => number,
    };
    let scores = &trace.steps()[scores];
    let fits = scores.value.shape() == step.value.shape();
    if fits && scores.op() == "mask_fill" && !scores.value.is_empty() {
        let cell = trace.explain(
            trace.find(&scores.name).expect("the step is in its trace"),
            &vec![0; scores.value.rank()],
        );
        if let Some(fill) = cell.terms.iter().find(|term| term.role == "fill") {
            values = values.blocked_by(&scores.value, fill.value);
        }
    } else if fits && step.op() == "softmax" {
        values = values.blocked_by(&scores.value, f32::NEG_INFINITY);
    }
    match sound(session, step).filter(|_| session.shows_difference()) {
        Some(sound) => values.minus(sound),
        None => values,
    }
}

/// Calls `then` with the heat map of the step looked at; nothing where a picture is.
fn with_heat<T: Default>(session: &Session, then: impl FnOnce(&Heat) -> T) -> T {
    let Focus::Step(number) = session.focus() else {
        return T::default();
    };
    let operands = session.why().map_or_else(Vec::new, |(at, cell)| {
        let terms = cell
            .terms
            .into_iter()
            .filter(|term| term.step == Some(number));
        let itself = (at.step == number).then(|| at.index.clone());
        terms.map(|term| term.index).chain(itself).collect()
    });
    heat_of(session, number, session.cursor(), operands, then)
}

/// Calls `then` with the heat map of step `number`, at this cursor, with the marked operands.
fn heat_of<T>(
    session: &Session,
    number: usize,
    cursor: &[usize],
    operands: Vec<Vec<usize>>,
    then: impl FnOnce(&Heat) -> T,
) -> T {
    let trace = session.trace();
    let step = &trace.steps()[number];
    let rank = step.value.rank();
    let row_axis = rank.checked_sub(2).map_or("", |i| step.axes[i]);
    let column_axis = rank.checked_sub(1).map_or("", |i| step.axes[i]);
    let sentence = batch(&step.axes, cursor);
    let row_word = move |i: usize| trace.word(row_axis, sentence, i);
    let column_word = move |i: usize| trace.word(column_axis, sentence, i);
    let differs = session.shows_difference() && sound(session, step).is_some();
    let nature = match differs {
        true => Nature::Signed,
        false => step.nature,
    };
    let heat = Heat {
        values: values(session, number),
        nature,
        rows: Axis {
            name: row_axis.to_owned(),
            word: Some(&row_word),
        },
        columns: Axis {
            name: column_axis.to_owned(),
            word: Some(&column_word),
        },
        cursor,
        operands,
    };
    then(&heat)
}

/// What is looked at of a picture.
#[derive(Clone, Copy, Default)]
pub struct Shown<'a> {
    /// `[row, column]` of a matrix; of a table or of bars the row.
    pub cursor: &'a [usize],
    /// What is seen of a chart.
    pub view: View,
}

impl Shown<'_> {
    fn row(&self) -> usize {
        self.cursor.first().copied().unwrap_or(0)
    }
}

/// Draws a picture's data with its sentence below: also the progress of a job. An empty title takes
/// no line.
pub fn draw_body(
    body: &Body,
    says: &str,
    title: &str,
    shown: Shown<'_>,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let parts = Parts::of(body, says, title, shown.cursor, area, theme);
    for (y, line) in parts.above.iter().enumerate() {
        put(buf, area, 0, y, line, theme.title);
    }
    draw_data(body, shown, parts.drawing, buf, theme);
    let from = usize::from(parts.drawing.bottom() - area.y) + parts.spare;
    for (i, line) in parts.below.iter().enumerate() {
        put_line(buf, area, from + i, line);
    }
}

/// How a picture shares out its room.
struct Parts {
    /// The title's lines.
    above: Vec<String>,
    /// The place of the data.
    drawing: Rect,
    /// Empty rows below it.
    spare: usize,
    /// What is said below.
    below: Vec<lines::Line>,
}

impl Parts {
    fn of(
        body: &Body,
        says: &str,
        title: &str,
        cursor: &[usize],
        area: Rect,
        theme: &Theme,
    ) -> Self {
        let (room, height) = (usize::from(area.width), usize::from(area.height));
        let above = title_lines(title, room, height, theme);
        let top = above.len();
        let mut below = body_caption(body, cursor, room, theme);
        let words = lines::wrap(says, room.min(96));
        below.extend(words.into_iter().map(|line| vec![(line, theme.text)]));
        // The drawing keeps at least half of the room.
        below.truncate((height - top) / 2);
        let free = height - top - below.len();
        let whole = Rect::new(area.x, area.y + top as u16, area.width, free as u16);
        let wanted = match body {
            Body::Matrix { .. } => with_matrix(body, cursor, |heat| heat.height(whole, theme)),
            _ => body_height(body, room).unwrap_or(usize::MAX),
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

/// A title in one line, or in two where there is height enough.
fn title_lines(title: &str, room: usize, height: usize, theme: &Theme) -> Vec<String> {
    let wrapped = lines::wrap(title, room);
    match wrapped.len() {
        _ if title.is_empty() || height <= 2 => Vec::new(),
        2 if height > 12 => wrapped,
        _ => vec![lines::clip(title, room, theme.glyphs().more)],
    }
}

fn draw_data(body: &Body, shown: Shown<'_>, area: Rect, buf: &mut Buffer, theme: &Theme) {
    match body {
        Body::Matrix { .. } => with_matrix(body, shown.cursor, |heat| heat.draw(area, buf, theme)),
        Body::Bars { unit, bars, log } => {
            bars::draw((unit, bars, *log), shown.row(), area, buf, theme);
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

/// Work that goes on: how it stands, how far it is, and as many of its drawings as have room.
fn draw_live(live: &Live, view: View, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let (room, height) = (usize::from(area.width), usize::from(area.height));
    let (says, done, parts) = live.work.shown();
    let mut y = 0;
    if live.work.status() != Status::Idle {
        let glyphs = theme.glyphs().shades;
        let full = (done.clamp(0.0, 1.0) * room as f32) as usize;
        let bar = glyphs[5].repeat(full) + &glyphs[2].repeat(room - full);
        put(buf, area, 0, 0, &bar, theme.dim);
        y += 1;
    }
    let words = if parts.is_empty() { &live.about } else { "" };
    let wrapped = lines::wrap(&format!("{words} {says}"), room);
    for line in wrapped.iter().take((height / 2).max(4)) {
        put(buf, area, 0, y, line, theme.text);
        y += 1;
    }
    // A title, the drawing, an empty row. A chart takes what the others leave.
    let wanted = |part: &Part| match &part.body {
        Body::Matrix { values, .. } => values.shape()[0] + 5,
        body => body_height(body, room).unwrap_or(9) + 2,
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
        let title = lines::clip(&part.title, room, theme.glyphs().more);
        put(buf, area, 0, y, &title, theme.title);
        let inner = Rect::new(area.x, area.y + y as u16 + 1, area.width, rows as u16);
        let shown = Shown { view, cursor: &[] };
        draw_data(&part.body, shown, inner, buf, theme);
        y += takes;
    }
}

/// The rows that a picture needs at most; `None` where it takes what there is.
fn body_height(body: &Body, room: usize) -> Option<usize> {
    match body {
        Body::Matrix { .. } => None,
        Body::Bars { bars, log, .. } => Some(bars::height(bars.len(), *log)),
        Body::Table { header, rows } => Some(table::height(header, rows, room)),
        Body::Map(map) => Some(map.rows.len()),
        Body::Curves { .. } | Body::Live(_) => None,
        Body::Job(job) => Some(lines::wrap(&job.about, room).len() + 1),
    }
}

fn body_caption(body: &Body, cursor: &[usize], room: usize, theme: &Theme) -> Vec<lines::Line> {
    let Body::Matrix { notes, .. } = body else {
        return Vec::new();
    };
    with_matrix(body, cursor, |heat| {
        let (row, column) = heat.place();
        let mut chunks = Vec::new();
        if let Some((value, _)) = heat.value_at_cursor() {
            let text = format!("[{row},{column}] = {}", theme.words(&short(value, 10)));
            chunks.push(Chunk::new(9, text, theme.text));
        }
        chunks.push(Chunk::new(6, heat.words_at_cursor(theme), theme.dim));
        let note = notes.get(row).and_then(|row| row.get(column));
        chunks.push(Chunk::new(8, note.cloned().unwrap_or_default(), theme.note));
        let mut caption = vec![lines::fit(chunks, room)];
        caption.extend(heat.caption(room, theme));
        caption
    })
}

fn with_matrix<T: Default>(body: &Body, cursor: &[usize], then: impl FnOnce(&Heat) -> T) -> T {
    let Body::Matrix {
        values,
        nature,
        rows,
        columns,
        ..
    } = body
    else {
        return T::default();
    };
    let row_word = |i: usize| rows.1.get(i).map(String::as_str);
    let column_word = |i: usize| columns.1.get(i).map(String::as_str);
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
    })
}

/// A number and its style: what leaks is bad, what is tight is good.
pub fn leak(session: &Session, theme: &Theme) -> Option<(String, Style)> {
    let leak = session.run().leak?;
    Some(if leak == 0.0 {
        ("none".to_owned(), theme.good)
    } else {
        (theme.words(&short(leak, 8)), theme.bad)
    })
}

#[cfg(test)]
mod tests;
