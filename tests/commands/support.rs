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

/// The stdout of a command that must succeed.
#[track_caller]
pub fn prints(arguments: &[&str]) -> String {
    let output = tutor(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Asserts that a command fails with exit code 1 and a message that contains `words`.
#[track_caller]
pub fn refuses(arguments: &[&str], words: &[&str]) {
    let output = tutor(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
    for word in words {
        assert!(stderr.contains(word), "{arguments:?}: {stderr}");
    }
}

/// The path of a file in a folder, as an argument.
pub fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

/// The names in a folder, in order; none if it does not exist.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The words of a command line.
pub fn argv(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}
