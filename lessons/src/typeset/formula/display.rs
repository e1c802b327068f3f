//! Two-dimensional layout of formulas.

use super::boxes::{Box2d, Side};
use super::node::{Class, Node};
use super::spacing::{self, Spacing, runs_together};
use super::{row, symbols};

mod grid;
mod script;

use grid::{fence, grid};
use script::scripts;

pub fn set(node: &Node) -> Box2d {
    place(node, false)
}

/// Indentation of a continued line, in columns.
const CONTINUED: usize = 2;

/// Sets the formula on lines of at most `width` columns, broken at wide spaces, then before relations, then before
/// binary operators. `None` if a part is still too wide.
pub fn set_within(node: &Node, width: usize) -> Option<Vec<Box2d>> {
    let whole = set(node);
    if whole.width <= width {
        return Some(vec![whole]);
    }
    let Node::Row(nodes) = node else { return None };
    let mut lines = Vec::new();
    for statement in nodes
        .split(|node| matches!(node, Node::Space(2..)))
        .filter(|part| !part.is_empty())
    {
        lines.extend(broken(statement, width)?);
    }
    Some(lines)
}

fn broken(nodes: &[Node], width: usize) -> Option<Vec<Box2d>> {
    let mut lines = Vec::new();
    let mut from = 0;
    while from < nodes.len() {
        let line = |to: usize| match from {
            0 => row_of(&nodes[..to], false, Spacing::new(false)),
            _ => {
                let rest = row_of(&nodes[from..to], false, Spacing::after_ordinary(false));
                Box2d::beside(&[Box2d::line(" ".repeat(CONTINUED)), rest])
            }
        };
        let is = |at: usize, class: Class| spacing::class(&nodes[at]) == Some(class);
        let fits = |to: &usize| line(*to).width <= width;
        let ends = |class: Class| {
            (from + 1..nodes.len())
                .rev()
                .filter(move |at| is(*at, class))
                .find(fits)
        };
        let to = Some(nodes.len())
            .filter(fits)
            .or_else(|| ends(Class::Relation))
            .or_else(|| ends(Class::Binary))?;
        lines.push(line(to));
        from = to;
    }
    Some(lines)
}

/// Lays out a node. `script` is true inside scripts, where signs have no space around them.
fn place(node: &Node, script: bool) -> Box2d {
    match node {
        Node::Atom { text, .. } => Box2d::line(text.clone()),
        Node::Row(nodes) => row_of(nodes, script, Spacing::new(script)),
        Node::Space(columns) => Box2d::line(" ".repeat(*columns)),
        Node::Fraction { over, under, bar } => fraction(over, under, *bar, script),
        Node::Root { radicand, index } => root(radicand, index.as_deref(), script),
        Node::Script {
            base,
            sub,
            sup,
            place,
        } => scripts(base, sub.as_deref(), sup.as_deref(), *place, script),
        Node::Fence { open, body, close } => {
            let body = place(body, script);
            Box2d::beside(&[fence(*open, &body), body.clone(), fence(*close, &body)])
        }
        Node::Grid { kind, rows } => grid(kind, rows, script),
    }
}

fn row_of(nodes: &[Node], script: bool, mut spacing: Spacing) -> Box2d {
    let mut boxes: Vec<Box2d> = Vec::with_capacity(2 * nodes.len());
    for node in nodes {
        let next = place(node, script);
        let joined = match boxes.last() {
            Some(Box2d { rows, .. }) if rows.len() == 1 => {
                runs_together(&rows[0], &next.rows[next.baseline])
            }
            _ => false,
        };
        let space = spacing.before(node).max(usize::from(joined));
        boxes.push(Box2d::line(" ".repeat(space)));
        boxes.push(next);
    }
    Box2d::beside(&boxes)
}

fn fraction(over: &Node, under: &Node, bar: bool, script: bool) -> Box2d {
    let (over, under) = (place(over, script), place(under, script));
    let width = over.width.max(under.width) + if bar { 2 } else { 0 };
    let line = if bar { "─" } else { " " };
    let parts = [
        over.padded(width, Side::Center),
        Box2d::line(line.repeat(width)),
        under.padded(width, Side::Center),
    ];
    Box2d::above(&parts, Side::Center, 1)
}

fn root(radicand: &Node, index: Option<&Node>, script: bool) -> Box2d {
    let body = place(radicand, script);
    let index = index.map(row::set);
    let sign = match index.as_deref() {
        None => Some("√".to_string()),
        Some("3") => Some("∛".to_string()),
        Some("4") => Some("∜".to_string()),
        Some(index) => symbols::superscript(index).map(|index| format!("{index}√")),
    };
    // A single symbol is clear without a bar over it.
    if let (Some(sign), true, true) = (&sign, body.is_flat(), row::is_single(radicand)) {
        return Box2d::beside(&[Box2d::line(sign.as_str()), body]);
    }
    let height = body.height();
    let mut rows = vec![format!(" ┌{}", "─".repeat(body.width))];
    for (at, row) in body.rows.iter().enumerate() {
        let foot = if at + 1 == height { '╲' } else { ' ' };
        rows.push(format!("{foot}│{row}"));
    }
    let set = Box2d {
        rows,
        width: body.width + 2,
        baseline: body.baseline + 1,
    };
    match index {
        None => set,
        Some(index) => {
            let mut mark = Box2d::line(index);
            mark.rows.push(" ".repeat(mark.width));
            mark.baseline = 1;
            Box2d::beside(&[mark, set])
        }
    }
}
