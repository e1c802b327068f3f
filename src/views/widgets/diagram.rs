//! Diagrams in the terminal: nodes as text, arrows in box-drawing characters that are heavier for larger weights.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::lines::{clip_entry, put, width};
use super::theme::Theme;
use crate::lesson::picture::{Arrow, Diagram, Node};
use crate::typeset::number::{ascii, fixed};

mod layout;
mod strokes;
#[cfg(test)]
mod tests;

use layout::{Layout, Spot};

/// A diagram of several, and a node of it.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// Index of the diagram.
    pub number: usize,
    /// The diagram.
    pub diagram: &'a Diagram,
    /// Index of the node's column.
    pub column: usize,
    /// Index of the node in its column.
    pub node: usize,
}

impl<'a> Chosen<'a> {
    /// The node at the cursor `[diagram, node, column]`, or the nearest one; `None` if there is no node.
    pub fn of(diagrams: &'a [Diagram], cursor: &[usize]) -> Option<Self> {
        let place = |axis: usize, count: usize| {
            let at = cursor.get(axis).copied().unwrap_or(0);
            Some(at.min(count.checked_sub(1)?))
        };
        let number = place(0, diagrams.len())?;
        let diagram = &diagrams[number];
        let column = place(2, diagram.columns.len())?;
        let node = place(1, diagram.columns[column].nodes.len())?;
        Some(Self {
            number,
            diagram,
            column,
            node,
        })
    }

    /// The node itself.
    pub fn node(&self) -> &'a Node {
        &self.diagram.columns[self.column].nodes[self.node]
    }

    fn layout(&self, area: Rect) -> Layout<'a> {
        Layout::new(self.diagram, [self.node, self.column], area)
    }
}

/// Rows of nodes of a diagram with an empty one between any two.
fn rows(diagram: &Diagram) -> usize {
    let cells = |node: &Node| !node.cells.is_empty();
    let below = diagram
        .columns
        .iter()
        .any(|column| column.nodes.len() == 1 && cells(&column.nodes[0]));
    // The cells of a single node are below its label, which is in the middle.
    (2 * diagram.longest())
        .saturating_sub(1)
        .max(1 + 2 * usize::from(below))
}

/// Number of rows, with the titles, in which every diagram is visible: tightly, and spread out.
pub fn heights(diagrams: &[Diagram]) -> [usize; 2] {
    let most = |of: fn(&Diagram) -> usize| diagrams.iter().map(of).max().unwrap_or(0);
    [1 + most(Diagram::longest), 1 + most(rows)]
}

/// Draws the diagram at the cursor `[diagram, node, column]`.
pub fn draw(diagrams: &[Diagram], cursor: &[usize], area: Rect, buf: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buf.area);
    let Some(chosen) = Chosen::of(diagrams, cursor) else {
        return;
    };
    if area.width < 8 || area.height < 2 {
        return;
    }
    let layout = chosen.layout(area);
    let field = Rect::new(area.x, area.y + 1, area.width, area.height - 1);
    let visible = layout.first..layout.first + usize::from(field.height);
    let strokes = layout.strokes();
    for y in visible.clone() {
        for x in 0..usize::from(field.width) {
            if let Some((symbol, style)) = strokes.at((x, y), theme) {
                put(buf, field, x, y - layout.first, symbol, style);
            }
        }
    }
    for (column, span) in layout.shown.clone().zip(&layout.spans) {
        let title = &chosen.diagram.columns[column].title;
        let available = (span.width + span.gap.saturating_sub(1)).max(1);
        let available = available.min(usize::from(area.width).saturating_sub(span.x));
        let title = clip_entry(&theme.words(title), available, theme.glyphs().more);
        put(buf, area, span.x, 0, &title, theme.title);
    }
    let pen = Pen {
        layout: &layout,
        scale: chosen.diagram.scale(),
        field,
        theme,
    };
    for spot in layout.spots().filter(|spot| visible.contains(&spot.y)) {
        let is_chosen = (spot.column, spot.node) == (chosen.column, chosen.node);
        pen.node(
            &chosen.diagram.columns[spot.column].nodes[spot.node],
            spot,
            is_chosen,
            buf,
        );
    }
}

/// Writes nodes into the field below the titles.
struct Pen<'a> {
    layout: &'a Layout<'a>,
    /// Magnitude of the strongest colour.
    scale: f32,
    field: Rect,
    theme: &'a Theme,
}

impl Pen<'_> {
    fn node(&self, node: &Node, spot: Spot, is_chosen: bool, buf: &mut Buffer) {
        let text = self.layout.spans[spot.column - self.layout.shown.start].text();
        let y = spot.y - self.layout.first;
        let available = usize::from(self.field.width).saturating_sub(spot.x);
        let more = self.theme.glyphs().more;
        let label = clip_entry(&self.theme.words(&node.label), available, more);
        let style = if is_chosen {
            self.theme.cursor
        } else {
            self.theme.text
        };
        put(buf, self.field, spot.x, y, &label, style);
        let note = self.theme.words(&node.note);
        if !note.is_empty() {
            let x = spot.x + text - width(&note);
            put(buf, self.field, x, y, &note, self.theme.text);
        }
        let shown = &node.cells[..node.cells.len().min(self.layout.cells)];
        let (x, y) = if self.layout.cells_below(spot.column) {
            (spot.x, y + 1)
        } else {
            (spot.x + text + 1, y)
        };
        if y >= usize::from(self.field.height) {
            return;
        }
        for (i, value) in shown.iter().enumerate() {
            self.cell(*value, x + i, y, buf);
        }
    }

    fn cell(&self, value: f32, x: usize, y: usize, buf: &mut Buffer) {
        let strength = if self.scale > 0.0 {
            value.abs() / self.scale
        } else {
            0.0
        };
        let ramp = if value < 0.0 {
            &self.theme.negative
        } else {
            &self.theme.positive
        };
        let level = if ramp.fills() {
            0
        } else {
            (strength * 5.0).round() as usize
        };
        put(
            buf,
            self.field,
            x,
            y,
            self.theme.glyphs().shades[level.min(5)],
            ramp.style(strength),
        );
    }
}

/// Index of the node at a position of a diagram drawn in `area`.
pub fn index_at(
    diagrams: &[Diagram],
    cursor: &[usize],
    area: Rect,
    (x, y): (u16, u16),
) -> Option<Vec<usize>> {
    let chosen = Chosen::of(diagrams, cursor)?;
    let layout = chosen.layout(area);
    let (x, y) = (x.checked_sub(area.x)?, y.checked_sub(area.y + 1)?);
    let (x, y) = (usize::from(x), usize::from(y) + layout.first);
    let hit = |spot: &Spot| {
        let span = layout.spans[spot.column - layout.shown.start];
        spot.y == y && (spot.x..spot.x + span.width).contains(&x)
    };
    let spot = layout.spots().find(hit)?;
    Some(vec![chosen.number, spot.node, spot.column])
}

/// Caption of the node at the cursor.
pub fn caption(diagrams: &[Diagram], cursor: &[usize], available: usize) -> String {
    let Some(chosen) = Chosen::of(diagrams, cursor) else {
        return String::new();
    };
    let mut parts = Vec::new();
    if !chosen.diagram.name.is_empty() {
        parts.push(chosen.diagram.name.clone());
    }
    let title = &chosen.diagram.columns[chosen.column].title;
    parts.push(format!("{title}: {}", chosen.node().words()));
    // Which columns fit depends on the width alone.
    let area = Rect::new(0, 0, available as u16, 2);
    let (shown, all) = (chosen.layout(area).shown, chosen.diagram.columns.len());
    if shown.len() < all {
        parts.push(format!(
            "columns {} to {} of {all}",
            shown.start + 1,
            shown.end
        ));
    }
    parts.join("; ")
}

/// The diagram at the cursor in words: each column with its nodes, and the arrows between columns.
pub fn describe(diagrams: &[Diagram], cursor: &[usize]) -> String {
    let Some(chosen) = Chosen::of(diagrams, cursor) else {
        return "There is no node.".to_owned();
    };
    let (diagram, number) = (chosen.diagram, chosen.number);
    let mut lines = Vec::new();
    if diagrams.len() > 1 {
        lines.push(format!("Drawing {number}: {}.", diagram.name));
    }
    for (at, column) in diagram.columns.iter().enumerate() {
        let nodes: Vec<String> = column
            .nodes
            .iter()
            .map(|node| ascii(&node.words()))
            .collect();
        let joined = if column.chained { " -> " } else { ", " };
        lines.push(format!("{}: {}.", column.title, nodes.join(joined)));
        // A node without a label belongs to the one on its left, which says the same.
        let arrow = |arrow: &Arrow| {
            let from = &column.nodes[arrow.from].label;
            let to = &diagram.columns[at + 1].nodes[arrow.to].label;
            let weight = match arrow.weight {
                1.0 => String::new(),
                weight => format!(" {}", ascii(&fixed(weight, 2))),
            };
            // From a token to itself, an arrow only says that it is there again.
            let named = !from.is_empty() && !to.is_empty() && from != to;
            named.then(|| format!("{from} -> {to}{weight}"))
        };
        let arrows: Vec<String> = diagram.arrows_from(at).filter_map(arrow).collect();
        if !arrows.is_empty() {
            lines.push(format!("  {}.", arrows.join(", ")));
        }
    }
    if diagrams.len() > 1 {
        let others = diagrams.iter().enumerate().filter(|(at, _)| *at != number);
        let others = others.map(|(at, diagram)| format!("at {at},0,0: {}", diagram.name));
        lines.push(format!(
            "Other drawings: {}.",
            others.collect::<Vec<_>>().join("; ")
        ));
    }
    lines.join("\n")
}
