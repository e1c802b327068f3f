//! Bars side by side, or points on a logarithmic axis where numbers differ by factors.

use std::ops::Range;

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
struct Span {
    least: f64,
    most: f64,
}

impl Span {
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
    fn caption(&self, unit: &str) -> String {
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

/// Bar chart: one line per bar, with label, bar and note, and the unit and the scale above.
pub struct Chart<'a> {
    /// Unit of the values; may be empty.
    pub unit: &'a str,
    /// The bars, from top to bottom.
    pub bars: &'a [Bar],
    /// True if each value is a point on an axis of powers of ten, where a length would be meaningless.
    pub log: bool,
}

impl Chart<'_> {
    /// Preferred height, in lines.
    pub fn height(&self) -> usize {
        match (self.log, self.bars.len()) {
            (false, bars) => (THICK + 1) * bars + 1,
            (true, bars) => 2 * bars + 3,
        }
    }

    /// Draws the chart. If the bars do not all fit, those around number `at`, which is highlighted, are drawn.
    pub fn draw(&self, at: usize, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        let scale = self.scale();
        let caption = self.caption(&scale, area, theme);
        for (y, line) in caption.iter().enumerate() {
            put(buf, area, 0, y, line, theme.dim);
        }
        let head = caption.len();
        let foot = match &scale {
            Scale::Log(_) if usize::from(area.height) >= head + self.bars.len() + 2 => 2,
            _ => 0,
        };
        let lines = Rect {
            y: area.y + head as u16,
            height: area.height - (head + foot) as u16,
            ..area
        };
        let texts = Texts::of(self.bars, theme);
        let layout = Layout::new(&texts, &scale, lines);
        let free = usize::from(lines.height);
        let seen = layout.visible_range(self.bars.len(), at, free);
        let scrolls = seen.len() < self.bars.len();
        if scrolls && free > 1 {
            let rows = rows_seen(&seen, self.bars.len(), usize::from(area.width), theme);
            put(buf, lines, 0, free - 1, &rows, theme.dim);
        }
        for (i, number) in seen.enumerate() {
            let label = if scrolls && number == at {
                theme.cursor
            } else {
                theme.text
            };
            let bar = BarRow {
                value: self.bars[number].value,
                label: &texts.labels[number],
                note: &texts.notes[number],
                style: label,
            };
            bar.draw(i, &layout, &scale, lines, buf, theme);
        }
        if let Scale::Log(points) = scale
            && foot > 0
            && !scrolls
        {
            let bottom = self.bars.len().saturating_sub(1) * layout.pace + layout.last();
            let axis = Segment {
                x: layout.start,
                y: head + bottom,
                long: layout.long,
            };
            points.draw_axis(axis, area, buf, theme);
        }
    }

    /// Logarithmic where asked for, as long as there is anything but zeros.
    fn scale(&self) -> Scale {
        match self.log.then(|| Points::of(self.bars)).flatten() {
            Some(points) => Scale::Log(points),
            None => Scale::Linear(Span::of(self.unit, self.bars)),
        }
    }

    /// Lines with the unit and the scale.
    fn caption(&self, scale: &Scale, area: Rect, theme: &Theme) -> Vec<String> {
        let (available, height) = (usize::from(area.width), usize::from(area.height));
        let caption = match (self.unit, scale) {
            ("", _) => String::new(),
            (unit, Scale::Log(_)) => format!("{unit}, log scale"),
            (unit, Scale::Linear(ends)) => ends.caption(unit),
        };
        let lines = wrap(&theme.words(&caption), available);
        if height <= self.bars.len() {
            return Vec::new();
        }
        if height >= self.bars.len() + lines.len() {
            return lines;
        }
        // In little room, the ends of the axis go before its name does.
        let line = lines.join(" ");
        vec![if width(&line) <= available {
            line
        } else {
            clip(&theme.words(self.unit), available, theme.glyphs().more)
        }]
    }
}

/// How values become positions.
enum Scale {
    Linear(Span),
    Log(Points),
}

/// Labels and notes of the bars, in the characters of the theme.
struct Texts {
    labels: Vec<String>,
    notes: Vec<String>,
}

impl Texts {
    fn of(bars: &[Bar], theme: &Theme) -> Self {
        Self {
            labels: bars.iter().map(|bar| theme.words(&bar.label)).collect(),
            notes: bars.iter().map(|bar| theme.words(&bar.note)).collect(),
        }
    }
}

/// Width of the longest text.
fn longest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(width).max().unwrap_or(0)
}

/// The part of a note before its first comma or colon; the comma in `15,360,000` does not count.
fn first_part(note: &str) -> &str {
    let ends = [", ", ": "].iter().filter_map(|mark| note.find(mark));
    &note[..ends.min().unwrap_or(note.len())]
}

/// Position on the screen of a bar or an axis: first column, line and length.
#[derive(Clone, Copy)]
struct Segment {
    x: usize,
    y: usize,
    long: usize,
}

/// Places of labels, bars and notes.
struct Layout {
    /// Whether a label takes its own line, with the bar below.
    above: bool,
    /// Whether the notes take their own lines, below the bars.
    below: bool,
    /// Whether the longest note fits beside its bar.
    beside: bool,
    /// Thickness of a bar, in lines.
    thick: usize,
    /// Lines from one bar to the next.
    pace: usize,
    /// Width of the labels beside the bars.
    label: usize,
    /// First column of the bars.
    start: usize,
    /// Length of the longest possible bar.
    long: usize,
    /// Width of the notes beside the bars.
    note: usize,
}

impl Layout {
    fn new(texts: &Texts, scale: &Scale, area: Rect) -> Self {
        let (available, free, bars) = (
            usize::from(area.width),
            usize::from(area.height),
            texts.labels.len(),
        );
        let label = longest(texts.labels.iter().map(String::as_str));
        let note = longest(texts.notes.iter().map(String::as_str));
        // Where the whole note does not fit, its first part may.
        let briefest = longest(texts.notes.iter().map(|note| first_part(note)));
        // One blank before the bar and one before its note.
        let around = 2 + briefest + LEAST;
        let widest = (available / 2).max(available.saturating_sub(around));
        let beside = label.min(widest) + note + 2 + LEAST <= available;
        let two = 2 * bars;
        // A label that leaves no room for a bar takes its own line, with the bar below. If the bars would then not all
        // be visible, a label stays beside its bar unless it leaves almost no room for one.
        let above = label > widest && (two <= free || label + 1 + 3 * LEAST > available);
        // Put a blank line between the bars where there is room; a note that does not fit beside its bar takes it.
        let spaced = above || two <= free + 1;
        let below = !beside && !above && spaced && two <= free;
        // Bars are as thick as the room allows.
        let thick = if spaced && beside && !above && !matches!(scale, Scale::Log(_)) {
            ((free + 1) / bars.max(1)).saturating_sub(1).clamp(1, THICK)
        } else {
            1
        };
        let label = if above { 0 } else { label };
        let start = if above { 0 } else { label + 1 };
        // Notes that are too long are drawn only where their bars leave room.
        let notes = texts.notes.iter().map(|note| {
            if beside {
                width(note)
            } else {
                width(first_part(note))
            }
        });
        let fitting = notes.filter(|note| label + note + 2 + LEAST <= available);
        let note = fitting.max().filter(|_| !below).unwrap_or(0);
        Self {
            above,
            below,
            beside,
            thick,
            pace: usize::from(spaced) + thick,
            label,
            start,
            long: available.saturating_sub(label + 1 + note + usize::from(note > 0)),
            note,
        }
    }

    /// Lines from a bar's first line to the end of the bar.
    fn last(&self) -> usize {
        self.thick + usize::from(self.above)
    }

    /// Numbers of the bars that are visible in `free` lines, around number `at`.
    fn visible_range(&self, bars: usize, at: usize, free: usize) -> Range<usize> {
        // The last bar needs no blank line below it.
        let free = free + self.pace - self.last();
        window(&vec![self.pace; bars], at, free)
    }
}

/// One bar with its texts.
struct BarRow<'a> {
    value: f64,
    label: &'a str,
    note: &'a str,
    /// Style of the label.
    style: Style,
}

impl BarRow<'_> {
    /// Draws the bar as number `i` of those visible.
    fn draw(
        &self,
        i: usize,
        layout: &Layout,
        scale: &Scale,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let (available, more) = (usize::from(area.width), theme.glyphs().more);
        let wide = if layout.above {
            available
        } else {
            layout.label
        };
        let middle = (layout.thick - 1) / 2;
        let y = i * layout.pace;
        let label = clip(self.label, wide, more);
        put(buf, area, 0, y + middle, &label, self.style);
        let y = y + usize::from(layout.above);
        let segment = |y| Segment {
            x: layout.start,
            y,
            long: layout.long,
        };
        let end = match scale {
            Scale::Log(points) => points.draw(self.value, segment(y), area, buf, theme),
            Scale::Linear(ends) => (y..y + layout.thick)
                .map(|y| draw_length(self.value, *ends, segment(y), area, buf, theme))
                .max()
                .unwrap_or(0),
        };
        let note = if layout.beside {
            self.note
        } else {
            first_part(self.note)
        };
        if layout.below {
            let note = clip(self.note, available, more);
            let x = 2.min(available - width(&note));
            put(buf, area, x, y + 1, &note, theme.title);
        } else if layout.note > 0 && end + 1 + width(note) <= available {
            put(buf, area, end + 1, y + middle, note, theme.title);
        }
    }
}

/// Draws one line of a bar from the position of 0 and returns the column after it.
fn draw_length(
    value: f64,
    ends: Span,
    Segment { x, y, long }: Segment,
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

/// A bar over `share` of `available` columns, to an eighth of a column; a share above 0 always draws something.
pub fn bar(share: f64, available: usize, theme: &Theme) -> String {
    let eighths = theme.glyphs().eighths;
    let parts = eighths.len();
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mut units = (share * (available * parts) as f64).round() as usize;
    if share > 0.0 && available > 0 {
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

#[cfg(test)]
mod tests;
