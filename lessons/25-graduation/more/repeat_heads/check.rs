//! The warm-up: the repetition behind grouped queries, and shapes that distinguish it from its mistakes.

use transformer_tutor::autograd::{Tape, Var};
use transformer_tutor::lesson::exercise::Recorded;
use transformer_tutor::nn::grouped_query::repeat_heads;
use transformer_tutor::tensor::{Tensor, random};

#[path = "exercise.rs"]
mod starter;

/// The signature of the function to write.
pub type RepeatFn = fn(&Var, usize) -> Var;

transformer_tutor::task! { repeat_heads: RepeatFn = repeat_heads;
    |repeat| TASK.compared_recorded(repeat, &CASES, 1e-5, run)
}

/// Cases to try: shape of the groups' keys, and number of query heads.
const CASES: [(&str, ([usize; 4], usize)); 5] = [
    ("2 groups for 6 heads", ([2, 2, 3, 4], 6)),
    ("3 groups for 6 heads, one position", ([1, 3, 1, 5], 6)),
    ("one group for all 4 heads", ([2, 1, 3, 2], 4)),
    ("a group for each of 3 heads", ([1, 3, 2, 4], 3)),
    ("rows of 200 channels", ([1, 2, 2, 200], 4)),
];

fn run(&(shape, heads): &([usize; 4], usize), repeat: RepeatFn) -> Recorded {
    let tape = Tape::eval(&Default::default());
    let x = random::normal(&shape, 1.0, 29, "x");
    let x = tape.input("x", x, &["b", "g", "s", "k"]);
    Recorded::new(&tape, &[("", &repeat(&x, heads))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_starter_is_what_the_reference_gives() {
        assert!(include_str!("exercise.rs").contains("heads 0 and 1 have group 0"));
        let tape = Tape::eval(&Default::default());
        let x = random::normal(&[1, 2, 1, 1], 1.0, 29, "x");
        let x = tape.input("x", x, &["b", "g", "s", "k"]);
        let (groups, all) = (x.value(), repeat_heads(&x, 4).value());
        let [a, b] = [groups.data()[0], groups.data()[1]];
        assert_eq!(all.data(), [a, a, b, b]);
    }
}
