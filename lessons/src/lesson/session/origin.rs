//! The origin of a cell: the path from it down to an input or a weight.

use super::{CellRef, Focus, Session};
use crate::autograd::{CellOrigin, Combination, OriginTerm};

/// The cell that a term was read from; `None` for a constant.
fn term_cell(term: &OriginTerm) -> Option<CellRef> {
    let index = term.index.clone();
    term.step.map(|step| CellRef { step, index })
}

impl Session {
    /// The cell being explained, and its explanation; `None` if there is none.
    pub fn why(&self) -> Option<(&CellRef, CellOrigin)> {
        let at = self.provenance.path.last()?;
        Some((at, self.shown.run.trace.explain(at.step, &at.index)))
    }

    /// True if a cell is being explained. Unlike [`Session::why`], this is cheap even for a sum of many terms: a loss
    /// over a batch has tens of thousands.
    pub fn asks_why(&self) -> bool {
        !self.provenance.path.is_empty()
    }

    /// All cells on the path, starting with the first one that was asked about.
    pub fn path(&self) -> &[CellRef] {
        &self.provenance.path
    }

    /// Index of the selected term in [`Session::terms`].
    pub fn term(&self) -> usize {
        self.provenance.term
    }

    /// The current cell's terms, the largest contribution first.
    pub fn terms(&self) -> Vec<RankedTerm> {
        self.why().map_or_else(Vec::new, |(_, cell)| ranked(&cell))
    }

    /// Explains the cell under the cursor; if a cell is being explained already, follows the selected term.
    pub fn ask(&mut self) {
        if let Some(opens) = self.box_at_cursor().map(|map_box| map_box.opens.clone()) {
            if let Some(focus) = self.named(&opens) {
                self.set_focus(focus);
            }
            return;
        }
        if let Some(cell) = self.cell_at_node().cloned() {
            // A run that an edit or a mistake changed may lack the cell; then the diagram stays.
            let _ = self.show_cell(&cell.tensor, &cell.index);
            return;
        }
        let next = match (self.why(), self.view.focus) {
            (None, Focus::Step(step)) => Some(CellRef {
                step,
                index: self.view.cursor.clone(),
            }),
            (None, Focus::Picture(_)) => None,
            (Some(_), _) => self.factor(0),
        };
        if let Some(at) = next {
            self.go_down(at);
        }
    }

    /// As [`Session::ask`], but follows the other factor of the selected product.
    pub fn ask_partner(&mut self) {
        if let Some(at) = self.factor(1) {
            self.go_down(at);
        }
    }

    /// The cell of factor number `n` of the selected term; `None` for a constant, or if there is no such factor.
    fn factor(&self, n: usize) -> Option<CellRef> {
        let (_, cell) = self.why()?;
        let rows = ranked(&cell);
        let factors = &rows.get(self.provenance.term)?.factors;
        term_cell(&cell.terms[*factors.get(n)?])
    }

    /// Follows term number `n` (from 1, in the order of [`Self::terms`]) of the cell being
    /// explained, to its first factor or to its `partner`. The error explains what there is.
    pub fn follow(&mut self, n: usize, partner: bool) -> Result<(), String> {
        let Some((_, cell)) = self.why() else {
            return Err("no cell is asked about yet".to_owned());
        };
        let rows = self.terms();
        let RankedTerm { factors, .. } = n
            .checked_sub(1)
            .and_then(|i| rows.get(i))
            .ok_or_else(|| format!("this cell has {} terms, there is no number {n}", rows.len()))?;
        let term = &cell.terms[factors[usize::from(partner && factors.len() > 1)]];
        let at = term_cell(term)
            .ok_or_else(|| format!("{} is a constant: it comes from nothing else", term.role))?;
        self.go_down(at);
        Ok(())
    }

    /// Cells of steps that only move numbers, between the last two cells on the path, beginning with the one nearest to
    /// the current cell.
    pub fn moved_through(&self) -> Vec<CellRef> {
        let [.., before, now] = &self.provenance.path[..] else {
            return Vec::new();
        };
        let cell = self.shown.run.trace.explain(before.step, &before.index);
        let moved = |at: &CellRef| self.shown.run.trace.steps()[at.step].only_moves();
        let moved = cell.terms.iter().filter_map(term_cell).filter(moved);
        let mut trails = moved.map(|at| self.through_moves(at));
        let path = trails.find(|trail| trail.last() == Some(now));
        path.map_or_else(Vec::new, |mut path| {
            path.pop();
            path.reverse();
            path
        })
    }

    /// The cells from `at` down to the first one that was computed or is given.
    fn through_moves(&self, at: CellRef) -> Vec<CellRef> {
        let trace = &self.shown.run.trace;
        let mut path = vec![at];
        while let Some(at) = path.last()
            && trace.steps()[at.step].only_moves()
            && let Some(term) = trace.explain(at.step, &at.index).terms.last()
            && let Some(next) = term_cell(term)
        {
            path.push(next);
        }
        path
    }

    /// Explains a cell and shows it. A number that was only moved is followed to where it was computed.
    fn go_down(&mut self, at: CellRef) {
        if self.provenance.path.is_empty() {
            self.provenance.path.push(at);
        } else {
            self.provenance.path.extend(self.through_moves(at).pop());
        }
        self.provenance.term = 0;
        self.show_explained();
    }

    /// Shows the tensor of the cell being explained, with the cursor on that cell.
    fn show_explained(&mut self) {
        if let Some(at) = self.provenance.path.last() {
            self.view.focus = Focus::Step(at.step);
            self.view.cursor.clone_from(&at.index);
        }
    }

    /// Ends the explanation and shows the cell that was asked about first; false if none was being explained.
    pub fn stop_asking(&mut self) -> bool {
        self.provenance.path.truncate(1);
        self.back()
    }

    /// Goes back up to the previous cell and shows it; false if no cell was being explained.
    pub fn back(&mut self) -> bool {
        self.provenance.term = 0;
        let was = self.provenance.path.pop().is_some();
        self.show_explained();
        was
    }
}

/// A contribution to a cell: a term of its own, or the product of two.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedTerm {
    /// Indices in [`CellOrigin::terms`] of the term, or of the two factors.
    pub factors: Vec<usize>,
    /// Value of the term, or of the product.
    pub value: f32,
}

impl RankedTerm {
    /// True if it is the product of two terms.
    pub fn is_product(&self) -> bool {
        self.factors.len() == 2
    }
}

/// The contributions to a cell, the largest first; of a softmax, its own score first. Up to four keep their order.
pub fn ranked(cell: &CellOrigin) -> Vec<RankedTerm> {
    let count = cell.terms.len();
    let mut rows = match cell.combination {
        Combination::Products | Combination::Pairs => products(cell, count),
        Combination::BiasedProducts => {
            let bias = count.saturating_sub(1);
            let mut rows = products(cell, bias);
            rows.extend((bias..count).map(|place| single(cell, place)));
            rows
        }
        Combination::Separate | Combination::Sum | Combination::Exponentials => {
            (0..count).map(|place| single(cell, place)).collect()
        }
    };
    if rows.len() > 4 {
        let exponential = cell.combination == Combination::Exponentials;
        let size = |row: &RankedTerm| {
            if exponential {
                row.value
            } else {
                row.value.abs()
            }
        };
        // A softmax begins with its own score, which is what the question is about.
        rows[usize::from(exponential)..].sort_by(|a, b| size(b).total_cmp(&size(a)));
    }
    rows
}

/// A term that counts on its own.
fn single(cell: &CellOrigin, place: usize) -> RankedTerm {
    RankedTerm {
        factors: vec![place],
        value: cell.terms[place].value,
    }
}

/// The products of the first `count` terms of a cell.
fn products(cell: &CellOrigin, count: usize) -> Vec<RankedTerm> {
    let first = cell.terms.first().map(|term| term.role);
    let (ones, others): (Vec<_>, Vec<_>) =
        (0..count).partition(|&place| Some(cell.terms[place].role) == first);
    let product = |(a, b): (usize, usize)| RankedTerm {
        factors: vec![a, b],
        value: cell.terms[a].value * cell.terms[b].value,
    };
    std::iter::zip(ones, others).map(product).collect()
}

#[cfg(test)]
mod tests {
    use crate::curriculum;
    use crate::lesson::session::Session;

    #[test]
    fn the_own_score_of_a_softmax_comes_first_however_small_it_is() {
        let mut session = Session::new(curriculum::find("attention").unwrap());
        session.set("scene", "experiment").unwrap();
        session.show("weights").unwrap();
        let shape = session.cursor_shape();
        let columns = shape[shape.len() - 1];
        assert!(columns > 4, "short rows keep their order");
        for column in 0..columns {
            session.put_cursor(&[0, 0, 0, column]).unwrap();
            session.ask();
            let (_, cell) = session.why().unwrap();
            let first = &cell.terms[session.terms()[0].factors[0]];
            assert_eq!((first.role, first.index.last()), ("x", Some(&column)));
        }
    }

    #[test]
    fn a_number_that_was_only_moved_is_followed_to_where_it_was_computed() {
        let mut session = Session::new(curriculum::find("multi-head").unwrap());
        session.set("scene", "experiment").unwrap();
        // The linear maps before it multiply matrices of rank 3.
        let mut steps = session.trace().steps().iter();
        let scores = steps.find(|step| step.op() == "matmul_t" && step.value.rank() == 4);
        session.show(&scores.unwrap().name.clone()).unwrap();
        session.put_cursor(&[0, 1, 2, 3]).unwrap();
        session.ask();
        assert!(
            session.moved_through().is_empty(),
            "nothing lies before the first cell"
        );
        let value = {
            let (_, cell) = session.why().unwrap();
            cell.terms[session.terms()[0].factors[0]].value
        };
        session.ask();
        let (at, cell) = session.why().unwrap();
        let op = |step: usize| session.trace().steps()[step].op();
        assert!(
            !["reshape", "permute"].contains(&op(at.step)),
            "{}",
            op(at.step)
        );
        assert_eq!(
            cell.value.to_bits(),
            value.to_bits(),
            "it is the same number"
        );
        let moved_through: Vec<&str> = session
            .moved_through()
            .iter()
            .map(|at| op(at.step))
            .collect();
        assert_eq!(moved_through, ["reshape", "permute"]);
        session.back();
        assert_eq!(session.path().len(), 1, "one step up leads back");
    }
}
