//! A session's stage: the tensor or picture looked at, the step, the knobs, and why a cell is what
//! it is. Drawn into a buffer, or said in words.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::heatmap::HeatMap;
use super::lines::{Chunk, clip, fit, flow, put, put_line, width, wrap};
use super::number::{ascii, short};
use super::picture;
use super::theme::Theme;
use crate::autograd::{Cell, Nature, Step, Trace};
use crate::lesson::session::Session;

/// What an axis letter stands for.
pub fn axis_name(letter: &str) -> &str {
    match letter {
        "b" => "batch",
        "h" => "head",
        "t" => "target",
        "s" => "source",
        "d" => "model",
        "k" => "key",
        "v" => "vocabulary",
        "p" => "position",
        other => other,
    }
}

/// `(30 b, 8 h, 10 t, 11 s)`.
pub fn shape_with_axes(step: &Step) -> String {
    let axes = step.value.shape().iter().zip(&step.axes);
    let parts: Vec<String> = axes
        .map(|(n, axis)| {
            if axis.is_empty() {
                n.to_string()
            } else {
                format!("{n} {axis}")
            }
        })
        .collect();
    format!("({})", parts.join(", "))
}

fn numbers(all: &[usize]) -> String {
    all.iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

/// The word at `place` of axis number `axis`, in the sentence that `index` is in.
fn word<'a>(
    trace: &'a Trace,
    step: &Step,
    index: &[usize],
    axis: usize,
    place: usize,
) -> Option<&'a str> {
    let batch = step
        .axes
        .iter()
        .position(|a| *a == "b")
        .map_or(0, |b| index.get(b).copied().unwrap_or(0));
    let batch = if step.axes.get(axis) == Some(&"b") {
        place
    } else {
        batch
    };
    trace.word(step.axes.get(axis)?, batch, place)
}

/// Draws what the session looks at, with its step, shape, range, knobs and refusal.
///
/// The lower lines go first where there is little room: sentences, list of inputs, knobs, range.
pub fn draw(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    if area.width < 4 || area.height < 2 {
        return;
    }
    let room = usize::from(area.width);
    let mut below: Vec<super::lines::Line> = Vec::new();
    if let Some(sentence) = session.refusal() {
        below.extend(
            wrap(sentence, room)
                .into_iter()
                .map(|line| vec![(line, theme.bad)]),
        );
    }
    if session.step().is_some() && area.height >= 6 {
        below.push(cursor_line(session, room, theme));
    }
    if area.height >= 8 {
        below.extend(step_line(session, room, theme));
    }
    if area.height >= 7 {
        below.extend(knob_lines(session, room, theme));
    }
    below.truncate(usize::from(area.height) / 2);
    let upper = Rect {
        height: area.height - below.len() as u16,
        ..area
    };
    for (line, words) in below.iter().enumerate() {
        put_line(buf, area, usize::from(upper.height) + line, words);
    }
    match (session.step(), session.picture()) {
        (Some(step), _) => draw_step(session, step, upper, buf, theme),
        (None, Some(p)) => {
            picture::draw_body(
                &p.body,
                &p.says,
                &p.title,
                session.cursor(),
                upper,
                buf,
                theme,
            );
        }
        (None, None) => {}
    }
}

fn draw_step(session: &Session, step: &Step, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let Some((tensor, range)) = session.shown() else {
        return;
    };
    let (cursor, rank) = (session.cursor(), tensor.rank());
    let room = usize::from(area.width);
    let mut title = vec![Chunk::new(9, step.name.clone(), theme.title)];
    if session.shows_difference() {
        title.push(Chunk::new(
            8,
            format!("{} broken − sound", theme.glyphs().delta),
            theme.bad,
        ));
    }
    let leading = rank.saturating_sub(2);
    let at: Vec<String> = (0..leading)
        .map(|axis| {
            let name = if step.axes[axis].is_empty() {
                "#"
            } else {
                step.axes[axis]
            };
            format!("{name}{}", cursor[axis])
        })
        .collect();
    if !at.is_empty() {
        title.push(Chunk::new(7, at.join(" "), theme.note));
    }
    title.push(Chunk::new(5, shape_with_axes(step), theme.dim));
    put_line(buf, area, 0, &fit(title, room));
    let columns = tensor.last();
    let rows = if rank >= 2 {
        tensor.shape()[rank - 2]
    } else {
        1
    };
    let first = if rank >= 2 {
        tensor.offset(&[&cursor[..leading], &[0, 0]].concat())
    } else {
        0
    };
    let trace = session.trace();
    let labelled = |axis_from_last: usize, i: usize| {
        let axis = rank.checked_sub(axis_from_last + 1);
        let found = axis.and_then(|axis| word(trace, step, cursor, axis, i));
        found.map_or_else(|| i.to_string(), str::to_owned)
    };
    let operands = operand_cells(session);
    let shown_step = trace.steps().iter().position(|s| std::ptr::eq(s, step));
    HeatMap {
        cells: tensor
            .data()
            .get(first..first + rows * columns)
            .unwrap_or(&[]),
        columns,
        nature: if session.shows_difference() {
            Nature::Signed
        } else {
            step.nature
        },
        range: *range,
        cursor: match rank {
            0 => (0, 0),
            1 => (0, cursor[0]),
            _ => (cursor[rank - 2], cursor[rank - 1]),
        },
        row: &|r| {
            if rank >= 2 {
                labelled(1, r)
            } else {
                String::new()
            }
        },
        column: &|c| {
            if rank >= 1 {
                labelled(0, c)
            } else {
                String::new()
            }
        },
        operand: &|r, c| {
            rank >= 2
                && operands.iter().any(|(step, index)| {
                    Some(*step) == shown_step
                        && index[..leading] == cursor[..leading]
                        && index[leading..] == [r, c]
                })
        },
    }
    .draw(
        Rect {
            y: area.y + 1,
            height: area.height.saturating_sub(1),
            ..area
        },
        buf,
        theme,
    );
}

fn operand_cells(session: &Session) -> Vec<(usize, Vec<usize>)> {
    let Some((_, cell)) = session.why() else {
        return Vec::new();
    };
    cell.terms
        .into_iter()
        .filter_map(|t| Some((t.step?, t.index)))
        .collect()
}

/// `weights[0,2,4,7] = 0.4172  dog → Hund   range −2.1 … 3.4`
fn cursor_line(session: &Session, room: usize, theme: &Theme) -> super::lines::Line {
    let (Some(step), Some((tensor, range))) = (session.step(), session.shown()) else {
        return Vec::new();
    };
    let cursor = session.cursor();
    let value = tensor.at(cursor);
    let mut chunks = vec![Chunk::new(
        9,
        format!("{}[{}] = {}", step.name, numbers(cursor), short(value, 10)),
        theme.text,
    )];
    let rank = tensor.rank();
    if rank >= 2 {
        let words = [rank - 2, rank - 1]
            .map(|axis| word(session.trace(), step, cursor, axis, cursor[axis]));
        if let [Some(row), Some(column)] = words {
            chunks.push(Chunk::new(
                6,
                format!("{row} {} {column}", theme.glyphs().next),
                theme.note,
            ));
        } else if let [Some(one), None] | [None, Some(one)] = words {
            chunks.push(Chunk::new(6, one, theme.note));
        }
    }
    let bounds = format!(
        "range {} {} {}",
        short(range.0, 7),
        theme.glyphs().more,
        short(range.1, 7)
    );
    chunks.push(Chunk::new(4, bounds, theme.dim));
    fit(chunks, room)
}

/// `step 4/9  mask_fill ← scaled (30,8,10,11), mask (30,1,1,11)`
fn step_line(session: &Session, room: usize, theme: &Theme) -> Vec<super::lines::Line> {
    let steps = session.trace().steps();
    let Some(step) = session.step() else {
        return Vec::new();
    };
    let number = steps
        .iter()
        .position(|s| std::ptr::eq(s, step))
        .unwrap_or(0);
    let mut chunks = vec![
        Chunk::new(9, format!("step {}/{}", number + 1, steps.len()), theme.dim),
        Chunk::new(8, step.op(), theme.title),
    ];
    for (place, &input) in step.inputs().iter().enumerate() {
        let mark = if place == 0 { theme.glyphs().from } else { "," };
        let from = &steps[input];
        let text = format!("{mark} {} ({})", from.name, numbers(from.value.shape()));
        chunks.push(Chunk::new(5, text, theme.text));
    }
    flow(chunks, room)
}

fn knob_lines(session: &Session, room: usize, theme: &Theme) -> Vec<super::lines::Line> {
    let (less, more) = theme.glyphs().turn;
    let stage = session.stage();
    let mut chunks: Vec<Chunk> = stage
        .knobs()
        .iter()
        .enumerate()
        .map(|(i, knob)| {
            let value = session.settings().text(knob.name);
            if i == session.knob() {
                Chunk::new(9, format!("{} {less} ", knob.name), theme.title)
                    .and(value, theme.title)
                    .and(format!(" {more}"), theme.title)
            } else {
                Chunk::new(4, format!("{} {value}", knob.name), theme.dim)
            }
        })
        .collect();
    for mistake in session
        .lesson()
        .mistakes
        .iter()
        .filter(|m| session.settings().broken(m.name))
    {
        chunks.push(Chunk::new(
            8,
            format!("broken: {}", mistake.title),
            theme.bad,
        ));
    }
    chunks.extend(leak(session, theme));
    flow(chunks, room)
}

/// `leak ● none`, where the lesson has the notion.
pub fn leak(session: &Session, theme: &Theme) -> Option<Chunk> {
    let leak = session.run().leak?;
    let lamp = theme.glyphs().lamp;
    Some(if leak == 0.0 {
        Chunk::new(7, format!("leak {lamp} none"), theme.good)
    } else {
        Chunk::new(7, format!("leak {lamp} {}", short(leak, 8)), theme.bad)
    })
}

/// One row of a cell's terms: what it says, and its part in the value.
fn term_row(cell: &Cell, places: &[usize], part: f32, session: &Session) -> String {
    let one = |i: usize| {
        let term = &cell.terms[i];
        let held = match term.step {
            Some(step) => {
                let word = leaf_word(session, step, &term.index);
                format!("{}[{}]{word}", term.tensor, numbers(&term.index))
            }
            None => "constant".to_owned(),
        };
        format!("{held} {}", short(term.value, 9))
    };
    match places {
        [a, b] => format!("{} × {} = {}", one(*a), one(*b), short(part, 9)),
        _ => places
            .iter()
            .map(|&i| format!("{}: {}", cell.terms[i].role, one(i)))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// ` "Hund"` for a cell of ids that stands for a word.
fn leaf_word(session: &Session, step: usize, index: &[usize]) -> String {
    let at = &session.trace().steps()[step];
    let axis = at
        .axes
        .len()
        .checked_sub(1)
        .filter(|_| at.nature == Nature::Ids);
    let found = axis.and_then(|axis| word(session.trace(), at, index, axis, index[axis]));
    found.map_or_else(String::new, |w| format!(" \"{w}\""))
}

/// What a leaf is, in a sentence.
fn leaf(session: &Session, step: usize, index: &[usize], kind: &str) -> String {
    let name = &session.trace().steps()[step].name;
    match kind {
        "parameter" => format!("a trained parameter of {name}: the way ends here"),
        "ids" => format!(
            "the token id of{}: the way ends here",
            leaf_word(session, step, index)
        ),
        "mask" => "given with the batch: the way ends here".to_owned(),
        "constant" => "a constant, never trained: the way ends here".to_owned(),
        _ => "an input, drawn from the seed or given: the way ends here".to_owned(),
    }
}

/// Draws where the cell asked about came from.
pub fn draw_why(session: &Session, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    let Some((at, cell)) = session.why() else {
        return;
    };
    if area.is_empty() {
        return;
    }
    let room = usize::from(area.width);
    let steps = session.trace().steps();
    let names: Vec<&str> = session
        .way()
        .iter()
        .map(|a| steps[a.step].name.as_str())
        .collect();
    let mut y = 0;
    let mut say = |text: &str, style, buf: &mut Buffer| {
        for line in wrap(text, room) {
            put(buf, area, 0, y, &line, style);
            y += 1;
        }
        y
    };
    say(
        &names.join(&format!(" {} ", theme.glyphs().next)),
        theme.dim,
        buf,
    );
    let name = &steps[at.step].name;
    say(
        &format!("{name}[{}] = {}", numbers(&at.index), short(cell.value, 10)),
        theme.title,
        buf,
    );
    if cell.terms.is_empty() {
        say(
            &leaf(session, at.step, &at.index, &cell.formula),
            theme.note,
            buf,
        );
        return;
    }
    let top = say(&format!("= {}", cell.formula), theme.text, buf) + 1;
    let rows = session.terms();
    let free = usize::from(area.height).saturating_sub(top + 1);
    let first = session.term().saturating_sub(free.saturating_sub(1));
    let largest = rows
        .iter()
        .map(|r| r.1.abs())
        .filter(|x| x.is_finite())
        .fold(0.0, f32::max);
    for (line, (places, part)) in rows.iter().enumerate().skip(first).take(free) {
        let style = if line == session.term() {
            theme.cursor
        } else {
            theme.text
        };
        let bar = if rows.len() > 4 && largest > 0.0 {
            let length = (part.abs() / largest * 4.0).round() as usize;
            format!(
                "{:<4} ",
                theme
                    .glyphs()
                    .eighths
                    .last()
                    .unwrap_or(&"#")
                    .repeat(length.min(4))
            )
        } else {
            String::new()
        };
        let ink = if *part < 0.0 {
            theme.negative.ink()
        } else {
            theme.positive.ink()
        };
        let x = put(buf, area, 0, top + line - first, &bar, ink);
        let text = term_row(&cell, places, *part, session);
        put(
            buf,
            area,
            x,
            top + line - first,
            &clip(&text, room.saturating_sub(width(&bar)), theme.glyphs().more),
            style,
        );
    }
    if usize::from(area.height) > top {
        let more = format!(
            "{} of {} terms, largest first",
            rows.len().min(session.term() + 1),
            rows.len()
        );
        put(
            buf,
            area,
            0,
            usize::from(area.height) - 1,
            &clip(&more, room, ""),
            theme.dim,
        );
    }
}

/// Says what the session looks at, in sentences and tables without box drawing.
pub fn describe(session: &Session) -> String {
    let mut out = String::new();
    if let Some(sentence) = session.refusal() {
        let _ = writeln!(
            out,
            "Not possible: {sentence}\nWhat follows is the last run that was.\n"
        );
    }
    if let Some(p) = session.picture() {
        let _ = writeln!(
            out,
            "{}\n{}",
            p.title,
            picture::describe_body(&p.body, &p.says).trim_end()
        );
    }
    if let (Some(step), Some((tensor, range))) = (session.step(), session.shown()) {
        let steps = session.trace().steps();
        let number = steps
            .iter()
            .position(|s| std::ptr::eq(s, step))
            .unwrap_or(0);
        let _ = writeln!(
            out,
            "Step {} of {}: {} {}",
            number + 1,
            steps.len(),
            step.name,
            shape_with_axes(step)
        );
        let named: Vec<String> = step
            .axes
            .iter()
            .filter(|a| !a.is_empty())
            .map(|a| format!("{a} {}", axis_name(a)))
            .collect();
        let from: Vec<String> = step
            .inputs()
            .iter()
            .map(|&i| format!("{} {}", steps[i].name, shape_with_axes(&steps[i])))
            .collect();
        let made = if from.is_empty() {
            step.op().to_owned()
        } else {
            format!("{} of {}", step.op(), from.join(" and "))
        };
        let _ = writeln!(out, "Made by: {made}. Axes: {}.", named.join(", "));
        let _ = writeln!(
            out,
            "Values from {} to {}.",
            ascii(&short(range.0, 10)),
            ascii(&short(range.1, 10))
        );
        if session.shows_difference() {
            let _ = writeln!(out, "Shown is the broken run minus the sound one.");
        }
        describe_matrix(session, step, tensor, &mut out);
    }
    let knobs: Vec<String> = session
        .settings()
        .iter()
        .map(|(k, v)| format!("{k} {v}"))
        .collect();
    let _ = writeln!(out, "Knobs: {}.", knobs.join(", "));
    for mistake in session
        .lesson()
        .mistakes
        .iter()
        .filter(|m| session.settings().broken(m.name))
    {
        let _ = writeln!(out, "Broken: {}. {}", mistake.title, mistake.watch);
    }
    if let Some(leak) = session.run().leak {
        let leak = if leak == 0.0 {
            "none".to_owned()
        } else {
            ascii(&short(leak, 8))
        };
        let _ = writeln!(out, "Leak: {leak}.");
    }
    out
}

fn describe_matrix(
    session: &Session,
    step: &Step,
    tensor: &crate::tensor::Tensor,
    out: &mut String,
) {
    let (cursor, rank) = (session.cursor(), tensor.rank());
    if rank == 0 {
        let _ = writeln!(out, "Its value is {}.", ascii(&short(tensor.at(&[]), 10)));
        return;
    }
    let leading = rank.saturating_sub(2);
    if leading > 0 {
        let at: Vec<String> = (0..leading)
            .map(|a| {
                format!(
                    "{} {}",
                    axis_name(if step.axes[a].is_empty() {
                        "axis"
                    } else {
                        step.axes[a]
                    }),
                    cursor[a]
                )
            })
            .collect();
        let _ = writeln!(out, "At {}:", at.join(", "));
    }
    let columns = tensor.last();
    let rows = if rank >= 2 {
        tensor.shape()[rank - 2]
    } else {
        1
    };
    let name = |axis: usize, i: usize| {
        word(session.trace(), step, cursor, axis, i)
            .map_or_else(|| i.to_string(), |w| format!("{i} \"{w}\""))
    };
    let start = if rank >= 2 {
        cursor[rank - 2].saturating_sub(6)
    } else {
        0
    };
    for r in start..(start + 12).min(rows) {
        let first = if rank >= 2 {
            tensor.offset(&[&cursor[..leading], &[r, 0]].concat())
        } else {
            0
        };
        let row = &tensor.data()[first..first + columns];
        let label = if rank >= 2 {
            format!("row {}", name(rank - 2, r))
        } else {
            "values".to_owned()
        };
        let nature = if session.shows_difference() {
            Nature::Signed
        } else {
            step.nature
        };
        let said = match nature {
            Nature::Probability => {
                let mut order: Vec<usize> = (0..columns).collect();
                order.sort_by(|&a, &b| row[b].total_cmp(&row[a]));
                let most: Vec<String> = order
                    .iter()
                    .take(3)
                    .filter(|&&c| row[c] > 0.0)
                    .map(|&c| format!("{} to {}", ascii(&short(row[c], 5)), name(rank - 1, c)))
                    .collect();
                let zeros = row.iter().filter(|x| **x == 0.0).count();
                let blocked = if zeros > 0 {
                    format!("; {zeros} get nothing")
                } else {
                    String::new()
                };
                let sum: f32 = row.iter().sum();
                format!(
                    "gives {}{blocked}; sum {}",
                    most.join(", "),
                    ascii(&short(sum, 6))
                )
            }
            Nature::Mask => {
                let seen: Vec<String> = (0..columns)
                    .filter(|&c| row[c] != 0.0)
                    .map(|c| c.to_string())
                    .collect();
                if seen.is_empty() {
                    "sees nothing".to_owned()
                } else {
                    format!("sees {}", seen.join(" "))
                }
            }
            _ => {
                let from = cursor[rank - 1].saturating_sub(6);
                let cells: Vec<String> = row
                    .iter()
                    .skip(from)
                    .take(12)
                    .map(|&x| {
                        if x <= -1e8 {
                            "blocked".to_owned()
                        } else {
                            ascii(&short(x, 8))
                        }
                    })
                    .collect();
                let more = if columns > 12 {
                    format!(
                        " (columns {from} to {} of {columns})",
                        (from + 12).min(columns) - 1
                    )
                } else {
                    String::new()
                };
                format!("{}{more}", cells.join(" "))
            }
        };
        let _ = writeln!(out, "  {label}: {said}");
    }
    if rows > 12 {
        let _ = writeln!(out, "  ({rows} rows in all)");
    }
    let _ = writeln!(
        out,
        "Cursor: {}[{}] = {}.",
        step.name,
        numbers(cursor),
        ascii(&short(tensor.at(cursor), 10))
    );
}

/// Says where the cell asked about came from; its terms are numbered as [`Session::follow`] takes them.
pub fn describe_why(session: &Session) -> String {
    let Some((at, cell)) = session.why() else {
        return String::new();
    };
    let name = &session.trace().steps()[at.step].name;
    let mut out = format!("{name}[{}] = {}\n", numbers(&at.index), cell.value);
    if cell.terms.is_empty() {
        let _ = writeln!(
            out,
            "This is {}.",
            leaf(session, at.step, &at.index, &cell.formula)
        );
        return out;
    }
    let _ = writeln!(out, "It is {}, largest part first:", cell.formula);
    let rows = session.terms();
    for (i, (places, part)) in rows.iter().enumerate().take(20) {
        let text = ascii(&term_row(&cell, places, *part, session)).replace('×', "times");
        let _ = writeln!(out, "  {} {text}", i + 1);
    }
    if rows.len() > 20 {
        let _ = writeln!(out, "  … and {} smaller ones", rows.len() - 20);
    }
    out
}
