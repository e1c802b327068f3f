//! Editing a cell, which recomputes everything downstream of it, and showing gradients in place of values.

use std::sync::Arc;

use super::cell_name::cell_name;
use super::intent::parse_cell;
use super::{CellRef, CompareMode, Focus, GradientOf, Run, Session};
use crate::autograd::{Edit, Nature, Step, Trace};
use crate::lesson::exercise::catch;
use crate::tensor::Tensor;

mod words;

/// The learner's edits of the run, and the gradients shown in place of its values.
#[derive(Default)]
pub(super) struct Edits {
    done: Vec<Edit>,
    undone: Vec<Edit>,
    /// The run before the edits; `None` if there are none.
    before: Option<Arc<Run>>,
    /// The number whose gradients are shown, and the run that holds the values.
    pub(super) gradients: Option<(CellRef, Arc<Run>)>,
    /// The cell whose gradients the learner last asked for explicitly.
    pub(super) chosen_target: Option<CellRef>,
}

/// The effect of the edits downstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ripple {
    /// Number of cells whose value changed, not counting edited tensors.
    pub cells: usize,
    /// Number of tensors with such cells.
    pub tensors: usize,
    /// The first step with such cells.
    pub first: Option<usize>,
}

impl Session {
    /// Discards edits and gradients, which belong to the run that is being left.
    pub(super) fn forget_edits(&mut self) {
        self.edits = Edits::default();
    }

    /// The run as its settings made it: without edits, and with values in place of gradients.
    pub fn unedited(&self) -> &Arc<Run> {
        let values = self.edits.gradients.as_ref().map(|(_, values)| values);
        let before = self.edits.before.as_ref();
        before.or(values).unwrap_or(&self.shown.run)
    }

    /// The learner's edits, in order.
    pub fn edits(&self) -> &[Edit] {
        &self.edits.done
    }

    /// True if the edits have changed the values of a step.
    pub fn is_changed(&self, step: usize) -> bool {
        let now = self.values();
        self.edits.before.as_ref().is_some_and(|before| {
            // Unchanged steps share their buffers with the run before.
            let data = |run: &Run| run.trace.steps().get(step).map(|s| s.value.data().as_ptr());
            data(before) != data(now)
        })
    }

    /// The effect of the learner's edits; `None` if there are none.
    fn ripple(&self) -> Option<Ripple> {
        let before = self.edits.before.as_ref()?;
        let now = self.values();
        let edited: Vec<usize> = self.edits.done.iter().map(|edit| edit.step).collect();
        let mut ripple = Ripple {
            cells: 0,
            tensors: 0,
            first: None,
        };
        for (number, step) in now.trace.steps().iter().enumerate() {
            if !self.is_changed(number) || edited.contains(&number) {
                continue;
            }
            let then = before.trace.steps()[number].value.data();
            let differ = step.value.data().iter().zip(then);
            // Compare bits, so that an unchanged NaN does not count.
            let cells = differ.filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            if cells > 0 {
                ripple.cells += cells;
                ripple.tensors += 1;
                ripple.first.get_or_insert(number);
            }
        }
        Some(ripple)
    }

    /// The run that differences are taken from: the one before the edits, or else the sound one.
    pub fn reference(&self) -> &Arc<Run> {
        self.edits.before.as_ref().unwrap_or(&self.shown.sound)
    }

    /// Sets the cell under the cursor to `value` and recomputes everything downstream. The error explains why that is
    /// impossible; then nothing has changed.
    pub fn edit(&mut self, value: f32) -> Result<(), String> {
        let (step, index) = self.editable()?;
        let kept = self.edits.done.clone();
        self.change(kept, vec![Edit { step, index, value }])
    }

    /// Sets named cells in place of what was set in them before, and recomputes everything downstream once.
    pub fn put(&mut self, cells: &[(String, f32)]) -> Result<(), String> {
        let edit = |(cell, value): &(String, f32)| {
            let (name, index) = parse_cell(cell)?;
            let trace = &self.shown.run.trace;
            let step = trace.find(name).filter(|step| {
                let shape = trace.steps()[*step].value.shape();
                index.len() == shape.len() && index.iter().zip(shape).all(|(at, size)| at < size)
            });
            let step = step.ok_or_else(|| format!("this run has no cell {cell}"))?;
            let value = *value;
            Ok(Edit { step, index, value })
        };
        let edits = cells.iter().map(edit).collect::<Result<Vec<_>, String>>()?;
        let mut kept = self.edits.done.clone();
        let is_same = |one: &Edit, other: &Edit| one.step == other.step && one.index == other.index;
        kept.retain(|done| !edits.iter().any(|edit| is_same(done, edit)));
        self.change(kept, edits)
    }

    /// Makes edits after those that are kept.
    fn change(&mut self, kept: Vec<Edit>, edits: Vec<Edit>) -> Result<(), String> {
        for edit in &edits {
            self.allows(edit)?;
        }
        let before = std::mem::replace(&mut self.edits.done, kept);
        self.edits.done.extend(edits);
        match self.run_edits() {
            Ok(()) => {
                self.edits.undone.clear();
                self.refuse(None);
                Ok(())
            }
            Err(sentence) => {
                self.edits.done = before;
                Err(sentence)
            }
        }
    }

    /// Why a cell cannot have this value, if it cannot.
    fn allows(&self, edit: &Edit) -> Result<(), String> {
        let value = edit.value;
        let at = &self.shown.run.trace.steps()[edit.step];
        match at.nature {
            Nature::Ids if value < 0.0 || value.fract() != 0.0 => Err(format!(
                "{} holds ids: whole numbers from 0, not {value}",
                at.name
            )),
            Nature::Mask if value != 0.0 && value != 1.0 => Err(format!(
                "{} is a mask: 1 may be seen, 0 is blocked; {value} would be neither",
                at.name
            )),
            _ if !value.is_finite() => Err(format!("{value} is not a number to compute with")),
            _ if self.edits.gradients.is_some() => {
                Err("gradients are computed, not set: go back to the values first".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// As [`Session::edit`], for a value as typed: a number, or a word if the axis has words that stand for ids.
    pub fn edit_text(&mut self, text: &str) -> Result<(), String> {
        let text = text.trim().replace('−', "-");
        if let Ok(value) = text.parse::<f32>() {
            return self.edit(value);
        }
        let (step, _) = self.editable()?;
        let at = &self.shown.run.trace.steps()[step];
        match word_id(&self.shown.run.trace, at, &text) {
            Some(id) => self.edit(id),
            None => Err(format!(
                "'{text}' is neither a number nor a word in {}",
                at.name
            )),
        }
    }

    fn editable(&self) -> Result<(usize, Vec<usize>), String> {
        if self.edits.gradients.is_some() {
            return Err("gradients are computed, not set: go back to the values first".to_owned());
        }
        match self.view.focus {
            Focus::Step(step) if !self.shown.run.trace.steps()[step].value.is_empty() => {
                Ok((step, self.view.cursor.clone()))
            }
            _ => Err("only a tensor's cells can be changed; step to one".to_owned()),
        }
    }

    /// Undoes the last edit; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(edit) = self.edits.done.pop() else {
            return false;
        };
        self.edits.undone.push(edit);
        self.see_values();
        // Cannot fail: these edits have run before.
        let _ = self.run_edits();
        true
    }

    /// Redoes the edit undone last; false if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(edit) = self.edits.undone.pop() else {
            return false;
        };
        self.edits.done.push(edit);
        self.see_values();
        let _ = self.run_edits();
        true
    }

    /// Replays the edits on the run before them.
    fn run_edits(&mut self) -> Result<(), String> {
        let before = self
            .edits
            .before
            .clone()
            .unwrap_or_else(|| self.shown.run.clone());
        let edits = self.edits.done.clone();
        let again = || before.trace.replay(&edits);
        let trace = catch(again)?;
        self.forget_why();
        if edits.is_empty() {
            (self.shown.run, self.edits.before) = (before, None);
            if self.settings.mistakes().next().is_none() {
                self.view.comparison = CompareMode::Off;
            }
        } else {
            self.shown.run = Arc::new(Run {
                trace,
                sentence: None,
                ..Run::clone(&before)
            });
            self.edits.before = Some(before);
        }
        Ok(())
    }

    /// The number whose gradients are shown; `None` while values are shown.
    pub fn gradients_of(&self) -> Option<&CellRef> {
        self.edits.gradients.as_ref().map(|(of, _)| of)
    }

    /// Toggles between values and gradients. The gradients are those of the run's loss, the last single number that it
    /// computes; without one, or for [`GradientOf::Cell`], those of the cell under the cursor. A remark explains gradients
    /// that are blank.
    pub fn toggle_gradients(&mut self, of: GradientOf) -> Result<(), String> {
        if self.see_values() {
            self.refuse(None);
            return Ok(());
        }
        let steps = self.shown.run.trace.steps();
        let loss = super::loss(&self.shown.run.trace).filter(|_| of == GradientOf::Loss);
        let target = match (loss, self.view.focus) {
            (Some(loss), _) => loss,
            (None, Focus::Step(step)) => CellRef {
                step,
                index: self.view.cursor.clone(),
            },
            (None, Focus::Picture(_)) => {
                return Err("a gradient needs one number to be of: put the cursor on a cell of a tensor first".to_owned());
            }
        };
        if matches!(steps[target.step].nature, Nature::Ids | Nature::Mask) {
            return Err(format!(
                "{} has no gradient: ids and masks are chosen, not computed",
                steps[target.step].name
            ));
        }
        let grads = self.shown.run.trace.gradients(target.step, &target.index);
        let gradient = |number: usize, step: &Step| {
            grads[number]
                .clone()
                .unwrap_or_else(|| Tensor::zeros(step.value.shape()))
        };
        let trace = self.shown.run.trace.with_values(gradient);
        let shown = Run {
            trace,
            ..Run::clone(&self.shown.run)
        };
        let values = std::mem::replace(&mut self.shown.run, Arc::new(shown));
        self.edits.chosen_target = (of == GradientOf::Cell).then(|| target.clone());
        self.edits.gradients = Some((target, values));
        self.forget_why();
        self.view.comparison = CompareMode::Off;
        self.refuse(None);
        self.messages.remark = self.blank_gradients();
        Ok(())
    }

    /// Why the gradients shown are 0, or all but one; `None` if they are not, or values are shown.
    fn blank_gradients(&self) -> Option<String> {
        let (of, Focus::Step(step)) = (self.gradients_of()?, self.view.focus) else {
            return None;
        };
        let (goal, shown) = (
            &self.shown.run.trace.steps()[of.step],
            &self.shown.run.trace.steps()[step],
        );
        let name = cell_name(&goal.name, &of.index);
        if of.step == step && !of.index.is_empty() {
            return Some(format!(
                "These are the gradients of the cell {name}. In its own tensor that is 1 at the cell and 0 elsewhere: look at a tensor that comes before it."
            ));
        }
        let is_blank = shown.value.data().iter().all(|x| *x == 0.0);
        is_blank.then(|| {
            format!(
                "All gradients are 0 here: {name} was computed without {}.",
                shown.name
            )
        })
    }

    /// Shows the gradients of one cell of the tensor `name`, whatever was shown before.
    pub(super) fn show_gradients_of(&mut self, name: &str, index: &[usize]) -> Result<(), String> {
        self.see_values();
        self.show(name)?;
        self.put_cursor(index)?;
        self.toggle_gradients(GradientOf::Cell)
    }

    /// Returns to the values; false if they were shown already.
    fn see_values(&mut self) -> bool {
        let Some((_, values)) = self.edits.gradients.take() else {
            return false;
        };
        self.shown.run = values;
        self.forget_why();
        true
    }
}

/// The id labelled `word` in a tensor of ids.
fn word_id(trace: &Trace, step: &Step, word: &str) -> Option<f32> {
    let (Nature::Ids, &[_, axis]) = (step.nature, &step.axes[..]) else {
        return None;
    };
    let mut cells = step.value.indices();
    let at = cells.find(|i| trace.word(axis, i[0], i[1]) == Some(word))?;
    Some(step.value.at(&at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::testing::{assert_contains, assert_starts_with};

    fn session() -> Session {
        let mut session = Session::new(curriculum::find("model").unwrap());
        session.show("src").unwrap();
        session
    }

    fn value(session: &Session, tensor: &str) -> Tensor {
        session.trace().tensor(tensor).unwrap().clone()
    }

    #[test]
    fn an_edited_token_ripples_through_the_whole_model_and_undo_brings_it_back() {
        let mut session = session();
        let (memory, words) = (
            value(&session, "encoder.norm"),
            value(&session, "generator.log_probs"),
        );
        session.edit(9.0).unwrap();
        assert_ne!(value(&session, "encoder.norm"), memory);
        assert_ne!(value(&session, "generator.log_probs"), words);
        let changed = |s: &Session, name: &str| s.is_changed(s.trace().find(name).unwrap());
        assert!(changed(&session, "src") && changed(&session, "encoder.norm"));
        assert!(!changed(&session, "tgt_embed.with_position"));
        assert!(session.undo() && !session.undo());
        assert_eq!(value(&session, "generator.log_probs"), words);
        assert!(session.redo());
        assert_ne!(value(&session, "generator.log_probs"), words);
        session.set("seed", "3").unwrap();
        assert!(
            session.edits().is_empty(),
            "edits belong to the run that was left"
        );
    }

    #[test]
    fn cells_changed_downstream_of_an_edit_are_counted_and_the_first_step_named() {
        let mut session = session();
        assert_eq!(session.ripple(), None);
        let before = session.trace().clone();
        session.edit(9.0).unwrap();
        let ripple = session.ripple().unwrap();
        let differ = |n: usize| {
            let (now, then) = (&session.trace().steps()[n], &before.steps()[n]);
            let cells = now.value.data().iter().zip(then.value.data());
            cells.filter(|(a, b)| a != b).count()
        };
        let src = session.trace().find("src").unwrap();
        let others = (0..before.steps().len()).filter(|n| *n != src);
        let differing: Vec<usize> = others.filter(|n| differ(*n) > 0).collect();
        assert_eq!(ripple.first, differing.first().copied());
        assert_eq!(ripple.tensors, differing.len());
        assert_eq!(
            ripple.cells,
            differing.iter().map(|n| differ(*n)).sum::<usize>()
        );
        assert_contains(
            &session.ripple_in_words().unwrap(),
            "downstream, first in step",
        );
        // Nothing is computed from the last tensor.
        session.undo();
        session.show("generator.log_probs").unwrap();
        session.edit(0.5).unwrap();
        assert_eq!(session.ripple().unwrap().first, None);
        assert_starts_with(&session.ripple_in_words().unwrap(), "No other number");
    }

    #[test]
    fn impossible_edits_are_refused_and_change_nothing() {
        let mut session = session();
        let before = value(&session, "generator.log_probs");
        let refused = |session: &mut Session, value: f32, words: &str| {
            assert_contains(&session.edit(value).unwrap_err(), words);
        };
        refused(&mut session, 40.0, "id 40 has no row in a table of 11");
        refused(&mut session, 1.5, "whole numbers");
        session.show("src_mask").unwrap();
        refused(&mut session, 0.5, "neither");
        session.show("encoder.norm").unwrap();
        refused(&mut session, f32::NAN, "not a number");
        assert!(session.edits().is_empty());
        assert_eq!(value(&session, "generator.log_probs"), before);
    }

    #[test]
    fn cells_that_are_put_take_the_place_of_what_was_put_before() {
        let mut session = session();
        let put =
            |session: &mut Session, cell: &str, value| session.put(&[(cell.to_owned(), value)]);
        for value in [3.0, 9.0] {
            put(&mut session, "src[0,1]", value).unwrap();
        }
        assert_eq!(session.edits().len(), 1);
        assert_eq!(value(&session, "src").at(&[0, 1]), 9.0);
        for (cell, wrong) in [("src[9,9]", 1.0), ("nothing[0]", 1.0), ("src[0,1]", 40.0)] {
            assert!(put(&mut session, cell, wrong).is_err(), "{cell}");
        }
        assert_eq!(value(&session, "src").at(&[0, 1]), 9.0);
    }

    #[test]
    fn gradients_are_shown_and_the_values_come_back() {
        let mut session = session();
        session.show("generator.log_probs").unwrap();
        let values = value(&session, "encoder.norm");
        session.toggle_gradients(GradientOf::Loss).unwrap();
        assert!(session.gradients_of().is_some());
        let grads = value(&session, "generator.log_probs");
        assert_eq!(grads.sum(), 1.0, "the scalar's own gradient is 1");
        assert_ne!(value(&session, "encoder.norm"), values);
        // In its own tensor a cell has the gradient 1, and the rest is blank.
        assert_contains(&session.remark().unwrap(), "1 at the cell");
        // The second sentence has no influence on a cell of the first.
        let rows = value(&session, "encoder.norm");
        assert!(rows.data()[..96].iter().any(|x| *x != 0.0));
        assert!(rows.data()[96..].iter().all(|x| *x == 0.0));
        assert_contains(&session.edit(1.0).unwrap_err(), "gradients are computed");
        session.toggle_gradients(GradientOf::Loss).unwrap();
        assert_eq!(value(&session, "encoder.norm"), values);
        session.show("src").unwrap();
        assert!(
            session
                .toggle_gradients(GradientOf::Loss)
                .unwrap_err()
                .contains("has no gradient")
        );
    }
}
