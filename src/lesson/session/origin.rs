//! The origin of a cell: the path from it down to an input or a weight.

use super::{At, Focus, Session};
use crate::autograd::{Cell, Step};

/// Operations that compute nothing: each of their cells is a cell of their input at a different index.
const MOVES: [&str; 3] = ["reshape", "permute", "expand"];

/// Whether a step only moves numbers.
pub fn moves(step: &Step) -> bool {
    MOVES.contains(&step.op())
}

impl Session {
    /// The cell being explained, and its explanation; `None` if there is none.
    pub fn why(&self) -> Option<(&At, Cell)> {
        let at = self.why.last()?;
        Some((at, self.run.trace.explain(at.step, &at.index)))
    }

    /// Whether a cell is being explained. Unlike [`Session::why`], this is cheap even for a sum of many terms: a loss
    /// over a batch has tens of thousands.
    pub fn asks_why(&self) -> bool {
        !self.why.is_empty()
    }

    /// All cells on the path, starting with the first one that was asked about.
    pub fn way(&self) -> &[At] {
        &self.why
    }

    /// Index of the selected term in [`Session::terms`].
    pub fn term(&self) -> usize {
        self.term
    }

    /// The current cell's terms, the largest contribution first. Each entry lists the indices in [`Cell::terms`] that
    /// form one product, and its value.
    pub fn terms(&self) -> Vec<(Vec<usize>, f32)> {
        self.why().map_or_else(Vec::new, |(_, cell)| ranked(&cell))
    }

    /// Explains the cell under the cursor; if a cell is being explained already, follows the selected term.
    pub fn ask(&mut self) {
        if let Some(opens) = self.place_at_cursor().map(|place| place.opens.clone()) {
            if let Some(focus) = self.named(&opens) {
                self.set_focus(focus);
            }
            return;
        }
        let next = match (self.why(), self.focus) {
            (None, Focus::Step(step)) => Some(At {
                step,
                index: self.cursor.clone(),
            }),
            (None, Focus::Picture(_)) => None,
            (Some((_, cell)), _) => self.terms().get(self.term).and_then(|(places, _)| {
                let term = &cell.terms[*places.first()?];
                term.step.map(|step| At {
                    step,
                    index: term.index.clone(),
                })
            }),
        };
        if let Some(at) = next {
            self.go_down(at);
        }
    }

    /// As [`Session::ask`], but follows the other factor of the selected product.
    pub fn ask_partner(&mut self) {
        let Some((_, cell)) = self.why() else { return };
        let next = self.terms().get(self.term).and_then(|(places, _)| {
            let term = &cell.terms[*places.get(1)?];
            term.step.map(|step| At {
                step,
                index: term.index.clone(),
            })
        });
        if let Some(at) = next {
            self.go_down(at);
        }
    }

    /// Follows term number `n` (from 1, as [`crate::widgets::stage::describe_why`] lists them) of the cell being
    /// explained, to its first factor or to its `partner`. `Err` says what there is.
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
        let step = term
            .step
            .ok_or_else(|| format!("{} is a constant: it comes from nothing else", term.role))?;
        let index = term.index.clone();
        self.go_down(At { step, index });
        Ok(())
    }

    /// Cells of steps that only move numbers, between the last two cells on the path, beginning with the one nearest to
    /// the current cell.
    pub fn passed(&self) -> Vec<At> {
        let [.., before, now] = &self.why[..] else {
            return Vec::new();
        };
        let cell = self.run.trace.explain(before.step, &before.index);
        let terms = cell.terms.into_iter().filter_map(|term| {
            let step = term.step?;
            let index = term.index;
            moves(&self.run.trace.steps()[step]).then_some(At { step, index })
        });
        let mut ways = terms.map(|at| self.through_moves(at));
        let way = ways.find(|way| way.last() == Some(now));
        way.map_or_else(Vec::new, |mut way| {
            way.pop();
            way.reverse();
            way
        })
    }

    /// The cells from `at` down to the first one that was computed or is given.
    fn through_moves(&self, at: At) -> Vec<At> {
        let trace = &self.run.trace;
        let mut way = vec![at];
        while let Some(at) = way.last()
            && moves(&trace.steps()[at.step])
            && let Some(term) = trace.explain(at.step, &at.index).terms.pop()
            && let Some(step) = term.step
        {
            let index = term.index;
            way.push(At { step, index });
        }
        way
    }

    /// Explains a cell and shows it. A number that was only moved is followed to where it was computed.
    fn go_down(&mut self, at: At) {
        let at = match self.why.is_empty() {
            true => Some(at),
            false => self.through_moves(at).pop(),
        };
        self.why.extend(at);
        self.term = 0;
        self.stand();
    }

    /// Shows the tensor of the cell being explained, with the cursor on that cell.
    fn stand(&mut self) {
        if let Some(at) = self.why.last() {
            self.focus = Focus::Step(at.step);
            self.cursor.clone_from(&at.index);
        }
    }

    /// Ends the explanation and shows the cell that was asked about first; false if none was being explained.
    pub fn stop_asking(&mut self) -> bool {
        self.why.truncate(1);
        self.back()
    }

    /// Goes back up to the previous cell and shows it; false if no cell was being explained.
    pub fn back(&mut self) -> bool {
        self.term = 0;
        let was = self.why.pop().is_some();
        self.stand();
        was
    }
}

/// Groups the terms of a cell into rows, the largest contribution first.
pub fn ranked(cell: &Cell) -> Vec<(Vec<usize>, f32)> {
    let roles: Vec<&str> = {
        let mut seen = Vec::new();
        for term in &cell.terms {
            if !seen.contains(&term.role) {
                seen.push(term.role);
            }
        }
        seen
    };
    let mut rows: Vec<(Vec<usize>, f32)> = if let (true, [one, other]) = (
        cell.formula.starts_with("sum(") && cell.formula.contains('*'),
        &roles[..],
    ) {
        let of = |role: &str| -> Vec<usize> {
            (0..cell.terms.len())
                .filter(|&i| cell.terms[i].role == role)
                .collect()
        };
        let pairs = of(one).into_iter().zip(of(other));
        pairs
            .map(|(a, b)| (vec![a, b], cell.terms[a].value * cell.terms[b].value))
            .collect()
    } else {
        (0..cell.terms.len())
            .map(|i| (vec![i], cell.terms[i].value))
            .collect()
    };
    if rows.len() > 4 {
        // In a softmax the largest score contributes most, and a blocked one nothing.
        let by_exp = cell.formula.contains("exp(");
        let part = |value: f32| if by_exp { value } else { value.abs() };
        rows.sort_by(|a, b| part(b.1).total_cmp(&part(a.1)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use crate::curriculum;
    use crate::lesson::session::Session;

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
        assert_eq!(session.way().len(), 1, "one step up leads back");
    }
}
