//! Matrices, cases, aligned lines, and growing delimiters.

use super::super::boxes::{Box2d, Side};
use super::super::node::{ColumnAlign, GridKind, Node};
use super::super::spacing::Spacing;
use super::{place, row_of};

/// Gap between the columns of a matrix, in characters.
const COLUMN_GAP: usize = 2;

/// Draws a delimiter as tall as `body`.
pub fn fence(delimiter: Option<char>, body: &Box2d) -> Box2d {
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

pub fn grid(kind: &GridKind, rows: &[Vec<Node>], script: bool) -> Box2d {
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
    // Tall cells would touch without a blank line between them.
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
        // The middle falls between two rows, so the baseline is the upper one.
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
