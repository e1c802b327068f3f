//! What the trained translator writes when some of its numbers are set by hand.

use std::sync::Arc;

use super::broken::Broken;
use super::reading::LONGEST;
use crate::autograd::{Edit, Tape};
use crate::lesson::largest;
use crate::lesson::memo::Memo;
use crate::text::vocabulary::EOS;
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
    let model = Broken::new(t, None);
    let mut ids = Vec::new();
    while ids.last() != Some(&(EOS as u32)) && ids.len() < LONGEST {
        let tape = Tape::eval(&t.params);
        // The next token is predicted in row `ids.len()`; the token after it does not exist yet.
        let so_far = [&ids[..], &[EOS as u32]].concat();
        model.record(&tape, &src, &so_far);
        let trace = tape.trace();
        let edits = set.iter().filter_map(|cell| {
            let step = trace
                .steps()
                .iter()
                .position(|step| step.name == cell.tensor)?;
            let shape = trace.steps()[step].value.shape();
            let is_there = shape.len() == cell.index.len()
                && shape.iter().zip(&cell.index).all(|(size, at)| at < size);
            is_there.then(|| Edit {
                step,
                index: cell.index.clone(),
                value: cell.value,
            })
        });
        let trace = trace.replay(&edits.collect::<Vec<_>>());
        let log_probs = trace.tensor("generator.log_probs");
        let log_probs = log_probs.expect("the pass records its log-probabilities");
        let row = log_probs.data().chunks(log_probs.last()).nth(ids.len());
        ids.push(largest(row.expect("there is a row for each token")) as u32);
    }
    t.pipeline.translation(&sentence, &ids)
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
