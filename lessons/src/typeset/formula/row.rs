//! One-row form of a formula, for use within a sentence and where the two-dimensional form is too wide.

use super::node::{Class, GridKind, Node, Place};
use super::spacing::{Spacing, runs_together};
use super::symbols;

pub fn set(node: &Node) -> String {
    write(node, false)
}

/// Sets a node without spaces, as inside scripts.
pub fn set_script(node: &Node) -> String {
    write(node, true)
}

fn write(node: &Node, script: bool) -> String {
    match node {
        Node::Atom { text, .. } => text.clone(),
        Node::Row(nodes) => row_of(nodes, script, Spacing::new(script)),
        Node::Space(columns) => " ".repeat((*columns).min(4)),
        Node::Fraction {
            over,
            under,
            bar: true,
        } => {
            format!(
                "{}/{}",
                grouped(over, script, is_sum),
                grouped(under, script, |node| !is_factor(node))
            )
        }
        // A fraction without a bar is a binomial coefficient or a stack of conditions.
        Node::Fraction {
            over,
            under,
            bar: false,
        } => {
            format!("{}; {}", write(over, script), write(under, script))
        }
        Node::Root { radicand, index } => {
            let sign = match index.as_deref().map(set) {
                None => "√".to_string(),
                Some(index) if index == "3" => "∛".to_string(),
                Some(index) => symbols::superscript(&index).unwrap_or(format!("{index}-")) + "√",
            };
            sign + &grouped(radicand, script, |node| !is_single(node))
        }
        Node::Script {
            base,
            sub,
            sup,
            place,
        } => scripts(base, sub.as_deref(), sup.as_deref(), *place, script),
        Node::Fence { open, body, close } => {
            let side = |c: &Option<char>| c.map(String::from).unwrap_or_default();
            format!("{}{}{}", side(open), write(body, script), side(close))
        }
        Node::Grid { kind, rows } => {
            let lines: Vec<String> = rows
                .iter()
                .map(|cells| grid_row(kind, cells, script))
                .collect();
            match kind {
                GridKind::Cases { left: true } => format!("{{ {} }}", lines.join("; ")),
                GridKind::Cases { left: false } => format!("{} }}", lines.join("; ")),
                GridKind::Pairs => join_continued(&lines),
                GridKind::Columns(_) => lines.join("; "),
            }
        }
    }
}

fn row_of(nodes: &[Node], script: bool, mut spacing: Spacing) -> String {
    let mut out = String::new();
    let mut last = String::new();
    for node in nodes {
        let text = write(node, script);
        let space = spacing
            .before(node)
            .max(usize::from(runs_together(&last, &text)));
        out.push_str(&" ".repeat(space));
        out.push_str(&text);
        last = text;
    }
    out
}

fn grid_row(kind: &GridKind, cells: &[Node], script: bool) -> String {
    let mut out = String::new();
    for (column, cell) in cells.iter().enumerate() {
        let aligned = *kind == GridKind::Pairs && column % 2 == 1;
        let text = match cell {
            Node::Row(nodes) if aligned => row_of(nodes, script, Spacing::after_ordinary(script)),
            _ => write(cell, script),
        };
        if column > 0 && !aligned {
            out.push_str(if matches!(kind, GridKind::Cases { .. }) {
                ", "
            } else {
                " "
            });
        }
        out.push_str(&text);
    }
    out.trim().to_string()
}

/// Joins lines: `a = b`, `= c` into one chain; `a = b`, `c = d` as two statements.
fn join_continued(lines: &[String]) -> String {
    let mut out = String::new();
    for line in lines {
        if !out.is_empty() {
            let goes_on = line.starts_with(['=', '≈', '≤', '≥', '+', '−', '·', '<', '>']);
            out.push_str(if goes_on { " " } else { "; " });
        }
        out.push_str(line);
    }
    out
}

fn scripts(
    base: &Node,
    sub: Option<&Node>,
    sup: Option<&Node>,
    place: Place,
    script: bool,
) -> String {
    if place == Place::Stacked
        && let Some(text) = accented(base, sub, sup)
    {
        return text;
    }
    let mut out = grouped(base, script, |node| {
        matches!(node, Node::Row(_) | Node::Fraction { .. })
    });
    if let Some(sub) = sub
        && accent(sub).is_none()
    {
        out.push_str(&width_name(base, sub).unwrap_or_else(|| lowered(sub)));
    }
    if let Some(sup) = sup
        && accent(sup).is_none()
    {
        let text = set_script(sup);
        out.push_str(
            &symbols::superscript(&text).unwrap_or_else(|| format!("^{}", bracketed(&text, sup))),
        );
    }
    out
}

/// Subscript of a width as code writes it, `_k`, so that d_k looks the same in a formula and beside a knob, and like
/// d_model. `None` if the base is no `d`.
pub fn width_name(base: &Node, sub: &Node) -> Option<String> {
    let is_width = matches!(base, Node::Atom { text, .. } if text == "d");
    let text = set_script(sub);
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric());
    (is_width && is_name).then(|| format!("_{text}"))
}

fn lowered(sub: &Node) -> String {
    let text = set_script(sub);
    match (symbols::subscript(&text), name(sub)) {
        (Some(small), _) => small,
        (None, Some(name)) => format!("_{name}"),
        (None, None) => format!("_{}", bracketed(&text, sub)),
    }
}

/// Adds brackets to a script of more than one sign, to separate it from what follows, unless it has its own.
fn bracketed(text: &str, node: &Node) -> String {
    let own = text.starts_with('(') && text.ends_with(')') && text.matches('(').count() == 1;
    if own || is_single(node) {
        text.to_string()
    } else {
        format!("({text})")
    }
}

fn grouped(node: &Node, script: bool, needs: impl Fn(&Node) -> bool) -> String {
    let text = write(node, script);
    if needs(node) {
        format!("({text})")
    } else {
        text
    }
}

/// True for one symbol, number or name, with or without scripts.
pub fn is_single(node: &Node) -> bool {
    match node {
        Node::Atom { .. } => true,
        Node::Script { base, .. } => is_single(base),
        Node::Row(nodes) => matches!(nodes.as_slice(), [one] if is_single(one)),
        Node::Fence { .. }
        | Node::Root { .. }
        | Node::Fraction { .. }
        | Node::Grid { .. }
        | Node::Space(_) => false,
    }
}

/// True if the node needs no brackets below a fraction bar or after a slash.
fn is_factor(node: &Node) -> bool {
    is_single(node) || matches!(node, Node::Root { .. } | Node::Fence { .. })
}

/// True if the node has operators at its outer level, and so needs brackets above a fraction bar.
fn is_sum(node: &Node) -> bool {
    match node {
        Node::Row(nodes) => nodes.iter().enumerate().any(|(at, node)| match node {
            Node::Atom {
                class: Class::Binary,
                ..
            } => at > 0,
            Node::Atom {
                class: Class::Relation | Class::Slash | Class::Punctuation,
                ..
            } => true,
            Node::Fraction { .. } => true,
            _ => false,
        }),
        Node::Fraction { .. } | Node::Grid { .. } => true,
        _ => false,
    }
}

/// Word that a subscript consists of, as in `d_{\mathrm{model}}` or `x_{max}`.
pub fn name(node: &Node) -> Option<String> {
    let text = match node {
        Node::Atom { text, .. } => text.clone(),
        Node::Row(nodes) => nodes
            .iter()
            .map(|node| matches!(node, Node::Atom { .. }).then(|| set(node)))
            .collect::<Option<String>>()?,
        _ => return None,
    };
    let is_name = text.chars().count() > 1
        && text.starts_with(|c: char| c.is_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some(text)
}

/// Character of an accent: a script that is a single mark and not a letter.
pub fn accent(node: &Node) -> Option<char> {
    match node {
        Node::Atom { text, .. } => {
            let mut chars = text.chars();
            let c = chars.next()?;
            (chars.next().is_none()
                && (symbols::accent_name(c).is_some()
                    || symbols::combining(c).is_some()
                    || "︸︷".contains(c)))
            .then_some(c)
        }
        _ => None,
    }
}

/// Letter with its accent in one character cell: `x̂`.
pub fn accented(base: &Node, sub: Option<&Node>, sup: Option<&Node>) -> Option<String> {
    let mark = match (sub, sup) {
        (None, Some(mark)) => symbols::combining(accent(mark)?)?,
        (Some(mark), None) if accent(mark) == Some('_') => '\u{332}',
        _ => return None,
    };
    match base {
        Node::Atom {
            text, word: false, ..
        } if text.chars().count() == 1 => Some(format!("{text}{mark}")),
        _ => None,
    }
}
