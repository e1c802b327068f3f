//! Diagrams: nodes as text, and arrows that are heavier for larger weights.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::lines::{clip_entry, put, width};
use super::scene::{self, Ink, Scene, Shape};
use super::theme::Theme;
use crate::lesson::picture::{Arrow, Diagram, Node};
use crate::typeset::number::{ascii, fixed};

mod layout;
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

    /// The whole diagram, spread out, with its titles above.
    pub fn spread(&self, theme: &Theme) -> Scene {
        let layout = self.layout(Rect::new(0, 0, PAGE, PAGE));
        let mut scene = self.scene(&layout, None, theme);
        scene.above = TITLE;
        for (column, span) in self.diagram.columns.iter().zip(&layout.spans) {
            scene.text([span.x as f64, -TITLE], &column.title, Ink::Title);
            let end = span.x + span.width.max(width(&column.title));
            scene.columns = scene.columns.max(end as f64);
        }
        scene
    }

    /// The shown columns without their titles; labels are cut at `available` columns.
    fn scene(&self, layout: &Layout<'_>, available: Option<usize>, theme: &Theme) -> Scene {
        let across: usize = layout.spans.iter().map(|span| span.width + span.gap).sum();
        let mut scene = Scene {
            columns: across as f64,
            rows: layout.height as f64,
            shapes: layout.strokes(),
            ..Scene::default()
        };
        let scale = self.diagram.scale();
        for spot in layout.spots() {
            let node = &self.diagram.columns[spot.column].nodes[spot.node];
            let text = layout.spans[spot.column - layout.shown.start].text();
            let here = (spot.column, spot.node) == (self.column, self.node);
            let available = available.map_or(usize::MAX, |most| most.saturating_sub(spot.x));
            let label = theme.words(&node.label);
            let label = clip_entry(&label, available, theme.glyphs().more);
            let ink = if here { Ink::Here } else { Ink::Text };
            let at = |x: usize, y: usize| [x as f64, y as f64];
            let below = layout.cells_below(spot.column);
            let cells = &node.cells[..node.cells.len().min(layout.cells)];
            let shapes = Scene::parts(|scene| {
                scene.text(at(spot.x, spot.y), label, ink);
                let note = theme.words(&node.note);
                if !note.is_empty() {
                    let place = at(spot.x + text - width(&note), spot.y);
                    scene.text(place, note, Ink::Text);
                }
                let at = if below {
                    at(spot.x, spot.y + 1)
                } else {
                    at(spot.x + text + 1, spot.y)
                };
                let values = cells.to_vec();
                scene.shapes.push(Shape::Cells { at, values, scale });
            });
            if node.opens.is_some() {
                let at = format!("{},{},{}", self.number, spot.node, spot.column);
                scene.shapes.push(Shape::Asked { at, shapes });
            } else {
                scene.shapes.extend(shapes);
            }
        }
        scene
    }
}

/// Columns and rows of a page, in which every diagram fits, and the height of its titles.
const PAGE: u16 = 400;
const TITLE: f64 = 2.0;

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
    for (column, span) in layout.shown.clone().zip(&layout.spans) {
        let title = &chosen.diagram.columns[column].title;
        let available = (span.width + span.gap.saturating_sub(1)).max(1);
        let available = available.min(usize::from(area.width).saturating_sub(span.x));
        let title = clip_entry(&theme.words(title), available, theme.glyphs().more);
        put(buf, area, span.x, 0, &title, theme.title);
    }
    let field = Rect::new(area.x, area.y + 1, area.width, area.height - 1);
    let scene = chosen.scene(&layout, Some(usize::from(field.width)), theme);
    scene::draw(&scene, layout.first, field, buf, theme);
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
