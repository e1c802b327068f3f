//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "no-clip",
        title: "count matches without a limit",
        watch: "With the line of seven times 'the' every one of them counts as right, though the reference has one (or two, with case at lc).",
        effect: "max(order1.clipped - order1.ref) > 0",
        settings: &[("hyp", "the the the the the the the")],
        hint: "A word that the reference has twice matches as often as you repeat it. Clip: the smaller of the two counts.",
        check: Some(|| check::check(mistakes::ALL[0].2)),
    },
    Mistake {
        name: "sentence-mean",
        title: "average the lines' scores",
        watch: "Each line gets a BLEU of its own, and the mean of them is taken. A short line counts as much as a long one, and one order without a match spoils it.",
        effect: "abs(bleu - score) > 0.01",
        settings: &[],
        hint: "You score each line and take the mean. Add the counts of all lines first, and divide once.",
        check: Some(|| check::check(mistakes::ALL[1].2)),
    },
    Mistake {
        name: "arithmetic",
        title: "the plain mean of the precisions",
        watch: "The mean is higher: a good share of single words hides that no four words in a row are right.",
        effect: "bleu - score > 0.5",
        settings: &[],
        hint: "You take the mean of the precisions. BLEU takes that of their logarithms, and the exponential of it.",
        check: Some(|| check::check(mistakes::ALL[2].2)),
    },
    Mistake {
        name: "no-brevity",
        title: "forget the brevity penalty",
        watch: "A translation of a few safe words scores as if it were whole.",
        effect: "bleu - score > 0.5",
        settings: &[],
        hint: "Your short translations are not punished: multiply with exp(1 − r / c) where c is smaller than r.",
        check: Some(|| check::check(mistakes::ALL[3].2)),
    },
    Mistake {
        name: "brevity-turned",
        title: "punish length instead of brevity",
        watch: "The ratio stands upside down: short lines pay nothing.",
        effect: "abs(ratio * ref_len - hyp_len) < 0.001",
        settings: &[],
        hint: "You punish long translations. It is r / c, the reference's length over the hypothesis's, and short ones pay.",
        check: Some(|| check::check(mistakes::ALL[4].2)),
    },
    Mistake {
        name: "recall",
        title: "divide by the reference's n-grams",
        watch: "The totals are those of the reference: that is recall, and words too many cost nothing.",
        effect: "order1.total == ref_len",
        settings: &[],
        hint: "You divide by how many n-grams the reference has. Precision divides by those of the hypothesis.",
        check: Some(|| check::check(mistakes::ALL[5].2)),
    },
    Mistake {
        name: "distinct",
        title: "count each n-gram once",
        watch: "A word that stands twice in a line counts once: the totals shrink.",
        effect: "order1.total < hyp_len",
        settings: &[("hyp", "the the the the the the the")],
        hint: "You count each n-gram once in a line. Count how often it stands there, on both sides.",
        check: Some(|| check::check(mistakes::ALL[6].2)),
    },
];

pub static KNOBS: [Knob; 5] = [
    Knob {
        name: "hyp",
        about: "the first line's translation: any words of yours (type :hyp=… and Enter)",
        range: Range::Text {
            most: 80,
            stops: &[
                "The cat is on a mat.",
                "the the the the the the the",
                "The cat.",
                "On the mat is the cat.",
                "The cat is on the mat.",
            ],
        },
        default: "The cat is on a mat.",
    },
    Knob {
        name: "ref",
        about: "the first line's reference",
        range: Range::Text {
            most: 80,
            stops: &["The cat is on the mat.", "There is a cat on the mat."],
        },
        default: "The cat is on the mat.",
    },
    Knob {
        name: "tokenize",
        about: "how lines are cut into words",
        range: Range::Choice(&["13a", "intl", "char", "none"]),
        default: "13a",
    },
    Knob {
        name: "case",
        about: "whether capitals count, or all is made lower case",
        range: Range::Choice(&["mixed", "lc"]),
        default: "mixed",
    },
    Knob {
        name: "smooth",
        about: "what an order without a match counts as",
        range: Range::Choice(&["exp", "floor", "add-k", "none"]),
        default: "exp",
    },
];
