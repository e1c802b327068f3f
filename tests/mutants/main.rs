//! How good the checks of the exercises are: small changes are made to every reference, each a mistake that a person
//! could have typed, and its check must fail on all of them but those that are listed, with a reason, in
//! `survivors.toml`. All mutants are compiled in one build, which takes minutes:
//! `cargo test --test mutants -- --ignored --nocapture`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Deserialize;
use transformer_tutor::curriculum::exercises;
use transformer_tutor::lesson::source::{Embedded, Files};

mod base;
mod candidates;
mod compiled;
mod edits;
mod measured;
mod wrong;

use base::Base;
use compiled::{Candidate, Found, alone, compiled, tried};
use edits::{Edit, edits};

/// A wrong function, or the correct one if `edit` is `None`.
struct Mutant<'a> {
    base: &'a Base,
    edit: Option<Edit>,
}

impl Mutant<'_> {
    fn code(&self) -> String {
        match &self.edit {
            Some(edit) => edit.apply(&self.base.code),
            None => self.base.code.clone(),
        }
    }

    fn candidate(&self) -> Candidate<'_> {
        Candidate {
            base: self.base,
            code: format!("{}\n{}", self.base.uses, self.code()),
        }
    }

    fn says(&self) -> String {
        match &self.edit {
            Some(edit) => edit.says(&self.base.code),
            None => "as it is".to_owned(),
        }
    }
}

/// The correct solutions of all exercises.
fn bases() -> Vec<Base> {
    let only = std::env::var("TRANSFORMER_TUTOR_EXERCISE").ok();
    let learners: Vec<String> = Embedded
        .paths()
        .into_iter()
        .filter(|path| path.ends_with("/learner.rs"))
        .filter_map(|path| Embedded.read(&path).map(str::to_owned))
        .collect();
    let all = exercises().map(|(_, _, exercise)| exercise);
    let all = all.filter(|exercise| only.as_ref().is_none_or(|only| only == exercise.name));
    all.map(|exercise| {
        let file = format!("/exercises/{}.rs\"", exercise.name);
        let learner = learners.iter().find(|text| text.contains(&file));
        let learner = learner.unwrap_or_else(|| panic!("{} has no learner.rs", exercise.name));
        Base::new(exercise, learner).unwrap_or_else(|e| panic!("{}: {e}", exercise.name))
    })
    .collect()
}

/// Mutants of an exercise that no check can distinguish from the reference, or that none needs to.
#[derive(Deserialize)]
struct Survivor {
    exercise: String,
    /// The changes, in the form of [`Edit::says`].
    changes: Vec<String>,
    why: String,
}

#[derive(Deserialize)]
struct Survivors {
    survivor: Vec<Survivor>,
}

fn listed() -> Vec<Survivor> {
    let text = include_str!("survivors.toml");
    toml::from_str::<Survivors>(text)
        .expect("survivors.toml is well-formed")
        .survivor
}

/// Removes the mutants that do not compile, and compiles the others into one program.
fn compiled_without_refused(mutants: &mut Vec<Mutant<'_>>, made: usize) -> PathBuf {
    loop {
        let candidates: Vec<_> = mutants.iter().map(Mutant::candidate).collect();
        match compiled(&candidates) {
            Ok(program) => return program,
            Err(refused) => {
                let mut n = 0;
                mutants.retain(|_| {
                    n += 1;
                    !refused.contains_key(&(n - 1))
                });
                println!("{} of {made} do not compile", refused.len());
            }
        }
    }
}

#[test]
#[ignore = "compiles and runs hundreds of functions: some minutes"]
fn every_check_fails_on_all_mutants_but_those_that_are_explained() {
    let _alone = alone();
    let bases = bases();
    let right = || bases.iter().map(|base| Mutant { base, edit: None });
    let sound: Vec<_> = right().collect();
    let candidates: Vec<_> = sound.iter().map(Mutant::candidate).collect();
    if let Err(refused) = compiled(&candidates) {
        let errors: Vec<_> = refused
            .iter()
            .map(|(n, errors)| format!("{}: {errors}", bases[*n].name))
            .collect();
        panic!("{}", errors.join("\n"));
    }
    let mut mutants = sound;
    for base in &bases {
        let all = edits(&base.code).unwrap_or_else(|e| panic!("{}: {e}", base.name));
        mutants.extend(all.into_iter().map(|edit| Mutant {
            base,
            edit: Some(edit),
        }));
    }
    let made = mutants.len() - bases.len();
    let program = compiled_without_refused(&mut mutants, made);
    let outcomes = tried(&program, mutants.len());

    let listed = listed();
    let known: BTreeSet<_> = listed
        .iter()
        .flat_map(|s| {
            s.changes
                .iter()
                .map(|change| (s.exercise.as_str(), change.as_str()))
        })
        .collect();
    let (mut unexplained, mut survived) = (Vec::new(), BTreeSet::new());
    let mut sums = [0; 4];
    println!(
        "{:24}{:>9}{:>9}{:>9}{:>12}",
        "exercise", "mutants", "caught", "named", "equivalent"
    );
    for base in &bases {
        let of = mutants
            .iter()
            .zip(&outcomes)
            .filter(|(m, _)| m.base.name == base.name);
        let mut row = [0; 4];
        for (mutant, outcome) in of {
            let says = mutant.says();
            if mutant.edit.is_none() {
                assert_eq!(*outcome, Found::Survived, "the reference of {}", base.name);
                continue;
            }
            row[0] += 1;
            row[1] += usize::from(*outcome != Found::Survived);
            row[2] += usize::from(matches!(outcome, Found::Named(_)));
            if *outcome == Found::Survived {
                if known.contains(&(base.name, says.as_str())) {
                    row[3] += 1;
                } else {
                    unexplained.push(format!("{}: {says}", base.name));
                }
                survived.insert((base.name, says));
            }
        }
        println!(
            "{:24}{:>9}{:>9}{:>9}{:>12}",
            base.name, row[0], row[1], row[2], row[3]
        );
        for (sum, n) in sums.iter_mut().zip(row) {
            *sum += n;
        }
    }
    println!(
        "{:24}{:>9}{:>9}{:>9}{:>12}",
        "all", sums[0], sums[1], sums[2], sums[3]
    );
    assert!(
        unexplained.is_empty(),
        "{} survive:\n{}",
        unexplained.len(),
        unexplained.join("\n")
    );
    if std::env::var_os("TRANSFORMER_TUTOR_EXERCISE").is_none() {
        for (exercise, change) in known {
            let still = survived.contains(&(exercise, change.to_owned()));
            assert!(
                still,
                "{exercise}: {change} is caught now; take it off the list"
            );
        }
    }
}

#[test]
#[ignore = "compiles the right solutions of all exercises"]
fn every_right_solution_passes_and_is_not_taken_for_a_call_of_the_reference() {
    let _alone = alone();
    let bases = bases();
    let mut right = Vec::new();
    for base in &bases {
        let reference = Mutant { base, edit: None }.candidate().code;
        right.push(Candidate {
            base,
            code: reference,
        });
        let written = wrong::right(base).into_iter();
        right.extend(written.map(|code| Candidate { base, code }));
    }
    let program = compiled(&right).unwrap_or_else(|refused| panic!("{refused:#?}"));
    let outcomes = tried(&program, right.len());
    let failing = right
        .iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| **outcome != Found::Survived);
    let failing: Vec<_> = failing
        .map(|(Candidate { base, code }, outcome)| format!("{}: {outcome:?}\n{code}", base.name))
        .collect();
    assert!(failing.is_empty(), "fail:\n{}", failing.join("\n"));
}

#[test]
fn survivors_are_explained_once_each() {
    let mut seen = BTreeSet::new();
    for Survivor {
        exercise,
        changes,
        why,
    } in listed()
    {
        assert!(why.len() > 20, "{exercise}: {changes:?}");
        for change in changes {
            let key = (exercise.clone(), change);
            assert!(seen.insert(key.clone()), "{key:?} is listed twice");
        }
    }
}

#[test]
fn edits_are_those_that_a_person_could_type() {
    let code = "pub fn f(a: &Var, b: &Var, n: usize) -> Var {\n    if n < 2 {\n        return a.sub(b);\n    }\n    a.matmul_t(b).scale(1.0 / n as f32)\n}\n";
    let all = edits(code).expect("it is Rust");
    let made: BTreeSet<_> = all.iter().map(|edit| edit.says(code)).collect();
    for change in [
        "2: `<` → `<=`",
        "2: `2` → `3`",
        "2: `n < 2` → `false`",
        "3: `sub` → `add`",
        "3: `a.sub(b)` → `(b).sub(a)`",
        "5: `matmul_t` → `matmul`",
        "5: `a` → `b`",
        "5: `b` → `(&crate::detached(b))`",
        "5: `1.0` → `2.0`",
        "5: `a.matmul_t(b).scale(1.0 / n as f32)` → `a.matmul_t(b)`",
    ] {
        assert!(made.contains(change), "{change} is missing in {made:#?}");
    }
    for edit in &all {
        assert_ne!(edit.apply(code), code);
    }
}
