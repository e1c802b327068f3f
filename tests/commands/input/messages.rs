//! Messages of failed commands name every cause once and no value at full length.

use std::fs;

use super::{LONG, Samples, run, stderr_of};

/// A cause that a message repeats, or a value that it quotes at full length.
pub fn clumsiness(message: &str) -> Option<String> {
    if message.chars().count() > 10_000 {
        return Some(format!("a message of {} bytes", message.len()));
    }
    message.lines().find_map(|line| {
        let parts: Vec<&str> = line.split(": ").map(str::trim).collect();
        let again = |n: &usize| parts[*n].len() > 4 && parts[..*n].contains(&parts[*n]);
        let twice = (1..parts.len()).find(again);
        let codes = line.matches("(os error").count();
        (twice.is_some() || codes > 1).then(|| format!("says a cause twice: {line}"))
    })
}

#[test]
fn clumsy_messages_are_known_when_they_are_seen() {
    for message in [
        "tutor: x.json: No such file (os error 2): No such file (os error 2)",
        "tutor: x is damaged: header too large: header too large",
        "tutor: everyday: everyday: No such file",
        &"x".repeat(LONG),
    ] {
        assert!(clumsiness(message).is_some(), "{message}");
    }
    assert_eq!(
        clumsiness("tutor: x.json cannot be read: No such file (os error 2)"),
        None
    );
}

#[test]
fn a_message_repeats_no_value_of_a_hundred_thousand_bytes() {
    let samples = Samples::new();
    let long = "x".repeat(100_000);
    let lines = "x \n".repeat(30_000);
    let settings = format!("heads={long}");
    for words in [
        &[&*long][..],
        &["--theme", &long],
        &["show", &long],
        &["show", "masks", "--set", &settings],
        &["show", "masks", "--cell", &long],
        &["translate", "--beam", &long],
        &["translate", "--beam", &lines],
        &["translate", "--model", &long],
        &["translate", "--no-such", &long],
        &["glossary", &long],
        &["exercise", "check", &long],
        &["tools", "params", "--preset", &lines],
    ] {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let output = run(&samples, &words, "").expect("it ends");
        let message = stderr_of(&output);
        assert!(!output.status.success(), "{message}");
        assert_eq!(clumsiness(&message), None);
        assert!(message.len() > 20, "{message}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_its_cause_once() {
    let samples = Samples::new();
    fs::create_dir(samples.path("marian")).unwrap();
    fs::write(samples.path("marian/config.json"), "{}").unwrap();
    fs::create_dir(samples.path("pointer")).unwrap();
    fs::write(
        samples.path("pointer/model.safetensors"),
        "version https://git-lfs\n",
    )
    .unwrap();
    for words in [
        &["translate", "--model", "@nowhere", "Er"][..],
        &["translate", "--model", "@marian", "Er"],
        &["translate", "--model", "@pointer", "Er"],
        &["tools", "score", "--src", "@nowhere", "--tgt", "@a.de"],
        &["tools", "bleu", "--hyp", "@nowhere", "--ref", "@a.de"],
        &["tools", "bpe", "apply", "--merges", "@nowhere"],
        &["tools", "weights", "export", "@nowhere", "--out", "@new1"],
        &[
            "tools", "weights", "export", "@pointer", "--to", "marian", "--out", "@new2",
        ],
        &["tools", "weights", "import", "@nowhere", "--out", "@new3"],
        &["tools", "weights", "pack", "@pointer", "--out", "@new4"],
        &[
            "train", "--src", "@nowhere", "--tgt", "@a.de", "--out", "@new5",
        ],
        &["train", "--config", "@nowhere", "--out", "@new6"],
        &["tools", "parity", "@nowhere"],
        &["tools", "parity", "@pointer"],
        &["tools", "average", "--model", "@nowhere", "--out", "@new7"],
        &["evaluate", "--src", "@nowhere", "--ref", "@a.de"],
        &["tools", "bleu", "--hyp", "@a.de/below", "--ref", "@a.de"],
    ] {
        let words: Vec<String> = words.iter().map(|word| samples.filled(word, 0)).collect();
        let output = run(&samples, &words, "").expect("it ends");
        let message = stderr_of(&output);
        assert!(
            matches!(output.status.code(), Some(1 | 2)),
            "{words:?}: {message}"
        );
        assert_eq!(clumsiness(&message), None, "{words:?}");
    }
}
