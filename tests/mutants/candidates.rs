//! Tries solutions that somebody wrote, many at once: `TRANSFORMER_TUTOR_CANDIDATES=FOLDER cargo test --test mutants
//! candidates -- --ignored --nocapture`. The folder has `NAME/EXERCISE.rs`, each a learner's whole file. All are compiled
//! into one program, and each is told what its author would be told.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use transformer_tutor::curriculum::exercise;

use crate::bases;
use crate::compiled::{Candidate, Found, alone, compiled, tried};

/// All files of a folder and its folders, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let each = paths.into_iter().map(|path| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    });
    each.flatten()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

#[test]
#[ignore = "needs a folder of solutions"]
fn candidates_of_a_folder() {
    let _alone = alone();
    let Some(folder) = std::env::var_os("TRANSFORMER_TUTOR_CANDIDATES") else {
        return;
    };
    let bases = bases();
    let mut kept = Vec::new();
    for path in files(Path::new(&folder)) {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let Some(base) = bases.iter().find(|base| base.name == name) else {
            println!("{}: no exercise {name}", path.display());
            continue;
        };
        let code = fs::read_to_string(&path).expect("it can be read");
        // A comment on the file itself is none inside a module of the program.
        let code = code.lines().filter(|line| !line.starts_with("//!"));
        let code = code.map(|line| format!("{line}\n")).collect();
        kept.push((path, Candidate { base, code }));
    }
    let program = loop {
        let candidates: Vec<_> = kept
            .iter()
            .map(|(_, candidate)| candidate.clone())
            .collect();
        match compiled(&candidates) {
            Ok(program) => break program,
            Err(refused) => {
                let mut n = 0;
                kept.retain(|(path, _)| {
                    n += 1;
                    let error = refused.get(&(n - 1)).and_then(|error| error.lines().next());
                    let error = error.map(|error| println!("{}: {error}", path.display()));
                    error.is_none()
                });
            }
        }
    };
    let mut rows: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for ((path, Candidate { base, .. }), found) in kept.iter().zip(tried(&program, kept.len())) {
        let (lesson, exercise) = exercise(base.name).expect("it exists");
        let words = |name: &str| lesson.hint(exercise, name).unwrap_or(name).to_owned();
        let row = rows.entry(base.name).or_default();
        row[0] += 1;
        row[1] += usize::from(found != Found::Survived);
        row[2] += usize::from(matches!(found, Found::Named(_)));
        let says = match found {
            Found::Survived => "passes".to_owned(),
            Found::Named(causes) => causes
                .split(" | ")
                .map(words)
                .collect::<Vec<_>>()
                .join(" | "),
            Found::Shown(relation) => format!("(no cause) {relation}"),
            Found::Failed(sentence) => format!("(no cause) {sentence}"),
            Found::Stopped => "(no cause) stopped".to_owned(),
        };
        println!("{}: {says}", path.display());
    }
    println!(
        "{:24}{:>7}{:>9}{:>11}",
        "exercise", "tried", "caught", "told why"
    );
    for (name, [all, caught, named]) in rows {
        println!("{name:24}{all:>7}{caught:>9}{named:>11}");
    }
}
