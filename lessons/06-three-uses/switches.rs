//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "cross-self",
        title: "cross attention over the decoder itself",
        watch: "The table of cross attention becomes square, 10 × 10, and no German word stands at its columns: the translation would never see the source.",
        effect: "product(shape(cross.weights)) == 30 * 8 * 10 * 10",
        settings: &[],
        hint: "Your third attention looks at the target again. Its keys and values come from the memory, the encoder's output.",
        check: Some(|| check::check(mistakes::cross_self)),
    },
    Mistake {
        name: "turned-round",
        title: "let the source ask",
        watch: "11 rows instead of 10: every German word gets a mixture of English ones, and the decoder's 10 positions are gone.",
        effect: "product(shape(cross.attended)) == 30 * 11 * 512",
        settings: &[],
        hint: "Query and keys are exchanged: the decoder asks, the memory answers. The result has a row for each target word.",
        check: Some(|| check::check(mistakes::turned_round)),
    },
    Mistake {
        name: "masks-exchanged",
        title: "the target's mask over the source",
        watch: "A mask of 10 × 10 does not fit a table of 10 × 11: the shapes tell. With equal lengths they would not. Set target to 11.",
        effect: "fails",
        settings: &[],
        hint: "The third attention needs the source's mask: what it looks at are source words, and only their padding is hidden.",
        check: Some(|| check::check(mistakes::masks_exchanged)),
    },
    Mistake {
        name: "no-future-mask",
        title: "forget the target's mask",
        watch: "In decoder.weights the upper right triangle lights up: words look at words that are not written yet.",
        effect: "decoder.weights[0,0,0,9] > 0",
        settings: &[],
        hint: "Your decoder sees its own future: its look at itself needs tgt_mask.",
        check: Some(|| check::check(mistakes::no_future_mask)),
    },
    Mistake {
        name: "raw-source",
        title: "look past the encoder",
        watch: "Keys and values are made of the source's own vectors: what the encoder found out is lost, and nothing else tells.",
        effect: "cross_reads_memory == 0",
        settings: &[],
        hint: "Your third attention looks at the source itself. It has to look at the memory, which the encoder made of it.",
        check: Some(|| check::check(mistakes::raw_source)),
    },
    Mistake {
        name: "raw-target",
        title: "ask before the decoder looked at itself",
        watch: "The queries are made of the target's own vectors: a word asks without knowing what was written before it.",
        effect: "cross_asks_own == 0",
        settings: &[],
        hint: "Your third attention is asked by the raw target. Its queries come from the decoder's look at itself.",
        check: Some(|| check::check(mistakes::raw_target)),
    },
    Mistake {
        name: "values-from-target",
        title: "values from the target",
        watch: "11 shares for 10 values: they cannot be mixed, and the error says so. Keys and values always come from the same words.",
        effect: "fails",
        settings: &[],
        hint: "Keys come from the memory but values from the target. Both are the same words: the one is what they are found by, the other what they give.",
        check: Some(|| check::check(mistakes::values_from_target)),
    },
];

pub static KNOBS: [Knob; 4] = [
    Knob {
        name: "target",
        about: "words of the target sentence",
        range: Range::Whole {
            least: 1,
            most: 20,
            stops: &[1, 5, 10, 11],
        },
        default: "10",
    },
    Knob {
        name: "source",
        about: "words of the source sentence, padded",
        range: Range::Whole {
            least: 1,
            most: 20,
            stops: &[1, 5, 10, 11],
        },
        default: "11",
    },
    Knob {
        name: "layers",
        about: "decoder layers that look at the memory",
        range: Range::Whole {
            least: 1,
            most: 6,
            stops: &[1, 2, 3, 6],
        },
        default: "1",
    },
    Knob {
        name: "seed",
        about: "which random vectors and weights",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];
