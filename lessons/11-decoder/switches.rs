//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 8] = [
    Mistake {
        name: "no-future-mask",
        title: "forget the target's mask",
        watch: "The leak meter lights up above the diagonal: every output depends on words that are not written yet. In training the loss would fall to nothing, and translations would be rubbish.",
        effect: "leak > 0.01",
        settings: &[],
        hint: "Your decoder sees its own future: self-attention needs tgt_mask.",
        check: Some(|| check::check(mistakes::no_future_mask)),
    },
    Mistake {
        name: "masks-exchanged",
        title: "exchange the two masks",
        watch: "With 10 and 11 words the shapes do not fit, and that is luck. Turn source to 10: it runs, and leaks.",
        effect: "fails",
        settings: &[],
        hint: "Your masks are exchanged: tgt_mask is for self-attention, src_mask for the attention to the memory. A mask hides what is looked at.",
        check: Some(|| check::check(mistakes::masks_exchanged)),
    },
    Mistake {
        name: "no-source-mask",
        title: "forget the source's mask",
        watch: "In the short second sentence the source's padding gets weight from every target word.",
        effect: "min(src_attn.weights[1,0,:,10]) > 0",
        settings: &[],
        hint: "The source's padding is read: the attention to the memory needs src_mask.",
        check: Some(|| check::check(mistakes::no_source_mask)),
    },
    Mistake {
        name: "no-cross",
        title: "leave cross attention out",
        watch: "A fine language model, and no translator: nothing of the source arrives.",
        effect: "reads_memory == 0",
        settings: &[],
        hint: "Your layer never looks at the memory: the second of three sublayers is attention to it.",
        check: Some(|| check::check(mistakes::no_cross)),
    },
    Mistake {
        name: "cross-first",
        title: "read the source before looking back",
        watch: "Each word asks the source before it knows what was written. Nothing fails; it is another model.",
        effect: "cross_first == 1",
        settings: &[],
        hint: "Your attentions stand in the other order: first the decoder over itself, then over the memory.",
        check: Some(|| check::check(mistakes::cross_first)),
    },
    Mistake {
        name: "own-keys",
        title: "keys and values from the decoder",
        watch: "Cross attention becomes a second self-attention: its table is 10 × 10, and the memory is not used.",
        effect: "count(src_attn.weights[0,0,0,:]) == 10",
        settings: &[],
        hint: "Your second attention looks at the decoder itself. Its keys and values are the memory.",
        check: Some(|| check::check(mistakes::own_keys)),
    },
    Mistake {
        name: "shared-attention",
        title: "one attention for both",
        watch: "The maps of self-attention read the memory too; a million parameters of the other are not used.",
        effect: "parameters < 4000000",
        settings: &[],
        hint: "You used self_attn for both. The attention to the memory has maps of its own: src_attn.",
        check: Some(|| check::check(mistakes::shared_attention)),
    },
    Mistake {
        name: "one-norm",
        title: "one norm for all three sublayers",
        watch: "Two of the three norms are never used: look at the steps.",
        effect: "norms == 1",
        settings: &[],
        hint: "You used the first residual connection for all. Each sublayer has its own: sublayer[0], [1] and [2].",
        check: Some(|| check::check(mistakes::one_norm)),
    },
];

pub static KNOBS: [Knob; 4] = [
    Knob {
        name: "target",
        about: "words of the target sentence, padded",
        range: Range::Whole {
            least: 1,
            most: 20,
            stops: &[1, 5, 10, 11],
        },
        default: "10",
    },
    Knob {
        name: "source",
        about: "words of the source sentence, padded",
        range: Range::Whole {
            least: 1,
            most: 20,
            stops: &[1, 5, 10, 11],
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
