//! The words around a heat map.

use std::ops::Range;

use ratatui::style::Modifier;

use super::layout::{Labels, Layout};
use super::{Heat, meaning};
use crate::widgets::lines::{Chunk, clip_entry, fit, width};
use crate::widgets::painter::Painter;

/// Separates what a row has read from what it writes.
const WRITES: &str = " → ";

impl Heat<'_> {
    pub(super) fn draw_labels(&self, layout: &Layout, painter: &mut Painter<'_>) {
        if layout.head > 0 && layout.axes {
            self.draw_axes(layout, painter);
        }
        self.draw_row_names(layout, painter);
        match layout.labels {
            Labels::None => {}
            Labels::Words => self.draw_column_names(layout, painter),
            Labels::Every(every) => self.draw_column_numbers(layout, every, painter),
        }
    }

    /// Writes the rows' names, right-aligned, with a mark at the row of the cursor.
    fn draw_row_names(&self, layout: &Layout, painter: &mut Painter<'_>) {
        if layout.gutter < 2 {
            return;
        }
        let theme = painter.theme;
        let (row, column) = self.place();
        for line in 0..layout.lines {
            let first = layout.first_row + layout.rows(line);
            let rows = first..first + layout.rows(1);
            let (label, here) = if layout.folded {
                let first = (layout.first_row + line) * layout.slots;
                let label = match layout.slots {
                    1 => self.columns.label(first),
                    _ => first.to_string(),
                };
                (label, (first..first + layout.slots).contains(&column))
            } else {
                // Where a line holds two rows, the one with the cursor is named.
                let here = rows.contains(&row);
                (self.rows.label(if here { row } else { first }), here)
            };
            let label = match self.written {
                Some(written) if first > written => theme.glyphs().shades[1].to_owned(),
                Some(written) if first == written => unwritten(&label),
                _ => label,
            };
            let here = here && self.written.is_none_or(|written| first + 1 == written);
            let wide = layout.gutter - 1;
            let label = clip_entry(&theme.words(&label), wide, theme.glyphs().more);
            let y = layout.head + line * layout.high + layout.middle();
            let style = if here { theme.title } else { theme.dim };
            painter.put(wide - width(&label), y, &label, style);
            if here && width(&label) < wide {
                painter.put(0, y, theme.glyphs().turn.1, theme.note);
            }
        }
        let over = layout.head.saturating_sub(1);
        let words = theme.words("reads → writes");
        let pairs = !layout.axes && self.rows.words(0).is_some_and(|word| word.contains(WRITES));
        if pairs && layout.head > 0 && width(&words) < layout.gutter {
            painter.put(layout.gutter - 1 - width(&words), over, &words, theme.dim);
        }
    }

    /// Writes the columns' names in one line. A name that is wider than its cell is cut, the cursor's never, for which its
    /// neighbours make room.
    fn draw_column_names(&self, layout: &Layout, painter: &mut Painter<'_>) {
        let (theme, wide, y) = (painter.theme, layout.wide, layout.head - 1);
        let names = (0..layout.slots).map(|slot| {
            let name = self.columns.label(layout.first_column + slot);
            theme.words(&name)
        });
        let names: Vec<String> = names.collect();
        let chosen = self.place().1.checked_sub(layout.first_column);
        let chosen = chosen.filter(|slot| *slot < layout.slots);
        let last = usize::from(painter.area.width);
        let place = |slot: usize, long: usize| {
            let from = layout.gutter + slot * wide;
            let centred = (from + wide.div_ceil(2)).saturating_sub(long.div_ceil(2));
            let least = if long > wide { layout.gutter } else { from };
            centred.max(least).min(last.saturating_sub(long))
        };
        let taken: Option<Range<usize>> = chosen.map(|slot| {
            let long = width(&names[slot]).min(last - layout.gutter.min(last));
            let from = place(slot, long);
            from..from + long
        });
        for (slot, name) in names.iter().enumerate() {
            // A single column has no room for more than the cursor's name.
            if wide < 2 && Some(slot) != chosen {
                continue;
            }
            if Some(slot) == chosen {
                let taken = taken.clone().unwrap_or_default();
                let style = theme.title.add_modifier(Modifier::UNDERLINED);
                let name = clip_entry(name, taken.len(), theme.glyphs().more);
                painter.put(taken.start, y, &name, style);
                continue;
            }
            // A name may fill its cell if its neighbours leave blanks beside it.
            let neighbours = [slot.checked_sub(1), Some(slot + 1)].into_iter().flatten();
            let mut neighbours = neighbours.filter_map(|slot| names.get(slot));
            let free = neighbours.all(|name| width(name) + 1 < wide);
            let name = match width(name) {
                long if long < wide || (long == wide && free) => name.clone(),
                _ if wide > 5 => clip_entry(name, wide - 1, theme.glyphs().more),
                _ => name.chars().take((wide - 1).max(1)).collect(),
            };
            let from = place(slot, width(&name));
            let end = from + width(&name);
            match &taken {
                Some(taken) if end >= taken.start && from <= taken.end => {
                    if from + 2 < taken.start {
                        let kept: String = name.chars().take(taken.start - 1 - from).collect();
                        painter.put(from, y, &kept, theme.dim);
                    }
                }
                _ => painter.put(from, y, &name, theme.dim),
            }
        }
    }

    /// Writes the number of every n-th column, and of the cursor's.
    fn draw_column_numbers(&self, layout: &Layout, every: usize, painter: &mut Painter<'_>) {
        let (theme, y) = (painter.theme, layout.head - 1);
        let here = self.place().1.saturating_sub(layout.first_column);
        for slot in 0..layout.slots {
            let at = layout.first_column + slot;
            // The cursor's own label replaces labels too close to it.
            let near = slot != here && slot.abs_diff(here) < every;
            if slot != here && (!at.is_multiple_of(every) || near) {
                continue;
            }
            let text = at.to_string();
            let (from, digits) = layout.number_at();
            let inset = match layout.form {
                Some(_) => (from + digits).saturating_sub(width(&text)),
                None => 0,
            };
            let x = layout.gutter + slot * layout.wide + inset;
            let last = usize::from(painter.area.width).saturating_sub(width(&text));
            let style = if slot == here {
                theme.title.add_modifier(Modifier::UNDERLINED)
            } else {
                theme.dim
            };
            // At the right edge the cursor's number is moved, and any other left out.
            if slot == here || x <= last {
                painter.put(x.min(last), y, &text, style);
            }
        }
    }

    /// Names the axes and their visible parts, as in `↓ target  → source 3–14 of 40`.
    fn draw_axes(&self, layout: &Layout, painter: &mut Painter<'_>) {
        let theme = painter.theme;
        let (glyphs, available) = (theme.glyphs(), usize::from(painter.area.width));
        let (rows, columns) = self.size();
        let dash = if theme.ascii { "-" } else { "–" };
        let part = |range: Range<usize>, all: usize, of: bool| match (range.len() >= all, of) {
            (true, _) => String::new(),
            (false, true) => format!(" {}{dash}{} of {all}", range.start, range.end - 1),
            (false, false) => format!(" {}{dash}{}", range.start, range.end - 1),
        };
        let both = |of: bool| -> Vec<Chunk> {
            let mut chunks = Vec::new();
            if rows > 1 {
                let shown = layout.rows(layout.lines).min(rows);
                let seen = part(layout.first_row..layout.first_row + shown, rows, of);
                let text = format!("{} {}{seen}", glyphs.down, meaning(&self.rows.name));
                chunks.push(Chunk::new(2, text, theme.dim));
            }
            let shown = if layout.folded { columns } else { layout.slots };
            let seen = part(
                layout.first_column..layout.first_column + shown,
                columns,
                of,
            );
            let name = meaning(&self.columns.name);
            // An unnamed axis of length 1 needs no arrow.
            if columns > 1 || !name.is_empty() {
                let text = format!("{} {name}{seen}", glyphs.next);
                chunks.push(Chunk::new(3, text, theme.dim));
            }
            // Without their unit the numbers would be taken literally.
            if layout.form.is_some_and(|form| form.is_in_hundredths()) {
                chunks.push(Chunk::new(4, "in %", theme.note));
            }
            chunks
        };
        let wide = |chunks: &[Chunk]| chunks.iter().map(|chunk| chunk.width() + 2).sum::<usize>();
        // The total counts go before a whole axis does.
        let fits = |chunks: &Vec<Chunk>| wide(chunks) <= available + 2;
        let chunks = Some(both(true)).filter(fits).unwrap_or_else(|| both(false));
        let mut x = 0;
        for (text, style) in fit(chunks, available) {
            painter.put(x, 0, &text, style);
            x += width(&text);
        }
    }
}

/// Name of the row that is written next: `sleeping → ?`.
fn unwritten(label: &str) -> String {
    let read = label.split_once(WRITES).map_or("", |(read, _)| read);
    format!("{read}{WRITES}?").trim_start().to_owned()
}
