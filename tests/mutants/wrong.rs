//! Wrong solutions written from only the starters, without knowledge of the checks: `solutions/NAME.rs` has those of an
//! exercise. Each must fail, and as many as possible must be given the cause.
//!
//! A solution begins with a line `//# [first-tie classic-2] cause`: the names of the known mistakes that are this cause,
//! or none, and the cause in words. `//# right` begins a right solution. Then comes either the whole text, or what
//! changes in the last whole text above: `-` before a line that goes, `+` before a line that comes, and a space before
//! a line that stays and tells where the next one is. Each line that goes or stays is the next one of its wording.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use transformer_tutor::curriculum::exercise;

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

/// Represents, followed by a number, a known mistake that has a message but no name.
const CLASSIC: &str = "classic-";

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
    let (mut right, mut wrong, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for section in text.split("//# ").skip(1) {
        let (head, body) = section.split_once('\n').expect("a head and a text");
        let code = if body.starts_with(['-', '+', ' ']) {
            changed(&whole, body).unwrap_or_else(|line| panic!("{head}: where is '{line}'?"))
        } else {
            whole = body.lines().collect();
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

/// Applies `changes` to the lines of `whole`. The error is a line that was not found.
fn changed<'a>(whole: &[&'a str], changes: &'a str) -> Result<String, &'a str> {
    let (mut lines, mut rest) = (Vec::new(), whole);
    for change in changes.lines().filter(|change| !change.is_empty()) {
        let (sign, line) = change.split_at(1);
        if sign == "+" {
            lines.push(line);
            continue;
        }
        let index = rest.iter().position(|l| *l == line).ok_or(line)?;
        lines.extend(&rest[..index + usize::from(sign == " ")]);
        rest = &rest[index + 1..];
    }
    lines.extend(rest);
    Ok(lines.join("\n"))
}

/// Name of the known mistake in a check's message, or its placeholder if the mistake has only words, such as one of
/// `unswitched`.
fn name(unswitched: &[&str], message: &str) -> String {
    if let Some((name, _)) = GENERAL.iter().find(|(_, words)| message.contains(words)) {
        return (*name).to_owned();
    }
    let number = unswitched.iter().position(|words| *words == message);
    number.map_or(message.to_owned(), |n| format!("{CLASSIC}{n}"))
}

/// Messages of an exercise's classic mistakes. Runs the check on each, so call it once.
fn unswitched(base: &Base) -> Vec<&'static str> {
    let (_, exercise) = exercise(base.name).expect("it exists");
    let unswitched = exercise.function.unswitched();
    unswitched.into_iter().map(|(words, _)| words).collect()
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
    let words = bases.iter().map(|base| (base.name, unswitched(base)));
    let words: BTreeMap<&str, Vec<&str>> = words.collect();

    let mut rows: BTreeMap<&str, Sums> = BTreeMap::new();
    let mut total = Sums::default();
    let mut survived = Vec::new();
    for ((base, solution), outcome) in all.iter().zip(&outcomes) {
        let named = match outcome {
            Found::Named(causes) => {
                let causes = causes.split(SEPARATOR);
                let names = causes.map(|cause| name(&words[base.name], cause));
                Some(names.collect())
            }
            _ => None,
        };
        let right = named.as_ref().is_some_and(|names: &Vec<String>| {
            names.iter().all(|name| solution.known.contains(name))
        });
        for sums in [rows.entry(base.name).or_default(), &mut total] {
            sums.all += 1;
            sums.caught += usize::from(*outcome != Found::Survived);
            sums.right += usize::from(right);
            sums.wrong += usize::from(named.is_some() && !right);
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
        "{:24}{:>7}{:>9}{:>11}{:>19}{:>19}",
        "exercise", "wrong", "caught", "told why", "told another why", "told what holds"
    );
    for (name, row) in rows.iter().chain([(&"all", &total)]) {
        println!(
            "{name:24}{:>7}{:>9}{:>11}{:>19}{:>19}",
            row.all, row.caught, row.right, row.wrong, row.shown
        );
    }
    assert!(survived.is_empty(), "pass:\n{}", survived.join("\n"));
    if std::env::var_os("TRANSFORMER_TUTOR_EXERCISE").is_none() {
        assert!(total.all >= 1000, "{} solutions", total.all);
        assert!(100 * total.right >= 95 * total.all, "too few are told why");
        assert!(100 * total.wrong < total.all, "too many are misled");
    }
}

#[test]
fn changes_are_made_at_the_next_line_of_their_wording() {
    let whole = ["a", "b", "a", "c"];
    let made = changed(&whole, " b\n-a\n+d\n");
    assert_eq!(made.as_deref(), Ok("a\nb\nd\nc"));
    assert_eq!(changed(&whole, "-c\n-b\n"), Err("b"));
}

#[test]
fn causes_of_wrong_solutions_are_names_that_the_exercise_has() {
    for base in &bases() {
        let (lesson, exercise) = exercise(base.name).expect("it exists");
        let unswitched = unswitched(base);
        for solution in solutions(base) {
            for name in &solution.known {
                let classic = name.strip_prefix(CLASSIC).and_then(|n| n.parse().ok());
                let known = match classic {
                    Some(n) => unswitched.get::<usize>(n).is_some(),
                    None => {
                        GENERAL.iter().any(|(general, _)| name == general)
                            || lesson.hint(exercise, name).is_some()
                    }
                };
                assert!(
                    known,
                    "{}: {}: no mistake {name}",
                    base.name, solution.cause
                );
            }
        }
    }
}
