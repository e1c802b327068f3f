//! Map of a model as inline SVG: encoder left, decoder right, read from the bottom up, each box a link to its lesson.

use std::fmt::Write as _;

use crate::curriculum::LESSONS;
use crate::lesson::picture::{Map, MapBox};
use crate::widgets::svg::escape;

/// Sizes in the drawing's own units. The drawing is as wide as a narrow page, so on a phone a unit is one pixel.
const COLUMN: f64 = 152.0;
const BETWEEN: f64 = 24.0;
const EDGE: f64 = 2.0;
const WIDTH: f64 = 2.0 * COLUMN + BETWEEN + 2.0 * EDGE;
/// Height of a box, with room at its foot for one cell per token, and the gap to the next.
const BOX: f64 = 42.0;
const GAP: f64 = 12.0;
/// Padding around a layer's boxes, and the height of its name above them.
const PAD: f64 = 6.0;
const NAME: f64 = 18.0;

/// Full names of parts whose names are shortened to fit the screen.
const LONG: [(&str, &str); 3] = [
    ("self-attn", "self-attention"),
    ("masked attn", "masked self-attention"),
    ("cross attn", "cross-attention"),
];

/// A box with its upper edge, measured from the column's lower end.
struct PlacedBox<'a> {
    place: &'a MapBox,
    top: f64,
    /// True for the box that the page highlights.
    here: bool,
}

/// The frame around a layer: its number, and its lower and upper edges, measured from the column's lower end.
struct Frame<'a> {
    layer: &'a str,
    bottom: f64,
    top: f64,
}

struct Column<'a> {
    boxes: Vec<PlacedBox<'a>>,
    frames: Vec<Frame<'a>>,
    height: f64,
}

/// Number of the layer that a place belongs to: `0` for `encoder.layers.0.self_attn.residual`.
fn layer(map_box: &MapBox) -> Option<&str> {
    let (_, rest) = map_box.opens.split_once(".layers.")?;
    rest.split('.').next()
}

impl<'a> Column<'a> {
    /// Boxes of one side, stacked from the bottom.
    fn new(map: &'a Map, side: usize, here: Option<(usize, usize)>) -> Self {
        let mut column = Self {
            boxes: Vec::new(),
            frames: Vec::new(),
            height: 0.0,
        };
        let rows = map.rows.iter().enumerate().rev();
        for (row, map_box) in rows.filter_map(|(at, row)| Some((at, row[side].as_ref()?))) {
            let this = layer(map_box);
            let before = column.boxes.last().and_then(|b| layer(b.place));
            if before.is_some() && before != this {
                column.close();
            }
            if !column.boxes.is_empty() {
                column.height += GAP;
            }
            if let Some(layer) = this.filter(|_| before != this) {
                column.frames.push(Frame {
                    layer,
                    bottom: column.height,
                    top: column.height,
                });
                column.height += PAD;
            }
            column.height += BOX;
            column.boxes.push(PlacedBox {
                place: map_box,
                top: column.height,
                here: here == Some((row, side)),
            });
        }
        if column
            .boxes
            .last()
            .is_some_and(|b| layer(b.place).is_some())
        {
            column.close();
        }
        column
    }

    /// Ends the frame of the layer whose last box was placed.
    fn close(&mut self) {
        self.height += NAME;
        if let Some(frame) = self.frames.last_mut() {
            frame.top = self.height;
        }
    }
}

/// Returns the drawing as one line of SVG. The box in row and column `here` has a heavy frame.
pub fn html(map: &Map, here: Option<(usize, usize)>) -> String {
    let columns = [0, 1].map(|side| Column::new(map, side, here));
    let height = columns[0].height.max(columns[1].height) + 2.0 * EDGE;
    let mut out = format!(
        "<svg class=\"tt-map\" viewBox=\"0 0 {WIDTH} {height}\" role=\"group\" aria-label=\"Map of the model: the encoder left, the decoder right, from below\">"
    );
    let floor = height - EDGE;
    for (side, column) in columns.iter().enumerate() {
        let left = left_edge(side);
        for frame in &column.frames {
            let _ = write!(
                out,
                "<rect class=\"layer\" x=\"{left}\" y=\"{:.1}\" width=\"{COLUMN}\" height=\"{:.1}\" rx=\"6\"/><text class=\"note\" x=\"{:.1}\" y=\"{:.1}\">{} layer {}</text>",
                floor - frame.top,
                frame.top - frame.bottom,
                left + PAD + 2.0,
                floor - frame.top + 13.0,
                ["encoder", "decoder"][side],
                escape(frame.layer)
            );
        }
        for pair in column.boxes.windows(2) {
            let (from, to) = (pair[0].top, pair[1].top - BOX);
            // Right of the centre, an arrow that leaves a layer doesn't cross its name.
            out += &arrow_up(left + COLUMN * 0.75, floor - from, floor - to);
        }
    }
    out += &memory(&columns, floor);
    for (side, column) in columns.iter().enumerate() {
        for placed in &column.boxes {
            out += &linked(placed, left_edge(side), floor);
        }
    }
    out + "</svg>"
}

fn left_edge(side: usize) -> f64 {
    EDGE + side as f64 * (COLUMN + BETWEEN)
}

fn arrow_up(x: f64, from: f64, to: f64) -> String {
    format!(
        "<path class=\"way\" d=\"M{x:.1} {from:.1}V{:.1}\"/><path class=\"tip\" d=\"M{x:.1} {to:.1}l-4 6h8z\"/>",
        to + 5.0
    )
}

/// Lines from the encoder's result to every cross-attention that reads it.
fn memory([encoder, decoder]: &[Column<'_>; 2], floor: f64) -> String {
    let readers = decoder.boxes.iter();
    let readers: Vec<f64> = readers
        .filter(|b| b.place.opens.contains(".src_attn."))
        .map(|b| floor - b.top + BOX / 2.0)
        .collect();
    let (Some(last), false) = (encoder.boxes.last(), readers.is_empty()) else {
        return String::new();
    };
    let x = EDGE + COLUMN + BETWEEN / 2.0;
    let from = floor - last.top + BOX / 2.0;
    let ends = |pick: fn(f64, f64) -> f64| readers.iter().copied().fold(from, pick);
    let mut out = format!(
        "<path class=\"way\" d=\"M{:.1} {from:.1}H{x:.1}M{x:.1} {:.1}V{:.1}\"/>",
        EDGE + COLUMN - PAD,
        ends(f64::min),
        ends(f64::max)
    );
    let to = left_edge(1) + PAD;
    for y in readers {
        let _ = write!(
            out,
            "<path class=\"way\" d=\"M{x:.1} {y:.1}H{:.1}\"/><path class=\"tip\" d=\"M{to:.1} {y:.1}l-6 -4v8z\"/>",
            to - 5.0
        );
    }
    out
}

/// A box: its title, and below that the lesson and the place's note.
fn linked(placed: &PlacedBox<'_>, left: f64, floor: f64) -> String {
    let map_box = placed.place;
    let (x, y) = (left + PAD, floor - placed.top);
    let own = layer(map_box).and_then(|layer| map_box.title.strip_prefix(layer));
    let title = own.unwrap_or(&map_box.title).trim();
    let long = LONG.iter().find(|(short, _)| *short == title);
    let title = long.map_or(title, |(_, long)| long);
    let lesson = LESSONS.iter().find(|lesson| lesson.name == map_box.lesson);
    let mut notes: Vec<String> = Vec::new();
    notes.extend(lesson.map(|lesson| format!("lesson {:02}", lesson.number)));
    notes.extend(Some(map_box.note.clone()).filter(|note| !note.is_empty()));
    let here = if placed.here { " here" } else { "" };
    let drawn = format!(
        "<rect class=\"box{here}\" x=\"{x}\" y=\"{y:.1}\" width=\"{}\" height=\"{BOX}\" rx=\"4\"/><text x=\"{1}\" y=\"{2:.1}\">{3}</text><text class=\"note\" x=\"{1}\" y=\"{4:.1}\">{5}</text>",
        COLUMN - 2.0 * PAD,
        x + 6.0,
        y + 16.0,
        escape(title),
        y + 31.0,
        escape(&notes.join(" · "))
    );
    match lesson {
        Some(lesson) => format!(
            "<a href=\"{}.html\" data-opens=\"{}\">{drawn}</a>",
            lesson.folder,
            escape(&map_box.opens)
        ),
        None => drawn,
    }
}
