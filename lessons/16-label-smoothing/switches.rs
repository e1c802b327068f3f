//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 8] = [
    Mistake {
        name: "over-all",
        title: "spread over all words",
        watch: "The right word gets a share on top of its 1 − ε, and padding gets one too. With many words the eye does not see it; with five it is plain.",
        effect: "max(targets[0,0,:]) > 1 - epsilon + 0.00001",
        settings: &[],
        hint: "You spread ε over the whole vocabulary: that is PyTorch's form. Asked for are all words but the right one and padding.",
        check: Some(|| check::check(mistakes::over_all)),
    },
    Mistake {
        name: "over-others",
        title: "let padding share: ε/(V − 1)",
        watch: "Column 0 is padding, and every row gives it something: the model is asked to consider saying it.",
        effect: "targets[0,0,0] > 0",
        settings: &[],
        hint: "You spread ε over all words but the right one, which is TensorFlow's form. Here padding gets nothing either, so V − 2 words share.",
        check: Some(|| check::check(mistakes::over_others)),
    },
    Mistake {
        name: "padding-shares",
        title: "count without padding, give it a share",
        watch: "Rows sum to more than 1: V − 1 words got a share of ε/(V − 2).",
        effect: "sum(targets[0,0,:]) > 1.0005",
        settings: &[],
        hint: "You divide by V − 2, but V − 1 words get a share: set padding's column to 0.",
        check: Some(|| check::check(mistakes::padding_shares)),
    },
    Mistake {
        name: "padding-rows",
        title: "keep the rows of padding",
        watch: "Where the target is padding the row is not 0: places that hold no word cost something, and the model learns from them.",
        effect: "sum(targets[1,9,:]) > 0",
        settings: &[],
        hint: "A target that is padding asks for nothing: its whole row must be 0.",
        check: Some(|| check::check(mistakes::padding_rows)),
    },
    Mistake {
        name: "exchanged",
        title: "exchange ε and 1 − ε",
        watch: "The right word gets the small part. The loss now falls for a model that says anything but the right word.",
        effect: "abs(max(targets[0,0,:]) - epsilon) < 0.00001",
        settings: &[],
        hint: "You give ε to the right word and the rest to the others: exchange them.",
        check: Some(|| check::check(mistakes::exchanged)),
    },
    Mistake {
        name: "no-smoothing",
        title: "smooth nothing",
        watch: "One cell of each row is 1 and the others 0. The loss has no floor but 0, and rewards being ever surer.",
        effect: "max(targets[0,0,:]) == 1",
        settings: &[],
        hint: "The right word keeps all. Take smoothing away from it, and share that among the others.",
        check: Some(|| check::check(mistakes::no_smoothing)),
    },
    Mistake {
        name: "right-shares",
        title: "give the right word a share too",
        watch: "Rows sum to more than 1: the right word was not counted among the V − 2, and got a share all the same.",
        effect: "sum(targets[0,0,:]) > 1.0005",
        settings: &[],
        hint: "The right word keeps 1 − smoothing and no more: the shares belong to the others.",
        check: Some(|| check::check(mistakes::right_shares)),
    },
    Mistake {
        name: "count-padding",
        title: "divide by all places",
        watch: "The sum over real words is divided by all places of the batch. The loss looks smaller, and depends on how much padding a batch happens to have.",
        effect: "abs(loss * sum(tgt_y > 0) - divergence) > 0.001",
        settings: &[],
        hint: "",
        check: None,
    },
];

pub static KNOBS: [Knob; 7] = [
    Knob {
        name: "example",
        about: "30 sentences; or the Annotated Transformer's five words, with its impossible predictions",
        range: Range::Choice(&["batch", "five"]),
        default: "batch",
    },
    Knob {
        name: "epsilon",
        about: "ε: what the right word gives away",
        range: Range::Real {
            least: 0.0,
            most: 0.9,
            stops: &[0.0, 0.05, 0.1, 0.2, 0.4],
        },
        default: "0.1",
    },
    Knob {
        name: "form",
        about: "whose loss: the Annotated Transformer's divergence, TensorFlow's with its constant, or PyTorch's (and fairseq's first)",
        range: Range::Choice(&["divergence", "tensorflow", "fairseq"]),
        default: "divergence",
    },
    Knob {
        name: "sure",
        about: "by how much the right word's logit stands above the others",
        range: Range::Whole {
            least: 0,
            most: 30,
            stops: &[0, 2, 4, 6, 8, 10, 15, 20],
        },
        default: "4",
    },
    Knob {
        name: "vocab",
        about: "words to choose from",
        range: Range::Whole {
            least: 3,
            most: 2000,
            stops: &[100, 200, 400, 1000],
        },
        default: "200",
    },
    Knob {
        name: "guard",
        about: "in the example of five words: what is done before the logarithm of 0",
        range: Range::Choice(&["none", "clamp"]),
        default: "none",
    },
    Knob {
        name: "seed",
        about: "which random logits",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "7",
    },
];
