//! What the learner's edits have done, in sentences.

use super::super::cell_name::cell_name;
use super::Session;
use crate::typeset::number::grouped;

impl Session {
    /// Sentences about the gradients and the edits; empty if there are none.
    pub fn edits_in_words(&self) -> String {
        let mut sentences = Vec::new();
        if let Some(of) = self.gradients_of() {
            let name = cell_name(&self.shown.run.trace.steps()[of.step].name, &of.index);
            sentences.push(format!(
                "These are gradients: how {name} moves with each cell."
            ));
            sentences.extend(self.blank_gradients());
        }
        match self.edits().len() {
            0 => {}
            1 => sentences.push("One cell was changed; pictures show the previous run.".to_owned()),
            n => sentences.push(format!(
                "{n} cells were changed; pictures show the previous run."
            )),
        }
        sentences.extend(self.prediction_in_words());
        sentences.extend(self.ripple_in_words());
        sentences.join(" ")
    }

    /// A sentence about the token of a translator's prediction whose probability the edits change most; `None` if they
    /// change none.
    pub fn prediction_in_words(&self) -> Option<String> {
        let (before, now) = (self.edits.before.as_ref()?, self.values());
        let number = now.trace.find("generator.log_probs")?;
        let [before, after] = [before, now].map(|run| run.trace.steps()[number].value.data());
        let change = |at: &usize| (after[*at].exp() - before[*at].exp()).abs();
        let changed = (0..after.len()).filter(|at| change(at) >= 0.01);
        let most = changed.max_by(|a, b| change(a).total_cmp(&change(b)))?;
        let columns = now.trace.steps()[number].value.last();
        let row = now.trace.row_word("t", 0, most / columns)?;
        let token = now.trace.word("v", 0, most % columns)?;
        let [before, after] = [before, after].map(|all| 100.0 * all[most].exp());
        Some(format!(
            "In the row {row}, the probability of “{token}” goes from {before:.0}% to {after:.0}%."
        ))
    }

    /// A sentence about how far the edits reach; `None` if there are none.
    pub fn ripple_in_words(&self) -> Option<String> {
        let ripple = self.ripple()?;
        let Some(first) = ripple.first else {
            return Some("No other number of the run depends on it.".to_owned());
        };
        let many = |n: usize, word: &str| match n {
            1 => format!("1 {word}"),
            n => format!("{} {word}s", grouped(n as u64)),
        };
        let name = &self.trace().steps()[first].name;
        Some(format!(
            "This changed {} of {} downstream, first in step {}: {name}.",
            many(ripple.cells, "cell"),
            many(ripple.tensors, "tensor"),
            first + 1
        ))
    }
}
