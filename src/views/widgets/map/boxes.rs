//! The map as a drawing, as in the paper's figure: a frame around each stack, its layers separated, the path of the
//! memory from the encoder to each cross-attention, inputs below and outputs above.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::lesson::picture::{BoxState, Map, MapBox};
use crate::widgets::lines::{clip_entry, put, put_over, width, wrap};
use crate::widgets::theme::Theme;

/// Columns between the two stacks, for the path of the memory.
const GAP: u16 = 6;

/// Width of a stack with its frame: the minimum, and the maximum that reads well.
const WIDE: (u16, u16) = (28, 44);

/// Prefixes of the two stacks' steps.
const STACKS: [&str; 2] = ["encoder", "decoder"];

/// Maximum number of lines of a sentence below the stacks.
const SAID: u16 = 2;

/// Position of one box of the map.
#[derive(Clone, Copy, Debug)]
pub struct BoxPosition {
    /// `[row, column]` in the map.
    pub index: [usize; 2],
    /// Its line on the screen.
    pub rect: Rect,
}

/// The drawing's layout.
pub struct Boxes {
    /// Every box, with its position.
    pub spots: Vec<BoxPosition>,
    /// Frame of each stack, including its top and bottom lines.
    frames: [Rect; 2],
    /// Lines with a layer's name: column, row, layer number.
    layers: Vec<(usize, u16, usize)>,
    /// Frame of the boxes above the decoder.
    top: Rect,
    /// First line of the sentences, and the number of lines that they take.
    sentences: (u16, u16),
    width: u16,
}

/// Whether a box belongs to a stack.
fn in_stack(place: &MapBox, column: usize) -> bool {
    place.layer.is_some() || place.opens == format!("{}.norm", STACKS[column])
}

impl Boxes {
    /// Lays out the drawing; `None` if it does not fit, or if the map does not consist of two stacks.
    pub fn new(map: &Map, area: Rect) -> Option<Self> {
        let wide = (area.width.saturating_sub(GAP) / 2).min(WIDE.1);
        if wide < WIDE.0 {
            return None;
        }
        let inside = |row: &[Option<MapBox>; 2]| {
            let places = row.iter().enumerate();
            let mut places = places.filter_map(|(column, place)| Some((column, place.as_ref()?)));
            places.any(|(column, place)| in_stack(place, column))
        };
        let from = map.rows.iter().position(inside)?;
        let to = map.rows.iter().rposition(inside)? + 1;
        let x = [area.x, area.x + wide + GAP];
        let line = |column: usize, y: u16| Rect::new(x[column] + 1, y, wide - 2, 1);
        let mut spots = Vec::new();
        let mut put_row = |row: usize, y: u16| {
            for column in 0..2 {
                if map.rows[row][column].is_some() {
                    let (index, rect) = ([row, column], line(column, y));
                    spots.push(BoxPosition { index, rect });
                }
            }
        };
        let mut y = area.y + 1;
        for row in 0..from {
            put_row(row, y);
            y += 1;
        }
        let top = Rect::new(x[1], area.y, wide, y + 1 - area.y);
        y += 1;
        // A line above each layer names it; for the first layer of a stack it is the top of the frame.
        let (mut layers, mut frames) = (Vec::new(), [Rect::default(); 2]);
        let mut seen = [None; 2];
        for row in from..to {
            let places = &map.rows[row];
            let layer = |column: usize| places[column].as_ref().and_then(|place| place.layer);
            let begins = [0, 1].map(|column| {
                let occupied = places[column].is_some();
                occupied && (frames[column].width == 0 || layer(column) != seen[column])
            });
            if begins[0] || begins[1] {
                for column in (0..2).filter(|column| begins[*column]) {
                    if frames[column].width == 0 {
                        frames[column] = Rect::new(x[column], y, wide, 1);
                    }
                    seen[column] = layer(column);
                    layers.extend(layer(column).map(|number| (column, y, number)));
                }
                y += 1;
            }
            put_row(row, y);
            y += 1;
        }
        for frame in &mut frames {
            frame.height = (y + 1).saturating_sub(frame.y);
        }
        y += 1;
        for row in to..map.rows.len() {
            put_row(row, y);
            y += 1;
        }
        let all = frames.iter().all(|frame| frame.width > 0);
        let lines = map.sentences.iter();
        let lines = lines.map(|text| wrap(text, usize::from(wide - 2)).len() as u16);
        let lines = lines.max().unwrap_or(1).clamp(1, SAID);
        (all && y < area.bottom()).then(|| Self {
            spots,
            frames,
            layers,
            top,
            sentences: (y, lines.min(area.bottom() - y)),
            width: wide,
        })
    }

    /// Height of the drawing, in rows.
    pub fn height(&self, area: Rect) -> u16 {
        self.sentences.0 + self.sentences.1 - area.y
    }

    /// Draws the map with the cursor on `[row, column]`.
    pub fn draw(&self, map: &Map, cursor: &[usize], area: Rect, buf: &mut Buffer, theme: &Theme) {
        let pen = Pen { area, theme };
        if self.top.height > 2 {
            pen.frame(self.top, "", true, buf);
            pen.rise(self.top.bottom(), self.frames[1].y, self.frames[1], buf);
        }
        for (column, frame) in self.frames.into_iter().enumerate() {
            let named = self.layers.iter().any(|(_, y, _)| *y == frame.y);
            let title = format!(" {} ", STACKS[column]);
            pen.frame(frame, if named { "" } else { &title }, true, buf);
            for (_, y, number) in self.layers.iter().filter(|(of, ..)| *of == column) {
                let first = *y == frame.y;
                let name = if first {
                    format!("{}, layer {number}", STACKS[column])
                } else {
                    format!("layer {number}")
                };
                pen.parting(frame, *y, &name, first, buf);
            }
        }
        self.memory(map, &pen, buf);
        for spot in &self.spots {
            let [row, column] = spot.index;
            if let Some(place) = &map.rows[row][column] {
                let chosen = cursor == [row, column];
                put(
                    buf,
                    spot.rect,
                    0,
                    0,
                    &line(place, chosen, spot.rect, theme),
                    style(place, chosen, theme),
                );
            }
        }
        for (frame, sentence) in self.frames.into_iter().zip(&map.sentences) {
            let (top, lines) = self.sentences;
            let rect = Rect::new(frame.x + 2, top, self.width - 2, lines);
            let available = usize::from(rect.width);
            let mut words = wrap(sentence, available);
            if words.len() > usize::from(lines) {
                let rest = words.split_off(usize::from(lines) - 1).join(" ");
                words.push(clip_entry(&rest, available, theme.glyphs().more));
            }
            for (i, line) in words.iter().enumerate() {
                put(buf, rect, 0, i, line, theme.note);
            }
        }
    }

    /// Draws the memory's path from the top of the encoder to each cross-attention.
    fn memory(&self, map: &Map, pen: &Pen<'_>, buf: &mut Buffer) {
        let [encoder, decoder] = self.frames;
        let reads = |spot: &&BoxPosition| {
            let [row, column] = spot.index;
            let place = map.rows[row][column].as_ref();
            column == 1 && place.is_some_and(|place| place.opens.contains(".src_attn."))
        };
        let crossed: Vec<u16> = self.spots.iter().filter(reads).map(|s| s.rect.y).collect();
        let (Some(last), x) = (crossed.last(), encoder.right() + 2) else {
            return;
        };
        let from = encoder.y + 1;
        pen.put(encoder.right(), encoder.y, "memory", pen.theme.dim, buf);
        pen.put(encoder.right() - 1, from, "├", pen.theme.dim, buf);
        pen.put(encoder.right(), from, "──┐", pen.theme.dim, buf);
        for y in from + 1..=*last {
            let corner = match (crossed.contains(&y), y == *last) {
                (true, true) => "└",
                (true, false) => "├",
                (false, _) => "│",
            };
            pen.put(x, y, corner, pen.theme.dim, buf);
            if crossed.contains(&y) {
                let dash = "─".repeat(usize::from(decoder.x - x - 2));
                pen.put(x + 1, y, &format!("{dash}▶"), pen.theme.dim, buf);
            }
        }
    }
}

/// Text of a box: `▸ 07 feed-forward      8×256`.
fn line(place: &MapBox, chosen: bool, rect: Rect, theme: &Theme) -> String {
    let mark = match (place.state, theme.ascii) {
        _ if chosen => theme.glyphs().turn.1,
        (BoxState::Here, false) => "▶",
        (BoxState::Here, true) => ">",
        (BoxState::Ahead, false) => "·",
        (BoxState::Ahead, true) => ".",
        (BoxState::Passed, _) => " ",
    };
    let available = usize::from(rect.width);
    let left = format!("{mark} {:02} {}", super::lesson_number(place), place.title);
    let rest = available.saturating_sub(width(&left));
    // The batch consists of one sentence, so its size is left out.
    let note = place.note.strip_prefix("1, ").unwrap_or(&place.note);
    let note = note.replace(", ", theme.glyphs().times);
    if width(&note) < rest {
        format!("{left}{note:>rest$}")
    } else {
        clip_entry(&left, available, theme.glyphs().more)
    }
}

fn style(place: &MapBox, chosen: bool, theme: &Theme) -> Style {
    match place.state {
        _ if chosen => theme.cursor,
        BoxState::Ahead => theme.dim,
        BoxState::Here => theme.note,
        BoxState::Passed => theme.text,
    }
}

/// Draws lines within an area, in ASCII where the terminal needs it.
struct Pen<'a> {
    area: Rect,
    theme: &'a Theme,
}

impl Pen<'_> {
    fn put(&self, x: u16, y: u16, words: &str, style: Style, buf: &mut Buffer) {
        let words = super::in_theme(words, self.theme);
        let place = (usize::from(x - self.area.x), usize::from(y - self.area.y));
        put_over(buf, self.area, place.0, place.1, &words, style);
    }

    /// Draws a frame; if it is `fed`, an arrow enters in the middle of its lower line.
    fn frame(&self, rect: Rect, title: &str, fed: bool, buf: &mut Buffer) {
        let dim = self.theme.dim;
        let level = "─".repeat(usize::from(rect.width) - 2);
        self.put(rect.x, rect.y, &format!("┌{level}┐"), dim, buf);
        self.put(rect.x, rect.bottom() - 1, &format!("└{level}┘"), dim, buf);
        for y in rect.y + 1..rect.bottom() - 1 {
            self.put(rect.x, y, "│", dim, buf);
            self.put(rect.right() - 1, y, "│", dim, buf);
        }
        if !title.is_empty() {
            self.put(rect.x + 2, rect.y, title, self.theme.title, buf);
        }
        if fed {
            let middle = rect.x + rect.width / 2;
            self.put(middle, rect.bottom() - 1, "▲", dim, buf);
        }
    }

    /// Draws a line across a frame, with the name of what begins below it.
    fn parting(&self, frame: Rect, y: u16, name: &str, first: bool, buf: &mut Buffer) {
        let inner = usize::from(frame.width) - 2;
        let ends = if first {
            ("┌", "┐")
        } else {
            ("├", "┤")
        };
        let level = "─".repeat(inner.saturating_sub(width(name) + 3));
        let text = format!("{}─ {name} {level}{}", ends.0, ends.1);
        self.put(frame.x, y, &text, self.theme.dim, buf);
    }

    /// Draws the line from the top of a stack to what is above it.
    fn rise(&self, from: u16, to: u16, frame: Rect, buf: &mut Buffer) {
        for y in from..to {
            let middle = frame.x + frame.width / 2;
            self.put(middle, y, "│", self.theme.dim, buf);
        }
    }
}
