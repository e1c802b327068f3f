//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 9] = [
    Mistake {
        name: "no-scale",
        title: "forget to divide by √d_k",
        watch: "The weights harden: in most rows one key takes nearly everything.",
        effect: "slope_run < 0.04",
        settings: &[],
        hint: "Your scores are √d_k times too large: divide them by the square root of the key's width before the softmax.",
        check: Some(|| check::check(mistakes::no_scale)),
    },
    Mistake {
        name: "scale-by-model",
        title: "divide by √d_model instead of √d_k",
        watch: "The weights become nearly equal: the widths of all heads were counted together.",
        effect: "std(scaled) < 0.5",
        settings: &[],
        hint: "You divided by the root of all heads' channels together. One head's dot product adds up d_k products, so √d_k is its spread.",
        check: Some(|| check::check(mistakes::scale_by_model)),
    },
    Mistake {
        name: "wrong-axis",
        title: "softmax over the queries instead of the keys",
        watch: "The sums move: columns sum to 1, rows no longer do. Even padded columns share out a whole: they leak.",
        effect: "(abs(sum(weights[0,0,0,:]) - 1) > 0.01) * (abs(sum(weights[0,0,:,0]) - 1) < 0.0001) * (leak > 0.01)",
        settings: &[],
        hint: "Your columns sum to 1, not your rows. The row is the one who asks; its shares run along the last axis, over the keys.",
        check: Some(|| check::check(mistakes::wrong_axis)),
    },
    Mistake {
        name: "mask-after",
        title: "mask after the softmax",
        watch: "In padded sentences the rows sum to less than 1: the share that went to padding is thrown away. And the pads leak: they made the sum by which the others were divided.",
        effect: "(sum(weights[1,0,0,:]) < 0.99) * (leak > 0.01)",
        settings: &[],
        hint: "Your masked rows do not sum to 1. Block the scores before the softmax, then the softmax shares the whole among the rest.",
        check: Some(|| check::check(mistakes::mask_after)),
    },
    Mistake {
        name: "not-transposed",
        title: "do not transpose the keys",
        watch: "Rows of 64 meet columns of 11: the shapes do not fit, and that is luck. Set d_k to 11 and it runs, and is wrong.",
        effect: "fails",
        settings: &[],
        hint: "You multiplied query rows with key columns. A score compares one query row with one key row: transpose the keys, or use matmul_t.",
        check: Some(|| check::check(mistakes::not_transposed)),
    },
    Mistake {
        name: "reversed-mask",
        title: "take 1 for blocked",
        watch: "Only the padding is seen: the words get weight 0, and the leak meter jumps.",
        effect: "(max(weights[1,0,:,0]) == 0) * (leak > 0.01)",
        settings: &[],
        hint: "Your mask works the wrong way round: 1 means may be seen. mask_fill writes where the mask is 0.",
        check: Some(|| check::check(mistakes::reversed_mask)),
    },
    Mistake {
        name: "no-mask",
        title: "forget the mask",
        watch: "Sentence 1 is short: now its padding gets weight too, and leaks. Every row still sums to 1, so nothing else tells.",
        effect: "(min(weights[1,0,:,10]) > 0) * (leak > 0.01)",
        settings: &[],
        hint: "You did not use the mask: padded keys still get a share. Fill the blocked scores with BLOCKED before the softmax.",
        check: Some(|| check::check(mistakes::no_mask)),
    },
    Mistake {
        name: "no-dropout",
        title: "forget the dropout",
        watch: "With dropout above 0, the step that drops weights is gone. At dropout 0 nothing can be seen.",
        effect: "dropped_share == 0",
        settings: &[("dropout", "0.5")],
        hint: "Nothing is dropped in training. The weights go through dropout(dropout) before they mix the values.",
        check: Some(|| check::check(mistakes::no_dropout)),
    },
    Mistake {
        name: "early-dropout",
        title: "drop scores instead of weights",
        watch: "With dropout above 0: a score of 0 is not blocked, it gets its share like any other. No weight is dropped, and the weights themselves are noise.",
        effect: "dropped_share == 0",
        settings: &[("dropout", "0.5")],
        hint: "Your dropout comes before the softmax. A score of 0 still gets a share: drop weights, after the softmax.",
        check: Some(|| check::check(mistakes::early_dropout)),
    },
];

pub static KNOBS: [Knob; 9] = [
    Knob {
        name: "example",
        about: "target words read the source, or themselves; 2 rows by hand; or rows made by learned matrices",
        range: Range::Choice(&["standard", "self", "worked", "projected"]),
        default: "standard",
    },
    Knob {
        name: "heads",
        about: "heads that share d_model 512",
        range: Range::Whole {
            least: 1,
            most: 512,
            stops: &[1, 2, 4, 7, 8, 16, 32, 64],
        },
        default: "8",
    },
    Knob {
        name: "d_k",
        about: "width of a query and a key; 0 is the usual share, 512 / heads",
        range: Range::Whole {
            least: 0,
            most: 512,
            stops: &[0, 3, 4, 11, 16, 64, 128],
        },
        default: "0",
    },
    Knob {
        name: "d_v",
        about: "width of a value; 0 is the usual share, 512 / heads",
        range: Range::Whole {
            least: 0,
            most: 512,
            stops: &[0, 3, 5, 16, 64, 128],
        },
        default: "0",
    },
    Knob {
        name: "target",
        about: "queries: words of the target sentence",
        range: Range::Whole {
            least: 1,
            most: 40,
            stops: &[1, 5, 10, 11, 20],
        },
        default: "10",
    },
    Knob {
        name: "source",
        about: "keys and values: words of the source sentence, padded",
        range: Range::Whole {
            least: 1,
            most: 40,
            stops: &[1, 5, 10, 11, 20],
        },
        default: "11",
    },
    Knob {
        name: "spread",
        about: "how large the queries are (their standard deviation)",
        range: Range::Real {
            least: 0.0,
            most: 1000.0,
            stops: &[0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0, 100.0],
        },
        default: "1",
    },
    Knob {
        name: "dropout",
        about: "share of weights that a training run drops; 0 is evaluation",
        range: Range::Real {
            least: 0.0,
            most: 0.9,
            stops: &[0.0, 0.1, 0.5, 0.9],
        },
        default: "0",
    },
    Knob {
        name: "seed",
        about: "which random queries, keys and values",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];
