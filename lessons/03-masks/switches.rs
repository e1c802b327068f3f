//! What can be broken in lesson 03: the switches of the stage, in order.

use crate::lesson::Mistake;

use super::check::check;
use super::mistakes;

pub static MISTAKES: [Mistake; 9] = [
    Mistake {
        name: "no-future",
        title: "no future mask at all",
        watch: "In self.weights, row 0 gives weight to column 1, a word that has not been said yet. The leak meter lights up above the diagonal.",
        effect: "(self.weights[0,0,0,1] > 0.001) * (leak > 0.01)",
        settings: &[],
        hint: "Everything is open. Block what comes later: where the column is greater than the row, the cell is 0.",
        check: Some(|| check(mistakes::no_future)),
    },
    Mistake {
        name: "reversed",
        title: "read 1 as \"block\" instead of \"may see\"",
        watch: "The triangle turns into its opposite: a word sees only what comes after it, and not itself.",
        effect: "(self.weights[0,0,0,0] == 0) * (leak > 0.01)",
        settings: &[],
        hint: "Your 1 and 0 are exchanged. Here 1 means \"may be seen\"; you wrote 1 where a cell is to be blocked.",
        check: Some(|| check(mistakes::reversed)),
    },
    Mistake {
        name: "rows",
        title: "mask the padding's rows instead of its columns",
        watch: "In weights, words look at padding: column 10 of row 0 gets a share. Pad rows become evenly grey.",
        effect: "(weights[0,0,0,10] > 0.001) * (weights[0,0,9,0] == weights[0,0,9,1])",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "strict",
        title: "a word may not see itself",
        watch: "Row 0 of self.weights may see nothing, so it shares evenly among all ten cells, the future too.",
        effect: "(abs(self.weights[0,0,0,9] - 0.1) < 0.0001) * (leak > 0)",
        settings: &[],
        hint: "Your diagonal is 0: no word sees itself, and the first word sees nothing. The column may be equal to the row.",
        check: Some(|| check(mistakes::strict)),
    },
    Mistake {
        name: "upper",
        title: "the upper triangle instead of the lower",
        watch: "Row 1 no longer sees row 0, which it should, and sees what comes later, which it should not.",
        effect: "(self.weights[0,0,1,0] == 0) * (self.weights[0,0,1,2] > 0.001)",
        settings: &[],
        hint: "Rows and columns are exchanged: the row is the word that reads. What it may see lies to the left.",
        check: Some(|| check(mistakes::upper)),
    },
    Mistake {
        name: "weak-fill",
        title: "fill with −1e4, which large scores sink below",
        watch: "Nothing happens while scores are small. Raise logits to 100000: where every open score lies below −1e4, the blocked cells win, and the leak meter rises.",
        effect: "(blocked_share > 0.01) * (leak > 0.01)",
        settings: &[("logits", "100000")],
        hint: "",
        check: None,
    },
    Mistake {
        name: "times-zero",
        title: "multiply blocked scores by 0",
        watch: "A score of 0 is an ordinary score: padding, column 10 of weights, gets its share.",
        effect: "(weights[0,0,0,10] > 0.001) * (masked[0,0,0,10] == 0)",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "cross-target",
        title: "give cross-attention the target's mask",
        watch: "The run stops: ten columns cannot stretch over eleven. With example=tf the lengths happen to be equal, and nothing stops you.",
        effect: "fails",
        settings: &[],
        hint: "",
        check: None,
    },
    Mistake {
        name: "anti-diagonal",
        title: "the triangle of the other diagonal",
        watch: "Row 0 sees all ten words, row 9 only the first.",
        effect: "(self.weights[0,0,0,1] > 0.001) * (past[0,9,1] == 0)",
        settings: &[],
        hint: "Your triangle hangs from the wrong corner: the first word sees all, the last only one. Compare the column with the row, not with what is left.",
        check: Some(|| check(mistakes::anti_diagonal)),
    },
];

/// What the exercise says to who made the mistake `name`.
pub fn hint(name: &str) -> &'static str {
    let mistake = MISTAKES.iter().find(|m| m.name == name);
    mistake.map_or("", |m| m.hint)
}
