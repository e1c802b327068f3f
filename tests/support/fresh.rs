//! The program as a learner has it who opens it for the first time: with no progress kept.

use std::process::{Command, Output};

use crate::support;

fn tutor(arguments: &[&str]) -> Output {
    let state = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(arguments)
        .env("TRANSFORMER_TUTOR_STATE", state.path())
        .output()
        .unwrap()
}

/// What a command prints that must succeed, on stdout and on stderr.
#[track_caller]
pub fn says(arguments: &[&str]) -> (String, String) {
    let output = tutor(arguments);
    let [out, err] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{arguments:?}: {err}");
    (out, err)
}

/// What a command prints on stdout that must succeed.
#[track_caller]
pub fn prints(arguments: &[&str]) -> String {
    says(arguments).0
}

/// A command ends with a sentence that holds `words`.
#[track_caller]
pub fn refuses(arguments: &[&str], words: &[&str]) {
    support::refused(arguments, &tutor(arguments), words);
}
