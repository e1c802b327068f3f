//! Diagrams of one idea: nodes in columns, with arrows as strong as a number of the run.

/// Nodes in columns, read from left to right, and arrows between neighbouring columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// What it is about, such as the token that reads: `query "is"`.
    pub name: String,
    /// Columns from left to right.
    pub columns: Vec<Column>,
    /// Arrows between neighbouring columns.
    pub arrows: Vec<Arrow>,
}

/// A column of a [`Diagram`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Heading, with the unit of the notes.
    pub title: String,
    /// Nodes from top to bottom.
    pub nodes: Vec<Node>,
    /// True if every node leads to the one below it.
    pub chained: bool,
}

/// A node of a [`Diagram`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// What it is: a token, a head, a sum.
    pub label: String,
    /// A number of the run, as text; may be empty.
    pub note: String,
    /// Numbers drawn as coloured cells, on one scale for the whole diagram; may be empty.
    pub cells: Vec<f32>,
    /// The cell of the run that it stands for, which Enter opens.
    pub opens: Option<CellName>,
}

/// A cell of a named tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct CellName {
    /// Name of the step.
    pub tensor: String,
    /// Index in it.
    pub index: Vec<usize>,
}

/// An arrow from a node to one of the next column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Index of the column that it leaves.
    pub column: usize,
    /// Index of the node that it leaves.
    pub from: usize,
    /// Index of the node that it reaches.
    pub to: usize,
    /// Strength from 0 to 1; an arrow of exactly 0 is not drawn.
    pub weight: f32,
}

impl Diagram {
    /// A diagram without arrows.
    pub fn new(name: impl Into<String>, columns: Vec<Column>) -> Self {
        Self {
            name: name.into(),
            columns,
            arrows: Vec::new(),
        }
    }

    /// Adds arrows from column number `column` to the next: `[from, to]` and the weight of each.
    #[must_use]
    pub fn with_arrows(
        mut self,
        column: usize,
        arrows: impl IntoIterator<Item = ([usize; 2], f32)>,
    ) -> Self {
        let arrow = |([from, to], weight): ([usize; 2], f32)| Arrow {
            column,
            from,
            to,
            weight,
        };
        self.arrows.extend(arrows.into_iter().map(arrow));
        self
    }

    /// Arrows with a weight from column number `column` to the next.
    pub fn arrows_from(&self, column: usize) -> impl Iterator<Item = &Arrow> {
        let of = move |arrow: &&Arrow| arrow.column == column && arrow.weight != 0.0;
        self.arrows.iter().filter(of)
    }

    /// Number of nodes in its longest column.
    pub fn longest(&self) -> usize {
        let lengths = self.columns.iter().map(|column| column.nodes.len());
        lengths.max().unwrap_or(0)
    }

    /// Largest magnitude among the finite cells.
    pub fn scale(&self) -> f32 {
        let nodes = self.columns.iter().flat_map(|column| &column.nodes);
        let cells = nodes.flat_map(|node| &node.cells);
        cells
            .filter(|x| x.is_finite())
            .fold(0.0, |most, x| most.max(x.abs()))
    }
}

impl Column {
    /// A column of nodes under `title`.
    pub fn new(title: impl Into<String>, nodes: impl IntoIterator<Item = Node>) -> Self {
        Self {
            title: title.into(),
            nodes: nodes.into_iter().collect(),
            chained: false,
        }
    }

    /// The same column with every node leading to the one below it.
    #[must_use]
    pub fn chained(self) -> Self {
        let chained = true;
        Self { chained, ..self }
    }
}

impl Node {
    /// A node with a label and a number as text, which may be empty.
    pub fn new(label: impl Into<String>, note: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            note: note.into(),
            ..Self::default()
        }
    }

    /// The same node with numbers to draw as cells.
    #[must_use]
    pub fn with_cells(self, cells: Vec<f32>) -> Self {
        Self { cells, ..self }
    }

    /// The same node with the cell of the run that it stands for.
    #[must_use]
    pub fn opening(self, tensor: impl Into<String>, index: &[usize]) -> Self {
        let (tensor, index) = (tensor.into(), index.to_vec());
        let opens = Some(CellName { tensor, index });
        Self { opens, ..self }
    }

    /// Label and note: `Hund .21`.
    pub fn words(&self) -> String {
        format!("{} {}", self.label, self.note).trim().to_owned()
    }
}
