//! Spacing of formulas: TeX's table of classes, with one column wherever TeX puts visible space.

use super::node::{Class, Node};

/// Class of a node as its neighbours see it.
pub fn class(node: &Node) -> Option<Class> {
    match node {
        Node::Atom { class, .. } => Some(*class),
        // Scripts don't change the class of their base.
        Node::Script { base, .. } => class(base),
        Node::Row(nodes) => match nodes.as_slice() {
            [one] => class(one),
            // `{}` before a sign is TeX's way to make it binary.
            _ => Some(Class::Ordinary),
        },
        Node::Fraction { .. } | Node::Fence { .. } | Node::Grid { .. } => Some(Class::Inner),
        Node::Root { .. } => Some(Class::Ordinary),
        Node::Space(_) => None,
    }
}

/// Walk along a row that returns the number of columns before each node.
pub struct Spacing {
    last: Option<Class>,
    /// True if the last sign was unary, and so has no space after it.
    tight: bool,
    /// True inside scripts, where only functions have space around them.
    script: bool,
}

impl Spacing {
    pub fn new(script: bool) -> Self {
        Self {
            last: None,
            tight: true,
            script,
        }
    }

    /// Starts as in a cell of `aligned`, where a relation follows an operand in the cell to the left.
    pub fn after_ordinary(script: bool) -> Self {
        Self {
            last: Some(Class::Ordinary),
            tight: false,
            script,
        }
    }

    pub fn before(&mut self, node: &Node) -> usize {
        use Class::*;
        let Some(class) = class(node) else {
            // Nothing is added around an explicit space.
            self.last = None;
            self.tight = true;
            return 0;
        };
        let unary = class == Binary
            && matches!(
                self.last,
                None | Some(Binary | Slash | Relation | Punctuation | Open | Operator)
            );
        let class = if unary { Ordinary } else { class };
        let word = is_word(node);
        let space = match (self.last, class) {
            (None, _) => false,
            _ if self.tight => false,
            (Some(Operator), Binary | Relation) | (_, Binary | Relation) if !self.script => true,
            (Some(Binary | Relation), _) if !self.script => true,
            (Some(Punctuation), _) => !self.script,
            (_, Punctuation | Close | Slash) | (Some(Open | Slash), _) => false,
            (Some(Operator), Open) => false,
            (Some(Operator), Inner) => !word && matches!(node, Node::Fraction { .. }),
            (Some(Operator), Ordinary | Operator) => true,
            (Some(Ordinary | Close | Inner), Operator) => true,
            _ => false,
        };
        self.tight = unary;
        self.last = Some(class);
        usize::from(space)
    }
}

/// True if two adjacent texts would read as one: `W_q` and `q`, `√d` and `E`.
pub fn runs_together(left: &str, right: &str) -> bool {
    let open = left.contains(['_', '^']) && !left.ends_with([')', '}'])
        || left.starts_with('√') && !left.ends_with(')');
    let root = right.starts_with(|c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ".contains(c))
        && right.contains('√')
        && !left.is_empty();
    root || open && right.starts_with(|c: char| c.is_alphanumeric() || c == '√')
}

fn is_word(node: &Node) -> bool {
    matches!(node, Node::Atom { word: true, .. })
}
