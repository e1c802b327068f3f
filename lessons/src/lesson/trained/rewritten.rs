//! What the trained translator writes when some of its numbers are set by hand.

use std::sync::Arc;

use super::broken::Broken;
use super::reading::{LONGEST, written_anew};
use crate::autograd::{Edit, Trace};
use crate::lesson::memo::Memo;
use crate::train::built_in::BuiltIn;

/// A number of a recorded tensor, set to `value`.
#[derive(Clone, Debug, PartialEq)]
pub struct SetCell {
    pub tensor: String,
    pub index: Vec<usize>,
    pub value: f32,
}

/// The greedy translation of `line` by the intact translator, with these numbers set in each of its steps. A step that
/// comes before a number's row does without it.
pub fn rewritten(line: &str, set: &[SetCell]) -> Arc<String> {
    static MEMO: Memo<String> = Memo::new("the trained model: translations with numbers set");
    MEMO.get(format!("{set:?} | {line}"), || written(line, set))
}

fn written(line: &str, set: &[SetCell]) -> String {
    let t = BuiltIn::Everyday.translator();
    let sentence = t.pipeline.sentence(line);
    let mut src = sentence.ids.clone();
    src.truncate(LONGEST);
    let (ids, _) = written_anew(&Broken::new(t, None), &src, |trace| {
        let edits: Vec<Edit> = set.iter().filter_map(|cell| cell.edit(&trace)).collect();
        trace.replay(&edits)
    });
    t.pipeline.translation(&sentence, &ids)
}

impl SetCell {
    /// The edit of a pass that sets it; `None` if the pass has no such cell.
    fn edit(&self, trace: &Trace) -> Option<Edit> {
        let mut steps = trace.steps().iter();
        let step = steps.position(|step| step.name == self.tensor)?;
        let shape = trace.steps()[step].value.shape();
        let is_there = shape.len() == self.index.len()
            && shape.iter().zip(&self.index).all(|(size, at)| at < size);
        is_there.then(|| Edit {
            step,
            index: self.index.clone(),
            value: self.value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::trained::{Reading, SENTENCE};

    #[test]
    fn without_a_number_set_it_is_the_translation() {
        assert_eq!(*rewritten(SENTENCE, &[]), Reading::of(SENTENCE, None).text);
    }

    #[test]
    fn one_weight_set_to_5_changes_words_after_it_and_none_before() {
        let cell = SetCell {
            tensor: "decoder.layers.1.src_attn.weights".to_owned(),
            index: vec![0, 0, 2, 5],
            value: 5.0,
        };
        let text = rewritten(SENTENCE, &[cell]);
        assert!(
            text.starts_with("The little ") && *text != Reading::of(SENTENCE, None).text,
            "{text}"
        );
    }
}
