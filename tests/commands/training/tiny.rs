//! A run of about a second, which it spends mostly on writing checkpoints.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::program;

/// A temporary folder with a small corpus.
pub struct Room(tempfile::TempDir);

impl Room {
    pub fn new() -> Self {
        let room = Self(tempfile::tempdir().unwrap());
        let words = ["rot", "grün", "blau", "gelb", "weiß", "lila", "grau"];
        let line = |n: usize| {
            let word = |k: usize| words[(n * 3 + k * (n / 7 + 1)) % 7];
            format!("{} {} {}\n", word(0), word(1), word(2))
        };
        let lines = |range: std::ops::Range<usize>| range.map(line).collect::<String>();
        for (name, text) in [("text", lines(0..90)), ("held-out", lines(90..100))] {
            fs::write(room.path(name), text).unwrap();
        }
        room
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// The command that starts the run `name`.
    pub fn train(&self, name: &str, more: &[&str]) -> Command {
        let (text, held_out) = (self.text("text"), self.text("held-out"));
        let mut command = program(&["train", "--out", &self.text(name)]);
        command.args(["--src", &text, "--tgt", &text]);
        command.args(["--valid-src", &held_out, "--valid-tgt", &held_out]);
        let sets = [
            "layers=1",
            "d_model=8",
            "d_ff=12",
            "heads=2",
            "batch_tokens=90",
            "dropout=0.1",
            "warmup=10",
            "evaluate_every=2",
            "keep=2",
            "steps=25",
        ];
        sets.iter().for_each(|set| {
            command.args(["--set", set]);
        });
        command.args(more);
        command
    }

    /// The command that resumes the run `name`.
    pub fn resume(&self, name: &str, more: &[&str]) -> Command {
        let mut command = program(&["train", "--resume", "--out", &self.text(name)]);
        command.args(more);
        command
    }

    /// Everything in the folder `name`: paths, with the bytes of files.
    pub fn all_of(&self, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path(name)];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(&next).unwrap() {
                let path = entry.unwrap().path();
                let bytes = fs::read(&path).unwrap_or_default();
                if path.is_dir() {
                    folders.push(path.clone());
                }
                let name = path.strip_prefix(self.path(name)).unwrap();
                files.insert(name.to_owned(), bytes);
            }
        }
        files
    }

    /// True if the run has a checkpoint to resume from.
    pub fn can_go_on(&self, name: &str) -> bool {
        let entries = fs::read_dir(self.path(name))
            .into_iter()
            .flatten()
            .flatten();
        let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.any(|name| name.starts_with("step-") || name.starts_with("paused-"))
    }
}

/// The first difference between the folders `a` and `b`.
pub fn difference(
    a: &BTreeMap<PathBuf, Vec<u8>>,
    b: &BTreeMap<PathBuf, Vec<u8>>,
) -> Option<String> {
    let names = a.keys().chain(b.keys());
    let mut other = names.filter(|name| a.get(*name) != b.get(*name));
    other.next().map(|name| {
        let length = |all: &BTreeMap<PathBuf, Vec<u8>>| all.get(name).map(Vec::len);
        format!(
            "{}: {:?} and {:?} bytes",
            name.display(),
            length(a),
            length(b)
        )
    })
}

/// Asserts that a command succeeds and returns its stdout.
#[track_caller]
pub fn done(mut command: Command) -> String {
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Asserts that a command fails with exit code 1 and all of `words`; returns its message.
#[track_caller]
pub fn refused(command: Command, words: &[&str]) -> String {
    ended(command, 1, words)
}

#[track_caller]
fn ended(mut command: Command, code: i32, words: &[&str]) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{command:?}: {stderr}");
    for word in words {
        assert!(
            stderr.contains(word),
            "{command:?}: no {word:?} in {stderr}"
        );
    }
    stderr
}
