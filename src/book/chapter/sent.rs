//! The figures that a callout or a paragraph sends its reader to: another tensor, other settings, or the mistakes and knobs
//! that it names where the page has no figure of its own.

use std::collections::BTreeMap;

use super::Writer;
use crate::book::knobs::{self, Turned};
use crate::book::mistakes::named_mistakes;
use crate::book::{commands, controls};
use crate::lesson::page::StageBlock;

/// Words that send a reader to a tensor or a picture.
const SENDING: [&str; 7] = [
    "`:look ",
    "tep to ",
    "tep on to ",
    "o to the ",
    "ook at ",
    "cell of ",
    "press `v` until",
];

/// What a few sentences ask for at once; the next settings begin another.
#[derive(Clone, Default)]
struct Asked {
    set: BTreeMap<String, String>,
    mistakes: Vec<usize>,
    turned: Vec<Turned>,
    look: Option<String>,
}

impl Asked {
    fn is_empty(&self) -> bool {
        self.set.is_empty() && self.mistakes.is_empty() && self.look.is_none()
    }
}

impl Writer {
    /// Draws what the lines send their reader to.
    pub(super) fn sent(&mut self, lines: &[&str], has_stage: bool) {
        let Some(block) = self.shown.clone() else {
            return;
        };
        let whole = lines.join(" ");
        let sends = SENDING.iter().any(|words| whole.contains(words));
        for asked in self.asked(&whole) {
            let mut at = block.clone();
            at.set.extend(asked.set.clone());
            let set = at.set != block.set;
            let looks = asked.look.is_some() && sends;
            let asks = !asked.mistakes.is_empty() || !asked.turned.is_empty() || set || looks;
            if !asks || (has_stage && asked.look.is_none() && !set) {
                continue;
            }
            let show = asked.look.or(block.show.clone());
            if let Some(sentence) = show.as_deref().and_then(|show| self.sentence(&whole, show)) {
                at.at = vec![sentence];
            }
            let (mistakes, turned) = (&asked.mistakes, &asked.turned);
            // A run that refuses its settings, or has no such tensor, is a sentence of the text, not a figure.
            let _ = self.figure(&at, show.as_deref(), mistakes, turned);
        }
    }

    /// Which sentence of the batch a text speaks of, where the tensor has several.
    fn sentence(&self, text: &str, tensor: &str) -> Option<usize> {
        let named = ["first sentence", "second sentence", "third sentence"];
        let number = named.iter().position(|words| text.contains(words))?;
        let trace = self.session.trace();
        let step = &trace.steps()[trace.find(tensor)?];
        let batch = *step.axes.first()? == "b" && number < step.value.shape()[0];
        batch.then_some(number)
    }

    /// What a text asks for, one thing after the other.
    fn asked(&self, text: &str) -> Vec<Asked> {
        let lesson = self.lesson();
        let breaks = !named_mistakes(text, lesson.mistakes.len()).is_empty();
        let mut all = Vec::new();
        let mut now = Asked::default();
        for sentence in controls::sentences(text) {
            let turned = knobs::named(&commands::said(sentence), lesson.knobs);
            let typed = commands::settings(sentence).into_iter();
            let known = typed.filter(|(name, _)| lesson.knobs.iter().any(|k| k.name == *name));
            let mut set: BTreeMap<String, String> =
                known.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
            // What is to be broken at a setting of a knob is broken there.
            for turned in turned.iter().filter(|_| breaks) {
                if let Some(value) = turned.values.last() {
                    set.insert(turned.knob.name.to_owned(), value.clone());
                }
            }
            if !set.is_empty() && !now.is_empty() {
                all.push(now.clone());
                now.mistakes.clear();
                now.turned.clear();
            }
            let others = turned
                .into_iter()
                .filter(|t| !set.contains_key(t.knob.name));
            now.turned.extend(others);
            now.set.extend(set);
            now.mistakes
                .extend(named_mistakes(sentence, lesson.mistakes.len()));
            now.look = self.look(sentence).or(now.look);
        }
        all.push(now);
        // Who named a mistake before wants to see it at the next settings too.
        for at in 1..all.len() {
            if all[at].mistakes.is_empty() {
                all[at].mistakes = all[at - 1].mistakes.clone();
            }
        }
        for asked in &mut all {
            asked.mistakes.sort_unstable();
            asked.mistakes.dedup();
        }
        all
    }

    /// What a figure shows that stands below a callout: there no block has a caption for it.
    pub(super) fn caption(
        &self,
        block: &StageBlock,
        show: Option<&str>,
        mistakes: &[usize],
        knobs: &[Turned],
    ) -> Option<String> {
        show?;
        let before = self.shown.as_ref().map(|shown| &shown.set);
        let set = block
            .set
            .iter()
            .filter(|(knob, value)| before.and_then(|set| set.get(*knob)) != Some(*value));
        let set: Vec<String> = set
            .map(|(knob, value)| format!("`{knob}` at {value}"))
            .collect();
        let mut said = match set.is_empty() {
            true => String::new(),
            false => format!("The run with {}. ", set.join(" and ")),
        };
        // On paper there is nothing to press: the words must be true there, too.
        said += match (mistakes.len(), set.is_empty()) {
            (0, _) => "",
            (1, true) => "The sound run. One mistake can be switched on.",
            (_, true) => "The sound run. Its mistakes can be switched on, one at a time.",
            (1, false) => "One mistake can be switched on.",
            (_, false) => "Its mistakes can be switched on, one at a time.",
        };
        if said.is_empty() {
            said += match knobs.is_empty() {
                true => "What the text above names.",
                false => "Compare it with the knob's other values.",
            };
        }
        Some(said.trim().to_owned())
    }
}
