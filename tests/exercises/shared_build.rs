//! `cargo build`, `cargo test` and the check of an exercise share their compiled libraries.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use transformer_tutor::lesson::exercise::runner::{PACKAGE, as_built};

/// Libraries whose second compilation would take minutes.
const LIBRARIES: [&str; 2] = ["transformer_tutor", "tutor_engine"];

/// Metadata file that `cargo ARGUMENTS` produces for each of [`LIBRARIES`], compiling what is missing. Its name
/// contains a hash of everything the library was compiled with, so equal names mean that nothing is compiled twice.
fn compiled(arguments: &[&str]) -> BTreeMap<String, PathBuf> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .args(["--offline", "--message-format=json"])
        .args(as_built(
            &std::env::current_exe().expect("this program has a path"),
            env!("CARGO_MANIFEST_DIR").as_ref(),
        ))
        .output()
        .expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|artifact| {
            let name = artifact["target"]["name"].as_str()?.to_owned();
            let files = artifact["filenames"].as_array()?.iter();
            let mut files = files.filter_map(Value::as_str).map(PathBuf::from);
            let metadata = files.find(|file| file.extension().is_some_and(|e| e == "rmeta"))?;
            LIBRARIES
                .contains(&name.as_str())
                .then_some((name, metadata))
        })
        .collect()
}

#[test]
fn a_first_check_compiles_neither_engine_nor_program_a_second_time() {
    let built = compiled(&["build"]);
    assert!(built.keys().map(String::as_str).eq(LIBRARIES), "{built:?}");
    // `mine` is an exercise target that needs none of the learner's files.
    let check = ["test", "--no-run", "--package", PACKAGE, "--test", "mine"];
    assert_eq!(compiled(&check), built, "the check of an exercise");
    let test = ["test", "--no-run", "--test", "project"];
    assert_eq!(compiled(&test), built, "the project's tests");
}
