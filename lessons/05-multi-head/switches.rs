//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "view-only",
        title: "view as (b,h,t,k) without the transpose",
        watch: "Every shape is right and no error comes. But head 0 now holds all channels of the first words: set example to origin and look where each cell came from.",
        effect: "abs(query_heads[0,0,1,0] - query[0,1,0]) > 0.000001",
        settings: &[],
        hint: "Your shapes are right, but the cells have other owners: you read [b, t, d] as [b, h, t, k] at once. Reshape to [b, t, h, k] first, then move the heads in front of the positions with permute.",
        check: Some(|| check::check(mistakes::view_only)),
    },
    Mistake {
        name: "no-return",
        title: "no transpose on the way back",
        watch: "The heads were right, but side by side stands what belongs to different words: row 0 of combined is the first head's words, one after the other.",
        effect: "abs(combined[0,1,0] - context[0,0,1,0]) > 0.000001",
        settings: &[],
        hint: "You put the heads side by side without moving them back behind the positions: permute to [b, t, h, k] before the reshape.",
        check: Some(|| check::check(mistakes::no_return)),
    },
    Mistake {
        name: "dealt-in-turn",
        title: "deal the channels out one by one",
        watch: "Head 0 gets channels 0, 8, 16, …: a model could learn with that, but weights trained with blocks mean something else now.",
        effect: "abs(query_heads[0,0,0,1] - query[0,0,1]) > 0.000001",
        settings: &[],
        hint: "You dealt the channels out in turn, [b, t, k, h]. A head owns a block of neighbouring channels: [b, t, h, k].",
        check: Some(|| check::check(mistakes::dealt_in_turn)),
    },
    Mistake {
        name: "no-output",
        title: "leave W_O out",
        watch: "The last step is combined itself: head j writes channels 64j to 64j + 63 and no others. The picture ablation shows eight lonely squares.",
        effect: "mixed == 0",
        settings: &[],
        hint: "Your heads stand side by side, but nothing mixes them: send the combined heads through maps.output.",
        check: Some(|| check::check(mistakes::no_output)),
    },
    Mistake {
        name: "one-head",
        title: "attend once, over all channels",
        watch: "One table of weights instead of eight: every channel is mixed with the same shares.",
        effect: "product(shape(weights)) == 3300",
        settings: &[],
        hint: "You attended with one head over all channels. Deal the channels out to maps.heads heads first.",
        check: Some(|| check::check(mistakes::one_head)),
    },
    Mistake {
        name: "one-map",
        title: "one map for query, key and value",
        watch: "Two of the three maps are never used: what a word asks is what it offers and what it gives.",
        effect: "abs(key_heads[0,0,0,0] - key_by_query_map) < 0.00001",
        settings: &[],
        hint: "Keys and values come from the query's map. Each of the three has a map of its own: maps.query, maps.key, maps.value.",
        check: Some(|| check::check(mistakes::one_map)),
    },
    Mistake {
        name: "no-mask",
        title: "forget the mask",
        watch: "Sentence 1 is padded: its padding gets weight in all eight heads.",
        effect: "min(weights[1,:,:,10]) > 0",
        settings: &[],
        hint: "You did not use the mask. It has no axis for heads: unsqueeze(1) gives it one, and it stretches over all of them.",
        check: Some(|| check::check(mistakes::no_mask)),
    },
];

pub static KNOBS: [Knob; 5] = [
    Knob {
        name: "example",
        about: "30 sentences; two rows worked by hand, without maps; or numbered cells that tell where they came from",
        range: Range::Choice(&["standard", "worked", "origin"]),
        default: "standard",
    },
    Knob {
        name: "heads",
        about: "heads that share d_model 512",
        range: Range::Whole {
            least: 1,
            most: 512,
            stops: &[1, 2, 4, 7, 8, 16, 32, 64],
        },
        default: "8",
    },
    Knob {
        name: "off",
        about: "which head is switched off, from 1; 0 is none",
        range: Range::Whole {
            least: 0,
            most: 64,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8],
        },
        default: "0",
    },
    Knob {
        name: "projections",
        about: "every head reads all 512 channels, or only its own block of them",
        range: Range::Choice(&["full", "grouped"]),
        default: "full",
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
