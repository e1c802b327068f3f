//! No option is accepted and ignored: with another value the output is another one, or the option is refused by name.

use std::fs;

use clap::{ArgAction, FromArgMatches};

use crate::cli::{Cli, Command, command, needs};

/// Options that change how long a command takes, or where its output goes.
const ASIDE: [&str; 4] = ["threads", "no_cache", "write", "force"];

/// Two values of every option that takes one.
fn values(id: &str) -> [&'static str; 2] {
    match id {
        "model" => ["phrasebook", "everyday"],
        "beam" => ["2", "7"],
        "alpha" => ["-3", "9"],
        "penalty" => ["none", "length"],
        "max_length" => ["3", "30"],
        "nbest" => ["1", "2"],
        "prefix" => ["the", "a"],
        "temperature" => ["0.5", "3"],
        "top_k" => ["2", "3"],
        "top_p" => ["0.3", "1"],
        "seed" => ["1", "2"],
        "pairs" => ["2", "3"],
        "typed" => ["lower", "capitals"],
        "tokenize" => ["13a", "char"],
        "source" | "target" => ["de", "en"],
        "src" | "refs" => ["a.de", "a.en"],
        id => panic!("say two values of {id}"),
    }
}

/// Sentences that the model was not trained on, so that it hesitates.
const TEXT: [&str; 4] = [
    "Ball Kind Hund Frau Mann Garten",
    "Kind alte alte Frau Ball mit im",
    "nicht nicht läuft spielt mit ohne Hund",
    "alte im spielt nicht Ball Buch",
];

/// What a command line prints, without the time that it took, or why it is refused.
fn printed(words: &[&str]) -> Result<String, String> {
    let all = std::iter::once(&"tutor").chain(words);
    let matches = command().try_get_matches_from(all);
    let matches = matches.map_err(|e| e.to_string())?;
    needs::check(&matches).map_err(|e| e.to_string())?;
    let mut out = Vec::new();
    let done = match Cli::from_arg_matches(&matches).unwrap().command {
        Some(Command::Translate(command)) => super::translate(&command, &mut out),
        Some(Command::Evaluate(command)) => super::evaluate(&command, &mut out),
        _ => unreachable!("no other command is tried"),
    };
    done.map_err(|e| format!("{e:#}"))?;
    let out = String::from_utf8(out).unwrap();
    let untimed = |line: &str| match serde_json::from_str::<serde_json::Value>(line) {
        Ok(mut json) => {
            let fields = json.as_object_mut();
            fields.and_then(|fields| fields.remove("seconds"));
            json.to_string()
        }
        Err(_) => line.split(" in ").next().unwrap_or_default().to_owned(),
    };
    Ok(out.lines().map(untimed).collect::<Vec<_>>().join("\n"))
}

/// The options of a command that are accepted and ignored beside `words`, which begin with its name.
fn ignored(words: &[&str]) -> Vec<String> {
    let program = command();
    let mut all = Vec::new();
    for arg in program.find_subcommand(words[0]).unwrap().get_arguments() {
        let id = arg.get_id().as_str();
        let Some(long) = arg
            .get_long()
            .filter(|_| !ASIDE.contains(&id) && id != "help")
        else {
            continue;
        };
        let option = format!("--{long}");
        if words.contains(&option.as_str()) {
            continue;
        }
        let [one, other] = if matches!(arg.get_action(), ArgAction::SetTrue) {
            [
                printed(words),
                printed(&[words, &[option.as_str()]].concat()),
            ]
        } else {
            values(id).map(|value| printed(&[words, &[&format!("{option}={value}")]].concat()))
        };
        let names_it =
            |said: &Result<String, String>| said.as_ref().is_err_and(|why| why.contains(&option));
        if one == other && !names_it(&one) {
            all.push(format!("{words:?}: {option}: {one:?}"));
        }
    }
    all
}

#[test]
fn every_option_of_translate_changes_what_is_printed_or_is_refused() {
    let mut all = Vec::new();
    for given in [
        &[][..],
        &["--json"],
        &["--nbest=2"],
        &["--penalty", "none"],
        &["--penalty", "length"],
        &["--beam", "1", "--max-length", "3"],
        &["--beam", "1", "--max-length", "3", "--json"],
        &["--sample"],
        &["--sample", "--json"],
        &["--sample", "--temperature", "0"],
        &["--sample", "--top-k", "1"],
    ] {
        let usual: &[&str] = &["--model", "phrasebook"];
        all.extend(ignored(&[&["translate"], &TEXT[..], usual, given].concat()));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn every_option_of_evaluate_changes_what_is_printed_or_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let src = file(
        "src",
        &TEXT.join(
            "
",
        ),
    );
    let refs = file(
        "refs",
        "ball child dog
old woman with
not runs plays with
old book plays",
    );
    let pair = |line: &str| {
        format!(
            "{{\"de\": \"{line}\", \"en\": \"ball child\"}}
"
        )
    };
    let both = file("both", &TEXT.map(pair).concat());
    let mut all = Vec::new();
    for given in [
        &["--hard", "--pairs", "12"][..],
        &["--hard", "--pairs", "12", "--penalty", "none"],
        &[
            "--hard",
            "--pairs",
            "12",
            "--beam",
            "1",
            "--max-length",
            "3",
        ],
        &["--src", &src, "--ref", &refs],
        &["--src", &both, "--ref", &both],
    ] {
        let usual: &[&str] = &["evaluate", "--model", "phrasebook"];
        all.extend(ignored(&[usual, given].concat()));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
