//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "no-mask",
        title: "forget the mask",
        watch: "Sentence 2 is short: its padding gets weight, and every real word is mixed with it.",
        effect: "min(self_attn.weights[1,0,:,10]) > 0",
        settings: &[],
        hint: "Padding is looked at: hand the mask to the attention, Some(mask).",
        check: Some(|| check::check(mistakes::no_mask)),
    },
    Mistake {
        name: "ffn-first",
        title: "feed-forward before attention",
        watch: "Every word thinks before it has heard the others. Nothing fails; it is another model.",
        effect: "first_sublayer == 2",
        settings: &[],
        hint: "Your sublayers stand in the other order: attention comes first.",
        check: Some(|| check::check(mistakes::ffn_first)),
    },
    Mistake {
        name: "no-residual",
        title: "leave the residuals out",
        watch: "What a word was is replaced, not added to. In the picture stream the words' own share is gone after one layer.",
        effect: "residuals == 0",
        settings: &[],
        hint: "Your sublayers replace x. Run them inside layer.sublayer[n].forward, which adds what they return to x.",
        check: Some(|| check::check(mistakes::no_residual)),
    },
    Mistake {
        name: "one-norm",
        title: "one norm for both sublayers",
        watch: "The second norm's parameters are never used: look at the steps, there is one scale instead of two.",
        effect: "norms == 1",
        settings: &[],
        hint: "You used the first residual connection twice. Each sublayer has its own, with a norm of its own: sublayer[0] and sublayer[1].",
        check: Some(|| check::check(mistakes::one_norm)),
    },
    Mistake {
        name: "skip-ffn",
        title: "attention alone",
        watch: "Two thirds of the layer's parameters are not used.",
        effect: "parameters < 2000000",
        settings: &[],
        hint: "Your layer ends after attention. The second sublayer is the feed-forward layer.",
        check: Some(|| check::check(mistakes::skip_ffn)),
    },
    Mistake {
        name: "old-x",
        title: "feed-forward over the layer's input",
        watch: "The attention runs, and nobody reads what it found.",
        effect: "attention_is_read == 0",
        settings: &[],
        hint: "Your second sublayer begins with the layer's input again. It goes on with what the first returned.",
        check: Some(|| check::check(mistakes::old_x)),
    },
    Mistake {
        name: "attention-twice",
        title: "attention in both sublayers",
        watch: "The same maps run a second time; the feed-forward layer's parameters are not used.",
        effect: "attentions == 2",
        settings: &[],
        hint: "Both of your sublayers attend. The second is the feed-forward layer.",
        check: Some(|| check::check(mistakes::attention_twice)),
    },
];

pub static KNOBS: [Knob; 4] = [
    Knob {
        name: "show",
        about: "one layer over 30 sentences; or the stack of six and its last norm over 2",
        range: Range::Choice(&["layer", "stack"]),
        default: "layer",
    },
    Knob {
        name: "source",
        about: "words of a sentence, padded",
        range: Range::Whole {
            least: 1,
            most: 40,
            stops: &[1, 5, 11, 20, 40],
        },
        default: "11",
    },
    Knob {
        name: "place",
        about: "where the norms stand: before the sublayers (both codes) or after the sums (the paper)",
        range: Range::Choice(&["pre", "post"]),
        default: "pre",
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
