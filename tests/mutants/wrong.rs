//! Wrong solutions written from only the starters, without knowledge of the checks: `solutions/NAME.rs` has those of an
//! exercise that differ most from its known mistakes, about six. Each must fail, and as many as possible must be given
//! the cause.
//!
//! A solution begins with a line `//# [first-tie once-a-word] cause`: the names of the known mistakes that are this
//! cause, or none, and the cause in words. `//# right` begins a right solution. Then comes either the whole text, or what
//! changes in the last whole text above, in the form of a `mistakes.diff`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use transformer_tutor::curriculum::exercise;
use transformer_tutor::lesson::exercise::changes;

use crate::base::Base;
use crate::bases;
use crate::compiled::{Candidate, Found, alone, compiled, tried};

/// Names for causes that are no known mistake of an exercise, each with words of its message.
const GENERAL: [(&str, &str); 10] = [
    ("no-gradient", "Did you take numbers out with value()"),
    ("below-zero", "You subtract a larger unsigned number"),
    ("too-large", "is too large for its integer type"),
    ("divided-by-0", "You divide by the integer 0"),
    ("past-the-end", "You read past the end of a list"),
    ("unwrapped-none", "You unwrap an Option that is None"),
    // Part two of `tiny_tape`.
    ("every-path", "You follow every path"),
    ("nudged", "You nudge a number"),
    ("in-f32", "You compute the gradients in f32"),
    // Part two of `fast_byte_pairs`.
    ("counts-again", "You count all pairs again"),
];

/// Separates the causes of a solution with two mistakes.
const SEPARATOR: &str = " | ";

struct Solution {
    cause: String,
    /// The names of the known mistakes that are this cause.
    known: Vec<String>,
    code: String,
}

/// Counts of the outcomes of wrong solutions.
#[derive(Clone, Copy, Default)]
struct Sums {
    all: usize,
    caught: usize,
    /// Those given the right cause.
    right: usize,
    /// Those given a cause by an instrument, whose sentences hold.
    measured: usize,
    /// Those given a wrong cause.
    wrong: usize,
    /// Those given no cause, but a description of how all cells differ.
    shown: usize,
}

/// The wrong solutions of an exercise.
fn solutions(base: &Base) -> Vec<Solution> {
    written(base).1
}

/// The correct solutions that the wrong ones of an exercise are changes of.
pub fn right(base: &Base) -> Vec<String> {
    written(base).0
}

/// The correct and the wrong solutions of an exercise.
fn written(base: &Base) -> (Vec<String>, Vec<Solution>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/mutants/solutions")
        .join(format!("{}.rs", base.name));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let (mut right, mut wrong, mut whole) = (Vec::new(), Vec::new(), "");
    for section in text.split("//# ").skip(1) {
        let (head, body) = section.split_once('\n').expect("a head and a text");
        let code = if body.starts_with(['-', '+', ' ']) {
            let lines = changes::applied(whole, body);
            let lines = lines.unwrap_or_else(|(_, why)| panic!("{}: {head}: {why}", base.name));
            changes::code(&lines, |_| String::new())
        } else {
            whole = body;
            body.to_owned()
        };
        if head == "right" {
            right.push(code);
            continue;
        }
        let head = head
            .strip_prefix('[')
            .and_then(|head| head.split_once("] "));
        let (known, cause) = head.expect("known mistakes in brackets, and a cause");
        wrong.push(Solution {
            cause: cause.to_owned(),
            known: known.split_whitespace().map(str::to_owned).collect(),
            code,
        });
    }
    (right, wrong)
}

/// Name of the known mistake in a check's message.
fn name(message: &str) -> String {
    let general = GENERAL.iter().find(|(_, words)| message.contains(words));
    general.map_or(message, |(name, _)| name).to_owned()
}

#[test]
#[ignore = "compiles and runs hundreds of functions: some minutes"]
fn wrong_solutions_from_the_starters_alone_fail_and_most_are_told_why() {
    let _alone = alone();
    let bases = bases();
    let mut all: Vec<(&Base, Solution)> = Vec::new();
    for base in &bases {
        all.extend(solutions(base).into_iter().map(|solution| (base, solution)));
    }
    let candidates: Vec<_> = all
        .iter()
        .map(|(base, solution)| Candidate {
            base,
            code: solution.code.clone(),
        })
        .collect();
    let program = compiled(&candidates).unwrap_or_else(|refused| {
        let errors: Vec<_> = refused
            .iter()
            .map(|(&n, errors)| format!("{}: {}\n{errors}", all[n].0.name, all[n].1.cause))
            .collect();
        panic!("{} do not compile:\n{}", errors.len(), errors.join("\n"))
    });
    let outcomes = tried(&program, all.len());

    let mut rows: BTreeMap<&str, Sums> = BTreeMap::new();
    let mut total = Sums::default();
    let mut survived = Vec::new();
    for ((base, solution), outcome) in all.iter().zip(&outcomes) {
        let named = match outcome {
            Found::Named(causes) => Some(causes.split(SEPARATOR).map(name).collect()),
            _ => None,
        };
        let right = named.as_ref().is_some_and(|names: &Vec<String>| {
            names.iter().all(|name| solution.known.contains(name))
        });
        // The names of known mistakes have no spaces.
        let measured = !right
            && named
                .as_ref()
                .is_some_and(|names| names.iter().any(|name| name.contains(' ')));
        for sums in [rows.entry(base.name).or_default(), &mut total] {
            sums.all += 1;
            sums.caught += usize::from(*outcome != Found::Survived);
            sums.right += usize::from(right);
            sums.measured += usize::from(measured);
            sums.wrong += usize::from(named.is_some() && !right && !measured);
            sums.shown += usize::from(matches!(outcome, Found::Shown(_)));
        }
        if *outcome == Found::Survived {
            survived.push(format!("{}: {}", base.name, solution.cause));
        }
        if !right {
            println!("{}: {}", base.name, solution.cause);
            match &named {
                Some(names) => {
                    println!("    told {names:?} {outcome:?}, not {:?}", solution.known)
                }
                None => println!("    {outcome:?}, {:?}", solution.known),
            }
        }
    }
    println!(
        "{:24}{:>7}{:>9}{:>11}{:>11}{:>19}{:>19}",
        "exercise",
        "wrong",
        "caught",
        "told why",
        "measured",
        "told another why",
        "told what holds"
    );
    for (name, row) in rows.iter().chain([(&"all", &total)]) {
        println!(
            "{name:24}{:>7}{:>9}{:>11}{:>11}{:>19}{:>19}",
            row.all, row.caught, row.right, row.measured, row.wrong, row.shown
        );
    }
    assert!(survived.is_empty(), "pass:\n{}", survived.join("\n"));
    if std::env::var_os("TRANSFORMER_TUTOR_EXERCISE").is_none() {
        assert!(total.all >= 200, "{} solutions", total.all);
        // The solutions were chosen for how much they differ from the known mistakes, so some have a cause without a name.
        let unnamed = all.iter().filter(|(_, solution)| solution.known.is_empty());
        let unnamed = unnamed.count();
        assert!(unnamed <= 40, "{unnamed} causes have no name");
        let named = total.all - unnamed;
        let told = total.right + total.measured;
        assert!(100 * told >= 95 * named, "too few are told why");
        assert!(100 * total.wrong < total.all, "too many are misled");
    }
}

#[test]
fn causes_of_wrong_solutions_are_names_that_the_exercise_has() {
    for base in &bases() {
        let (lesson, exercise) = exercise(base.name).expect("it exists");
        for solution in solutions(base) {
            for name in &solution.known {
                let known = GENERAL.iter().any(|(general, _)| name == general)
                    || lesson.hint(exercise, name).is_some();
                assert!(
                    known,
                    "{}: {}: no mistake {name}",
                    base.name, solution.cause
                );
            }
        }
    }
}
