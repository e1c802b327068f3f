//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 9] = [
    Mistake {
        name: "no-future",
        title: "forget the mask of the future",
        watch: "Every row of tgt_mask is 1 up to the last word. Train with it: the loss falls faster than ever, and what is written alone is nonsense.",
        effect: "tgt_mask[0,0,8] == 1",
        settings: &[],
        hint: "Your tgt_mask hides padding and not the future: position 0 sees the word that it is to say. Ask for column <= row too.",
        check: Some(|| check::check(mistakes::no_future)),
    },
    Mistake {
        name: "no-shift",
        title: "forget the shift",
        watch: "tgt and tgt_y are the same: each position reads the word that it is to say.",
        effect: "max(abs(tgt - tgt_y)) == 0",
        settings: &[],
        hint: "Your decoder reads what it is to say. What it reads ends a column earlier, and begins with the start.",
        check: Some(|| check::check(mistakes::no_shift)),
    },
    Mistake {
        name: "strict-past",
        title: "hide a word from itself",
        watch: "The first row of tgt_mask has no 1. A softmax over nothing spreads its weights over everything, the future included.",
        effect: "tgt_mask[0,0,0] == 0",
        settings: &[],
        hint: "Your tgt_mask has < where <= belongs: a position may see itself, since what it reads is not what it is to say. Row 0 sees nothing at all now.",
        check: Some(|| check::check(mistakes::strict_past)),
    },
    Mistake {
        name: "no-start",
        title: "no start in front",
        watch: "The first column of src and tgt is whatever was drawn. In use the decoder gets the start, which then means nothing special to it.",
        effect: "tgt[1,0] != 1",
        settings: &[],
        hint: "The first column must be START in every row, in src and in tgt: that is the word from which writing begins.",
        check: Some(|| check::check(mistakes::no_start)),
    },
    Mistake {
        name: "count-padding",
        title: "count padding as words",
        watch: "No tensor changes: ntokens, by which the summed loss is divided, is 27 instead of 24. With padding in a batch, each real word's loss comes out too small.",
        effect: "ntokens == 27",
        settings: &[],
        hint: "ntokens counts every cell of tgt_y. Count those that are not PAD.",
        check: Some(|| check::check(mistakes::count_padding)),
    },
    Mistake {
        name: "no-scale",
        title: "forget the √d_model",
        watch: "The words come out of their table √32 times smaller, and their positions do not.",
        effect: "rms(src_embed.embedded) < 0.5",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "no-positions",
        title: "no positions",
        watch: "In the second sentence word 3 stands twice. The memory holds the same vector for both: the source has become a bag of words.",
        effect: "max(abs(encoder.norm[1,1,:] - encoder.norm[1,2,:])) < 0.00001",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "no-residual",
        title: "no way around the sublayers",
        watch: "Each residual is its sublayer's output alone. What the word was must pass through every one of them.",
        effect: "max(abs(encoder.layers.0.self_attn.residual - encoder.layers.0.self_attn.attended)) == 0",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "no-warmup",
        title: "no warm-up",
        watch: "No tensor changes before training. Start the curve: its very first learning rate, in the sentence below it, is the highest already.",
        effect: "rate_1 == rate_60",
        settings: &[],
        hint: "",
        check: None,
    },
];

pub static KNOBS: [Knob; 3] = [
    Knob {
        name: "step",
        about: "after how many steps of training the model is looked at",
        range: Range::Choice(&["0", "60", "120", "180", "240"]),
        default: "0",
    },
    Knob {
        name: "place",
        about: "where the norms stand: before the sublayers, or after the sums as in the paper",
        range: Range::Choice(&["pre", "post"]),
        default: "pre",
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
