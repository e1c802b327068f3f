//! Wrong solutions that were written from the starters, without sight of the checks. Each must fail, and as many as
//! possible should be told why.
//!
//! `solutions/NAME.rs` holds those of an exercise. A solution begins with a line `//# ` that states its cause, and a
//! line `//= ` with the names of the known mistakes that match this cause, if there are any.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use transformer_tutor::curriculum::exercise;

use crate::base::Base;
use crate::bases;
use crate::compiled::{Candidate, Found, alone, compiled, tried};

/// Name for the report that the results are right but a gradient is cut.
const CUT: &str = "no-gradient";
const CUT_WORDS: &str = "The results are right, but no gradient reaches";

/// Prefix that, followed by a number, names a known mistake that has a description but no name.
const CLASSIC: &str = "classic-";

struct Solution {
    cause: String,
    /// Names of the known mistakes that match the cause.
    known: Vec<String>,
    code: String,
}

/// Counts of what the checks found.
#[derive(Clone, Copy, Default)]
struct Sums {
    all: usize,
    caught: usize,
    /// Reported with their cause.
    right: usize,
    /// Reported with a different cause.
    wrong: usize,
    /// Reported without a cause, but with a relation that holds for all cells.
    shown: usize,
}

fn solutions(base: &Base) -> Vec<Solution> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/mutants/solutions")
        .join(format!("{}.rs", base.name));
    let Ok(text) = fs::read_to_string(path) else {
        return Vec::new();
    };
    text.split("//# ").skip(1).map(solution).collect()
}

fn solution(text: &str) -> Solution {
    let (cause, rest) = text.split_once('\n').expect("a cause has a line");
    let (known, code) = rest.split_once('\n').expect("a cause has two lines");
    let known = known.strip_prefix("//=").expect("the known mistakes");
    Solution {
        cause: cause.trim().to_owned(),
        known: known.split_whitespace().map(str::to_owned).collect(),
        code: code.to_owned(),
    }
}

/// The name of the known mistake that a check reported: [`CUT`], the number of a description in `classics`, or the
/// report itself.
fn name(classics: &[&str], said: &str) -> String {
    if said.starts_with(CUT_WORDS) {
        return CUT.to_owned();
    }
    let number = classics.iter().position(|words| *words == said);
    number.map_or(said.to_owned(), |n| format!("{CLASSIC}{n}"))
}

/// The descriptions of an exercise's classic mistakes. Slow, because each is also checked: call it once.
fn classics(base: &Base) -> Vec<&'static str> {
    let (_, exercise) = exercise(base.name).expect("it exists");
    let classics = exercise.function.classics();
    classics.into_iter().map(|(words, _)| words).collect()
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
        let said: Vec<_> = refused
            .iter()
            .map(|(&n, said)| format!("{}: {}\n{said}", all[n].0.name, all[n].1.cause))
            .collect();
        panic!("{} do not compile:\n{}", said.len(), said.join("\n"))
    });
    let found = tried(&program, all.len());
    let words = bases.iter().map(|base| (base.name, classics(base)));
    let words: BTreeMap<&str, Vec<&str>> = words.collect();

    let mut rows: BTreeMap<&str, Sums> = BTreeMap::new();
    let mut total = Sums::default();
    let mut survived = Vec::new();
    for ((base, solution), found) in all.iter().zip(&found) {
        let told = match found {
            Found::Named(said) => Some(name(&words[base.name], said)),
            _ => None,
        };
        let right = told
            .as_ref()
            .is_some_and(|name| solution.known.contains(name));
        for sums in [rows.entry(base.name).or_default(), &mut total] {
            sums.all += 1;
            sums.caught += usize::from(*found != Found::Survived);
            sums.right += usize::from(right);
            sums.wrong += usize::from(told.is_some() && !right);
            sums.shown += usize::from(matches!(found, Found::Shown(_)));
        }
        if *found == Found::Survived {
            survived.push(format!("{}: {}", base.name, solution.cause));
        }
        if !right {
            println!("{}: {}", base.name, solution.cause);
            match &told {
                Some(name) => println!("    told {name} {found:?}, not {:?}", solution.known),
                None => println!("    {found:?}, {:?}", solution.known),
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
        assert!(total.all >= 200, "{} solutions", total.all);
        assert!(100 * total.right >= 65 * total.all, "too few are told why");
        assert!(100 * total.wrong < 2 * total.all, "too many are misled");
    }
}

#[test]
fn causes_of_wrong_solutions_are_names_that_the_exercise_has() {
    for base in &bases() {
        let (lesson, exercise) = exercise(base.name).expect("it exists");
        let classics = classics(base);
        for solution in solutions(base) {
            for name in &solution.known {
                let classic = name.strip_prefix(CLASSIC).and_then(|n| n.parse().ok());
                let known = match classic {
                    Some(n) => classics.get::<usize>(n).is_some(),
                    None => name == CUT || lesson.hint(exercise, name).is_some(),
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
