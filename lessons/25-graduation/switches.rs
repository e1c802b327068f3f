//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

const RMS: &[(&str, &str)] = &[("norm", "rms")];

pub static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "keep-mean",
        title: "take the mean away",
        watch: "Each row of the norm has mean 0 again: this is a layer norm without its bias.",
        effect: "abs(mean(encoder.layers.0.self_attn.norm[0,1,:])) < 0.00001",
        settings: RMS,
        hint: "You subtract the mean. This norm leaves it where it is, and only divides.",
        check: Some(|| check::check(mistakes::keep_mean)),
    },
    Mistake {
        name: "sum-squares",
        title: "sum the squares",
        watch: "A row is divided by its length instead of its size: every number comes out √32 times too small.",
        effect: "rms(encoder.layers.0.self_attn.norm[0,1,:]) < 0.5",
        settings: RMS,
        hint: "Your rows come out with length 1, √d_model times too small. Take the mean of the squares, not their sum.",
        check: Some(|| check::check(mistakes::sum_squares)),
    },
    Mistake {
        name: "no-root",
        title: "forget the root",
        watch: "Small rows are made large and large ones small: the norm overshoots.",
        effect: "abs(rms(encoder.layers.0.self_attn.norm[0,1,:]) - 1) > 0.1",
        settings: RMS,
        hint: "You divide by the mean square. Take its root: twice the input must give the same output.",
        check: Some(|| check::check(mistakes::no_root)),
    },
    Mistake {
        name: "epsilon-outside",
        title: "put ε beside the root",
        watch: "With ε = 0.1 the rows come out smaller than they should. At 0.000001 nobody sees a thing.",
        effect: "abs(encoder.layers.0.self_attn.rms[0,1,0] - rms(src_embed.with_position[0,1,:]) - 0.1) < 0.0001",
        settings: &[("norm", "rms"), ("epsilon", "0.1")],
        hint: "ε stands under the root here, beside the mean of the squares. (In the Annotated Transformer's layer norm it stands outside.)",
        check: Some(|| check::check(mistakes::epsilon_outside)),
    },
    Mistake {
        name: "no-gain",
        title: "forget the learned scale",
        watch: "After some steps of training the norm is still what it was before the scale: nothing in it is learned.",
        effect: "max(abs(encoder.layers.0.self_attn.norm - encoder.layers.0.self_attn.normal)) == 0",
        settings: &[("norm", "rms"), ("step", "40")],
        hint: "Multiply by scale: each channel has a factor of its own, which is learned.",
        check: Some(|| check::check(mistakes::no_gain)),
    },
    Mistake {
        name: "turn-values",
        title: "turn the values too",
        watch: "Three tensors are turned instead of two. Nothing fails; but what a word says now depends on where it stands.",
        effect: "turned == 3",
        settings: &[("positions", "rotary")],
        hint: "",
        check: None,
    },
    Mistake {
        name: "wrong-groups",
        title: "deal the groups out in turn",
        watch: "Heads 0 and 1 should share a group and don't. Weights from elsewhere would be read by the wrong heads.",
        effect: "max(abs(encoder.layers.0.self_attn.key_all[0,0,:,:] - encoder.layers.0.self_attn.key_all[0,1,:,:])) > 0.01",
        settings: &[("groups", "2")],
        hint: "",
        check: None,
    },
];

pub static KNOBS: [Knob; 7] = [
    Knob {
        name: "norm",
        about: "layer norm as in 2017, or the root-mean-square norm",
        range: Range::Choice(&["layer", "rms"]),
        default: "layer",
    },
    Knob {
        name: "positions",
        about: "added to the words as in 2017, or turned into queries and keys",
        range: Range::Choice(&["added", "rotary"]),
        default: "added",
    },
    Knob {
        name: "groups",
        about: "heads of keys and values; there are four of queries",
        range: Range::Choice(&["4", "2", "1"]),
        default: "4",
    },
    Knob {
        name: "stack",
        about: "an encoder and a decoder as in 2017, or one stack that reads everything in a row",
        range: Range::Choice(&["two", "one"]),
        default: "two",
    },
    Knob {
        name: "step",
        about: "after how many steps of training the model is looked at",
        range: Range::Choice(&["0", "40", "120"]),
        default: "0",
    },
    Knob {
        name: "epsilon",
        about: "what the root-mean-square norm adds under its root",
        range: Range::Choice(&["0.000001", "0.1"]),
        default: "0.000001",
    },
    Knob {
        name: "seed",
        about: "which weights and which batches",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[1, 2, 3, 4, 5, 7],
        },
        default: "7",
    },
];
