//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 5] = [
    Mistake {
        name: "softmax-twice",
        title: "softmax twice",
        watch: "Rows of exp still sum to 1, so no test of sums finds it. But all words are nearly equally likely now, whatever the logits say: the loss cannot fall.",
        effect: "max(generator.log_probs[0,0,:]) - min(generator.log_probs[0,0,:]) < 1.0001",
        settings: &[],
        hint: "You normalise twice: a softmax's result lies between 0 and 1, so the second one finds all words alike. log_softmax takes logits.",
        check: Some(|| check::check(mistakes::softmax_twice)),
    },
    Mistake {
        name: "logits-only",
        title: "hand out the logits",
        watch: "Some are positive: a logarithm of a probability never is. The loss would be wrong by a number that differs from row to row.",
        effect: "log_probs_made == 0",
        settings: &[],
        hint: "These are the logits. What is asked for is the logarithm of probabilities: log_softmax.",
        check: Some(|| check::check(mistakes::logits_only)),
    },
    Mistake {
        name: "probabilities",
        title: "probabilities instead of logarithms",
        watch: "All lie between 0 and 1. A loss that takes −log p for them would reward nothing.",
        effect: "min(generator.log_probs[0,0,:]) >= 0",
        settings: &[],
        hint: "These are probabilities. What is asked for is their logarithm, which log_softmax takes without rounding small ones to 0.",
        check: Some(|| check::check(mistakes::probabilities)),
    },
    Mistake {
        name: "no-bias",
        title: "forget the bias",
        watch: "The parameters fall by one a word. Frequent words can no longer be likelier from the start.",
        effect: "biased == 0",
        settings: &[],
        hint: "The generator's bias is missing: add it to the logits where there is one.",
        check: Some(|| check::check(mistakes::no_bias)),
    },
    Mistake {
        name: "over-positions",
        title: "normalise over the positions",
        watch: "Each word's column sums to 1 over the sentence, and no row does: the words no longer compete.",
        effect: "abs(sum(exp(generator.log_probs[0,0,:])) - 1) > 0.01",
        settings: &[],
        hint: "Your columns sum to 1, not your rows. The words of one position compete: normalise over the last axis.",
        check: Some(|| check::check(mistakes::over_positions)),
    },
];

pub static KNOBS: [Knob; 5] = [
    Knob {
        name: "vocab",
        about: "words to choose from; the standard 30,000 take a moment",
        range: Range::Whole {
            least: 2,
            most: 40_000,
            stops: &[11, 300, 3000, 30_000],
        },
        default: "3000",
    },
    Knob {
        name: "tied",
        about: "the generator's matrix is the table of words, without a bias",
        range: Range::Choice(&["no", "yes"]),
        default: "no",
    },
    Knob {
        name: "src_vocab",
        about: "words of the source language",
        range: Range::Whole {
            least: 2,
            most: 40_000,
            stops: &[300, 3000, 30_000],
        },
        default: "3000",
    },
    Knob {
        name: "row",
        about: "which row of the matrix is nudged, from 1; 0 is none",
        range: Range::Whole {
            least: 0,
            most: 9,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "0",
    },
    Knob {
        name: "seed",
        about: "which hidden vectors and weights",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];
