//! What a finished training is measured by, and what the model then writes.

use serde::{Deserialize, Serialize};

use super::built::Built;
use super::rung::{Fault, Rung};
use crate::lesson::memo::Memo;
use crate::lesson::short_run::ground::ground;
use crate::lesson::short_run::{Recipe, Seen, seen};
use crate::text::vocabulary::UNK;

/// Sentences that every model translates, with their correct translations. None is in the training data.
pub const SENTENCES: [(&str, &str); 5] = [
    ("Was wirft der Gast weg?", "What does the guest throw away?"),
    (
        "Sie wird jede Zeitung lesen.",
        "She will read every newspaper.",
    ),
    ("Der Hund sieht den Mann.", "The dog sees the man."),
    ("Der Mann sieht den Hund.", "The man sees the dog."),
    (
        "Der kleine Hund schläft im Garten.",
        "The small dog sleeps in the garden.",
    ),
];

/// Results of one training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The parts of the model.
    pub parts: Rung,
    /// What is wrong with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Seed of the training.
    pub seed: u64,
    /// Held-out sentences that it translates right, word for word, of 100.
    pub right: usize,
    /// Loss on the held-out sentences, in nats per token.
    pub loss: f64,
    /// Share of their tokens that are right after the true ones before them.
    pub next_right: f64,
    /// Translations of [`SENTENCES`].
    pub written: Vec<String>,
}

crate::weigh!(Outcome: written);

impl Outcome {
    /// Results of `built`, which is trained first unless it has been.
    pub fn of(built: Built) -> Self {
        static DONE: Memo<Outcome> = Memo::new("so far: outcomes");
        (*DONE.get(format!("{built:?}"), || Self::measure(built))).clone()
    }

    fn measure(built: Built) -> Self {
        let end = seen(built, Built::STEPS);
        let [next_right, _, exact] = end.shares();
        let rounded = |x: f64| (x * 1e4).round() / 1e4;
        Self {
            parts: built.rung,
            fault: built.fault,
            seed: built.seed,
            right: (exact * ground().held_out.pairs.len() as f64).round() as usize,
            loss: rounded(end.now().held_out),
            next_right: rounded(next_right),
            written: written(&end, &SENTENCES.map(|(german, _)| german)),
        }
    }
}

/// The words of a line, with marks apart as in the phrasebook.
pub fn apart(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars() {
        if matches!(c, '.' | ',' | '?' | '!') {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// Words of `line` that are not among those of the training data.
pub fn unknown(line: &str) -> Vec<String> {
    let source = &ground().pipeline.source;
    let words = apart(line);
    let unknown = words.split_whitespace().filter(|word| {
        let ids = source.ids(word);
        ids.iter().any(|&id| id as usize == UNK)
    });
    unknown.map(str::to_owned).collect()
}

/// Greedy translations of `lines`, as people write them. A translation without an end is cut off.
pub fn written(seen: &Seen<Built>, lines: &[&str]) -> Vec<String> {
    let pipeline = &ground().pipeline;
    let sources: Vec<Vec<u32>> = lines
        .iter()
        .map(|line| pipeline.source_ids(&apart(line)))
        .collect();
    let all = seen.written(&sources);
    all.iter().map(|ids| spelled(ids)).collect()
}

/// Tokens as a line. Start and end tokens are spelled out, since some models write nothing else.
fn spelled(ids: &[u32]) -> String {
    /// Times that one word is repeated in print.
    const TIMES: usize = 4;
    let vocabulary = &ground().pipeline.target.vocabulary;
    let words: Vec<&str> = ids.iter().map(|&id| vocabulary.word(id as usize)).collect();
    let alike = words.len() > TIMES && words.iter().all(|word| Some(word) == words.first());
    let shown = if alike { TIMES } else { words.len() };
    let mut line = words[..words.len().min(shown)].join(" ");
    if !alike {
        for mark in [".", ",", "?", "!"] {
            line = line.replace(&format!(" {mark}"), mark);
        }
    }
    let endless = words.len() >= crate::lesson::short_run::MOST;
    match (words.is_empty(), endless || words.len() > shown) {
        (true, _) => "(nothing: the end token comes first)".to_owned(),
        (_, true) => line + " …",
        (_, false) => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentences_are_known_word_by_word_and_in_no_training_data() {
        let ground = ground();
        for (german, english) in SENTENCES {
            assert_eq!(unknown(german), [""; 0], "{german}");
            let ids = ground.pipeline.source_ids(&apart(german));
            let known = ground.train.pairs.iter().any(|(source, _)| *source == ids);
            assert!(!known, "{german}");
            let target = ground.pipeline.target.ids(&apart(english));
            assert!(target.iter().all(|&id| id as usize != UNK), "{english}");
        }
    }

    #[test]
    fn a_line_is_spelled_as_people_write_it_and_says_if_it_has_no_end() {
        let target = &ground().pipeline.target;
        assert_eq!(spelled(&target.ids("The dog sleeps .")), "The dog sleeps.");
        assert_eq!(spelled(&[1; 14]), "<s> <s> <s> <s> …");
        assert!(spelled(&[]).contains("end token"));
        assert_eq!(unknown("Der Zwerg schläft."), ["Zwerg"]);
    }
}
