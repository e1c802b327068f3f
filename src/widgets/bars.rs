//! Bars side by side, or points on a logarithmic axis where numbers differ by factors.

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

/// Maximum thickness of a bar, in lines.
const THICK: usize = 3;

/// Minimum columns left for a bar beside its label and its note.
const LEAST: usize = 3;

/// Range of a bar chart, which always includes 0, so that lengths are in proportion.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ends {
    least: f64,
    most: f64,
}

impl Ends {
    /// Range of `bars`; units that are shares or probabilities run from 0 to 1 whatever the values.
    fn of(unit: &str, bars: &[Bar]) -> Self {
        let values = || bars.iter().map(|bar| bar.value).filter(|v| v.is_finite());
        let (least, most) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
        let shares = unit.starts_with("probability") || unit.starts_with("share");
        if shares && least >= 0.0 && most <= 1.0 {
            return Self { least, most: 1.0 };
        }
        Self { least, most }
    }

    /// Caption of the scale: `rms, from 0 to 0.7065`.
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

    /// Fraction of the range that lies below `value`.
    fn share(&self, value: f64) -> f64 {
        if self.most > self.least && value.is_finite() {
            (value - self.least) / (self.most - self.least)
        } else {
            0.0
        }
    }
}

/// Draws one line per bar: label, bar and note, with the unit and the scale above.
///
/// With `log`, each value is a point on an axis of powers of ten, where a length would be meaningless. If the bars do
/// not all fit, those around number `at`, which is highlighted, are drawn.
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
        // In little room, the ends of the axis go before its name does.
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
    // Where the whole note does not fit, the part before its first comma may; the comma in `15,360,000` does not count.
    let first = |note: &str| {
        let ends = [", ", ": "].iter().filter_map(|mark| note.find(mark));
        note[..ends.min().unwrap_or(note.len())].to_owned()
    };
    let briefest = notes.iter().map(|note| width(&first(note))).max();
    // One blank before the bar and one before its note.
    let around = briefest.map_or(1, |note| 2 + note) + LEAST;
    let widest = (room / 2).max(room.saturating_sub(around));
    let beside = label.min(widest) + note + 2 + LEAST <= room;
    // Put a blank line between the bars where there is room; a note that does not fit beside its bar takes it.
    let free = height.saturating_sub(head + foot);
    let two = 2 * bars.len();
    // A label that leaves no room for a bar takes its own line, with the bar below. If the bars would then not all be
    // visible, a label stays beside its bar unless it leaves almost no room for one.
    let above = label > widest && (two <= free || label + 1 + 3 * LEAST > room);
    let pace = if above || (two <= free + 1 && (bars.len() < 8 || !beside)) {
        2
    } else {
        1
    };
    let below = !beside && !above && pace == 2 && two <= free;
    // A small number of bars are drawn thick.
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
    // Notes that are too long are drawn only where their bars leave room.
    let fitting = notes.iter().map(|note| width(&brief(note)));
    let fitting = fitting.filter(|note| label + note + 2 + LEAST <= room);
    let note = fitting.max().filter(|_| !below).unwrap_or(0);
    let long = room.saturating_sub(label + 1 + note + usize::from(note > 0));
    // The last bar needs no blank line below it.
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

/// Draws one bar from the position of 0 and returns the column after it.
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
    // Negative numbers extend to the left of 0.
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

/// A bar over `share` of `room` columns, to an eighth of a column; a share above 0 always draws something.
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

/// A power of ten in short form.
fn power(exponent: i32) -> String {
    short(10f32.powi(exponent), 7)
}

/// Preferred height of a chart with this many bars.
pub fn height(bars: usize, log: bool) -> usize {
    match bars {
        1..=4 if !log => (THICK + 1) * bars + 1,
        0..=7 => 2 * bars + 1 + 2 * usize::from(log),
        _ => bars + 1 + 2 * usize::from(log),
    }
}

#[cfg(test)]
mod tests;
