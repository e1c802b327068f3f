//! The program as it is on first use, without saved progress.

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

/// The stdout and stderr of a command that must succeed.
#[track_caller]
pub fn says(arguments: &[&str]) -> (String, String) {
    let output = tutor(arguments);
    let [out, err] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{arguments:?}: {err}");
    (out, err)
}

/// The stdout of a command that must succeed.
#[track_caller]
pub fn prints(arguments: &[&str]) -> String {
    says(arguments).0
}

/// Asserts that a command fails with a message that contains `words`.
#[track_caller]
pub fn refuses(arguments: &[&str], words: &[&str]) {
    support::refused(arguments, &tutor(arguments), words);
}
