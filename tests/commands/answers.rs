//! What only a program can tell of what commands print: numbers computed again, models of every command, open pipes.

use std::io::{BufRead, Write};
use std::process::{Command, Stdio};

use crate::support::{argv, path, tutor};

#[test]
fn a_cell_can_be_recomputed_from_what_is_printed() {
    for cell in ["weights[0,2,4,7]", "scores[3,1,0,2]", "context[29,7,9,63]"] {
        let output = tutor(&["show", "attention", "--json", "--cell", cell]);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let terms = json["terms"].as_array().unwrap();
        let pairs: Vec<(&str, f32)> = terms
            .iter()
            .map(|t| {
                (
                    t["role"].as_str().unwrap(),
                    t["value"].as_f64().unwrap() as f32,
                )
            })
            .collect();
        let value =
            transformer_tutor::autograd::recompute(json["formula"].as_str().unwrap(), &pairs)
                .unwrap();
        assert!(
            (value - json["value"].as_f64().unwrap()).abs() < 1e-5,
            "{json:#}"
        );
    }
}

/// Every option and positional argument of a command that takes a model.
fn takers(command: &clap::Command, path: &str, all: &mut Vec<String>) {
    for below in command.get_subcommands() {
        takers(below, format!("{path} {}", below.get_name()).trim(), all);
    }
    let is_model = |arg: &&clap::Arg| {
        let name = arg.get_value_names().and_then(|names| names.first());
        arg.get_id() == "model" || name.is_some_and(|name| name.as_str() == "MODEL")
    };
    all.extend(
        command
            .get_arguments()
            .filter(is_model)
            .map(|_| path.to_owned()),
    );
}

#[test]
fn every_command_that_takes_a_model_knows_those_that_come_with_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let [de, en, new] = ["a.de", "a.en", "new"].map(|name| path(folder.path(), name));
    std::fs::write(&de, "Der Hund schläft.\n").unwrap();
    std::fs::write(&en, "The dog is sleeping.\n").unwrap();
    let mut all = Vec::new();
    takers(&transformer_tutor::cli::command(), "", &mut all);
    all.extend(["tools weights export", "tools weights export --to marian"].map(str::to_owned));
    for command in &all {
        for model in ["everyday", "phrasebook"] {
            let out = format!("{new}-{}", command.replace(' ', "-"));
            let train;
            let words = match &**command {
                "play" => vec!["--model", model, "Der Hund schläft."],
                "translate" => vec!["--model", model, "Der Hund schläft."],
                "tools score" => vec!["--model", model, "--src", &de, "--tgt", &en],
                "evaluate" => vec!["--model", model, "--src", &de, "--ref", &en],
                "tools average" => vec!["--model", model, "--out", &out],
                "doctor" => vec![model],
                "tools weights pack" | "tools weights export" => {
                    vec![model, "--out", &out, "--force"]
                }
                "tools weights export --to marian" => vec![model, "--out", &out, "--force"],
                "train" => {
                    train = format!(
                        "--from {model} --preset {model} --src {de} --tgt {en} --valid-src {de} --valid-tgt {en} \
                         --steps 0 --out {out}-{model}"
                    );
                    argv(&train)
                }
                // It builds a program first; `tests/exercises/mine.rs` covers it.
                "mine translate" => continue,
                other => panic!("{other} takes a model: say here how"),
            };
            let words: Vec<&str> = command.split(' ').chain(words).collect();
            let output = tutor(&words);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            let has_no_use = ["tools average", "tools weights pack"].contains(&&**command);
            // The phrasebook model has no SentencePiece, and the everyday one is in Marian's format.
            let is_of_another_form = command.starts_with("tools weights export");
            if output.status.success() {
                assert!(!has_no_use, "{words:?}")
            } else {
                assert!(has_no_use || is_of_another_form, "{words:?}: {message}")
            }
            assert!(!message.contains("No such file"), "{words:?}: {message}");
        }
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(["show", "attention", "--json", "--tensor", "query"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Checks that a command that filters lines answers each one while its input is still open.
#[track_caller]
fn answers_while_the_input_is_open(arguments: &[&str], lines: &[&str]) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_transformer-tutor"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (sender, answers) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let lines = std::io::BufReader::new(stdout).lines();
        lines
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    for line in lines {
        writeln!(stdin, "{line}").unwrap();
        let answer = answers.recv_timeout(std::time::Duration::from_secs(120));
        if answer.is_err() {
            let _ = child.kill();
        }
        answer.unwrap_or_else(|e| panic!("{arguments:?} does not answer {line:?}: {e}"));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    let _ = reader.join();
}

#[test]
fn filters_answer_line_by_line_where_the_input_is_slow() {
    let folder = tempfile::tempdir().unwrap();
    let merges = folder.path().join("merges");
    std::fs::write(&merges, "#version: 0.2\nd e\n").unwrap();
    let lines = ["Hallo!", "Wo ist der Hund?"];
    answers_while_the_input_is_open(&["translate"], &lines);
    let merges = merges.to_string_lossy();
    answers_while_the_input_is_open(&["tools", "bpe", "apply", "--merges", &merges], &lines);
    answers_while_the_input_is_open(&["tools", "bpe", "join"], &lines);
}
