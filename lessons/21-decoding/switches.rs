//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range, models};

use super::{check, mistakes};

/// A sentence on which greedy decoding does not end.
pub const RUNAWAY: &str = "Jeder Ingenieur , der keinen Hut weggeworfen hat , hat eingekauft , aber ich habe meinen süßen Tee getrunken .";

pub static MISTAKES: [Mistake; 9] = [
    Mistake {
        name: "last-word",
        title: "rank by the last word alone",
        watch: "What came before is forgotten: a hypothesis whose last word was easy beats one that is likelier as a whole. The stated log-probability is no longer that of the translation.",
        effect: "sum_apart > 0.01",
        settings: &[],
        hint: "You rank by the new word alone. A continuation's log-probability is that of its hypothesis plus that of the word.",
        check: Some(|| check::check(mistakes::last_word)),
    },
    Mistake {
        name: "only-beam",
        title: "take beam continuations, not twice as many",
        watch: "At a step where an EOS is among them, fewer than beam hypotheses live on: every ending takes a place away.",
        effect: "alive_least < beam",
        settings: &[],
        hint: "You look at beam continuations only. Look at twice as many: then beam of them remain even if half of them end.",
        check: Some(|| check::check(mistakes::only_beam)),
    },
    Mistake {
        name: "two-each",
        title: "two continuations of each hypothesis",
        watch: "An unlikely hypothesis keeps its two places, and the second, third and fourth best of a likely one have none. The hypotheses no longer compete.",
        effect: "crowd <= 2",
        settings: &[],
        hint: "You take two continuations of every hypothesis. All continuations of all hypotheses compete for the same places.",
        check: Some(|| check::check(mistakes::two_each)),
    },
    Mistake {
        name: "ended-live",
        title: "let what has ended live on",
        watch: "After an EOS words are written on, and nothing is ever finished: the search runs into its limit.",
        effect: "lived_on > 0",
        settings: &[],
        hint: "A continuation that ends in the EOS lives on in your beam. It is Finished, and takes none of the places.",
        check: Some(|| check::check(mistakes::ended_live)),
    },
    Mistake {
        name: "times-penalty",
        title: "multiply by the penalty",
        watch: "Log-probabilities are negative: multiplied by a number above 1 they become worse, and the longer the worse. See ranking: the short one wins.",
        effect: "score_factor > 1",
        settings: &[],
        hint: "You multiply by the penalty. Divide: a log-probability is negative, and dividing brings that of a long sentence nearer to 0.",
        check: Some(|| check::check(mistakes::times_penalty)),
    },
    Mistake {
        name: "forgotten-rows",
        title: "reorder the beam, not the cache",
        watch: "Look at lamp. Hypotheses change places, and their keys and values do not: each reads on in another one's sentence. Nothing fails.",
        effect: "lamp > 0.001",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "position",
        title: "call every word the first",
        watch: "Look at lamp. A step with a cache sees a sentence of one word, and takes it for position 0. The first step is right: that is why a short test finds nothing.",
        effect: "lamp > 0.001",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "stale-memory",
        title: "keep the memory of the sentence before",
        watch: "Look at lamp, ranking and loop. The cached keys and values of the memory are still those of 'Der Arzt lernt im Park .' The English is fluent, and of another sentence.",
        effect: "lamp > 0.001",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "first-row",
        title: "take the first row, not the last",
        watch: "Look at loop. The first position predicts the first word, whatever was written since. The EOS never comes, and only the limit ends it.",
        effect: "loop_ended == 0",
        settings: &[],
        hint: "",
        check: None,
    },
];

pub static KNOBS: [Knob; 12] = [
    Knob {
        name: "sentence",
        about: "German words of the phrasebook, with blanks between (type :sentence=… and Enter)",
        range: Range::Text {
            most: 160,
            stops: &[
                "Vier Schüler treffen im Winter den Großvater nicht , aber sie finden das schwarze Messer .",
                "Weil es geregnet hat , hast du zwei Bücher geschrieben .",
                "Der Koch , der unseren Mantel verloren hat , trägt seine Jacke .",
                "Jeder Koch , der traurig ist , trinkt unsere süße Milch , wenn er nicht tanzt .",
                RUNAWAY,
            ],
        },
        default: "Vier Schüler treffen im Winter den Großvater nicht , aber sie finden das schwarze Messer .",
    },
    Knob {
        name: "beam",
        about: "hypotheses kept alive; 1 is greedy",
        range: Range::Whole {
            least: 1,
            most: 20,
            stops: &[1, 2, 3, 4, 6, 8, 12, 20],
        },
        default: "4",
    },
    Knob {
        name: "alpha",
        about: "the length penalty's exponent; 0 is none",
        range: Range::Real {
            least: 0.0,
            most: 2.0,
            stops: &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 2.0],
        },
        default: "0.6",
    },
    Knob {
        name: "step",
        about: "which step of the search is shown",
        range: Range::Whole {
            least: 1,
            most: 60,
            stops: &[
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
            ],
        },
        default: "10",
    },
    Knob {
        name: "limit",
        about: "the most words that may be written, the EOS counted",
        range: Range::Whole {
            least: 1,
            most: 60,
            stops: &[5, 10, 24, 40, 60],
        },
        default: "24",
    },
    Knob {
        name: "temperature",
        about: "log-probabilities are divided by it before a word is drawn",
        range: Range::Real {
            least: 0.0,
            most: 10.0,
            stops: &[0.0, 0.5, 0.8, 1.0, 1.5, 2.0, 3.0],
        },
        default: "1",
    },
    Knob {
        name: "top_k",
        about: "only so many likeliest words are drawn from; 0 is all",
        range: Range::Whole {
            least: 0,
            most: 500,
            stops: &[0, 1, 2, 3, 5, 10, 50],
        },
        default: "0",
    },
    Knob {
        name: "top_p",
        about: "only the likeliest words that reach this probability together; 1 is all",
        range: Range::Real {
            least: 0.01,
            most: 1.0,
            stops: &[0.5, 0.8, 0.9, 0.95, 0.99, 1.0],
        },
        default: "1",
    },
    Knob {
        name: "length",
        about: "words in the ledger, an EOS ignored",
        range: Range::Whole {
            least: 1,
            most: 60,
            stops: &[5, 10, 20, 40, 60],
        },
        default: "20",
    },
    Knob {
        name: "seed",
        about: "which samples are drawn",
        range: Range::Whole {
            least: 0,
            most: 999,
            stops: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
        default: "1",
    },
    models::MODEL,
    models::BACK,
];
