//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 6] = [
    Mistake {
        name: "no-scale",
        title: "forget the factor",
        watch: "In the picture `loudness` the words nearly vanish beside their positions.",
        effect: "rms(embedded) < 0.05",
        settings: &[],
        hint: "Your rows are as the table holds them: multiply them by the square root of d_model.",
        check: Some(|| check::check(mistakes::no_scale)),
    },
    Mistake {
        name: "times-width",
        title: "multiply by d_model, without the root",
        watch: "The words shout: their positions can hardly be made out.",
        effect: "rms(embedded) > 2",
        settings: &[],
        hint: "Your rows are √d_model times too large: take the square root of the width.",
        check: Some(|| check::check(mistakes::times_width)),
    },
    Mistake {
        name: "divided",
        title: "divide by √d_model",
        watch: "The words vanish altogether: dividing belongs to the scores of attention.",
        effect: "rms(embedded) < 0.001",
        settings: &[],
        hint: "You divided by √d_model. Scores are divided, by √d_k; embeddings are multiplied.",
        check: Some(|| check::check(mistakes::divided)),
    },
    Mistake {
        name: "root-of-vocabulary",
        title: "take the root of the vocabulary",
        watch: "The factor is 173 instead of 22.6, and would change with every new word.",
        effect: "rms(embedded) > 1",
        settings: &[],
        hint: "You took the root of the number of words. It is the width of a row that counts: the last axis of the table.",
        check: Some(|| check::check(mistakes::root_of_vocabulary)),
    },
    Mistake {
        name: "next-row",
        title: "read the row behind",
        watch: "Every word gets its neighbour's vector; the loudness stays, the words are wrong.",
        effect: "abs(rows[0,0,0] - table[ids[0,0],0]) > 0",
        settings: &[],
        hint: "Your vectors are those of the ids one higher: an id is the number of its row, counted from 0.",
        check: Some(|| check::check(mistakes::next_row)),
    },
    Mistake {
        name: "scaled-position",
        title: "scale the position too",
        watch: "The factor comes after the sum: word and position grow alike, and the word is as quiet beside its place as without a factor.",
        effect: "(rms(with_position) > 10) * (quieter > 50)",
        settings: &[],
        hint: "",
        check: None,
    },
];

pub static KNOBS: [Knob; 6] = [
    Knob {
        name: "scale",
        about: "the factor: none, the root of d_model, or d_model in full",
        range: Range::Choice(&["none", "sqrt", "full"]),
        default: "sqrt",
    },
    Knob {
        name: "init",
        about: "how the table begins: Xavier-uniform, normal N(0,1), or TensorFlow's N(0, 1/d_model)",
        range: Range::Choice(&["xavier", "normal", "tf"]),
        default: "xavier",
    },
    Knob {
        name: "tied",
        about: "whether the race uses the same table for the logits",
        range: Range::Choice(&["no", "yes"]),
        default: "no",
    },
    Knob {
        name: "padding",
        about: "what padding becomes: a row like any other, or zeros, as in TensorFlow",
        range: Range::Choice(&["row", "zero"]),
        default: "row",
    },
    Knob {
        name: "length",
        about: "words that a sentence is cut or padded to",
        range: Range::Whole {
            least: 1,
            most: 40,
            stops: &[1, 5, 11, 20],
        },
        default: "11",
    },
    Knob {
        name: "seed",
        about: "which random table",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7],
        },
        default: "7",
    },
];
