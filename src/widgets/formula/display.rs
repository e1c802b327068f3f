//! A formula in two dimensions.

use super::boxes::{Box2d, Side};
use super::spacing::{self, Spacing, runs_together};
use super::tree::{Class, ColumnAlign, GridKind, Node, Place};
use super::{row, symbols};

/// Columns between the columns of a matrix.
const COLUMN_GAP: usize = 2;

pub fn set(node: &Node) -> Box2d {
    place(node, false)
}

/// Columns by which a continued line is set in.
const CONTINUED: usize = 2;

/// The formula on several lines of at most `width` columns, broken at wide spaces, then before relations, then before
/// binary signs. `None` when a part is still too wide.
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

/// `script` is true inside scripts, where signs are set tight.
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
    // One symbol needs no bar over it to be told from what follows.
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

fn scripts(
    base: &Node,
    sub: Option<&Node>,
    sup: Option<&Node>,
    place_at: Place,
    script: bool,
) -> Box2d {
    match place_at {
        Place::Right => beside_base(base, sub, sup, script),
        Place::Limits if !script => {
            let parts = [sup, Some(base), sub];
            stack(&parts.map(|part| part.map(|part| place(part, !std::ptr::eq(part, base)))))
        }
        Place::Limits => beside_base(base, sub, sup, script),
        Place::Stacked => stacked(base, sub, sup, script),
    }
}

/// Above, base and below; `None` where nothing stands.
fn stack(parts: &[Option<Box2d>; 3]) -> Box2d {
    let main = usize::from(parts[0].is_some());
    let boxes: Vec<Box2d> = parts.iter().flatten().cloned().collect();
    Box2d::above(&boxes, Side::Center, main)
}

/// Accents and braces.
fn stacked(base: &Node, sub: Option<&Node>, sup: Option<&Node>, script: bool) -> Box2d {
    let set = place(base, script);
    let mark = |node: Option<&Node>, above: bool| -> Option<Box2d> {
        let node = node?;
        Some(match row::accent(node) {
            Some('⏟' | '⏞' | '︸' | '︷') => brace(set.width, above),
            Some('‾' | '¯' | '\u{304}' | '\u{305}' | '_' | '\u{332}') if above => {
                Box2d::line("_".repeat(set.width))
            }
            Some('‾' | '¯' | '\u{304}' | '\u{305}' | '_' | '\u{332}') => {
                Box2d::line("‾".repeat(set.width))
            }
            _ => place(node, true),
        })
    };
    if let Some(accented) = row::accented(base, sub, sup) {
        return Box2d::line(accented);
    }
    let (above, below) = (mark(sup, true), mark(sub, false));
    // A long arrow under its text: `\xrightarrow{f}`.
    stack(&[above, Some(set), below])
}

fn brace(width: usize, above: bool) -> Box2d {
    let (left, middle, right) = if above {
        ('╭', '┴', '╮')
    } else {
        ('╰', '┬', '╯')
    };
    if width < 3 {
        return Box2d::line(if above { "⏞" } else { "⏟" });
    }
    let inner = width - 3;
    let before = inner / 2;
    Box2d::line(format!(
        "{left}{}{middle}{}{right}",
        "─".repeat(before),
        "─".repeat(inner - before)
    ))
}

fn beside_base(base: &Node, sub: Option<&Node>, sup: Option<&Node>, script: bool) -> Box2d {
    let set = place(base, script);
    let small = |node: Option<&Node>,
                 letters: fn(&str) -> Option<String>|
     -> Option<Result<String, Box2d>> {
        let node = node?;
        Some(match letters(&row::set_script(node)) {
            Some(text) if set.is_flat() => Ok(text),
            _ => Err(place(node, true)),
        })
    };
    let mut low = small(sub, symbols::subscript);
    let high = small(sup, symbols::superscript);
    // A name as subscript reads as the code does: d_model.
    if let (Some(Err(_)), Some(name), true) = (&low, sub.and_then(row::name), set.is_flat()) {
        low = Some(Ok(format!("_{name}")));
    }
    match (low, high) {
        (Some(Ok(low)), Some(Ok(high))) => Box2d::beside(&[set, Box2d::line(low + &high)]),
        (low, high) => {
            let low = low.map(|low| match low {
                Ok(text) => Box2d::line(text),
                Err(lowered) => lower(lowered, &set),
            });
            let high = high.map(|high| match high {
                Ok(text) => Box2d::line(text),
                Err(raised) => raise(raised, &set),
            });
            Box2d::beside(&[set, overlay(low, high)])
        }
    }
}

/// A superscript ends one row above a flat base, and on the top row of a tall one.
fn raise(script: Box2d, base: &Box2d) -> Box2d {
    let rows_up = if base.is_flat() { 1 } else { base.baseline };
    let baseline = script.height() - 1 + rows_up;
    script.with_baseline(baseline)
}

/// A subscript begins one row below a flat base, and on the bottom row of a tall one.
fn lower(mut script: Box2d, base: &Box2d) -> Box2d {
    let rows_down = if base.is_flat() { 1 } else { base.depth() };
    for _ in 0..rows_down {
        script.rows.insert(0, " ".repeat(script.width));
    }
    script.baseline = 0;
    script
}

/// Subscript and superscript in the same columns.
fn overlay(low: Option<Box2d>, high: Option<Box2d>) -> Box2d {
    let (low, high) = match (low, high) {
        (Some(low), Some(high)) => (low, high),
        (one, other) => return one.or(other).unwrap_or_else(Box2d::empty),
    };
    let width = low.width.max(high.width);
    let (low, high) = (
        low.padded(width, Side::Left),
        high.padded(width, Side::Left),
    );
    let above = low.baseline.max(high.baseline);
    let below = low.depth().max(high.depth());
    let at = |b: &Box2d, row: usize| {
        (row + b.baseline)
            .checked_sub(above)
            .and_then(|row| b.rows.get(row))
            .filter(|row| !row.trim().is_empty())
            .cloned()
    };
    let mut rows = Vec::new();
    for row in 0..=above + below {
        match (at(&high, row), at(&low, row)) {
            // Both on the same row: one behind the other.
            (Some(_), Some(_)) => return Box2d::beside(&[low, high]),
            (one, other) => rows.push(one.or(other).unwrap_or_else(|| " ".repeat(width))),
        }
    }
    Box2d {
        rows,
        width,
        baseline: above,
    }
}

/// A delimiter as tall as `body`.
fn fence(delimiter: Option<char>, body: &Box2d) -> Box2d {
    let Some(c) = delimiter else {
        return Box2d::empty();
    };
    let height = body.height();
    if height == 1 {
        return Box2d::line(c);
    }
    // Top, extension, middle, bottom.
    let [top, side, middle, bottom] = match c {
        '(' => ['⎛', '⎜', '⎜', '⎝'],
        ')' => ['⎞', '⎟', '⎟', '⎠'],
        '[' => ['⎡', '⎢', '⎢', '⎣'],
        ']' => ['⎤', '⎥', '⎥', '⎦'],
        '{' => ['⎧', '⎪', '⎨', '⎩'],
        '}' => ['⎫', '⎪', '⎬', '⎭'],
        '⌊' => ['⎢', '⎢', '⎢', '⎣'],
        '⌋' => ['⎥', '⎥', '⎥', '⎦'],
        '⌈' => ['⎡', '⎢', '⎢', '⎢'],
        '⌉' => ['⎤', '⎥', '⎥', '⎥'],
        '‖' | '∥' => ['║'; 4],
        '|' | '∣' => ['│'; 4],
        _ => {
            let mut column = Box2d {
                rows: vec![" ".to_string(); height],
                width: 1,
                baseline: body.baseline,
            };
            column.rows[body.baseline] = c.to_string();
            return column;
        }
    };
    let rows = (0..height).map(|row| match row {
        0 => top,
        _ if row + 1 == height => bottom,
        _ if row == height / 2 => middle,
        _ => side,
    });
    Box2d {
        rows: rows.map(String::from).collect(),
        width: 1,
        baseline: body.baseline,
    }
}

fn grid(kind: &GridKind, rows: &[Vec<Node>], script: bool) -> Box2d {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells: Vec<Vec<Box2d>> = rows
        .iter()
        .map(|row| {
            row.iter()
                .enumerate()
                .map(|(column, cell)| match (kind, cell) {
                    (GridKind::Pairs, Node::Row(nodes)) if column % 2 == 1 => {
                        row_of(nodes, script, Spacing::after_ordinary(script))
                    }
                    _ => place(cell, script),
                })
                .collect()
        })
        .collect();
    let widths: Vec<usize> = (0..columns)
        .map(|c| {
            cells
                .iter()
                .filter_map(|row| row.get(c))
                .map(|b| b.width)
                .max()
                .unwrap_or(0)
        })
        .collect();
    // Tall cells touch without a line between them.
    let apart = cells.iter().flatten().any(|cell| cell.height() > 1);
    let mut lines = Vec::new();
    for (at, row) in cells.iter().enumerate() {
        if at > 0 && apart {
            lines.push(Box2d::empty());
        }
        let mut parts = Vec::new();
        for (column, width) in widths.iter().enumerate() {
            let side = match kind {
                GridKind::Pairs if column % 2 == 0 => Side::Right,
                GridKind::Pairs | GridKind::Cases { .. } => Side::Left,
                GridKind::Columns(aligns) => match aligns.get(column).or(aligns.last()) {
                    Some(ColumnAlign::Left) => Side::Left,
                    Some(ColumnAlign::Right) => Side::Right,
                    _ => Side::Center,
                },
            };
            let gap = match kind {
                _ if column == 0 => 0,
                GridKind::Pairs if column % 2 == 1 => 0,
                GridKind::Pairs | GridKind::Cases { .. } => COLUMN_GAP + 1,
                GridKind::Columns(_) => COLUMN_GAP,
            };
            parts.push(Box2d::line(" ".repeat(gap)));
            parts.push(
                row.get(column)
                    .unwrap_or(&Box2d::empty())
                    .padded(*width, side),
            );
        }
        lines.push(Box2d::beside(&parts));
    }
    let mut set = Box2d::above(&lines, Side::Left, 0);
    set.baseline = if set.height() % 2 == 1 || lines.is_empty() {
        set.height() / 2
    } else {
        // Between two rows there is no row: the upper one carries the line.
        set.height() / 2 - 1
    };
    match kind {
        GridKind::Cases { left: true } => Box2d::beside(&[
            fence(Some('{'), &set),
            Box2d::line(" ").with_baseline(0),
            set,
        ]),
        GridKind::Cases { left: false } => {
            Box2d::beside(&[set.clone(), Box2d::line(" "), fence(Some('}'), &set)])
        }
        _ => set,
    }
}
