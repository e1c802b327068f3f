//! The origin of a cell: the path from it down to an input or a weight.

use super::{CellRef, Focus, Session};
use crate::autograd::{Cell, CellTerm, Combination};

/// The cell that a term was read from; `None` for a constant.
fn origin(term: &CellTerm) -> Option<CellRef> {
    let index = term.index.clone();
    term.step.map(|step| CellRef { step, index })
}

impl Session {
    /// The cell being explained, and its explanation; `None` if there is none.
    pub fn why(&self) -> Option<(&CellRef, Cell)> {
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

    /// The current cell's terms, the largest contribution first. Each entry lists the indices in [`Cell::terms`] that
    /// form one product, and its value.
    pub fn terms(&self) -> Vec<(Vec<usize>, f32)> {
        self.why().map_or_else(Vec::new, |(_, cell)| ranked(&cell))
    }

    /// Explains the cell under the cursor; if a cell is being explained already, follows the selected term.
    pub fn ask(&mut self) {
        if let Some(opens) = self.box_at_cursor().map(|place| place.opens.clone()) {
            if let Some(focus) = self.named(&opens) {
                self.set_focus(focus);
            }
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
        let (places, _) = rows.get(self.provenance.term)?;
        origin(&cell.terms[*places.get(n)?])
    }

    /// Follows term number `n` (from 1, as [`crate::widgets::stage::describe_why`] lists them) of the cell being
    /// explained, to its first factor or to its `partner`. The error explains what there is.
    pub fn follow(&mut self, n: usize, partner: bool) -> Result<(), String> {
        let Some((_, cell)) = self.why() else {
            return Err("no cell is asked about yet".to_owned());
        };
        let rows = self.terms();
        let (places, _) = n
            .checked_sub(1)
            .and_then(|i| rows.get(i))
            .ok_or_else(|| format!("this cell has {} terms, there is no number {n}", rows.len()))?;
        let term = &cell.terms[places[usize::from(partner && places.len() > 1)]];
        let at = origin(term)
            .ok_or_else(|| format!("{} is a constant: it comes from nothing else", term.role))?;
        self.go_down(at);
        Ok(())
    }

    /// Cells of steps that only move numbers, between the last two cells on the path, beginning with the one nearest to
    /// the current cell.
    pub fn passed(&self) -> Vec<CellRef> {
        let [.., before, now] = &self.provenance.path[..] else {
            return Vec::new();
        };
        let cell = self.shown.run.trace.explain(before.step, &before.index);
        let moved = |at: &CellRef| self.shown.run.trace.steps()[at.step].only_moves();
        let moved = cell.terms.iter().filter_map(origin).filter(moved);
        let mut ways = moved.map(|at| self.through_moves(at));
        let way = ways.find(|way| way.last() == Some(now));
        way.map_or_else(Vec::new, |mut way| {
            way.pop();
            way.reverse();
            way
        })
    }

    /// The cells from `at` down to the first one that was computed or is given.
    fn through_moves(&self, at: CellRef) -> Vec<CellRef> {
        let trace = &self.shown.run.trace;
        let mut way = vec![at];
        while let Some(at) = way.last()
            && trace.steps()[at.step].only_moves()
            && let Some(term) = trace.explain(at.step, &at.index).terms.last()
            && let Some(next) = origin(term)
        {
            way.push(next);
        }
        way
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

/// Groups the terms of a cell into rows, the largest contribution first; of a softmax, its own score first. A row has
/// the indices in [`Cell::terms`] of the terms that form one product, and its value.
pub fn ranked(cell: &Cell) -> Vec<(Vec<usize>, f32)> {
    let value = |place: usize| cell.terms[place].value;
    let mut rows: Vec<(Vec<usize>, f32)> = if cell.combination == Combination::Products {
        let first = cell.terms.first().map(|term| term.role);
        let places = 0..cell.terms.len();
        let (ones, others): (Vec<_>, Vec<_>) =
            places.partition(|&place| Some(cell.terms[place].role) == first);
        let pairs = std::iter::zip(ones, others);
        pairs
            .map(|(a, b)| (vec![a, b], value(a) * value(b)))
            .collect()
    } else {
        let places = 0..cell.terms.len();
        places.map(|place| (vec![place], value(place))).collect()
    };
    if rows.len() > 4 {
        let size = |value: f32| match cell.combination {
            Combination::Exponentials => value,
            Combination::Separate | Combination::Products => value.abs(),
        };
        // A softmax begins with its own score, which is what the question is about.
        let own = usize::from(cell.combination == Combination::Exponentials);
        rows[own..].sort_by(|a, b| size(b.1).total_cmp(&size(a.1)));
    }
    rows
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
            let first = &cell.terms[session.terms()[0].0[0]];
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
            session.passed().is_empty(),
            "nothing lies before the first cell"
        );
        let value = {
            let (_, cell) = session.why().unwrap();
            cell.terms[session.terms()[0].0[0]].value
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
        let passed: Vec<&str> = session.passed().iter().map(|at| op(at.step)).collect();
        assert_eq!(passed, ["reshape", "permute"]);
        session.back();
        assert_eq!(session.path().len(), 1, "one step up leads back");
    }
}
