//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "population",
        title: "divide by n instead of n − 1",
        watch: "Every cell grows by the factor √(512/511): d draws it, the eye does not see it. In the example of four numbers it is 15 %.",
        effect: "abs(normal[0,0,0] - 1.732) < 0.001",
        settings: &[("example", "four")],
        hint: "Your deviation divides by n. The form asked for is the unbiased one, over n − 1: Deviation::Unbiased.",
        check: Some(|| check::check(mistakes::population)),
    },
    Mistake {
        name: "no-epsilon",
        title: "leave ε out",
        watch: "With ε at 1e-6 nothing is to be seen, until a row of equal numbers comes: 0 / 0. Turn edit to 0 and look at sentence 2.",
        effect: "min(normal[1,0,:] == normal[1,0,:]) == 0",
        settings: &[("edit", "0")],
        hint: "Nothing guards your division: add epsilon to the deviation. A row of equal numbers has deviation 0.",
        check: Some(|| check::check(mistakes::no_epsilon)),
    },
    Mistake {
        name: "over-positions",
        title: "normalise over the words",
        watch: "Now every channel has mean 0 over the sentence, and a word's vector changes when another word does.",
        effect: "abs(mean(normal[0,:,0])) < 0.0001",
        settings: &[],
        hint: "Your mean runs over the words of a sentence. It runs over the channels of one word: the last axis.",
        check: Some(|| check::check(mistakes::over_positions)),
    },
    Mistake {
        name: "no-mean",
        title: "leave the mean in",
        watch: "Rows no longer sum to 0: what all channels have in common stays.",
        effect: "abs(mean(normal[0,0,:])) > 0.001",
        settings: &[],
        hint: "You divide x itself. Subtract each row's mean first.",
        check: Some(|| check::check(mistakes::no_mean)),
    },
    Mistake {
        name: "variance",
        title: "divide by the variance",
        watch: "Loud rows become quiet and quiet rows loud: the size of a row is turned round instead of taken out.",
        effect: "abs(std(normal[0,0,:]) - 1) > 0.02",
        settings: &[],
        hint: "You divide by the variance. The deviation is its root.",
        check: Some(|| check::check(mistakes::variance)),
    },
    Mistake {
        name: "no-scale",
        title: "leave γ out",
        watch: "At the beginning γ is 1 everywhere, so nothing changes; turn learned to 1 and the channels lose what they had learned.",
        effect: "scales == 0",
        settings: &[("learned", "1")],
        hint: "Your result is not scaled: multiply by scale.",
        check: Some(|| check::check(mistakes::no_scale)),
    },
    Mistake {
        name: "no-bias",
        title: "leave β out",
        watch: "At the beginning β is 0 everywhere, so nothing changes; turn learned to 1 to see what is missing.",
        effect: "biases == 0",
        settings: &[("learned", "1")],
        hint: "Your result is not moved: add bias.",
        check: Some(|| check::check(mistakes::no_bias)),
    },
];

pub static KNOBS: [Knob; 5] = [
    Knob {
        name: "example",
        about: "30 sentences of 10 words; or four numbers, 1 0 0 0",
        range: Range::Choice(&["standard", "four"]),
        default: "standard",
    },
    Knob {
        name: "edit",
        about: "by what the second sentence is multiplied: edit it, and see who notices",
        range: Range::Real {
            least: 0.0,
            most: 100.0,
            stops: &[0.0, 0.5, 1.0, 2.0, 5.0, 20.0],
        },
        default: "1",
    },
    Knob {
        name: "epsilon",
        about: "ε, against division by 0",
        range: Range::Real {
            least: 0.0,
            most: 10.0,
            stops: &[0.0, 0.000_001, 0.001, 0.1, 1.0],
        },
        default: "0.000001",
    },
    Knob {
        name: "learned",
        about: "how far γ and β have moved from 1 and 0",
        range: Range::Real {
            least: 0.0,
            most: 10.0,
            stops: &[0.0, 0.5, 1.0],
        },
        default: "0",
    },
    Knob {
        name: "seed",
        about: "which random vectors",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];
