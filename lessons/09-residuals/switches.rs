//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 9] = [
    Mistake {
        name: "no-residual",
        title: "leave x out",
        watch: "The step residual is gone: what the word was is replaced by what the sublayer made of it.",
        effect: "x_is_added == 0",
        settings: &[],
        hint: "You return what the sublayer made, alone. Add it to x.",
        check: Some(|| check::check(mistakes::no_residual)),
    },
    Mistake {
        name: "post-norm",
        title: "the norm after the sum",
        watch: "The paper's place. No mistake in itself, but another model: weights that were trained one way do not run the other.",
        effect: "norm_is_last == 1",
        settings: &[],
        hint: "You normalise the sum: that is the paper's place, post-norm. Here the sublayer reads the normalised x, and the sum stays as it is.",
        check: Some(|| check::check(mistakes::post_norm)),
    },
    Mistake {
        name: "no-norm",
        title: "no norm at all",
        watch: "The sublayer reads the bare stream. One layer survives it; press v for the picture stream, and look at the line without a norm.",
        effect: "norms == 0",
        settings: &[],
        hint: "Nothing is normalised. The sublayer reads norm.forward(x).",
        check: Some(|| check::check(mistakes::no_norm)),
    },
    Mistake {
        name: "normed-stream",
        title: "add the normalised x",
        watch: "The norm now stands in the direct way: Enter on a cell of residual names norm instead of x.",
        effect: "norm_is_added == 1",
        settings: &[],
        hint: "You add the sublayer's result to the normalised x. It is added to x itself: nothing stands in the direct way.",
        check: Some(|| check::check(mistakes::normed_stream)),
    },
    Mistake {
        name: "norm-the-result",
        title: "normalise what the sublayer returns",
        watch: "As one of the sources describes it. What is added has size one, whatever the sublayer found.",
        effect: "result_is_normed == 1",
        settings: &[],
        hint: "You normalise what the sublayer returns. The norm stands before it: the sublayer reads norm.forward(x).",
        check: Some(|| check::check(mistakes::norm_the_result)),
    },
    Mistake {
        name: "drop-the-sum",
        title: "drop from the sum",
        watch: "With dropout above 0: the last step has holes. Every layer would tear them into the stream itself.",
        effect: "sum_is_dropped == 1",
        settings: &[("dropout", "0.5")],
        hint: "You drop from the sum, and so from the stream itself. Drop from what the sublayer returned, before you add it.",
        check: Some(|| check::check(mistakes::drop_the_sum)),
    },
    Mistake {
        name: "drop-before",
        title: "drop from what the sublayer reads",
        watch: "With dropout above 0: the step dropout stands before inner instead of after ffn.",
        effect: "norm_is_dropped == 1",
        settings: &[("dropout", "0.5")],
        hint: "You drop from what the sublayer reads. Drop from what it returned.",
        check: Some(|| check::check(mistakes::drop_before)),
    },
    Mistake {
        name: "no-dropout",
        title: "forget the dropout",
        watch: "With dropout above 0 the step dropout is gone. At dropout 0 nothing can be seen.",
        effect: "drops == 0",
        settings: &[("dropout", "0.5")],
        hint: "Nothing is dropped in training. What the sublayer returned goes through dropout(dropout) before it is added.",
        check: Some(|| check::check(mistakes::no_dropout)),
    },
    Mistake {
        name: "no-last-norm",
        title: "no norm on top of a pre-norm stack",
        watch: "In the picture top only the line that climbs is left: the deeper the stack, the larger the logits.",
        effect: "logits > 2",
        settings: &[],
        hint: "",
        check: None,
    },
];

pub static KNOBS: [Knob; 5] = [
    Knob {
        name: "place",
        about: "where the norm stands: before the sublayer (both codes) or after the sum (the paper)",
        range: Range::Choice(&["pre", "post"]),
        default: "pre",
    },
    Knob {
        name: "layers",
        about: "how many layers the stacks of the pictures have: N",
        range: Range::Whole {
            least: 2,
            most: 24,
            stops: &[2, 4, 6, 12, 18, 24],
        },
        default: "6",
    },
    Knob {
        name: "dropout",
        about: "share of the sublayer's result that a training run drops; 0 is evaluation",
        range: Range::Real {
            least: 0.0,
            most: 0.9,
            stops: &[0.0, 0.1, 0.3, 0.5],
        },
        default: "0",
    },
    Knob {
        name: "rate",
        about: "learning rate of the race",
        range: Range::Real {
            least: 0.0001,
            most: 0.01,
            stops: &[0.0003, 0.001, 0.003],
        },
        default: "0.001",
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
