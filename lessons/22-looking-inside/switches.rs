//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range, models};
use transformer_tutor::transformer::heads::KINDS;

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "row-that-reads",
        title: "take the row that reads the word",
        watch: "Look at links: nearly all are one word too late. The row that reads 'it' is looking for what comes after 'it'.",
        effect: "error > sound_error + 0.2",
        settings: &[],
        hint: "You take for each word the row that reads it. That row looks for the next word: the one before it predicted this word.",
        check: Some(|| check::check(mistakes::row_that_reads)),
    },
    Mistake {
        name: "with-end",
        title: "link the EOS as well",
        watch: "There is a link more than there are words: the end of the sentence is linked to some word.",
        effect: "links == words + 1",
        settings: &[],
        hint: "You link the last row too. It predicts the EOS, which translates no word.",
        check: Some(|| check::check(mistakes::with_end)),
    },
    Mistake {
        name: "first-head",
        title: "look at one head only",
        watch: "Heads look for different things. One of them alone is seldom as good as their mean.",
        effect: "links_apart > 0",
        settings: &[],
        hint: "You look at the first head alone. Take the mean of all heads, or their sum: the largest stays the largest.",
        check: Some(|| check::check(mistakes::first_head)),
    },
    Mistake {
        name: "by-source",
        title: "search along the other axis",
        watch: "Now every source word has a link, the comma and the EOS too, and some English words have several.",
        effect: "links != words",
        settings: &[],
        hint: "You look for the best target word of each source word. Each row is a distribution over source words: look along the row.",
        check: Some(|| check::check(mistakes::by_source)),
    },
    Mistake {
        name: "swapped",
        title: "turn the pairs round",
        watch: "Where both languages have the same order it makes no difference, so the error rises a little and no more. Links that cross are all wrong.",
        effect: "links_apart > 0",
        settings: &[],
        hint: "Your pairs are (target, source). Both the truth and the result have the source first.",
        check: Some(|| check::check(mistakes::swapped)),
    },
    Mistake {
        name: "found-only",
        title: "count only what was found",
        watch: "The links are the same and the error is another one: true links that were not found cost nothing now. Whoever finds one link and is right has no error.",
        effect: "abs(error - sound_error) > 0.0001",
        settings: &[],
        hint: "You divide by the found links alone. True links that were not found are errors as well: divide by both numbers together.",
        check: Some(|| check::check(mistakes::found_only)),
    },
    Mistake {
        name: "counted-once",
        title: "forget the 2",
        watch: "The error is never below a half, even if every link is right: a right link stands in both lists, and is counted once.",
        effect: "error >= 0.5",
        settings: &[],
        hint: "A link that is both found and true stands in both lists, so it counts twice: 2 · both.",
        check: Some(|| check::check(mistakes::counted_once)),
    },
];

pub static KNOBS: [Knob; 8] = [
    Knob {
        name: "sentence",
        about: "German words of the phrasebook, with blanks between (type :sentence=… and Enter)",
        range: Range::Text {
            most: 160,
            stops: &[
                "Weil es geregnet hat , hast du zwei Bücher geschrieben .",
                "Der Koch , der unseren Mantel verloren hat , trägt seine Jacke .",
                "Jede Frau hofft , dass jeder Nachbar neun Hüte vergessen hat .",
                "Gestern bin ich ins schöne Museum gefahren , um zu arbeiten .",
                "Wer ist ins Büro gegangen ?",
            ],
        },
        default: "Weil es geregnet hat , hast du zwei Bücher geschrieben .",
    },
    Knob {
        name: "kind",
        about: "which attention the picture weights shows",
        range: Range::Choice(&KINDS),
        default: "cross",
    },
    Knob {
        name: "layer",
        about: "of which layer; 0 is the last",
        range: Range::Whole {
            least: 0,
            most: 12,
            stops: &[0, 1, 2, 3, 4, 5, 6],
        },
        default: "0",
    },
    Knob {
        name: "head",
        about: "of which head; 0 is the mean of all",
        range: Range::Whole {
            least: 0,
            most: 16,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8],
        },
        default: "0",
    },
    Knob {
        name: "off",
        about: "heads switched off: none, cross, cross.2, cross.2.1, several with blanks between",
        range: Range::Text {
            most: 60,
            stops: &["none", "cross.1", "cross.2", "cross", "decoder", "encoder"],
        },
        default: "none",
    },
    Knob {
        name: "word",
        about: "the output word whose reasons are asked for",
        range: Range::Whole {
            least: 1,
            most: 40,
            stops: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
        },
        default: "5",
    },
    models::MODEL,
    models::BACK,
];
