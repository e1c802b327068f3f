//! Where a diagram's nodes and arrows go.

use std::ops::Range;

use ratatui::layout::Rect;

use crate::lesson::picture::{Arrow, Column, Diagram};
use crate::widgets::lines::width;
use crate::widgets::scene::Shape;

/// Numbers of cells drawn per node, tried from the most.
const CELLS: [usize; 6] = [24, 16, 12, 8, 6, 0];

/// Columns that a gap is widened by where there is room.
const WIDER: usize = 8;

/// Position of a node in the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Index of its column.
    pub column: usize,
    /// Index in its column.
    pub node: usize,
    /// First column on the screen.
    pub x: usize,
    /// Row of its label, counted from the first row of nodes.
    pub y: usize,
}

/// A column's place on the screen.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// First column on the screen.
    pub x: usize,
    /// Width of its widest node.
    pub width: usize,
    /// Width of its labels.
    pub labels: usize,
    /// Width of its notes.
    pub notes: usize,
    /// Columns on the screen from its end to the next one.
    pub gap: usize,
}

impl Span {
    /// Width of its labels and notes, with a blank between them.
    pub fn text(&self) -> usize {
        self.labels + self.notes + usize::from(self.labels.min(self.notes) > 0)
    }
}

/// Layout of a diagram in an area: all of its columns if they fit, or else those around the cursor.
pub struct Layout<'a> {
    diagram: &'a Diagram,
    /// The columns that are drawn.
    pub shown: Range<usize>,
    /// Place of each shown column.
    pub spans: Vec<Span>,
    /// Rows of the whole drawing, without the titles.
    pub height: usize,
    /// First row that is visible.
    pub first: usize,
    /// Maximum number of cells per node.
    pub cells: usize,
}

impl<'a> Layout<'a> {
    /// Lays out `diagram` with the node `at`, `[node, column]`, visible.
    pub fn new(diagram: &'a Diagram, at: [usize; 2], area: Rect) -> Self {
        let available = usize::from(area.width);
        let rows = usize::from(area.height).saturating_sub(1).max(1);
        let all = 0..diagram.columns.len();
        let needs = |cells: usize| total(&spans(diagram, all.clone(), cells));
        let fitting = CELLS.into_iter().find(|cells| needs(*cells) <= available);
        let cells = fitting.unwrap_or(0);
        let shown = match fitting {
            Some(_) => all.clone(),
            None => window(diagram, at[1], available),
        };
        let mut spans = spans(diagram, shown.clone(), cells);
        let gaps = spans.len().saturating_sub(1).max(1);
        let wider = (available.saturating_sub(total(&spans)) / gaps).min(WIDER);
        let (mut x, last) = (0, spans.len().saturating_sub(1));
        for (place, span) in spans.iter_mut().enumerate() {
            span.x = x;
            span.gap += if place < last { wider } else { 0 };
            x += span.width + span.gap;
        }
        // Spread out evenly, or not at all.
        let most = super::rows(diagram);
        let height = if rows >= most {
            most
        } else {
            diagram.longest()
        };
        let mut layout = Self {
            diagram,
            shown,
            spans,
            height,
            first: 0,
            cells,
        };
        let row = layout.row(at[1], at[0]);
        layout.first = (row + 1 + rows / 3)
            .saturating_sub(rows)
            .min(height.saturating_sub(rows));
        layout
    }

    /// Row of a node's label: the nodes of a column are spread evenly over the height.
    fn row(&self, column: usize, node: usize) -> usize {
        let count = self.diagram.columns[column].nodes.len().max(1);
        (2 * node + 1) * self.height / (2 * count)
    }

    /// Place of a column that is shown.
    fn span(&self, column: usize) -> &Span {
        &self.spans[column - self.shown.start]
    }

    /// Positions of all nodes of the columns shown.
    pub fn spots(&self) -> impl Iterator<Item = Spot> {
        self.shown.clone().flat_map(move |column| {
            let nodes = 0..self.diagram.columns[column].nodes.len();
            nodes.map(move |node| Spot {
                column,
                node,
                x: self.span(column).x,
                y: self.row(column, node),
            })
        })
    }

    /// Whether a column's cells are below the label rather than beside it.
    pub fn cells_below(&self, column: usize) -> bool {
        are_below(&self.diagram.columns[column])
    }

    /// The lines between the nodes.
    pub fn strokes(&self) -> Vec<Shape> {
        let mut strokes = Vec::new();
        for column in self.shown.clone() {
            if column + 1 < self.shown.end {
                self.add_arrows(column, &mut strokes);
            }
            if self.diagram.columns[column].chained {
                let x = self.span(column).x;
                for node in 1..self.diagram.columns[column].nodes.len() {
                    let rows = [self.row(column, node - 1), self.row(column, node)];
                    strokes.push(Shape::Way { x, rows });
                }
            }
        }
        strokes
    }

    fn add_arrows(&self, column: usize, strokes: &mut Vec<Shape>) {
        let arrows: Vec<&Arrow> = self.diagram.arrows_from(column).collect();
        let (span, nodes) = (self.span(column), &self.diagram.columns[column].nodes);
        let rows = |arrow: &Arrow| [self.row(column, arrow.from), self.row(column + 1, arrow.to)];
        let lanes = Lanes::new(&arrows, rows);
        let (from, to) = (span.x + span.width, span.x + span.width + span.gap);
        let lane = from + (span.gap - lanes.count) / 2;
        for (arrow, place) in arrows.iter().zip(&lanes.of) {
            let [begin, end] = rows(arrow);
            let node = &nodes[arrow.from];
            let is_beside = !node.cells.is_empty() && self.cells > 0 && !self.cells_below(column);
            let text = match (node.note.is_empty(), is_beside) {
                (true, false) => width(&node.label),
                (false, false) => span.text(),
                (_, true) => span.width,
            };
            let start = (span.x + text + 1, begin);
            let x = lane + place;
            strokes.push(Shape::Arrow {
                through: vec![start, (x, begin), (x, end), (to - 2, end)],
                weight: arrow.weight,
            });
        }
    }
}

/// Whether a column's cells go below the label: those of a single node have no neighbour there.
fn are_below(column: &Column) -> bool {
    column.nodes.len() == 1
}

/// Places of the `shown` columns, with the smallest gaps; `x` is not yet set.
fn spans(diagram: &Diagram, shown: Range<usize>, cells: usize) -> Vec<Span> {
    let last = shown.end.saturating_sub(1);
    let span = |at: usize| {
        let column = &diagram.columns[at];
        let widest =
            |of: &dyn Fn(usize) -> usize| (0..column.nodes.len()).map(of).max().unwrap_or(0);
        let labels = widest(&|n| width(&column.nodes[n].label));
        let notes = widest(&|n| width(&column.nodes[n].note));
        let row = widest(&|n| column.nodes[n].cells.len().min(cells));
        let text = labels + notes + usize::from(labels.min(notes) > 0);
        let text = match (row, are_below(column)) {
            (0, _) => text,
            (_, true) => text.max(row),
            (_, false) => text + 1 + row,
        };
        let gap = if at == last {
            0
        } else {
            least_gap(diagram, at)
        };
        Span {
            x: 0,
            width: text.max((width(&column.title) + 1).saturating_sub(gap.max(1))),
            labels,
            notes,
            gap,
        }
    };
    shown.map(span).collect()
}

fn total(spans: &[Span]) -> usize {
    spans.iter().map(|span| span.width + span.gap).sum()
}

/// The smallest gap with room for the arrows that leave a column: a blank at both ends, the lanes and a tip.
fn least_gap(diagram: &Diagram, column: usize) -> usize {
    let arrows: Vec<&Arrow> = diagram.arrows_from(column).collect();
    let count = |at: usize| diagram.columns[at].nodes.len().max(1);
    let counts = [count(column), count(column + 1)];
    let lanes = [diagram.longest(), super::rows(diagram)].map(|height| {
        let row = |node: usize, count: usize| (2 * node + 1) * height / (2 * count);
        Lanes::new(&arrows, |arrow| {
            [row(arrow.from, counts[0]), row(arrow.to, counts[1])]
        })
        .count
    });
    3 + lanes[0].max(lanes[1])
}

/// As many columns around `at` as fit, without cells.
fn window(diagram: &Diagram, at: usize, available: usize) -> Range<usize> {
    let fits = |range: &Range<usize>| total(&spans(diagram, range.clone(), 0)) <= available;
    let mut shown = at..at + 1;
    loop {
        let right = shown.start..shown.end + 1;
        let left = shown.start.saturating_sub(1)..shown.end;
        if right.end <= diagram.columns.len() && fits(&right) {
            shown = right;
        } else if shown.start > 0 && fits(&left) {
            shown = left;
        } else {
            return shown;
        }
    }
}

/// Vertical lanes for the arrows of one gap. Arrows share a lane if they leave the same node, or if they reach the same
/// one where fewer nodes are reached than left.
struct Lanes {
    /// Lane of each arrow.
    of: Vec<usize>,
    /// Number of lanes, at least 1.
    count: usize,
}

impl Lanes {
    fn new(arrows: &[&Arrow], rows: impl Fn(&Arrow) -> [usize; 2]) -> Self {
        let distinct = |node: fn(&Arrow) -> usize| {
            let mut nodes: Vec<usize> = arrows.iter().map(|arrow| node(arrow)).collect();
            nodes.sort_unstable();
            nodes.dedup();
            nodes
        };
        let (from, to) = (distinct(|arrow| arrow.from), distinct(|arrow| arrow.to));
        let hub: fn(&Arrow) -> usize = if from.len() <= to.len() {
            |arrow| arrow.from
        } else {
            |arrow| arrow.to
        };
        let hubs = if from.len() <= to.len() { from } else { to };
        let trunks: Vec<Trunk> = hubs
            .iter()
            .map(|&node| {
                let own = arrows.iter().filter(|arrow| hub(arrow) == node);
                Trunk::new(own.map(|arrow| rows(arrow)))
            })
            .collect();
        let lanes = placed(&trunks);
        let place = |arrow: &&Arrow| hubs.iter().position(|&node| node == hub(arrow));
        let of = arrows
            .iter()
            .filter_map(|arrow| Some(lanes[place(arrow)?]))
            .collect();
        let count = 1 + lanes.iter().max().copied().unwrap_or(0);
        Self { of, count }
    }
}

/// The vertical line of the arrows that share a lane, by the rows on which they come from the left and go on to the
/// right.
struct Trunk {
    from: Vec<usize>,
    to: Vec<usize>,
}

impl Trunk {
    fn new(arrows: impl Iterator<Item = [usize; 2]>) -> Self {
        let (from, to) = arrows.map(|[from, to]| (from, to)).unzip();
        Self { from, to }
    }

    /// True if all its arrows stay on one row.
    fn is_straight(&self) -> bool {
        self.from
            .iter()
            .chain(&self.to)
            .all(|row| *row == self.from[0])
    }

    /// True if the two need different lanes.
    fn touches(&self, other: &Self) -> bool {
        let ends = |trunk: &Self| {
            let rows = || trunk.from.iter().chain(&trunk.to).copied();
            Some((rows().min()?, rows().max()?))
        };
        let both = ends(self).zip(ends(other));
        both.is_some_and(|((top, bottom), (upper, lower))| top <= lower && upper <= bottom)
    }

    /// True if an arrow would seem to continue one of `other`, unless this trunk is to the right of it.
    fn continues(&self, other: &Self) -> bool {
        self.to.iter().any(|row| other.from.contains(row))
    }
}

/// Lane of each trunk, such that no two touch and no arrow seems to continue another one where that can be avoided.
fn placed(trunks: &[Trunk]) -> Vec<usize> {
    let mut lanes = vec![0; trunks.len()];
    let bent: Vec<usize> = (0..trunks.len())
        .filter(|&i| !trunks[i].is_straight())
        .collect();
    let most = bent.len().saturating_sub(1);
    // Each round moves a trunk to the right; in a circle of trunks that would each have to be right of the next, the
    // rounds end without a solution.
    for _ in 0..bent.len() * bent.len() {
        for &one in &bent {
            for &other in bent.iter().filter(|&&other| other != one) {
                let (a, b) = (&trunks[one], &trunks[other]);
                let after = a.continues(b) && lanes[one] <= lanes[other];
                let same = one > other && a.touches(b) && lanes[one] == lanes[other];
                if after || same {
                    lanes[one] = (lanes[other] + 1).min(most);
                }
            }
        }
    }
    lanes
}
