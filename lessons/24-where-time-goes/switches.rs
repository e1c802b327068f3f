//! What the learner can turn, and what can be counted wrongly.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

/// The mistakes of the count; the recorded training step beside it is always the sound one.
pub static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "half",
        title: "count only the multiplications",
        watch: "The count by hand is half of what the recorded products did: each product of two numbers is also added to a sum.",
        effect: "abs(2 * by_hand_flops - recorded_flops) < 0.5",
        settings: &[],
        hint: "You have half of the operations: every product of two numbers is also added up, so it counts two.",
        check: Some(|| check::check(mistakes::ALL[0].2)),
    },
    Mistake {
        name: "wide-heads",
        title: "give every head all channels",
        watch: "Scores and context cost as many times more as there are heads. The heads share the channels, so their number changes no operation.",
        effect: "count.inner[3] == width",
        settings: &[],
        hint: "Your scores and contexts take all channels for every head. A head has d_model / heads of them.",
        check: Some(|| check::check(mistakes::ALL[1].2)),
    },
    Mistake {
        name: "no-output",
        title: "forget the last map",
        watch: "The table has five lines: W_O is missing, and the count is too small by one map.",
        effect: "count(count.rows) == 5",
        settings: &[],
        hint: "You count three maps. The fourth, W_O, mixes the heads when they stand side by side again.",
        check: Some(|| check::check(mistakes::ALL[2].2)),
    },
    Mistake {
        name: "weights-again",
        title: "read the weights for every sentence",
        watch: "The operations are right, but each map's weights are read once a sentence: the bytes grow, and the intensity falls.",
        effect: "(by_hand_flops == recorded_flops) * (by_hand_bytes > recorded_bytes)",
        settings: &[],
        hint: "Your maps read their weights once a sentence. All rows of the batch go through one product, and the weights are read once.",
        check: Some(|| check::check(mistakes::ALL[3].2)),
    },
    Mistake {
        name: "one-head",
        title: "write one matrix of scores",
        watch: "The operations are right, but the scores are written and read once instead of once a head: too few bytes.",
        effect: "(by_hand_flops == recorded_flops) * (2 * by_hand_bytes > recorded_bytes) * (by_hand_bytes < recorded_bytes)",
        settings: &[],
        hint: "You write and read one matrix of scores for each sentence. Every head has its own: batch · heads · target · source numbers.",
        check: Some(|| check::check(mistakes::ALL[4].2)),
    },
    Mistake {
        name: "numbers",
        title: "take numbers for bytes",
        watch: "The bytes are a quarter of what they should be, so the intensity looks four times as high.",
        effect: "abs(4 * by_hand_bytes - recorded_bytes) < 0.5",
        settings: &[],
        hint: "You count numbers. An f32 is four bytes.",
        check: Some(|| check::check(mistakes::ALL[5].2)),
    },
    Mistake {
        name: "square",
        title: "take the target's length for the source's",
        watch: "Keys and values come from the source and have its rows. Here the target's length stands in all lines.",
        effect: "count.rows[1] == count.rows[0]",
        settings: &[("pass", "word")],
        hint: "You give keys and values as many rows as the queries have. They have one for each of the source's words.",
        check: Some(|| check::check(mistakes::ALL[6].2)),
    },
];

pub static KNOBS: [Knob; 6] = [
    Knob {
        name: "pass",
        about: "a training step forward, or decoding one word of one sentence",
        range: Range::Choice(&["training", "word"]),
        default: "training",
    },
    Knob {
        name: "form",
        about: "every step by itself, or fused into larger ones",
        range: Range::Choice(&["steps", "fused"]),
        default: "steps",
    },
    Knob {
        name: "order",
        about: "the batch's sentences: neighbours by length, or as they were drawn",
        range: Range::Choice(&["sorted", "drawn"]),
        default: "sorted",
    },
    Knob {
        name: "sentences",
        about: "sentences in the batch",
        range: Range::Whole {
            least: 1,
            most: 64,
            stops: &[1, 4, 16, 64],
        },
        default: "16",
    },
    Knob {
        name: "width",
        about: "d_model: channels; 4 heads share them",
        range: Range::Choice(&["32", "64", "128", "256", "512"]),
        default: "64",
    },
    Knob {
        name: "layers",
        about: "layers on each side",
        range: Range::Whole {
            least: 1,
            most: 6,
            stops: &[1, 2, 4],
        },
        default: "2",
    },
];
