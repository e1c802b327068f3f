//! One-line form of a formula in words and ASCII signs, for plain mode and screen readers.

use super::node::{Class, GridKind, Node, Place};
use super::row::{accent, is_single, name};
use super::symbols::{accent_name, ascii};

pub fn say(node: &Node) -> String {
    let text = write(node);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn write(node: &Node) -> String {
    match node {
        Node::Atom { text, .. } => ascii(text),
        Node::Row(nodes) => row(nodes),
        // A double quad separates two statements.
        Node::Space(4..) => "; ".to_string(),
        Node::Space(_) => " ".to_string(),
        Node::Fraction {
            over,
            under,
            bar: true,
        } => {
            format!("{}/{}", operand(over), operand(under))
        }
        Node::Fraction {
            over,
            under,
            bar: false,
        } => {
            format!("{} over {}", write(over), write(under))
        }
        Node::Root {
            radicand,
            index: None,
        } => format!("sqrt({})", write(radicand)),
        Node::Root {
            radicand,
            index: Some(index),
        } => {
            format!("root({}, {})", write(index), write(radicand))
        }
        Node::Script {
            base,
            sub,
            sup,
            place,
        } => scripts(base, sub.as_deref(), sup.as_deref(), *place),
        Node::Fence { open, body, close } => {
            let side = |c: &Option<char>| c.map(|c| ascii(&c.to_string())).unwrap_or_default();
            format!("{}{}{}", side(open), write(body), side(close))
        }
        Node::Grid { kind, rows } => {
            let separator = match kind {
                GridKind::Cases { .. } => " if ",
                GridKind::Pairs => " ",
                GridKind::Columns(_) => ", ",
            };
            let line =
                |cells: &Vec<Node>| cells.iter().map(write).collect::<Vec<_>>().join(separator);
            let lines = rows.iter().map(line).collect::<Vec<_>>().join("; ");
            if matches!(kind, GridKind::Cases { .. }) {
                format!("{{ {lines} }}")
            } else {
                lines
            }
        }
    }
}

fn row(nodes: &[Node]) -> String {
    let mut out = String::new();
    let mut last: Option<&Node> = None;
    // A minus or plus with nothing on its left has no space after it.
    let mut unary = false;
    for (at, node) in nodes.iter().enumerate() {
        let apart = !matches!(node, Node::Space(_));
        if apart && gap(last, node) && !unary && !in_name(nodes, at) && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(&write(node));
        let starts = last.is_none_or(|last| {
            matches!(
                class(last),
                Class::Open | Class::Relation | Class::Punctuation
            )
        });
        unary = class(node) == Class::Binary && starts;
        if !matches!(node, Node::Space(_)) {
            last = Some(node);
        }
    }
    out
}

/// Recognises three or more small letters in a row as a name (`pos`, `step`), not a product.
fn in_name(nodes: &[Node], at: usize) -> bool {
    let small = |node: &Node| match node {
        Node::Atom { text, .. } => text.len() == 1 && text.bytes().all(|b| b.is_ascii_lowercase()),
        Node::Script { base, .. } => {
            matches!(&**base, Node::Atom { text, .. } if text.len() == 1 && text.bytes().all(|b| b.is_ascii_lowercase()))
        }
        _ => false,
    };
    let plain = |node: &Node| small(node) && matches!(node, Node::Atom { .. });
    if at == 0 || !plain(&nodes[at - 1]) || !small(&nodes[at]) {
        return false;
    }
    let start = nodes[..at]
        .iter()
        .rposition(|node| !plain(node))
        .map_or(0, |before| before + 1);
    let mut end = at;
    while end < nodes.len() && plain(&nodes[end]) {
        end += 1;
    }
    // A script belongs to the whole name, so it ends the name.
    end += usize::from(nodes.get(end).is_some_and(small));
    end - start >= 3
}

/// True if two neighbours are separated by a space: between factors and around signs, but not inside brackets or after
/// a function.
fn gap(last: Option<&Node>, node: &Node) -> bool {
    let Some(last) = last else { return false };
    match (class(last), class(node)) {
        (Class::Open | Class::Slash, _) | (_, Class::Close | Class::Punctuation | Class::Slash) => {
            false
        }
        // `f(x)`: a bracket belongs to the name or letter before it.
        (Class::Ordinary | Class::Operator, Class::Open) => false,
        (Class::Punctuation, _) => true,
        _ if is_prime(node) || is_bar(last) || is_bar(node) => false,
        (Class::Operator, _) if matches!(node, Node::Fence { .. }) => false,
        _ => true,
    }
}

fn is_prime(node: &Node) -> bool {
    matches!(node, Node::Atom { text, .. } if text == "′")
}

/// True for a bar: `|x|` has the same sign on both sides, so neither has space around it.
fn is_bar(node: &Node) -> bool {
    matches!(node, Node::Atom { text, class: Class::Ordinary, .. } if text == "|" || text == "∥" || text == "‖")
}

fn class(node: &Node) -> Class {
    super::spacing::class(node).unwrap_or(Class::Ordinary)
}

fn operand(node: &Node) -> String {
    let text = write(node);
    let named = matches!(node, Node::Row(nodes) if nodes.len() > 1 && (1..nodes.len()).all(|at| in_name(nodes, at)));
    let whole = named || is_single(node) || matches!(node, Node::Root { .. } | Node::Fence { .. });
    if whole { text } else { format!("({text})") }
}

fn scripts(base: &Node, sub: Option<&Node>, sup: Option<&Node>, place: Place) -> String {
    if place == Place::Stacked {
        return accents(base, sub, sup);
    }
    let large = matches!(base, Node::Atom { text, .. } if matches!(text.as_str(), "∑" | "∏" | "∫" | "⋃" | "⋂"));
    if large {
        let from = sub
            .map(|sub| format!(" over {}", write(sub)))
            .unwrap_or_default();
        let to = sup
            .map(|sup| format!(" to {}", write(sup)))
            .unwrap_or_default();
        return format!("{}{from}{to} of", write(base));
    }
    let mut out = if is_single(base) || matches!(base, Node::Fence { .. }) {
        write(base)
    } else {
        format!("({})", write(base))
    };
    if let Some(sub) = sub {
        out.push('_');
        out.push_str(&name(sub).unwrap_or_else(|| part(sub)));
    }
    if let Some(sup) = sup {
        let text = part(sup);
        // A prime is written after its letter, not above it.
        out.push_str(&if text.chars().all(|c| c == '\'') {
            text
        } else {
            format!("^{text}")
        });
    }
    out
}

fn part(script: &Node) -> String {
    let text = write(script);
    let own = text.starts_with('(') && text.ends_with(')') && text.matches('(').count() == 1;
    if own || matches!(script, Node::Atom { .. }) {
        text
    } else {
        format!("({text})")
    }
}

fn accents(base: &Node, sub: Option<&Node>, sup: Option<&Node>) -> String {
    let base_text = write(base);
    let base = if is_single(base) {
        base_text.clone()
    } else {
        format!("({base_text})")
    };
    match (
        sub.map(|s| (accent(s), write(s))),
        sup.map(|s| (accent(s), write(s))),
    ) {
        (None, Some((Some(mark), text))) | (Some((Some(mark), text)), None) => {
            match accent_name(mark) {
                Some("brace") => base_text,
                Some(name) => format!("{name}({base_text})"),
                None => format!("{base} with {text}"),
            }
        }
        (sub, sup) => {
            let mut out = base;
            for (_, text) in [sub, sup].into_iter().flatten() {
                out.push_str(&format!(" [{text}]"));
            }
            out
        }
    }
}
