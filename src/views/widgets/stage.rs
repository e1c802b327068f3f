//! A session's stage: the tensor or picture in focus, the step, the knobs, and the explanation of a cell. It can be
//! drawn into a buffer or described in words.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::heatmap::{Axis, Heat, Values, meaning};
use super::lines::{self, Chunk, put_line};
use super::theme::Theme;
use crate::autograd::{Nature, Step, Trace};
use crate::lesson::session::cell_name::{cell_name, cell_of};
use crate::lesson::session::{Focus, Session};
use crate::tensor::Tensor;
use crate::typeset::number::short;

mod beside;
mod body;
mod charted;
mod footer;
mod gist;
mod given;
mod gradient_check;
mod moving;
mod operands;
mod plain_name;
mod plain_title;
mod room;
mod say;
mod shares;
mod symbol;
mod why;

use footer::FooterLine;

pub use body::{PictureView, draw_body};
pub use gist::{copied, gist};
pub use given::draw as draw_given;
pub use gradient_check::{describe_gradient_check, lines as gradient_check_lines};
pub use moving::{Moving, has_movement};
pub use operands::draw as draw_operands;
pub use plain_name::plain_name;
pub use plain_title::plain_title;
pub use room::room;
pub use say::{describe, describe_body, describe_why};
pub use shares::Shares;
pub use symbol::describe_symbol;
pub use why::{draw_why, leaf, movement, roles};

/// How much the lines below a drawing tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// While a page is read: nothing about steps, and only the knobs with these names.
    Page(Vec<&'static str>),
    /// Beside a list of the run's steps: everything but their names.
    BesideRun,
    /// Everything.
    All,
}

/// Draws what the session looks at, with as much of its step, shape, range, knobs and refusal as `detail` asks for.
///
/// In little room the lines below the drawing are dropped in the order of `footer::Rank`, the strip of steps first. The
/// title, the value at the cursor and a refusal stay. Returns where the names of pictures were drawn, each with the
/// picture's number, for the mouse.
pub fn draw(
    session: &Session,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
    detail: &Detail,
) -> Vec<(Rect, usize)> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return Vec::new();
    }
    let available = usize::from(area.width);
    let (body, foot) = split(session, area, theme, detail);
    if let Some(picture) = session.picture() {
        // The picture draws its own title, in two lines if it needs them.
        let whole = Rect::new(area.x, area.y, area.width, body.bottom() - area.y);
        let (data, says) = (&picture.body, &picture.says);
        let shown = PictureView {
            cursor: session.cursor(),
            view: session.view(),
            written: None,
        };
        if !beside::draw_pictures(session, whole, buf, theme) {
            draw_body(data, says, &picture.title, shown, whole, buf, theme);
        }
    } else {
        put_line(buf, area, 0, &title(session, available, theme, detail));
        if !beside::draw(session, body, buf, theme) {
            let drawn = with_heat(session, |heat| match multiples(session) {
                Some(axis) => {
                    heat.draw_multiples(axis, body, buf, theme);
                    body
                }
                None => {
                    heat.draw(body, buf, theme);
                    let width = heat.width(body, theme).min(body.width.into()) as u16;
                    Rect { width, ..body }
                }
            });
            let height = body.height + foot.len() as u16;
            let free = Rect {
                y: body.y,
                height: area.bottom() - body.y,
                ..area
            };
            room::fill(session, Rect { height, ..drawn }, free, buf, theme, detail);
        }
    }
    let below = usize::from(body.bottom() - area.top());
    let mut tabs = Vec::new();
    for (i, footer) in foot.iter().enumerate() {
        put_line(buf, area, below + i, &footer.line);
        let y = area.y + (below + i) as u16;
        tabs.extend(footer.tabs.iter().map(|tab| {
            let (x, width) = (area.x + tab.columns.start as u16, tab.columns.len() as u16);
            (Rect::new(x, y, width, 1).intersection(area), tab.index)
        }));
    }
    tabs
}

/// Index of the cell drawn at a position of the `area` given to [`draw`], for the mouse.
pub fn index_at(
    session: &Session,
    area: Rect,
    (x, y): (u16, u16),
    theme: &Theme,
    detail: &Detail,
) -> Option<Vec<usize>> {
    if multiples(session).is_some() {
        return None;
    }
    let (body, _) = split(session, area, theme, detail);
    if beside::is_shown(session, body, theme) {
        return beside::index_at(session, body, (x, y), theme);
    }
    let Some(picture) = session.picture() else {
        return with_heat(session, |heat| heat.index_at(body, x, y, theme));
    };
    let mut whole = Rect::new(area.x, area.y, area.width, body.bottom() - area.y);
    if let Some(both) = beside::pictures(session, whole, theme) {
        whole = beside::below_name(both[1].1);
    }
    body::index_at(picture, session.cursor(), whole, (x, y), theme)
}

/// The drawing's area, and the lines kept below it.
fn split(session: &Session, area: Rect, theme: &Theme, detail: &Detail) -> (Rect, Vec<FooterLine>) {
    let height = usize::from(area.height);
    let below = footer::lines(session, area.width.into(), theme, detail);
    // The most rows that the drawing can get.
    let free = height.saturating_sub(1 + footer::firm(&below));
    let free = Rect {
        height: free as u16,
        ..area
    };
    let wants = match session.picture() {
        // A picture includes its sentence, so it gets more of the room than a tensor.
        Some(picture) => footer::Wants {
            likes: body::wanted_height(picture, area.width.into()),
            most: if height < footer::TIGHT {
                height
            } else {
                height * 5 / 6
            },
            whole: body::readable_height(picture, session.cursor(), free, theme),
        },
        None => footer::Wants {
            likes: session.tensor_rows() + 2,
            most: height * 2 / 3,
            whole: match multiples(session) {
                Some(_) => None,
                None => with_heat(session, |heat| heat.whole_height(free, theme)),
            },
        },
    };
    let foot = footer::fitting_lines(below, height.saturating_sub(1), wants);
    let body_height = height.saturating_sub(1 + foot.len());
    let top = area.y + 1.min(area.height);
    let body = Rect::new(area.x, top, area.width, body_height as u16);
    // The lines below follow a small drawing directly instead of sitting at the far end of the pane.
    let used = match session.step() {
        Some(_) if multiples(session).is_none() && !beside::is_shown(session, body, theme) => {
            body_height.min(with_heat(session, |heat| heat.height(body, theme)) + 1)
        }
        _ => body_height,
    };
    let height = used as u16;
    (Rect { height, ..body }, foot)
}

/// The axis whose slices are shown side by side, if any: the one before rows and columns.
fn multiples(session: &Session) -> Option<&'static str> {
    let step = session.step().filter(|_| session.shows_multiples())?;
    step.axes.len().checked_sub(3).map(|axis| step.axes[axis])
}

/// The title in plain words of the tensor that a session shows, if it has one.
pub trait Titled {
    /// See [`plain_title()`]; it names the head at the cursor, or every head if all are side by side.
    fn plain_title(&self) -> Option<String>;
}

impl Titled for Session {
    fn plain_title(&self) -> Option<String> {
        let step = self.step()?;
        let head = step.axes.iter().position(|axis| *axis == "h");
        let head = head.filter(|_| multiples(self).is_none());
        let head = head.and_then(|at| self.cursor().get(at)).copied();
        plain_title(self.trace(), step, head)
    }
}

trait Rows {
    fn tensor_rows(&self) -> usize;
}

impl Rows for Session {
    /// Number of rows that the drawing would like.
    fn tensor_rows(&self) -> usize {
        match self.step().map(|step| step.value.shape().to_vec()) {
            Some(shape) if multiples(self).is_some() => 4 * shape[shape.len() - 2],
            Some(shape) if shape.len() >= 2 => shape[shape.len() - 2] + 3,
            // A vector is folded over several lines.
            Some(shape) => 1 + shape.first().map_or(1, |n| n.div_ceil(8).min(24)),
            None => 40,
        }
    }
}

/// The title: plain words or the tensor's name, and at the right the tensor's path where there is room for it.
fn title(session: &Session, available: usize, theme: &Theme, detail: &Detail) -> lines::Line {
    let Some(step) = session.step() else {
        return Vec::new();
    };
    let path = readable(&step.name);
    let reads = matches!(detail, Detail::Page(_));
    let purpose = plain_name(session.trace(), step);
    // While a page is read, a purpose helps more than a path.
    let has_purpose = reads && purpose != last_name(&step.name);
    let mut name = if has_purpose { &purpose[..] } else { &path[..] };
    // The slice matters more than the tensor's path in the model.
    let leading = leading(step, session.cursor());
    let beside = match lines::width(&leading) {
        0 => 0,
        wide => wide + 2,
    };
    while lines::width(name) + beside > available
        && let Some((_, tail)) = name.split_once('.')
    {
        name = tail;
    }
    let plain = session.plain_title().map(|words| theme.words(&words));
    let plain = plain.filter(|words| lines::width(words) <= available);
    let of_path = plain.is_some();
    let shape = Chunk::new(3, shape(&step.axes, &step.value), theme.dim);
    let mut chunks = match plain {
        Some(plain) if reads => vec![Chunk::new(9, plain, theme.title)],
        Some(plain) => vec![Chunk::new(9, plain, theme.title), shape],
        None => {
            let name = lines::clip(name, available, theme.glyphs().more);
            let leading = Chunk::new(6, leading, theme.note);
            vec![Chunk::new(9, name, theme.title), shape, leading]
        }
    };
    if let Some(of) = session.gradients_of() {
        let name = &session.trace().steps()[of.step].name;
        let last = name.rsplit('.').next().unwrap_or(name);
        let cell = if of.index.is_empty() {
            String::new()
        } else {
            format!("{:?}", of.index).replace(' ', "")
        };
        let still = step.value.data().iter().all(|x| *x == 0.0);
        // Even in little room, say that this is a gradient: the names go before that word does.
        let title = [
            format!("∂ {last}{cell} / ∂ this"),
            format!("∂ {last}{cell}"),
            "gradient".to_owned(),
        ];
        let free = available.saturating_sub(chunks[0].width() + 2);
        let fits = title.iter().position(|words| lines::width(words) <= free);
        chunks.push(Chunk::new(10, title[fits.unwrap_or(2)].clone(), theme.note));
        if still {
            chunks.push(Chunk::new(7, "no influence", theme.dim));
        }
    } else if matches!(session.focus(), Focus::Step(n) if session.is_changed(n)) {
        chunks.push(Chunk::new(8, "changed", theme.note));
    }
    if session.shows_both() && session.difference_exists() {
        chunks.push(Chunk::new(
            7,
            beside::names(session).join(" and "),
            theme.note,
        ));
    } else if session.shows_difference() || session.shows_both() {
        let to = if session.edits().is_empty() {
            "the correct run"
        } else {
            "the previous run"
        };
        let text = format!("{} to {to}", theme.glyphs().delta);
        chunks.push(if session.difference_exists() {
            Chunk::new(7, text, theme.note)
        } else {
            Chunk::new(7, "the correct run has no such tensor", theme.bad)
        });
    }
    let mut line = lines::fit(chunks, available);
    let used: usize = line.iter().map(|(text, _)| lines::width(text)).sum();
    if of_path && used + 2 + lines::width(&path) <= available {
        let gap = available - used - lines::width(&path);
        line.push((" ".repeat(gap), theme.text));
        line.push((path.into_owned(), theme.dim));
    }
    line
}

trait Difference {
    fn difference_exists(&self) -> bool;
}

impl Difference for Session {
    fn difference_exists(&self) -> bool {
        self.step()
            .is_some_and(|step| reference_tensor(self, step).is_some())
    }
}

/// The tensor of the reference run that a step is compared with.
pub fn reference_tensor<'a>(session: &'a Session, step: &Step) -> Option<&'a Tensor> {
    let sound = session.reference().trace.tensor(&step.name)?;
    (sound.shape() == step.value.shape()).then_some(sound)
}

/// The step of the reference run with the name of the one in focus and as many axes, and its number.
fn reference_step(session: &Session) -> Option<(usize, &Step)> {
    let (step, reference) = (session.step()?, &session.reference().trace);
    let number = reference.find(&step.name)?;
    let correct = &reference.steps()[number];
    let fits = correct.value.rank() == step.value.rank() && !correct.value.is_empty();
    fits.then_some((number, correct))
}

/// A tensor's shape with axis letters: `(30 b, 8 h, 10 t, 11 s)`.
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

/// A tensor's shape: `(30,8,10,11)`.
fn sizes(value: &Tensor) -> String {
    let sizes: Vec<String> = value.shape().iter().map(ToString::to_string).collect();
    format!("({})", sizes.join(","))
}

/// Indices before the last two, of axes with more than one: `head 2`.
fn leading(step: &Step, cursor: &[usize]) -> String {
    let places = step.axes.iter().zip(cursor).zip(step.value.shape());
    let leading = places.take(step.value.rank().saturating_sub(2));
    let leading = leading.filter(|(_, n)| **n > 1).map(|(place, _)| place);
    let words = leading.map(|(axis, i)| {
        if axis.is_empty() {
            format!("[{i}]")
        } else {
            format!("{} {i}", meaning(axis))
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Last component of a path: `scores` in `encoder.layers.0.self_attn.scores`.
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

/// Number of the batch's sentence that an index belongs to.
pub fn batch(axes: &[&str], index: &[usize]) -> usize {
    let at = axes.iter().position(|axis| *axis == "b");
    at.and_then(|at| index.get(at)).copied().unwrap_or(0)
}

/// Words on the axes of a cell, as in `t4 "runs", s7 "Hund"`; empty if there are none.
pub fn axis_words(trace: &Trace, step: &Step, index: &[usize]) -> String {
    let batch = batch(&step.axes, index);
    let places = step.axes.iter().zip(index).enumerate();
    let words = places.filter_map(|(at, (axis, &i))| {
        let word = if at + 1 == index.len() {
            trace.word(axis, batch, i)?
        } else {
            trace.row_word(axis, batch, i)?
        };
        Some(format!("{axis}{i} \"{word}\""))
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Values of a step of a trace, with the rule for which are blocked.
fn values_in(trace: &Trace, number: usize) -> Values {
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
    values
}

/// Calls `then` with the heat map of the step in focus; returns the default if a picture is.
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
    let trace = session.trace();
    heat_of(session, trace, number, session.cursor(), operands, then)
}

/// Calls `then` with the heat map of step `number` of a run, with this cursor and these operands marked.
fn heat_of<T>(
    session: &Session,
    trace: &Trace,
    number: usize,
    cursor: &[usize],
    operands: Vec<Vec<usize>>,
    then: impl FnOnce(&Heat) -> T,
) -> T {
    let step = &trace.steps()[number];
    let rank = step.value.rank();
    let row_axis = rank.checked_sub(2).map_or("", |i| step.axes[i]);
    let column_axis = rank.checked_sub(1).map_or("", |i| step.axes[i]);
    let sentence = batch(&step.axes, cursor);
    let row_word = move |i: usize| trace.row_word(row_axis, sentence, i);
    let column_word = move |i: usize| trace.word(column_axis, sentence, i);
    let sound = reference_tensor(session, step)
        .filter(|_| session.shows_difference() && std::ptr::eq(trace, session.trace()));
    let (values, differs) = match sound {
        Some(sound) => (values_in(trace, number).minus(sound), true),
        None => (values_in(trace, number), false),
    };
    let nature = if differs { Nature::Signed } else { step.nature };
    let heat = Heat {
        values,
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
        written: None,
        weights: !differs && matches!(step.op(), "softmax" | "dropout"),
        asked: session.asks_why(),
    };
    then(&heat)
}

/// The leak indicator's text and style, if the run has one: good if nothing leaks, bad otherwise.
pub fn leak(session: &Session, theme: &Theme) -> Option<(String, Style)> {
    let leak = session.leak()?;
    Some(if leak == 0.0 {
        ("none".to_owned(), theme.good)
    } else {
        (theme.words(&short(leak, 8)), theme.bad)
    })
}

#[cfg(test)]
mod tests;
