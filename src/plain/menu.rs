//! Commands of plain mode.

use std::fmt::Write as _;

use crate::lesson::ACTIONS;

/// A command within a lesson; its number is its position in the list, counted from 1.
pub(super) struct Entry {
    pub word: &'static str,
    /// Its argument; empty if it takes none.
    pub takes: &'static str,
    pub about: &'static str,
}

pub(super) const ENTRIES: [Entry; 32] = [
    Entry {
        word: "next",
        takes: "",
        about: "the next page",
    },
    Entry {
        word: "previous",
        takes: "",
        about: "the previous page",
    },
    Entry {
        word: "page",
        takes: "",
        about: "this page again",
    },
    Entry {
        word: "step",
        takes: "",
        about: "the next recorded operation",
    },
    Entry {
        word: "unstep",
        takes: "",
        about: "the previous operation",
    },
    Entry {
        word: "look",
        takes: "NAME",
        about: "a tensor or a picture",
    },
    Entry {
        word: "at",
        takes: "I,J,…",
        about: "put the cursor on this cell",
    },
    Entry {
        word: "why",
        takes: "[NAME[I,J,…] or TERM]",
        about: "where a cell came from; then one of its terms, down to the leaf",
    },
    Entry {
        word: "symbols",
        takes: "",
        about: "what the symbols of this page's formulas stand for in the run",
    },
    Entry {
        word: "up",
        takes: "",
        about: "back to the cell asked about before",
    },
    Entry {
        word: "set",
        takes: "KNOB VALUE",
        about: "turn a knob",
    },
    Entry {
        word: "break",
        takes: "NUMBER or NAME",
        about: "switch a mistake on or off",
    },
    Entry {
        word: "difference",
        takes: "",
        about: "the broken run minus the correct one; again: both, and the cell that changed most",
    },
    Entry {
        word: "edit",
        takes: "VALUE",
        about: "give the cell under the cursor (at) another value; everything downstream runs again",
    },
    Entry {
        word: "undo",
        takes: "",
        about: "undo the last change of a cell",
    },
    Entry {
        word: "redo",
        takes: "",
        about: "make it again",
    },
    Entry {
        word: "backward",
        takes: "[cell]",
        about: "flip every tensor to its gradient, of the loss; of the cell under the cursor (cell); or back",
    },
    Entry {
        word: "g",
        takes: "[NAME[I,J,…]]",
        about: "nudge the cell under the cursor (or this one) by steps of several sizes, and compare the slope with the tape's",
    },
    Entry {
        word: "zoom",
        takes: "[A B, in, out, newest]",
        about: "zoom a chart to A–B, in, out, or to its newest points; alone, show all of it. at X reads the value at X",
    },
    Entry {
        word: "log",
        takes: "",
        about: "make a chart's vertical axis logarithmic, or linear again",
    },
    Entry {
        word: "run",
        takes: "",
        about: "start the experiment of the picture in view",
    },
    Entry {
        word: "train",
        takes: "[UPDATES, rate up, rate down, save, resume, back, forward, fork, race, lane, pause, head, stop]",
        about: "steer the training run in view: make so many updates, then wait; run pauses and resumes",
    },
    Entry {
        word: "predict",
        takes: "",
        about: "answer this page's question",
    },
    Entry {
        word: "quiz",
        takes: "",
        about: "the questions at the end",
    },
    Entry {
        word: "explain",
        takes: "",
        about: "the lesson's main idea in your own words, with three points to compare with",
    },
    Entry {
        word: "exercise",
        takes: "[NAME] [hint|guided|open|blank]",
        about: "the function to write: its task, your file, the check; by its name, where there are several; guided, open and blank say what the file gives you",
    },
    Entry {
        word: "mine",
        takes: "",
        about: "the map of your own model: which functions are yours, and what it has reached",
    },
    Entry {
        word: "play",
        takes: "[SENTENCE]",
        about: "the playground: your sentence, any model, and all that can be seen of it",
    },
    Entry {
        word: "term",
        takes: "NAME",
        about: "what a term of the course means, and where it is taught",
    },
    Entry {
        word: "terms",
        takes: "",
        about: "the glossary: a list of all terms",
    },
    Entry {
        word: "core",
        takes: "",
        about: "keep to the core path, or open all pages again",
    },
    Entry {
        word: "lessons",
        takes: "",
        about: "the list of lessons",
    },
];

/// Command for a key of the screen that a text may name; anything else is returned unchanged.
pub(super) fn named_by_key(key: &str) -> &str {
    match key {
        "\"" => "explain",
        "K" | "glossary" => "terms",
        "D" => "term",
        key => (ACTIONS.iter())
            .find(|action| action.key == key)
            .map_or(key, |action| action.command),
    }
}

/// Group headings, each with the first command of its group.
const GROUPS: [(&str, &str); 6] = [
    ("next", "Read"),
    ("step", "Look at the run, and ask why"),
    ("set", "Change it"),
    ("backward", "Gradients"),
    ("zoom", "Charts and experiments"),
    ("predict", "Questions, exercises, and more about the lesson"),
];

/// The list of commands in groups, as the learner sees it.
pub(super) fn menu() -> String {
    let mut text = String::from("You can type a word or its number:\n");
    for (i, entry) in ENTRIES.iter().enumerate() {
        if let Some((_, group)) = GROUPS.iter().find(|(first, _)| *first == entry.word) {
            let _ = writeln!(text, "{group}:");
        }
        let call = format!("{} {}", entry.word, entry.takes);
        let _ = writeln!(
            text,
            "  {:>2} {:<32} {}",
            i + 1,
            call.trim_end(),
            entry.about
        );
    }
    text
}

/// The commands that a newcomer needs, in a line or two.
pub(super) fn brief() -> String {
    format!(
        "\nnext reads on, step shows the next operation, why asks where a number came from, break 1 breaks something.\nh lists all {} words.",
        ENTRIES.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_begins_with_a_word_and_the_first_word_begins_a_group() {
        for (first, group) in GROUPS {
            assert!(ENTRIES.iter().any(|entry| entry.word == first), "{group}");
        }
        assert_eq!(GROUPS[0].0, ENTRIES[0].word);
        let lines = menu().lines().count();
        assert_eq!(lines, 1 + GROUPS.len() + ENTRIES.len());
    }
}
