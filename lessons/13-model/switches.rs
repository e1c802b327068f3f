//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 5] = [
    Mistake {
        name: "no-future-mask",
        title: "hide the target's padding alone",
        watch: "In decoder.layers.0.self_attn.weights the upper triangle fills: every prediction has seen its own answer.",
        effect: "decoder.layers.0.self_attn.weights[0,0,0,1] > 0",
        settings: &[],
        hint: "Your decoder sees the future: the target needs model.tgt_mask, which hides it, not only its padding.",
        check: Some(|| check::check(mistakes::no_future_mask)),
    },
    Mistake {
        name: "languages-exchanged",
        title: "encode the target, decode the source",
        watch: "The result has a row for each source word.",
        effect: "count(generator.log_probs[0,:,0]) == 6",
        settings: &[],
        hint: "Your languages are exchanged: the source is encoded, the target decoded.",
        check: Some(|| check::check(mistakes::languages_exchanged)),
    },
    Mistake {
        name: "no-source-mask",
        title: "read the source's padding",
        watch: "The second sentence's padding gets weight in the encoder and from the decoder.",
        effect: "encoder.layers.0.self_attn.weights[1,0,0,5] > 0",
        settings: &[],
        hint: "The source's padding is read: encoder and decoder both need model.src_mask(src).",
        check: Some(|| check::check(mistakes::no_source_mask)),
    },
    Mistake {
        name: "logits-out",
        title: "hand out logits",
        watch: "The last step is the logits; rows of exp of it do not sum to 1.",
        effect: "normalised == 0",
        settings: &[],
        hint: "Your log_probs are logits: generator.forward normalises them.",
        check: Some(|| check::check(mistakes::logits_out)),
    },
    Mistake {
        name: "memory-out",
        title: "make words of the memory",
        watch: "The decoder runs for nothing: the words come from the encoder, one for each source word.",
        effect: "count(generator.log_probs[0,:,0]) == 6",
        settings: &[],
        hint: "Your words are made of the memory. They are made of the decoder's hidden vectors.",
        check: Some(|| check::check(mistakes::memory_out)),
    },
];

pub static KNOBS: [Knob; 4] = [
    Knob {
        name: "form",
        about: "the Annotated Transformer, TensorFlow's official one, or the paper's",
        range: Range::Choice(&["annotated", "tensorflow", "paper"]),
        default: "annotated",
    },
    Knob {
        name: "difference",
        about: "one choice of TensorFlow's (for place: the paper's) in the Annotated Transformer; see the picture bench",
        range: Range::Choice(&[
            "none",
            "tying",
            "padding",
            "shift",
            "positions",
            "place",
            "norm",
            "bias",
            "masks",
        ]),
        default: "norm",
    },
    Knob {
        name: "vocab",
        about: "words of each language, for counting",
        range: Range::Whole {
            least: 1,
            most: 1_000_000,
            stops: &[11, 1000, 10_000, 30_000, 36_343, 36_344, 50_000],
        },
        default: "30000",
    },
    Knob {
        name: "seed",
        about: "which weights",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];
