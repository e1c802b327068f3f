//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

const HEAD: &[(&str, &str)] = &[("network", "attention")];

pub static MISTAKES: [Mistake; 8] = [
    Mistake {
        name: "overwrite",
        title: "overwrite instead of gathering",
        watch: "In the tiny network the error is a factor twice. Keeping the last gradient alone halves d_error, and with it everything before.",
        effect: "abs(d_error[0,0] - error[0,0]) < 0.00001",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "open",
        title: "let ReLU pass every gradient",
        watch: "In the tiny network unit 1 gave 0 and had no say. Now its weights get a gradient all the same, one that no difference confirms.",
        effect: "d_pre[0,1] != 0",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "no-pull",
        title: "forget that the shares compete",
        watch: "In the attention network the rows of d_scaled no longer sum to 0, and the key bias gets a gradient that it must not have.",
        effect: "max(abs(d_key_bias)) > 0.001",
        settings: HEAD,
        hint: "You treat each share as if it stood alone. Raising one score lowers all other shares: subtract Σ dy ⊙ y from dy first.",
        check: Some(|| check::check(mistakes::no_pull)),
    },
    Mistake {
        name: "mean-pull",
        title: "the mean in place of the sum",
        watch: "In the attention network the pull is too small by the number of keys: right in direction often enough that training goes on, and wrong.",
        effect: "abs(pull[0,0,0] * 5 - sum(d_weights[0,0,:] * weights[0,0,:])) < 0.000001",
        settings: HEAD,
        hint: "You subtract the mean of dy ⊙ y. It is the sum: n times as much.",
        check: Some(|| check::check(mistakes::mean_pull)),
    },
    Mistake {
        name: "unweighted",
        title: "sum dy without the shares",
        watch: "In the attention network every key pulls alike now, also one that has no weight.",
        effect: "abs(pull[0,0,0] - sum(d_weights[0,0,:])) < 0.000001",
        settings: HEAD,
        hint: "Your sum is over dy alone. Each key pulls by its share: sum dy ⊙ y.",
        check: Some(|| check::check(mistakes::unweighted)),
    },
    Mistake {
        name: "diagonal",
        title: "y (1 − y), and nothing else",
        watch: "In the attention network each score moves its own share rightly, and no other: the diagonal of the Jacobian without the rest.",
        effect: "abs(d_scaled[0,0,0] - d_weights[0,0,0] * weights[0,0,0] * (1 - weights[0,0,0])) < 0.000001",
        settings: HEAD,
        hint: "y (1 − y) is how a share moves with its own score. The other scores of the row move it too, by −y_i y_j.",
        check: Some(|| check::check(mistakes::diagonal)),
    },
    Mistake {
        name: "wrong-axis",
        title: "sum over the queries",
        watch: "In the attention network one query's gradient now moves with another's, though their softmaxes never met.",
        effect: "abs(sum(d_scaled[0,0,:])) > 0.0001",
        settings: HEAD,
        hint: "Your sum runs over the queries. The keys of one query compete: sum over the last axis.",
        check: Some(|| check::check(mistakes::wrong_axis)),
    },
    Mistake {
        name: "no-shares",
        title: "leave out the factor y",
        watch: "In the attention network keys without weight get as much gradient as those with all of it.",
        effect: "abs(d_scaled[0,0,0] * weights[0,0,0] - weights[0,0,0] * (d_weights[0,0,0] - sum(d_weights[0,0,:] * weights[0,0,:]))) < 0.000001",
        settings: HEAD,
        hint: "What is left of dy must still be multiplied by y: a share near 0 hardly moves.",
        check: Some(|| check::check(mistakes::no_shares)),
    },
];

pub static KNOBS: [Knob; 5] = [
    Knob {
        name: "network",
        about: "which network: five operations, or one head of attention",
        range: Range::Choice(&["tiny", "attention"]),
        default: "tiny",
    },
    Knob {
        name: "of",
        about: "which number the pictures kink and slopes nudge",
        range: Range::Choice(&["far", "near", "shut", "query", "key-bias"]),
        default: "far",
    },
    Knob {
        name: "step",
        about: "how far it is nudged, both ways",
        range: Range::Real {
            least: 0.000_000_1,
            most: 2.0,
            stops: &[0.000_001, 0.000_01, 0.0001, 0.001, 0.01, 0.1, 1.0],
        },
        default: "0.1",
    },
    Knob {
        name: "room",
        about: "how far unit 2 of the tiny network is above the bend of its ReLU",
        range: Range::Real {
            least: -1.0,
            most: 1.0,
            stops: &[-0.5, -0.02, 0.0, 0.001, 0.02, 0.5],
        },
        default: "0.02",
    },
    Knob {
        name: "seed",
        about: "which random numbers the attention has",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];
