//! The words around a heat map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::layout::{Labels, Layout, STAGGERED};
use super::{Heat, meaning};
use crate::widgets::lines::{Chunk, clip_entry, fit, put, width};
use crate::widgets::painter::Painter;
use crate::widgets::theme::Theme;

/// A word above a column.
struct Word {
    slot: usize,
    text: String,
    /// First column of its cell on the screen.
    at: usize,
    /// First column of the word on the screen.
    from: usize,
}

/// Words that fit in this many lines, each with its line: the first free one, in the `order` to be tried for its slot.
fn assign_lines(
    words: &[Word],
    available: usize,
    lines: usize,
    order: impl Fn(usize, usize) -> usize,
) -> Vec<(&Word, usize)> {
    let mut taken = vec![vec![Occupancy::Free; available]; lines];
    let mut placed = Vec::new();
    for word in words {
        let end = word.from + width(&word.text);
        let is_free = |line: &usize| {
            let places = &taken[*line][word.from..end];
            places.iter().all(|place| *place == Occupancy::Free)
                && (line + 1..lines).all(|below| taken[below][word.at] != Occupancy::Ink)
        };
        let tried = (0..lines).map(|line| order(word.slot, line));
        let Some(line) = tried.into_iter().find(is_free) else {
            continue;
        };
        for place in &mut taken[line][word.from.saturating_sub(1)..(end + 1).min(available)] {
            *place = (*place).max(Occupancy::Beside);
        }
        taken[line][word.from..end].fill(Occupancy::Ink);
        for places in &mut taken[line + 1..] {
            places[word.at] = Occupancy::Ink;
        }
        placed.push((word, line));
    }
    placed
}

/// Use of one position above the columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Occupancy {
    Free,
    /// Blank beside a word: a connecting line may pass, but no other word.
    Beside,
    Ink,
}

impl Heat<'_> {
    pub(super) fn draw_labels(&self, layout: &Layout, area: Rect, buf: &mut Buffer, theme: &Theme) {
        if layout.head > 0 {
            self.draw_axes(layout, area, buf, theme);
        }
        let chosen = theme.title.add_modifier(Modifier::UNDERLINED);
        let (row, column) = self.place();
        for line in 0..layout.lines {
            let (label, here) = if layout.folded {
                let first = (layout.first_row + line) * layout.slots;
                let places = first..first + layout.slots;
                let label = match layout.slots {
                    1 => self.columns.label(first),
                    _ => first.to_string(),
                };
                (label, places.contains(&column))
            } else {
                let at = layout.first_row + layout.rows(line);
                (
                    // Where a line holds two rows, label the one with the cursor.
                    self.rows
                        .label(if (at..at + layout.rows(1)).contains(&row) {
                            row
                        } else {
                            at
                        }),
                    (at..at + layout.rows(1)).contains(&row),
                )
            };
            let first = layout.first_row + layout.rows(line);
            if layout.gutter > 1 && (layout.folded || self.is_written(first)) {
                let label =
                    clip_entry(&theme.words(&label), layout.gutter - 1, theme.glyphs().more);
                let from = layout.gutter - 1 - width(&label);
                let y = layout.head + line * layout.high + (layout.high - 1) / 2;
                put(
                    buf,
                    area,
                    from,
                    y,
                    &label,
                    if here { chosen } else { theme.dim },
                );
            }
        }
        if let Labels::Some(lines) = layout.labels {
            self.draw_some(layout, lines, area, buf, theme);
        }
        for slot in 0..layout.slots {
            let at = layout.first_column + slot;
            let style = if at == column { chosen } else { theme.dim };
            match layout.labels {
                Labels::None | Labels::Some(_) => {}
                // In a high comb, a run of equal words, such as padding, is labelled once.
                Labels::Lines(lines)
                    if lines > STAGGERED
                        && slot > 0
                        && at != column
                        && self.columns.words(at).is_some()
                        && self.columns.words(at) == self.columns.words(at - 1) => {}
                Labels::Lines(lines) => {
                    let mut painter = Painter {
                        area,
                        buf: &mut *buf,
                        theme,
                    };
                    self.draw_staggered(layout, slot, lines, style, &mut painter);
                }
                Labels::Every(every) => {
                    // The cursor's own label replaces labels too close to it.
                    let here = column.saturating_sub(layout.first_column);
                    let near = slot != here && slot.abs_diff(here) < every;
                    if slot == here || (at.is_multiple_of(every) && !near) {
                        let (x, text) = (layout.gutter + slot * layout.wide, at.to_string());
                        let last = usize::from(area.width).saturating_sub(width(&text));
                        // At the right edge the cursor's number is moved, and any other left out.
                        if slot == here || x <= last {
                            put(buf, area, x.min(last), 1, &text, style);
                        }
                    }
                }
            }
        }
    }

    /// Draws the axes' names and visible parts, as in `↓ target  → source 3–14 of 40`.
    fn draw_axes(&self, layout: &Layout, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let glyphs = theme.glyphs();
        let axis = |name: &str| {
            let meaning = meaning(name);
            if meaning == name {
                name.to_owned()
            } else {
                format!("{name} {meaning}")
            }
        };
        let (rows, columns) = self.size();
        let dash = if theme.ascii { "-" } else { "–" };
        let part = |first: usize, shown: usize, all: usize, of: bool| {
            if shown >= all {
                String::new()
            } else if of {
                format!(" {first}{dash}{} of {all}", first + shown - 1)
            } else {
                format!(" {first}{dash}{}", first + shown - 1)
            }
        };
        let sign = theme.words(glyphs.sum);
        let (sums, briefly) = match (layout.sums > 0, layout.column_sums) {
            (false, _) => (String::new(), String::new()),
            (true, false) => (format!("{sign} sum of a row"), format!("{sign} sum")),
            (true, true) => (
                format!("{sign} sums of rows and columns"),
                format!("{sign} sums"),
            ),
        };
        let both = |of: bool, sums: &str| -> Vec<Chunk> {
            let mut chunks = Vec::new();
            if rows > 1 {
                let shown = layout.rows(layout.lines).min(rows);
                let seen = part(layout.first_row, shown, rows, of);
                let text = format!("{} {}{seen}", glyphs.down, axis(&self.rows.name));
                chunks.push(Chunk::new(2, text, theme.dim));
            }
            let shown = if layout.folded { columns } else { layout.slots };
            let seen = part(layout.first_column, shown, columns, of);
            let name = axis(&self.columns.name);
            // An unnamed axis of length 1 needs no arrow.
            if columns > 1 || !name.is_empty() {
                let text = format!("{} {name}{seen}", glyphs.next);
                chunks.push(Chunk::new(3, text, theme.dim));
            }
            chunks.push(Chunk::new(1, sums, theme.dim));
            // Without their unit the numbers would be taken literally.
            if layout.form.is_some_and(|form| form.is_in_hundredths()) {
                chunks.push(Chunk::new(4, "hundredths", theme.note));
            }
            chunks
        };
        let wide = |chunks: &[Chunk]| chunks.iter().map(|chunk| chunk.width() + 2).sum::<usize>();
        let fits = |chunks: &Vec<Chunk>| wide(chunks) <= usize::from(area.width) + 2;
        // Words about the sums are shortened first, then the total counts go, before a whole axis does.
        let mut ways = [(true, &sums), (true, &briefly), (false, &briefly)]
            .into_iter()
            .map(|(of, sums)| both(of, sums));
        let chunks = ways.find(fits).unwrap_or_else(|| both(false, &briefly));
        let mut x = 0;
        for (text, style) in fit(chunks, area.width.into()) {
            x = put(buf, area, x, 0, &text, style);
        }
    }

    /// Draws the words that fit whole, with lines leading from higher words down to their columns.
    fn draw_some(
        &self,
        layout: &Layout,
        lines: usize,
        area: Rect,
        buf: &mut Buffer,
        theme: &Theme,
    ) {
        let available = usize::from(area.width);
        let here = self.place().1.checked_sub(layout.first_column);
        let others = (0..layout.slots).filter(|slot| Some(*slot) != here);
        // The cursor's word comes first, so it is shown whenever it fits.
        let words: Vec<Word> = (here.into_iter().chain(others))
            .filter_map(|slot| {
                let text = theme.words(&self.columns.label(layout.first_column + slot));
                let at = layout.gutter + slot * layout.wide;
                // At the right edge, words are right-aligned.
                let from = available.checked_sub(width(&text))?.min(at);
                Some(Word {
                    slot,
                    text,
                    at,
                    from,
                })
            })
            .collect();
        let by_turns = assign_lines(&words, available, lines, |slot, line| (line + slot) % lines);
        let from_below = assign_lines(&words, available, lines, |_, line| lines - 1 - line);
        let places = if by_turns.len() > from_below.len() {
            by_turns
        } else {
            from_below
        };
        for (word, line) in places {
            let style = if Some(word.slot) == here {
                theme.title.add_modifier(Modifier::UNDERLINED)
            } else {
                theme.dim
            };
            put(buf, area, word.from, 1 + line, &word.text, style);
            for below in line + 1..lines {
                put(
                    buf,
                    area,
                    word.at,
                    1 + below,
                    theme.glyphs().axes[0],
                    theme.dim,
                );
            }
        }
    }

    /// Draws a word over its column, in one of `lines` lines in turn, with a line leading from higher words down to the
    /// column.
    fn draw_staggered(
        &self,
        layout: &Layout,
        slot: usize,
        lines: usize,
        style: Style,
        painter: &mut Painter<'_>,
    ) {
        let (area, theme) = (painter.area, painter.theme);
        let label = theme.words(&self.columns.label(layout.first_column + slot));
        let left = layout.gutter + slot * layout.wide;
        let (from, digits) = layout.number_at();
        let x = match lines {
            // Over numbers, right-align the word with them.
            1 if layout.form.is_some() => left + (from + digits).saturating_sub(width(&label)),
            1 => left + layout.wide.saturating_sub(width(&label)).div_ceil(2),
            _ => left + from.min(1),
        };
        let available = match lines {
            1 if slot + 1 < layout.slots && layout.wide < 3 => layout.wide,
            1 if slot + 1 < layout.slots => layout.wide - 1,
            _ if slot + lines < layout.slots => lines * layout.wide - 1,
            _ => usize::from(area.width).saturating_sub(x),
        };
        let label = clip_entry(&label, available, theme.glyphs().more);
        let line = slot % lines;
        painter.put(x, 1 + line, &label, style);
        for below in line + 1..lines {
            let place = (area.x + x as u16, area.y + 1 + below as u16);
            let cell = painter.buf.cell(place);
            if cell.is_some_and(|cell| cell.symbol() == " ") {
                painter.put(x, 1 + below, theme.glyphs().axes[0], theme.dim);
            }
        }
    }
}
