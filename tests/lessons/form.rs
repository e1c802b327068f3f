//! Whether the form of an option gives away that it is right. A small classifier learns from the questions of all other
//! lessons, sees nothing but surface features, and guesses.

use transformer_tutor::curriculum::LESSONS;
use transformer_tutor::lesson::page::Predict;

/// Largest share of questions that form may answer. With four options, chance is 25 %.
const BOUND: f64 = 0.29;

/// Number of features of an option.
const FEATURES: usize = 16;

/// Steps and rate of the training, and how strongly the weights are drawn to 0.
const STEPS: usize = 300;
const RATE: f64 = 0.3;
const DECAY: f64 = 0.02;

/// What can be seen of an option without understanding it; `rank` is its place by length, 0 for the shortest.
fn features(text: &str, rank: usize, count: usize, mean: f64) -> [f64; FEATURES] {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .filter(|word| !word.is_empty())
        .collect();
    let has = |all: &[&str]| f64::from(words.iter().any(|word| all.contains(word)));
    let flag = f64::from;
    [
        text.len() as f64 / mean - 1.0,
        flag(rank == 0),
        flag(rank + 1 == count),
        has(&["because", "since", "as"]),
        has(&["nothing", "none", "nobody", "no"]),
        has(&[
            "not", "never", "cannot", "can't", "isn't", "doesn't", "don't", "won't",
        ]),
        has(&["all", "every", "each", "always", "any"]),
        has(&["only", "just", "alone"]),
        has(&[
            "may", "might", "perhaps", "about", "almost", "nearly", "mostly", "often", "usually",
        ]),
        has(&["both", "neither", "either"]),
        has(&["but", "although", "though", "yet", "however"]),
        has(&["so", "therefore", "which", "that"]),
        flag(text.chars().any(|c| c.is_ascii_digit())),
        flag(text.contains(['“', '"', '`'])),
        text.matches(',').count() as f64,
        flag(text.contains([':', ';', '(', '–'])),
    ]
}

/// The options of a question by their features, and the right one.
type Case = (Vec<[f64; FEATURES]>, usize);

fn case(question: &Predict, right: usize) -> Case {
    let texts: Vec<&str> = question
        .options
        .iter()
        .map(|option| &*option.text)
        .collect();
    let mean = texts.iter().map(|text| text.len() as f64).sum::<f64>() / texts.len() as f64;
    let rank = |text: &str| {
        texts
            .iter()
            .filter(|other| other.len() < text.len())
            .count()
    };
    let all = texts
        .iter()
        .map(|text| features(text, rank(text), texts.len(), mean));
    (all.collect(), right)
}

/// The probability of each option: a softmax of weighted features.
fn guess(weights: &[f64; FEATURES], options: &[[f64; FEATURES]]) -> Vec<f64> {
    let score = |option: &[f64; FEATURES]| {
        let products = option.iter().zip(weights).map(|(x, w)| x * w);
        products.sum::<f64>().exp()
    };
    let scores: Vec<f64> = options.iter().map(score).collect();
    let sum: f64 = scores.iter().sum();
    scores.into_iter().map(|score| score / sum).collect()
}

/// Weights that make the right options of `cases` as probable as possible.
fn learned<'a>(cases: impl Iterator<Item = &'a Case> + Clone) -> [f64; FEATURES] {
    let mut weights = [0.0; FEATURES];
    let count = cases.clone().count() as f64;
    for _ in 0..STEPS {
        let mut slope = [0.0; FEATURES];
        for (options, right) in cases.clone() {
            for (at, (option, p)) in options.iter().zip(guess(&weights, options)).enumerate() {
                let miss = f64::from(at == *right) - p;
                for (slope, x) in slope.iter_mut().zip(option) {
                    *slope += miss * x / count;
                }
            }
        }
        for (weight, slope) in weights.iter_mut().zip(slope) {
            *weight += RATE * (slope - DECAY * *weight);
        }
    }
    weights
}

#[test]
fn the_form_of_an_option_does_not_tell_whether_it_is_right() {
    let lessons: Vec<Vec<Case>> = LESSONS
        .iter()
        .map(|lesson| {
            let all = super::answered(lesson).into_iter();
            all.map(|(question, right)| case(&question, right))
                .collect()
        })
        .collect();
    let (mut hits, mut asked) = (0, 0);
    for (at, own) in lessons.iter().enumerate() {
        let others = lessons.iter().enumerate().filter(|(other, _)| *other != at);
        let weights = learned(others.flat_map(|(_, cases)| cases));
        for (options, right) in own {
            let p = guess(&weights, options);
            let best = (0..p.len()).max_by(|a, b| p[*a].total_cmp(&p[*b]));
            hits += usize::from(best == Some(*right));
            asked += 1;
        }
    }
    let share = hits as f64 / f64::from(asked);
    eprintln!(
        "{hits} of {asked}, weights over all: {:.2?}",
        learned(lessons.iter().flatten())
    );
    assert!(
        share <= BOUND,
        "form answers {hits} of {asked} questions, {:.1} %",
        100.0 * share
    );
}
