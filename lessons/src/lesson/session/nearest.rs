//! Choosing what to show when a run no longer has what was shown before.

use super::{Focus, Session};
use crate::autograd::Trace;
use crate::lesson::Run;

/// What was shown until a run came that lacks it or its cell, and what is shown instead.
#[derive(Clone)]
pub(super) struct Substituted {
    /// Name of the step or picture that the run lacks.
    name: String,
    /// Where its cursor was.
    cursor: Vec<usize>,
    /// Where the cursor is instead.
    near: Vec<usize>,
    /// Name of what is shown instead.
    instead: String,
}

impl Session {
    /// Shows in this run what was shown in the run `before`, or what is nearest to it; what an earlier run lacked comes
    /// back as soon as a run has it again, unless the learner has looked elsewhere. Returns what there is to say.
    pub(super) fn look_as_before(&mut self, before: &Run) -> Option<String> {
        let shown = name_in(before, self.view.focus).to_owned();
        let cursor = self.view.cursor.clone();
        let lacked = self.view.substituted.take();
        let stayed = |lacked: &Substituted| lacked.name != shown || lacked.near == cursor;
        let lacked = lacked.filter(|lacked| lacked.instead == shown && stayed(lacked));
        if let Some(lacked) = &lacked
            && let Some(focus) = self.named(&lacked.name)
        {
            self.look_at(focus);
            self.put_near(&lacked.cursor);
            if self.view.cursor != lacked.cursor {
                self.view.substituted = Some(Substituted {
                    instead: lacked.name.clone(),
                    near: self.view.cursor.clone(),
                    ..lacked.clone()
                });
            }
            return None;
        }
        let (focus, said) = self.nearest(before, self.view.focus);
        self.look_at(focus);
        self.put_near(&cursor);
        let instead = name_in(&self.shown.run, focus).to_owned();
        self.view.substituted = match lacked {
            Some(lacked) => Some(Substituted { instead, ..lacked }),
            None => (said.is_some() || self.view.cursor != cursor).then(|| Substituted {
                name: shown,
                near: self.view.cursor.clone(),
                cursor,
                instead,
            }),
        };
        said
    }

    /// Puts the cursor at this position, or at the nearest one of the tensor, if it has as many axes.
    fn put_near(&mut self, cursor: &[usize]) {
        let shape = self.cursor_shape();
        if cursor.len() == shape.len() {
            let places = cursor.iter().zip(&shape);
            self.view.cursor = places.map(|(&i, &n)| i.min(n.saturating_sub(1))).collect();
        }
    }

    /// The counterpart in this run of what `focus` was in the run `before`: the tensor or picture of the same name, or
    /// else the nearest substitute with a sentence that explains it.
    fn nearest(&self, before: &Run, focus: Focus) -> (Focus, Option<String>) {
        let name = name_in(before, focus);
        if let Some(same) = self.named(name) {
            return (same, None);
        }
        if let Some(alike) = self.by_last_name(before, focus) {
            return (alike, None);
        }
        if let (Focus::Step(_), Some(step)) = (focus, self.affected()) {
            let shown = &self.shown.run.trace.steps()[step].name;
            let remark = format!(
                "This run has no step {name}. The stage shows {shown}, where the mistake can be seen."
            );
            return (Focus::Step(step), Some(remark));
        }
        let (nearest, what) = match focus {
            Focus::Picture(n) if !self.shown.run.pictures.is_empty() => {
                let n = n.min(self.shown.run.pictures.len() - 1);
                (Focus::Picture(n), "picture")
            }
            Focus::Picture(_) => (
                Focus::Step(self.shown.run.trace.steps().len() - 1),
                "picture",
            ),
            Focus::Step(n) => (
                Focus::Step(in_its_place(&before.trace, n, &self.shown.run.trace)),
                "step",
            ),
        };
        let shown = name_in(&self.shown.run, nearest);
        let remark =
            format!("This run has no {what} {name}. The stage shows {shown} in its place.");
        (nearest, Some(remark))
    }

    /// The step in which the effect of the current mistake can be seen.
    fn affected(&self) -> Option<usize> {
        let on = self.settings.mistakes().next()?;
        let mistake = self.lesson.mistakes.iter().find(|m| m.name == on)?;
        names(mistake.effect).find_map(|name| self.shown.run.trace.find(name))
    }
}

/// Name of a step or picture of a run.
fn name_in(run: &Run, focus: Focus) -> &str {
    match focus {
        Focus::Step(n) => &run.trace.steps()[n].name,
        Focus::Picture(n) => run.pictures[n].name,
    }
}

/// Names in a claim: `weights` in `sum(weights[1,0,0,:]) < 0.99`.
fn names(claim: &str) -> impl Iterator<Item = &str> {
    claim
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
        .filter(|word| word.starts_with(char::is_alphabetic))
}

/// Index of the step of `now` nearest to step `lost` of `before`, whose name `now` does not have: a new step between
/// the same neighbours, preferably of the same shape; else the neighbour before it; else the one after it or the last
/// step.
fn in_its_place(before: &Trace, lost: usize, now: &Trace) -> usize {
    let (old, new) = (before.steps(), now.steps());
    let left = old[..lost].iter().rev().find_map(|s| now.find(&s.name));
    let right = old[lost..].iter().find_map(|s| now.find(&s.name));
    let from = left.map_or(0, |n| n + 1);
    let between = from..right.unwrap_or(new.len()).max(from);
    let shape = old[lost].value.shape();
    let made = |n: &usize| before.find(&new[*n].name).is_none();
    let fits = between
        .clone()
        .find(|n| made(n) && new[*n].value.shape() == shape);
    match (left, right) {
        // A different scene: no step corresponds.
        (None, None) => new.len() - 1,
        _ => fits
            .or_else(|| between.clone().find(made))
            .or(left)
            .or(right)
            .unwrap_or(new.len() - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curriculum;
    use crate::testing::assert_contains;

    /// The step shown, and the message, after `mistake` is switched on at `step` of the attention lesson's experiment.
    fn after(step: &str, mistake: &str) -> (String, Option<String>) {
        let mut session = Session::new(curriculum::find("attention").unwrap());
        session.set("scene", "experiment").unwrap();
        session.show(step).unwrap();
        session.switch(mistake, true).unwrap();
        let shown = session.step().unwrap().name.clone();
        (shown, session.remark().map(str::to_owned))
    }

    #[test]
    fn a_step_that_a_mistake_does_without_is_replaced_by_its_neighbour_and_that_is_said() {
        let (shown, remark) = after("scaled", "no-scale");
        assert_eq!(shown, "scores");
        let remark = remark.unwrap();
        assert_contains(&remark, "no step scaled");
        assert_contains(&remark, "shows scores");
    }

    #[test]
    fn a_vanished_step_is_replaced_by_one_that_shows_the_mistake() {
        let (shown, remark) = after("masked", "mask-after");
        // Only the weights show what their rows still sum to.
        assert_eq!(shown, "weights");
        assert_contains(
            &remark.unwrap(),
            "shows weights, where the mistake can be seen",
        );
    }

    #[test]
    fn a_step_that_a_mistake_did_without_comes_back_when_it_is_repaired() {
        let mut session = Session::new(curriculum::find("attention").unwrap());
        session.set("scene", "experiment").unwrap();
        session.show("scaled").unwrap();
        let mut cell = vec![0; session.cursor().len()];
        *cell.last_mut().unwrap() = 2;
        session.put_cursor(&cell).unwrap();
        let shown = |session: &Session| session.step().unwrap().name.clone();
        session.switch("no-scale", true).unwrap();
        assert_eq!(shown(&session), "scores");
        session.switch("no-scale", false).unwrap();
        assert_eq!(
            (shown(&session), session.cursor()),
            ("scaled".to_owned(), &cell[..])
        );
        session.switch("no-scale", true).unwrap();
        session.show("weights").unwrap();
        session.switch("no-scale", false).unwrap();
        assert_eq!(
            shown(&session),
            "weights",
            "the learner has looked elsewhere"
        );
    }

    #[test]
    fn a_step_that_still_exists_stays_in_view_without_a_remark() {
        assert_eq!(after("weights", "mask-after"), ("weights".to_owned(), None));
    }
}
