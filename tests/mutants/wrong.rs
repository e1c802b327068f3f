//! Wrong solutions that people wrote who had not seen the checks: `solutions/NAME.rs` holds those of an exercise. Each
//! fails, and as many as possible are told why. A solution begins with a line `//# ` that says its cause, and a line
//! `//= ` with the names of the known mistakes that are this cause, or none where no known mistake is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use transformer_tutor::curriculum::exercise;

use crate::base::Base;
use crate::bases;
use crate::compiled::{Candidate, Found, alone, compiled, tried};

/// What is told where results are right and no gradient flows.
const CUT: &str = "no-gradient";

struct Solution {
    cause: String,
    /// The names of the known mistakes that are this cause.
    known: Vec<String>,
    code: String,
}

/// What becomes of wrong solutions.
#[derive(Clone, Copy, Default)]
struct Sums {
    all: usize,
    caught: usize,
    /// Told their cause.
    right: usize,
    /// Told a cause that is not theirs.
    wrong: usize,
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

#[test]
#[ignore = "compiles and runs hundreds of functions: some minutes"]
fn wrong_solutions_of_people_fail_and_most_are_told_why() {
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

    let mut rows: BTreeMap<&str, Sums> = BTreeMap::new();
    let mut total = Sums::default();
    let mut survived = Vec::new();
    for ((base, solution), found) in all.iter().zip(&found) {
        let told = match found {
            Found::Named(name) => Some(name),
            _ => None,
        };
        let right = told.is_some_and(|name| solution.known.contains(name));
        for sums in [rows.entry(base.name).or_default(), &mut total] {
            sums.all += 1;
            sums.caught += usize::from(*found != Found::Survived);
            sums.right += usize::from(right);
            sums.wrong += usize::from(told.is_some() && !right);
        }
        if *found == Found::Survived {
            survived.push(format!("{}: {}", base.name, solution.cause));
        }
        if !right {
            println!("{}: {}\n    {found:?}", base.name, solution.cause);
        }
    }
    println!(
        "{:24}{:>7}{:>9}{:>13}{:>19}",
        "exercise", "wrong", "caught", "told why", "told another why"
    );
    for (name, row) in rows.iter().chain([(&"all", &total)]) {
        println!(
            "{name:24}{:>7}{:>9}{:>13}{:>19}",
            row.all, row.caught, row.right, row.wrong
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
        for solution in solutions(base) {
            for name in solution.known.iter().filter(|name| *name != CUT) {
                assert!(
                    lesson.hint(exercise, name).is_some(),
                    "{}: {}: no mistake {name}",
                    base.name,
                    solution.cause
                );
            }
        }
    }
}
