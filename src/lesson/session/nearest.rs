//! Choosing what to show when a run no longer has what was shown before.

use super::{Focus, Session};
use crate::autograd::Trace;
use crate::lesson::Run;

impl Session {
    /// The counterpart in this run of what `focus` was in the run `before`: the tensor or picture of the same name, or
    /// else the nearest substitute with a sentence that explains it.
    pub(super) fn nearest(&self, before: &Run, focus: Focus) -> (Focus, Option<String>) {
        let name = match focus {
            Focus::Step(n) => &before.trace.steps()[n].name,
            Focus::Picture(n) => before.pictures[n].name,
        };
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
        let shown = match nearest {
            Focus::Step(n) => &self.shown.run.trace.steps()[n].name,
            Focus::Picture(n) => self.shown.run.pictures[n].name,
        };
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
        assert!(
            remark.contains("no step scaled") && remark.contains("shows scores"),
            "{remark}"
        );
    }

    #[test]
    fn what_a_mistake_changes_is_looked_at_where_its_step_is_gone() {
        let (shown, remark) = after("masked", "mask-after");
        // Only the weights show what their rows still sum to.
        assert_eq!(shown, "weights");
        assert!(
            remark
                .unwrap()
                .contains("shows weights, where the mistake can be seen")
        );
    }

    #[test]
    fn what_is_still_there_is_looked_at_and_nothing_is_said() {
        assert_eq!(after("weights", "mask-after"), ("weights".to_owned(), None));
    }
}
