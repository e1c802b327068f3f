//! The exercise: a step of beam search, and cases that distinguish it from its mistakes.

use transformer_tutor::decode::beam::{Branch, Fate};
use transformer_tutor::decode::stepwise::{StepFn, beam_step};
use transformer_tutor::lesson::exercise::Failure;
use transformer_tutor::tensor::{Tensor, random};

use super::starter;

transformer_tutor::task! { beam_step: StepFn = beam_step;
    |step| {
        TASK.compared_together(step, &CASES, TOLERANCE, |says, _| says.to_owned(), run)
            .map_err(|failure| in_branches(step, failure))
    }
}

const TOLERANCE: f32 = 1e-5;

/// A case: log-probabilities of the living hypotheses, vocabulary size, beam, EOS, length, α, and the rows, which are
/// drawn from a name with EOS made likelier by a given amount, or have cells of only a few sizes.
type Case = (&'static [f64], usize, usize, u32, usize, f64, Rows);

enum Rows {
    Drawn(&'static str, f32),
    /// This many different sizes, because the exercise specifies the order of equally likely continuations.
    Tied(usize),
}
use Rows::{Drawn, Tied};

const FIRST: &str = "the first step: one hypothesis, a beam of 3";
const THREE: &str = "three hypotheses of different log-probability";
const ENDS: &str = "an EOS that is likely in every row";
const BEHIND: &str = "two hypotheses, of which one is far behind";
const FEW: &str = "more continuations asked for than there are";

const CASES: [(&str, Case); 8] = [
    (FIRST, (&[0.0], 9, 3, 2, 1, 0.6, Drawn(FIRST, 0.0))),
    (
        THREE,
        (&[-0.4, -1.3, -2.9], 7, 3, 2, 4, 0.6, Drawn(THREE, 0.0)),
    ),
    (
        ENDS,
        (
            &[-1.0, -1.2, -1.5, -6.0],
            11,
            4,
            5,
            9,
            1.0,
            Drawn(ENDS, 4.0),
        ),
    ),
    (
        BEHIND,
        (&[-0.5, -9.0], 8, 2, 0, 13, 2.0, Drawn(BEHIND, 1.0)),
    ),
    (FEW, (&[-0.7, -0.9], 3, 4, 1, 2, 0.3, Drawn(FEW, 0.0))),
    (
        "continuations that are all equally likely",
        (&[-1.0, -1.0], 5, 3, 1, 3, 0.6, Tied(1)),
    ),
    // Unstable sorts keep the order of few elements, and of those that are all equal.
    (
        "many continuations, a quarter of them equally likely",
        (&[-1.0; 5], 13, 4, 1, 3, 0.6, Tied(4)),
    ),
    // In f32 the two sums are equal, and the first comes first.
    (
        "two hypotheses that only f64 can tell apart",
        (&[-30000.002, -30000.001], 5, 2, 1, 40, 0.6, Tied(1)),
    ),
];

/// The failure of `step` in words: the first branch that differs, and how. A failure without results stays as it is.
fn in_branches(step: StepFn, failure: Box<Failure>) -> Box<Failure> {
    if failure.cell.is_none() && failure.shape.is_none() {
        return failure;
    }
    let different = CASES.iter().find_map(|(says, case)| {
        let how = difference(&branches(case, beam_step), &branches(case, step))?;
        Some(format!("{says}: {how}"))
    });
    Box::new(Failure {
        sentence: different.unwrap_or_else(|| failure.sentence.clone()),
        expected_shape: None,
        shape: None,
        cell: None,
        relation: None,
        ..*failure
    })
}

/// How two lists of branches differ, at the first place where they do; `None` if they agree.
fn difference(expected: &[Branch], got: &[Branch]) -> Option<String> {
    let name = |b: &Branch| format!("token {} of hypothesis {}", b.word, b.parent);
    let near = |a: f64, b: f64| (a - b).abs() <= f64::from(TOLERANCE) * a.abs().max(1.0);
    for (index, (e, g)) in expected.iter().zip(got).enumerate() {
        let branch = name(e);
        if (e.parent, e.word) != (g.parent, g.word) {
            return Some(format!(
                "continuation {index} should be {branch}; yours is {}",
                name(g)
            ));
        }
        let numbers = [
            ("log_prob", e.log_prob, g.log_prob),
            ("score", e.score, g.score),
        ];
        if let Some((field, e, g)) = numbers.iter().find(|(_, e, g)| !near(*e, *g)) {
            return Some(format!("{branch}: expected {field} {e:.4}, yours {g:.4}"));
        }
        if e.fate != g.fate {
            return Some(format!(
                "{branch}: expected {:?}, yours {:?}",
                e.fate, g.fate
            ));
        }
    }
    let (e, g) = (expected.len(), got.len());
    (e != g).then(|| format!("{e} continuations were expected, yours are {g}"))
}

/// What `step` returns.
fn branches((alive, words, beam, eos, length, alpha, rows): &Case, step: StepFn) -> Vec<Branch> {
    let shape = [alive.len(), *words];
    let (logits, ending) = match rows {
        Drawn(says, ending) => (random::normal(&shape, 1.5, 11, says), *ending),
        Tied(sizes) => {
            let size = |i: &[usize]| (5 * i[1] + 3 * i[0]) % sizes;
            (Tensor::from_fn(&shape, |i| -(size(i) as f32)), 0.0)
        }
    };
    // The rows need not be distributions, because only sums are compared.
    let next = Tensor::from_fn(&shape, |i| {
        let boost = if i[1] == *eos as usize { ending } else { 0.0 };
        logits.at(i) + boost - 4.0
    });
    step(alive, &next, *beam, *eos, *length, *alpha)
}

/// One row per branch.
fn run(case: &Case, step: StepFn) -> Tensor {
    let branches = branches(case, step);
    let row = |b: &Branch| {
        let fate = match b.fate {
            Fate::Alive(index) => index as f32,
            Fate::Finished => 100.0,
            Fate::Pruned => 101.0,
        };
        [
            b.parent as f32,
            b.word as f32,
            b.log_prob as f32,
            b.score as f32,
            fate,
        ]
    };
    Tensor::new(
        &[branches.len(), 5],
        branches.iter().flat_map(row).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use transformer_tutor::testing::assert_ends_with;

    fn words(step: StepFn) -> String {
        (TASK.check)(step).expect_err("it is wrong").sentence
    }

    #[test]
    fn a_wrong_fate_is_told_with_its_token_and_hypothesis() {
        let all_live: StepFn = |alive, next, beam, eos, length, alpha| {
            let mut branches = beam_step(alive, next, beam, eos, length, alpha);
            branches[0].fate = Fate::Pruned;
            branches
        };
        let first = beam_step(
            &[0.0],
            &Tensor::new(&[1, 2], vec![-1.0, -2.0]),
            1,
            9,
            1,
            0.0,
        );
        assert_eq!(difference(&first, &first), None);
        assert_ends_with(
            &words(all_live),
            "of hypothesis 0: expected Alive(0), yours Pruned",
        );
    }

    #[test]
    fn a_wrong_score_and_a_missing_continuation_are_told_in_words() {
        let branch = |word, score| Branch {
            parent: 2,
            word,
            log_prob: -3.0,
            score,
            fate: Fate::Finished,
        };
        let difference = |a: &[Branch], b: &[Branch]| difference(a, b).expect("they differ");
        assert_eq!(
            difference(&[branch(7, -1.5)], &[branch(7, -3.0)]),
            "token 7 of hypothesis 2: expected score -1.5000, yours -3.0000"
        );
        assert_eq!(
            difference(&[branch(7, -1.5)], &[]),
            "1 continuations were expected, yours are 0"
        );
        assert_eq!(
            difference(&[branch(7, -1.5)], &[branch(4, -1.5)]),
            "continuation 0 should be token 7 of hypothesis 2; yours is token 4 of hypothesis 2"
        );
    }
}
