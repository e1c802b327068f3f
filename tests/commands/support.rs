//! Running the program, and assertions about how it ended.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program with these arguments, without input.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// How the program ends on first use, without saved progress.
pub fn tutor(arguments: &[&str]) -> Output {
    let state = tempfile::tempdir().unwrap();
    program(arguments)
        .env("TRANSFORMER_TUTOR_STATE", state.path())
        .output()
        .unwrap()
}

/// The stdout of a command.
pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The stdout and stderr of a command that must succeed.
#[track_caller]
pub fn says(arguments: &[&str]) -> (String, String) {
    let output = tutor(arguments);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {err}");
    (out(&output), err)
}

/// The stdout of a command that must succeed.
#[track_caller]
pub fn prints(arguments: &[&str]) -> String {
    says(arguments).0
}

/// Asserts that a command fails with a message that contains `words`.
#[track_caller]
pub fn refuses(arguments: &[&str], words: &[&str]) {
    refused(arguments, &tutor(arguments), words);
}

/// Asserts that a command failed with a message that contains `words`, and not with a panic.
#[track_caller]
pub fn refused(arguments: &[&str], output: &Output, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{arguments:?}");
    for word in words {
        assert!(stderr.contains(word), "{arguments:?}: {stderr}");
    }
    assert!(!stderr.contains("panicked"), "{stderr}");
}

/// The path of a file in a folder, as an argument.
pub fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

/// The words of a command line.
pub fn argv(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}
