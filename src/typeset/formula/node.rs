//! A formula as a tree of nodes.

use pulldown_latex::event::ColumnAlignment;

/// What an atom is to its neighbours; this decides the spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Ordinary,
    /// A named function or a large operator.
    Operator,
    Binary,
    /// `/`: binary in meaning, but set tight.
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
    /// `word` tells a multi-letter name (`softmax`) from a symbol.
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
    /// Columns of white space.
    Space(usize),
}

/// Where scripts stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Right,
    /// Above and below in display, to the right on one row: sums, maxima.
    Limits,
    /// Above and below wherever there is room: accents, braces.
    Stacked,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GridKind {
    /// One alignment a column; the last one repeats.
    Columns(Vec<ColumnAlign>),
    /// Right and left in turn, as in `aligned`: the relation signs stand below each other.
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
