//! Nodes of a formula's tree.

use pulldown_latex::event::ColumnAlignment;

/// Role of an atom among its neighbours, which decides the spacing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Ordinary,
    /// A named function or a large operator.
    Operator,
    Binary,
    /// `/`: binary in meaning, but without space around it.
    Slash,
    Relation,
    Punctuation,
    Open,
    Close,
    /// A fraction or a fenced group.
    Inner,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// A name or symbol; `word` is true for a multi-letter name (`softmax`).
    Atom {
        text: String,
        class: Class,
        word: bool,
    },
    Row(Vec<Node>),
    Fraction {
        over: Box<Node>,
        under: Box<Node>,
        bar: bool,
    },
    Root {
        radicand: Box<Node>,
        index: Option<Box<Node>>,
    },
    Script {
        base: Box<Node>,
        sub: Option<Box<Node>>,
        sup: Option<Box<Node>>,
        place: Place,
    },
    Fence {
        open: Option<char>,
        body: Box<Node>,
        close: Option<char>,
    },
    Grid {
        kind: GridKind,
        rows: Vec<Vec<Node>>,
    },
    /// White space, in columns.
    Space(usize),
}

/// Position of scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Right,
    /// Above and below in display, to the right on one row: sums, maxima.
    Limits,
    /// Above and below if there is room: accents, braces.
    Stacked,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GridKind {
    /// One alignment per column; the last one repeats.
    Columns(Vec<ColumnAlign>),
    /// Alternately right and left, as in `aligned`, so that the relation signs line up.
    Pairs,
    Cases {
        left: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnAlign {
    Left,
    Center,
    Right,
}

impl From<ColumnAlignment> for ColumnAlign {
    fn from(align: ColumnAlignment) -> Self {
        match align {
            ColumnAlignment::Left => Self::Left,
            ColumnAlignment::Center => Self::Center,
            ColumnAlignment::Right => Self::Right,
        }
    }
}
