//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 9] = [
    Mistake {
        name: "unweighted",
        title: "count every word once",
        watch: "The pairs of a word that stands six times in the text count as little as those of a word that stands there once: w + e of lower and newest now leads.",
        effect: "max(pairs) < 9",
        settings: &[],
        hint: "You count each word once. A pair occurs as often as its word does: add the word's count.",
        check: Some(|| check::check(mistakes::unweighted)),
    },
    Mistake {
        name: "first-tie",
        title: "take the first of equals",
        watch: "e + s and s + t</w> occur equally often. Merging the other one gives another vocabulary: files of merges of two programs no longer agree.",
        effect: "first_is_es == 1",
        settings: &[("merges", "1")],
        hint: "Of equally frequent pairs you take the first. The last in the order of code points is asked for.",
        check: Some(|| check::check(mistakes::first_tie)),
    },
    Mistake {
        name: "across-words",
        title: "merge across words",
        watch: "Symbols grow over the blank: whole phrases become one symbol, and no single word can be put together from them.",
        effect: "across > 0",
        settings: &[("merges", "10")],
        hint: "Your pairs reach from the end of one word into the next. Count inside each word only.",
        check: Some(|| check::check(mistakes::across_words)),
    },
    Mistake {
        name: "no-mark",
        title: "leave the end unmarked",
        watch: "No symbol ends in </w>: est in the middle of a word and est at its end are one symbol now, and the pieces do not say where a word ends.",
        effect: "marked == 0",
        settings: &[],
        hint: "Your words end without </w>. The last character carries it, as in w</w>.",
        check: Some(|| check::check(mistakes::no_mark)),
    },
    Mistake {
        name: "once",
        title: "merge the first occurrence only",
        watch: "In banana the pair a + n stands twice. Only the first becomes one symbol: the other stays apart, the text stays longer (the last column), and later merges are others.",
        effect: "left_over > 0",
        settings: &[("corpus", "letters"), ("merges", "2")],
        hint: "You stop after the first occurrence in a word. The pair becomes one symbol wherever it stands.",
        check: Some(|| check::check(mistakes::once)),
    },
    Mistake {
        name: "from-right",
        title: "merge from the right",
        watch: "Only where a letter stands three times in a row does it matter: aaa becomes a aa instead of aa a, and the next merges are others.",
        effect: "right_first == 1",
        settings: &[("corpus", "letters"), ("merges", "6")],
        hint: "In a row of three equal letters you merge the last two. Merge from left to right.",
        check: Some(|| check::check(mistakes::from_right)),
    },
    Mistake {
        name: "to-the-end",
        title: "merge pairs that occur once",
        watch: "The list goes on until every word is one symbol. What was seen once teaches nothing about other words.",
        effect: "next_count == 1",
        settings: &[("corpus", "german"), ("merges", "200")],
        hint: "You merge pairs that occur only once. End before the first of them.",
        check: Some(|| check::check(mistakes::to_the_end)),
    },
    Mistake {
        name: "longest-first",
        title: "apply without the order",
        watch: "Each word takes the longest known piece from its left instead of the merges in the order in which they were learned. The pieces are all known, but they are others than those that the model was trained on.",
        effect: "as_learned == 0",
        settings: &[
            ("corpus", "english"),
            ("merges", "50"),
            ("sentence", "thereon"),
        ],
        hint: "",
        check: None,
    },
    Mistake {
        name: "no-continuation",
        title: "write the pieces without @@",
        watch: "The pieces joined at their blanks are more words than there were. Nobody can undo that.",
        effect: "undone == 0",
        settings: &[("merges", "3")],
        hint: "",
        check: None,
    },
];

pub static KNOBS: [Knob; 5] = [
    Knob {
        name: "corpus",
        about: "the text to learn from: four words of the paper, three with equal letters, or the thirty sentences of this course",
        range: Range::Choice(&["paper", "letters", "english", "german", "both"]),
        default: "paper",
    },
    Knob {
        name: "merges",
        about: "how many merges have been learned",
        range: Range::Whole {
            least: 0,
            most: 400,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 200],
        },
        default: "0",
    },
    Knob {
        name: "sentence",
        about: "what is cut into pieces: any words of yours (type :sentence=… and Enter)",
        range: Range::Text {
            most: 60,
            stops: &[
                "lowest newer",
                "slowest",
                "thereon",
                "the teacher sees old trains",
                "der Lehrer sieht alte Hunde",
            ],
        },
        default: "lowest newer",
    },
    Knob {
        name: "limit",
        about: "the frequency limit: rarer words are left out of the vocabulary of words",
        range: Range::Whole {
            least: 1,
            most: 20,
            stops: &[1, 2, 3, 4, 5],
        },
        default: "1",
    },
    Knob {
        name: "size",
        about: "at most so many words in the vocabulary of words, the most frequent first",
        range: Range::Whole {
            least: 1,
            most: 1000,
            stops: &[2, 5, 10, 20, 50, 100, 1000],
        },
        default: "1000",
    },
];
