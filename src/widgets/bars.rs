//! Lengths side by side, or, where numbers differ by factors, points on a logarithmic axis.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::lines::{clip, put, width, wrap};
use super::table::{rows_seen, window};
use super::theme::Theme;
use crate::lesson::Bar;
use crate::typeset::number::{alike, short};

mod points;

use points::Points;

/// The most lines that a bar is thick.
const THICK: usize = 3;

/// The columns that a bar keeps beside its label and its note.
const LEAST: usize = 3;

/// From where to where bars go: always with 0 among them, so that lengths are in proportion.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ends {
    least: f64,
    most: f64,
}

impl Ends {
    /// Shares of a whole go from 0 to 1, whatever is there.
    fn of(unit: &str, bars: &[Bar]) -> Self {
        let values = || bars.iter().map(|bar| bar.value).filter(|v| v.is_finite());
        let (least, most) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
        let shares = unit.starts_with("probability") || unit.starts_with("share");
        if shares && least >= 0.0 && most <= 1.0 {
            return Self { least, most: 1.0 };
        }
        Self { least, most }
    }

    /// `rms, from 0 to 0.7065`.
    fn said(&self, unit: &str) -> String {
        let number = |x: f64| match x {
            0.0 => "0".to_owned(),
            x => alike(&[x as f32])[0].clone(),
        };
        match (self.least, self.most) {
            (0.0, 0.0) => unit.to_owned(),
            (least, most) => format!("{unit}, from {} to {}", number(least), number(most)),
        }
    }

    /// The share of the whole that lies below `value`.
    fn share(&self, value: f64) -> f64 {
        if self.most > self.least && value.is_finite() {
            (value - self.least) / (self.most - self.least)
        } else {
            0.0
        }
    }
}

/// Draws a line for each bar: its label, its length, its note; the unit and the scale above where they are said.
///
/// With `log` it is a point on an axis of powers of ten, for a length would say nothing there. Where not all have room,
/// those around number `at` are drawn, which stands out.
pub fn draw(
    (unit, bars, log): (&str, &[Bar], bool),
    at: usize,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let (room, height) = (usize::from(area.width), usize::from(area.height));
    let ends = Ends::of(unit, bars);
    let points = log.then(|| Points::of(bars)).flatten();
    let more = theme.glyphs().more;
    let says = match &points {
        _ if unit.is_empty() => String::new(),
        Some(_) => format!("{unit}, log scale"),
        None => ends.said(unit),
    };
    let mut says = wrap(&theme.words(&says), room);
    if height <= bars.len() {
        says.clear();
    } else if height < bars.len() + says.len() {
        // The axis's ends go before its name does.
        let whole = says.join(" ");
        says = vec![match width(&whole) <= room {
            true => whole,
            false => clip(&theme.words(unit), room, more),
        }];
    }
    let head = says.len();
    for (y, line) in says.iter().enumerate() {
        put(buf, area, 0, y, line, theme.dim);
    }
    let foot = match &points {
        Some(_) if height >= head + bars.len() + 2 => 2,
        _ => 0,
    };
    let labels: Vec<String> = bars.iter().map(|bar| theme.words(&bar.label)).collect();
    let notes: Vec<String> = bars.iter().map(|bar| theme.words(&bar.note)).collect();
    let longest = |texts: &[String]| texts.iter().map(|text| width(text)).max().unwrap_or(0);
    let (label, note) = (longest(&labels), longest(&notes));
    // Elsewhere what stands before its first comma may have room; the comma of `15,360,000` is none.
    let first = |note: &str| {
        let ends = [", ", ": "].iter().filter_map(|mark| note.find(mark));
        note[..ends.min().unwrap_or(note.len())].to_owned()
    };
    let briefest = notes.iter().map(|note| width(&first(note))).max();
    // The blanks are those before the bar and before its note.
    let around = briefest.map_or(1, |note| 2 + note) + LEAST;
    let widest = (room / 2).max(room.saturating_sub(around));
    let beside = label.min(widest) + note + 2 + LEAST <= room;
    // A blank line between the bars where there is room; a note that has no room beside its bar takes it.
    let free = height.saturating_sub(head + foot);
    let two = 2 * bars.len();
    // A label that leaves no bar takes a line for itself, and its bar the one below; if not all bars are seen then, those
    // that leave no more than a note does stay beside.
    let above = label > widest && (two <= free || label + 1 + 3 * LEAST > room);
    let pace = if above || (two <= free + 1 && (bars.len() < 8 || !beside)) {
        2
    } else {
        1
    };
    let below = !beside && !above && pace == 2 && two <= free;
    // Few bars are thick.
    let thick = match pace {
        2 if beside && !above && points.is_none() && bars.len() <= 4 => ((free + 1)
            / bars.len().max(1))
        .saturating_sub(1)
        .clamp(1, THICK),
        _ => 1,
    };
    let pace = pace + thick - 1;
    let label = if above { 0 } else { label };
    let brief = |note: &str| match beside {
        true => note.to_owned(),
        false => first(note),
    };
    // One that is too long stands where its bar leaves room for it.
    let fitting = notes.iter().map(|note| width(&brief(note)));
    let fitting = fitting.filter(|note| label + note + 2 + LEAST <= room);
    let note = fitting.max().filter(|_| !below).unwrap_or(0);
    let long = room.saturating_sub(label + 1 + note + usize::from(note > 0));
    // The last needs no blank line below it.
    let heights = vec![pace; bars.len()];
    let seen = window(&heights, at, free + pace - thick - usize::from(above));
    let scrolls = seen.len() < bars.len();
    if scrolls && free > 1 {
        let note = rows_seen(&seen, bars.len(), room, theme);
        put(buf, area, 0, head + free - 1, &note, theme.dim);
    }
    let start = if above { 0 } else { label + 1 };
    let mut bottom = head;
    for (i, number) in seen.clone().enumerate() {
        let bar = &bars[number];
        let mut y = head + i * pace;
        let wide = if above { room } else { label };
        let here = scrolls && number == at;
        let style = if here { theme.cursor } else { theme.text };
        let middle = y + (thick - 1) / 2;
        put(
            buf,
            area,
            0,
            middle,
            &clip(&labels[number], wide, more),
            style,
        );
        y += usize::from(above);
        let end = match &points {
            Some(points) => points.draw(bar.value, (start, y, long), area, buf, theme),
            None => {
                let mut end = 0;
                for line in 0..thick {
                    end = draw_length(bar.value, ends, (start, y + line, long), area, buf, theme);
                }
                end
            }
        };
        if below {
            let note = clip(&notes[number], room, more);
            let x = 2.min(room - width(&note));
            put(buf, area, x, y + 1, &note, theme.title);
        } else if note > 0 && end + 1 + width(&brief(&notes[number])) <= room {
            let y = y + (thick - 1) / 2;
            put(buf, area, end + 1, y, &brief(&notes[number]), theme.title);
        }
        bottom = y + thick;
    }
    if let Some(points) = points.filter(|_| foot > 0 && !scrolls) {
        points.draw_axis((start, bottom, long), area, buf, theme);
    }
}

/// Draws one length from the place of 0; returns the column after it.
fn draw_length(
    value: f64,
    ends: Ends,
    (x, y, long): (usize, usize, usize),
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) -> usize {
    if ends.least == 0.0 {
        let text = bar(ends.share(value), long, theme);
        return put(buf, area, x, y, &text, theme.share.ink());
    }
    // Numbers below 0 go to the left of it.
    let zero = (ends.share(0.0) * long as f64).round() as usize;
    let at = (ends.share(value) * long as f64).round() as usize;
    let (from, to) = (zero.min(at), zero.max(at));
    let ink: Style = if value < 0.0 {
        theme.negative.ink()
    } else {
        theme.positive.ink()
    };
    let full = theme.glyphs().eighths[theme.glyphs().eighths.len() - 1];
    put(buf, area, x + from, y, &full.repeat(to - from), ink);
    if from == to && value != 0.0 && value.is_finite() {
        put(buf, area, x + from, y, theme.glyphs().axes[0], ink);
    }
    x + to.max(zero)
}

/// A bar of `share` of `room` columns, to an eighth of a column; something above 0 is never nothing.
pub fn bar(share: f64, room: usize, theme: &Theme) -> String {
    let eighths = theme.glyphs().eighths;
    let parts = eighths.len();
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mut units = (share * (room * parts) as f64).round() as usize;
    if share > 0.0 && room > 0 {
        units = units.max(1);
    }
    let mut drawn = eighths[parts - 1].repeat(units / parts);
    if !units.is_multiple_of(parts) {
        drawn.push_str(eighths[units % parts - 1]);
    }
    drawn
}

/// A power of ten, short.
fn power(exponent: i32) -> String {
    short(10f32.powi(exponent), 7)
}

/// The lines that `bars` would like.
pub fn height(bars: usize, log: bool) -> usize {
    match bars {
        1..=4 if !log => (THICK + 1) * bars + 1,
        0..=7 => 2 * bars + 1 + 2 * usize::from(log),
        _ => bars + 1 + 2 * usize::from(log),
    }
}

#[cfg(test)]
mod tests;
