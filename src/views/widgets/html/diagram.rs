//! Diagrams as inline SVG: nodes as text, arrows as curves whose width shows their weight.

use std::fmt::Write as _;

use crate::lesson::picture::{Arrow, Column, Diagram, Node};
use crate::widgets::diagram::{Chosen, describe};
use crate::widgets::svg::escape;

/// Sizes in pixels: the height of a node's row, the width of a letter, and the space between text and arrows.
const LINE: f64 = 26.0;
const LETTER: f64 = 7.0;
const SPACE: f64 = 7.0;

/// Distance between two columns, and between the only two.
const ACROSS: f64 = 84.0;
const ACROSS_TWO: f64 = 44.0;

/// Width up to which a drawing is scaled down to the width of a phone, rather than scrolled: its text stays legible.
const SCALED: f64 = 420.0;

/// Size of a coloured cell, and the maximum number of cells per node.
const CELL: [f64; 2] = [6.0, 13.0];
const CELLS: usize = 24;

/// Height of the titles.
const TOP: f64 = 30.0;

/// Width of an arrow of weight 1, and the smallest width.
const WIDTHS: [f64; 2] = [7.0, 0.8];

/// Draws the diagram at the cursor `[diagram, node, column]`.
pub fn html(diagrams: &[Diagram], cursor: &[usize]) -> String {
    let Some(chosen) = Chosen::of(diagrams, cursor) else {
        return String::new();
    };
    let drawing = Drawing::new(chosen.diagram);
    let said = describe(std::slice::from_ref(chosen.diagram), &[]);
    let mut out = format!(
        "<div class=\"tt-scroll\"><svg class=\"tt-drawn{3}\" width=\"{0:.0}\" height=\"{1:.0}\" viewBox=\"0 0 {0:.0} {1:.0}\" role=\"group\" aria-label=\"{2}\">",
        drawing.width,
        drawing.height,
        escape(&said.replace('\n', " ")),
        if drawing.width <= SCALED {
            " scaled"
        } else {
            ""
        }
    );
    let number = cursor.first().copied().unwrap_or(0);
    for (at, column) in chosen.diagram.columns.iter().enumerate() {
        drawing.column(number, at, column, &mut out);
    }
    out + "</svg></div>"
}

/// A diagram with the place of each column.
struct Drawing<'a> {
    diagram: &'a Diagram,
    /// Left edge of each column, and the width of its labels and notes.
    places: Vec<Place>,
    /// Magnitude of the strongest colour.
    scale: f32,
    width: f64,
    height: f64,
}

/// Place of a column.
#[derive(Clone, Copy)]
struct Place {
    x: f64,
    /// Width of its widest node.
    width: f64,
    /// Width of its labels and notes.
    text: f64,
}

impl<'a> Drawing<'a> {
    fn new(diagram: &'a Diagram) -> Self {
        let (mut x, mut places) = (2.0, Vec::new());
        let across = if diagram.columns.len() == 2 {
            ACROSS_TWO
        } else {
            ACROSS
        };
        for column in &diagram.columns {
            let text = column.nodes.iter().map(text_width).fold(0.0, f64::max);
            let cells = column.nodes.iter().map(|node| node.cells.len().min(CELLS));
            let cells = cells.max().unwrap_or(0) as f64 * CELL[0];
            let nodes = match (cells > 0.0, column.nodes.len() == 1) {
                (false, _) => text,
                (true, true) => text.max(cells),
                (true, false) => text + SPACE + cells,
            };
            let width = nodes.max(letters(&column.title) - across + SPACE);
            places.push(Place { x, width, text });
            x += width + across;
        }
        let titles = diagram
            .columns
            .last()
            .map_or(0.0, |column| letters(&column.title));
        let end = places
            .last()
            .map_or(0.0, |last| last.x + last.width.max(titles));
        let rows = diagram.longest().max(2) as f64;
        Self {
            diagram,
            places,
            scale: diagram.scale(),
            width: end + 2.0,
            height: TOP + rows * LINE,
        }
    }

    /// Middle of a node's line.
    fn y(&self, column: usize, node: usize) -> f64 {
        let count = self.diagram.columns[column].nodes.len().max(1) as f64;
        TOP + (node as f64 + 0.5) * (self.height - TOP) / count
    }

    fn column(&self, diagram: usize, at: usize, column: &Column, out: &mut String) {
        let place = self.places[at];
        let _ = write!(
            out,
            "<text class=\"title\" x=\"{:.0}\" y=\"14\">{}</text>",
            place.x,
            escape(&column.title)
        );
        for arrow in self.diagram.arrows_from(at) {
            self.arrow(at, arrow, out);
        }
        if column.chained {
            for node in 1..column.nodes.len() {
                let (from, to) = (self.y(at, node - 1) + 8.0, self.y(at, node) - 9.0);
                let _ = write!(
                    out,
                    "<path class=\"way\" d=\"M{:.1} {from:.1}V{to:.1}\"/>",
                    place.x + 4.0
                );
            }
        }
        for (node, of) in column.nodes.iter().enumerate() {
            if of.opens.is_some() {
                let _ = write!(
                    out,
                    "<g class=\"tt-node\" data-at=\"{diagram},{node},{at}\" tabindex=\"0\" role=\"button\">"
                );
            }
            self.node(place, self.y(at, node), of, column.nodes.len() == 1, out);
            if of.opens.is_some() {
                *out += "</g>";
            }
        }
    }

    fn arrow(&self, column: usize, arrow: &Arrow, out: &mut String) {
        let node = &self.diagram.columns[column].nodes[arrow.from];
        let (place, next) = (self.places[column], self.places[column + 1]);
        let beside = !node.cells.is_empty() && self.diagram.columns[column].nodes.len() > 1;
        let wide = match (node.note.is_empty(), beside) {
            (true, false) => letters(&node.label),
            (false, false) => place.text,
            (_, true) => place.width,
        };
        let (from, to) = (place.x + wide + SPACE, next.x - SPACE);
        let (begin, end) = (self.y(column, arrow.from), self.y(column + 1, arrow.to));
        let weight = f64::from(arrow.weight.abs()).min(1.0);
        let stroke = (WIDTHS[0] * weight).max(WIDTHS[1]);
        let tip = 4.0 + stroke / 2.0;
        let (middle, line) = ((from + to) / 2.0, to - tip);
        let opacity = 0.35 + 0.65 * weight;
        let _ = write!(
            out,
            "<g opacity=\"{opacity:.2}\"><path stroke-width=\"{stroke:.1}\" d=\"M{from:.1} {begin:.1}C{middle:.1} {begin:.1} {middle:.1} {end:.1} {line:.1} {end:.1}\"/><path class=\"tip\" d=\"M{to:.1} {end:.1}l-{tip:.1} -{tip:.1}v{:.1}z\"/></g>",
            2.0 * tip
        );
    }

    fn node(&self, place: Place, y: f64, node: &Node, is_alone: bool, out: &mut String) {
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            place.x,
            y + 4.5,
            escape(&node.label)
        );
        if !node.note.is_empty() {
            let _ = write!(
                out,
                "<text class=\"note\" text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                place.x + place.text,
                y + 4.5,
                escape(&node.note)
            );
        }
        let (x, top) = if is_alone {
            (place.x, y + 10.0)
        } else {
            (place.x + place.text + SPACE, y - CELL[1] / 2.0)
        };
        for (i, value) in node.cells.iter().take(CELLS).enumerate() {
            let strength = if self.scale > 0.0 {
                value.abs() / self.scale
            } else {
                0.0
            };
            let _ = write!(
                out,
                "<rect class=\"{}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{}\" fill-opacity=\"{strength:.2}\"/>",
                if *value < 0.0 { "m" } else { "p" },
                x + i as f64 * CELL[0],
                CELL[0] - 0.5,
                CELL[1]
            );
        }
    }
}

fn letters(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

/// Width of a node's label and note.
fn text_width(node: &Node) -> f64 {
    let note = if node.note.is_empty() {
        0.0
    } else {
        letters(&node.note) + LETTER
    };
    letters(&node.label) + note
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_is_as_wide_as_its_weight_and_one_of_zero_is_not_drawn() {
        let words =
            |all: &[&str]| -> Vec<Node> { all.iter().map(|word| Node::new(*word, "")).collect() };
        let columns = vec![
            Column::new("query", words(&["is"])),
            Column::new("keys", words(&["Hund", "<b>", "im"])),
        ];
        let arrows = [([0, 0], 0.8), ([0, 1], 0.05), ([0, 2], 0.0)];
        let drawn = html(&[Diagram::new("", columns).with_arrows(0, arrows)], &[]);
        assert_eq!(drawn.matches("class=\"tip\"").count(), 2);
        assert!(
            drawn.contains("stroke-width=\"5.6\"") && drawn.contains("stroke-width=\"0.8\""),
            "{drawn}"
        );
        assert!(
            drawn.contains("is -&gt; Hund 0.80, is -&gt; &lt;b&gt; 0.05."),
            "{drawn}"
        );
        assert!(!drawn.contains("<b>"));
    }
}
