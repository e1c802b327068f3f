//! What the learner can turn, and what can be broken.

use transformer_tutor::lesson::{Knob, Mistake, Range};

use super::{check, mistakes};

pub static MISTAKES: [Mistake; 8] = [
    Mistake {
        name: "no-shift",
        title: "forget the shift",
        watch: "tgt and tgt_y are the same: every position reads the very word that it is to say. Start the race to see what is learned from that.",
        effect: "max(abs(tgt - tgt_y)) == 0",
        settings: &[],
        hint: "Your decoder reads the very words that it is to say, and will learn to copy them. What it reads ends one column earlier, and begins with the start.",
        check: Some(|| check::check(mistakes::no_shift)),
    },
    Mistake {
        name: "backwards",
        title: "shift the wrong way",
        watch: "Every position reads a word and is to say the one before. The start token becomes something to say, the end is never said.",
        effect: "max(abs(tgt_y[:,0] - 1)) == 0",
        settings: &[],
        hint: "The two are exchanged: yours reads what comes next and is to say what came before.",
        check: Some(|| check::check(mistakes::backwards)),
    },
    Mistake {
        name: "keep-last",
        title: "read the last word too",
        watch: "Seven positions read and six have something to say. The loss refuses.",
        effect: "fails",
        settings: &[],
        hint: "tgt is one column too long. After the last word nothing is to be said, so nobody needs to read it.",
        check: Some(|| check::check(mistakes::keep_last)),
    },
    Mistake {
        name: "roll",
        title: "roll the row round",
        watch: "The last position is to say the start token. One shape is as good as another here, so nothing fails.",
        effect: "max(tgt_y == 1) == 1",
        settings: &[],
        hint: "You rolled the row: its start comes round and stands behind its end. Cut instead.",
        check: Some(|| check::check(mistakes::roll)),
    },
    Mistake {
        name: "two-on",
        title: "shift by two",
        watch: "After the start the second word is to be said. The first word never is.",
        effect: "max(abs(tgt_y[:,0] - sentence[:,2])) == 0",
        settings: &[],
        hint: "Your targets are two words on. After the start comes the first word, not the second.",
        check: Some(|| check::check(mistakes::two_on)),
    },
    Mistake {
        name: "count-padding",
        title: "count padding as words",
        watch: "The same batch seems to have 18 words instead of 16. Look at loss: the sum over the real words is divided by too much, and the more padding a batch has, the less it learns.",
        effect: "abs(loss * 16 + sum(counted)) > 0.1",
        settings: &[],
        hint: "ntokens counts every cell of tgt_y. Padding is not to be predicted: count what is not PAD.",
        check: Some(|| check::check(mistakes::count_padding)),
    },
    Mistake {
        name: "no-mask",
        title: "forget the mask of the future",
        watch: "Position 0 sees the word it is to say, one place on. One pass and the loop part: a prefix has no future to see.",
        effect: "loop_apart > 0.001",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "no-start",
        title: "no start token",
        watch: "The row begins with its first word. Then the second is the first that is to be said, and the model never learns how to begin.",
        effect: "first_word_asked == 0",
        settings: &[],
        hint: "",
        check: None,
    },
];

pub static KNOBS: [Knob; 3] = [
    Knob {
        name: "form",
        about: "what is moved: ids, as in the Annotated Transformer, or embeddings, as in TensorFlow's",
        range: Range::Choice(&["ids", "embeddings"]),
        default: "ids",
    },
    Knob {
        name: "steps",
        about: "how long the race trains",
        range: Range::Whole {
            least: 10,
            most: 1000,
            stops: &[50, 100, 200, 400],
        },
        default: "50",
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
