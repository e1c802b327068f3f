//! Behaviour of commands when nothing can be printed.

use std::fs;
use std::process::Command;

use transformer_tutor::cli;

use super::messages::clumsiness;
use super::{Samples, least, stderr_of};

/// Working command lines, one per command, except for commands that take minutes or build a program.
fn working(command: &clap::Command, path: &[&str], samples: &Samples, all: &mut Vec<Vec<String>>) {
    for below in command.get_subcommands() {
        working(below, &[path, &[below.get_name()]].concat(), samples, all);
    }
    let builds = path.len() > 1 && ["mine", "exercise"].contains(&path[0]);
    if command.is_subcommand_required_set() || builds || path == ["book"] || path == ["help"] {
        return;
    }
    let number = all.len();
    let rest = least(path)
        .unwrap_or_default()
        .into_iter()
        .flat_map(|(_, rest)| rest);
    let words = path.iter().copied().chain(rest);
    all.push(words.map(|word| samples.filled(word, number)).collect());
}

#[test]
fn every_command_says_that_it_cannot_print_where_stdout_is_closed_or_full() {
    let samples = Samples::new();
    let mut all = Vec::new();
    working(&cli::command(), &[], &samples, &mut all);
    let more = [
        &["--help"][..],
        &["--version"],
        &["train", "--help"],
        &["exercise", "list"],
        &["lessons", "--json"],
        &["--plain"],
    ];
    all.extend(more.map(|words| words.iter().map(|&word| word.to_owned()).collect()));
    assert!(all.len() > 25, "only {} commands", all.len());
    for (redirection, says) in [
        (">&-", "stdout is closed"),
        (
            ">/dev/full",
            "stdout cannot be written: No space left on device",
        ),
    ] {
        for words in &all {
            let folder = tempfile::tempdir_in(samples.folder.path()).unwrap();
            let output = Command::new("sh")
                .args(["-c", &format!("exec \"$0\" \"$@\" {redirection}")])
                .arg(env!("CARGO_BIN_EXE_transformer-tutor"))
                .args(
                    words
                        .iter()
                        .map(|word| word.replace("/new", &format!("/new{}", says.len()))),
                )
                .env("TRANSFORMER_TUTOR_STATE", folder.path())
                .stdin(fs::File::open(samples.path("a.de")).unwrap())
                .output()
                .unwrap();
            let message = stderr_of(&output);
            assert_eq!(
                output.status.code(),
                Some(1),
                "{words:?} {redirection}: {message}"
            );
            assert_eq!(
                message.matches(says).count(),
                1,
                "{words:?} {redirection}: {message}"
            );
            assert_eq!(clumsiness(&message), None, "{words:?}");
        }
    }
}

#[test]
fn a_full_stderr_takes_no_result_away() {
    let output = Command::new("sh")
        .args(["-c", "exec \"$0\" \"$@\" 2>/dev/full"])
        .arg(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(["translate", "--model", "phrasebook", "Der Hund xyzzy ."])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(!output.stdout.is_empty());
}
