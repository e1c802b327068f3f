//! Where a cell came from: the cells asked about, down to an input or a weight.

use super::{At, Focus, Session};
use crate::autograd::Cell;

impl Session {
    /// The cell asked about, and where it came from; `None` when no cell is.
    pub fn why(&self) -> Option<(&At, Cell)> {
        let at = self.why.last()?;
        Some((at, self.run.trace.explain(at.step, &at.index)))
    }

    /// All cells on the way down, the first one asked about first.
    pub fn way(&self) -> &[At] {
        &self.why
    }

    /// Which term of the present cell is chosen: a place in [`Session::terms`].
    pub fn term(&self) -> usize {
        self.term
    }

    /// The present cell's terms, those with the largest part in it first, partners together: each
    /// entry lists the places in [`Cell::terms`] that form one product, with their value.
    pub fn terms(&self) -> Vec<(Vec<usize>, f32)> {
        self.why().map_or_else(Vec::new, |(_, cell)| ranked(&cell))
    }

    /// Asks the cell under the cursor where it came from; asked again, follows the chosen term.
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

    /// As [`Session::ask`], but follows the chosen product's other factor.
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

    /// Goes on to term number `n` (from 1, as [`crate::widgets::stage::describe_why`] lists them) of the
    /// cell asked about: to its first factor, or to its `partner`. `Err` says what there is.
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
            .ok_or_else(|| format!("{} is a constant: the way ends there", term.role))?;
        let index = term.index.clone();
        self.go_down(At { step, index });
        Ok(())
    }

    /// Asks a cell; what is looked at goes along.
    fn go_down(&mut self, at: At) {
        self.why.push(at);
        self.term = 0;
        self.stand();
    }

    /// Looks at the tensor of the cell asked about, with the cursor on that cell.
    fn stand(&mut self) {
        if let Some(at) = self.why.last() {
            self.focus = Focus::Step(at.step);
            self.cursor.clone_from(&at.index);
        }
    }

    /// Goes back up one cell, and looks at that one; `false` if no cell was asked about.
    pub fn back(&mut self) -> bool {
        self.term = 0;
        let was = self.why.pop().is_some();
        self.stand();
        was
    }
}

/// Groups the terms of a cell into rows, those with the largest part in its value first.
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
        // In a softmax the largest score has the largest part, and a blocked one none.
        let by_exp = cell.formula.contains("exp(");
        let part = |value: f32| if by_exp { value } else { value.abs() };
        rows.sort_by(|a, b| part(b.1).total_cmp(&part(a.1)));
    }
    rows
}
