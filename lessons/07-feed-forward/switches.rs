//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "no-activation",
        title: "leave the bend out",
        watch: "Two maps in a row are one map: 2,048 inner channels then do no more than one matrix of 512 × 512 could. Nothing becomes 0 any more.",
        effect: "bent == 0",
        settings: &[],
        hint: "There is no bend between your two maps, so they are one map in two steps: apply maps.activation to the inner cells.",
        check: Some(|| check::check(mistakes::no_activation)),
    },
    Mistake {
        name: "activation-last",
        title: "bend after the second map",
        watch: "The result has no negative cell: the layer can add to the residual stream, but never take away.",
        effect: "min(ffn) == 0",
        settings: &[],
        hint: "You applied the activation to the result. It belongs between the two maps.",
        check: Some(|| check::check(mistakes::activation_last)),
    },
    Mistake {
        name: "always-relu",
        title: "ReLU, whatever was asked for",
        watch: "Turn activation to gelu: nothing changes any more.",
        effect: "min(active) == 0",
        settings: &[("activation", "gelu")],
        hint: "Your layer always uses ReLU. The layer's own bend is maps.activation, which may be another.",
        check: Some(|| check::check(mistakes::always_relu)),
    },
    Mistake {
        name: "no-bias",
        title: "forget the biases",
        watch: "Every channel must bend at 0: a word vector of zeros gives zeros.",
        effect: "biases == 0",
        settings: &[],
        hint: "Your maps lack their biases: maps.w_1.forward adds them, a product with the weight alone does not.",
        check: Some(|| check::check(mistakes::no_bias)),
    },
    Mistake {
        name: "no-dropout",
        title: "forget the dropout",
        watch: "With dropout above 0 the step that drops inner cells is gone. At dropout 0 nothing can be seen.",
        effect: "dropouts == 0",
        settings: &[("dropout", "0.1")],
        hint: "Nothing is dropped in training. The inner cells go through dropout(maps.dropout) before the second map.",
        check: Some(|| check::check(mistakes::no_dropout)),
    },
    Mistake {
        name: "late-dropout",
        title: "drop from the result",
        watch: "With dropout above 0: 512 channels of the result are dropped from instead of 2,048 inner ones. The residual connection drops there once more.",
        effect: "dropped_width == 512",
        settings: &[("dropout", "0.1")],
        hint: "You drop from the result. Inside the layer the inner cells are dropped, between the activation and the second map.",
        check: Some(|| check::check(mistakes::late_dropout)),
    },
    Mistake {
        name: "residual-inside",
        title: "add x inside the layer",
        watch: "The result grows by x itself. The residual connection around the layer will add it once more.",
        effect: "rms(ffn) > 1",
        settings: &[],
        hint: "Your layer adds x to its result. That is the work of the residual connection around it.",
        check: Some(|| check::check(mistakes::residual_inside)),
    },
];

pub static KNOBS: [Knob; 5] = [
    Knob {
        name: "activation",
        about: "the bend between the two maps",
        range: Range::Choice(&["relu", "gelu", "gelu-tanh", "gelu-sigmoid", "silu"]),
        default: "relu",
    },
    Knob {
        name: "d_ff",
        about: "inner channels",
        range: Range::Whole {
            least: 1,
            most: 4096,
            stops: &[1, 64, 512, 1024, 2048, 4096],
        },
        default: "2048",
    },
    Knob {
        name: "poke",
        about: "which word's vector is nudged in the picture moves, from 0",
        range: Range::Whole {
            least: 0,
            most: 9,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "3",
    },
    Knob {
        name: "dropout",
        about: "share of inner cells that a training run drops; 0 is evaluation",
        range: Range::Real {
            least: 0.0,
            most: 0.9,
            stops: &[0.0, 0.1, 0.5, 0.9],
        },
        default: "0",
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
