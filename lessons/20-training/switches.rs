//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

/// Where a training mistake shows.
const LATER: &[(&str, &str)] = &[("at", "200")];

pub static MISTAKES: [Mistake; 9] = [
    Mistake {
        name: "rate-times-30",
        title: "30 times the learning rate",
        watch: "The loss never gets far below that of a model that knows only which words are frequent: every step throws away what the one before has learned.",
        effect: "held_out > 3",
        settings: LATER,
        hint: "",
        check: None,
    },
    Mistake {
        name: "no-target-mask",
        title: "train without the target mask",
        watch: "The training loss falls almost to 0, faster than it ever should: each word can be copied from the input. When the model writes for itself there is nothing to copy.",
        effect: "(train_loss < 0.3) * (exact < 0.05)",
        settings: LATER,
        hint: "",
        check: None,
    },
    Mistake {
        name: "no-positions",
        title: "leave positions out",
        watch: "On sentences as short as these the loss hardly suffers: the decoder can count by what its mask lets it see. But the encoder reads a bag of words: in another order they mean the same to it.",
        effect: "order_matters < 0.001",
        settings: LATER,
        hint: "",
        check: None,
    },
    Mistake {
        name: "misaligned",
        title: "one line lost in one of the files",
        watch: "Every source stands beside the next one's translation. The loss falls to that of a language model, and the translations are good English that has nothing to do with the German.",
        effect: "held_out > 2",
        settings: LATER,
        hint: "",
        check: None,
    },
    Mistake {
        name: "no-end",
        title: "targets without an end",
        watch: "The training loss is as good as ever. The translations are right, and then do not stop.",
        effect: "(train_loss < 1) * (exact < 0.01)",
        settings: LATER,
        hint: "",
        check: None,
    },
    Mistake {
        name: "words-not-cells",
        title: "count words, not cells",
        watch: "In the picture batches some are larger than allowed: padding costs as much as words.",
        effect: "largest_batch > 512",
        settings: &[],
        hint: "You add up the words. Every sentence is padded to the longest: multiply the longest side by the number of sentences.",
        check: Some(|| check::check(mistakes::words_not_cells)),
    },
    Mistake {
        name: "length-before",
        title: "do not count the one that comes",
        watch: "Where a longer sentence comes, the batch grows past its limit.",
        effect: "largest_batch > 512",
        settings: &[],
        hint: "You multiply by the longest of the sentences that are in. The one that comes may be longer still: take it into the longest first.",
        check: Some(|| check::check(mistakes::length_before)),
    },
    Mistake {
        name: "target-alone",
        title: "count the target alone",
        watch: "Sources that are longer than their targets make batches that are larger than allowed.",
        effect: "largest_batch > 512",
        settings: &[],
        hint: "You count the target alone. The source is padded as well: the longer of the two sides decides.",
        check: Some(|| check::check(mistakes::target_alone)),
    },
    Mistake {
        name: "last-lost",
        title: "lose the last batch",
        watch: "Some of the 4,000 sentences never come: always the longest ones, because they are sorted.",
        effect: "sentences_learned < 4000",
        settings: &[],
        hint: "Your last batch is missing: no further sentence comes to push it out, but it is one all the same.",
        check: Some(|| check::check(mistakes::last_lost)),
    },
];

pub static KNOBS: [Knob; 7] = [
    Knob {
        name: "at",
        about: "the time machine: after how many updates of the short run (the snapshot at or before it)",
        range: Range::Whole {
            least: 0,
            most: 400,
            stops: &[
                0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220, 240, 260, 280, 300, 320, 340,
                360, 380, 400,
            ],
        },
        default: "0",
    },
    Knob {
        name: "sentence",
        about: "which of the three held-out sentences",
        range: Range::Whole {
            least: 1,
            most: 3,
            stops: &[1, 2, 3],
        },
        default: "1",
    },
    Knob {
        name: "head",
        about: "which head of the cross attention the picture look shows",
        range: Range::Whole {
            least: 1,
            most: 2,
            stops: &[1, 2],
        },
        default: "1",
    },
    Knob {
        name: "preset",
        about: "your own run: the full phrasebook, or a small model on short sentences",
        range: Range::Choice(&["phrasebook", "small"]),
        default: "phrasebook",
    },
    Knob {
        name: "corpus",
        about: "your own run: the phrasebook, or two text files of yours, line n of the one the translation of line n of the other: my.de my.en",
        range: Range::Text {
            most: 1000,
            stops: &["phrasebook"],
        },
        default: "phrasebook",
    },
    Knob {
        name: "rate",
        about: "your own run and its forks: what the preset's learning rate is multiplied by",
        range: Range::Real {
            least: 0.001,
            most: 1000.0,
            stops: &[0.1, 0.3, 1.0, 3.0, 10.0, 30.0],
        },
        default: "1",
    },
    Knob {
        name: "dropout",
        about: "your own run and its forks: the share that training drops",
        range: Range::Real {
            least: 0.0,
            most: 0.9,
            stops: &[0.0, 0.1, 0.3],
        },
        default: "0",
    },
];
