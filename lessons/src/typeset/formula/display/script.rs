//! Subscripts and superscripts, limits, accents and braces.

use super::super::boxes::{Box2d, Side};
use super::super::node::{Node, Place};
use super::super::{row, symbols};
use super::place;

pub fn scripts(
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

/// Stacks the parts above, base and below; `None` for a missing one.
fn stack(parts: &[Option<Box2d>; 3]) -> Box2d {
    let main = usize::from(parts[0].is_some());
    let boxes: Vec<Box2d> = parts.iter().flatten().cloned().collect();
    Box2d::above(&boxes, Side::Center, main)
}

/// Lays out accents and braces.
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
    if let Some(name) = sub.and_then(|sub| row::width_name(base, sub)) {
        low = Some(Ok(name));
    }
    // Write a subscript that is a name the way code does: W_out.
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

/// Raises a superscript to end one row above a flat base, or on the top row of a tall one.
fn raise(script: Box2d, base: &Box2d) -> Box2d {
    let rows_up = if base.is_flat() { 1 } else { base.baseline };
    let baseline = script.height() - 1 + rows_up;
    script.with_baseline(baseline)
}

/// Lowers a subscript to begin one row below a flat base, or on the bottom row of a tall one.
fn lower(mut script: Box2d, base: &Box2d) -> Box2d {
    let rows_down = if base.is_flat() { 1 } else { base.depth() };
    for _ in 0..rows_down {
        script.rows.insert(0, " ".repeat(script.width));
    }
    script.baseline = 0;
    script
}

/// Sets subscript and superscript in the same columns.
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
            // If both are on the same row, set one after the other.
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
