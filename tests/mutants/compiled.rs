//! Compiles many candidate functions into one program and runs the check on each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::base::Base;

/// A function that a learner could submit.
#[derive(Clone)]
pub struct Candidate<'a> {
    /// The exercise's correct solution.
    pub base: &'a Base,
    /// Imports and functions.
    pub code: String,
}

/// Outcome of the check on one candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The check passed.
    Survived,
    /// The check failed and named this known mistake as the cause.
    Named(String),
    /// The check failed without a cause, but described how all cells differ.
    Shown(String),
    /// The check failed with only this message.
    Failed(String),
    /// The candidate exceeded the check's limit of time or memory.
    Stopped,
}

/// Lets one test at a time build its program, because each overwrites the one before.
pub fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Compiles all candidates into a program. The error maps the index of each that does not compile to the compiler's
/// message.
pub fn compiled(candidates: &[Candidate<'_>]) -> Result<PathBuf, BTreeMap<usize, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/mutants/all.rs");
    let lines = written(candidates, &path);
    built(&path, &lines)
}

/// Writes all candidates into one file and returns the lines of each, counted from 1.
fn written(candidates: &[Candidate<'_>], path: &Path) -> Vec<Range<usize>> {
    let (mut text, mut lines) = (String::new(), Vec::new());
    let mut list = String::from("const ALL: &[fn() -> Outcome] = &[\n");
    for (n, candidate) in candidates.iter().enumerate() {
        let first = text.lines().count() + 1;
        let base = candidate.base;
        let _ = writeln!(text, "mod m{n} {{\n{}\n}}", candidate.code);
        lines.push(first..text.lines().count() + 1);
        let handed = base.handed.replace("exercise::", &format!("m{n}::"));
        let _ = writeln!(list, "|| {}.judged({:?}, {handed}),", base.task, base.name);
    }
    text += &list;
    text += "];\n";
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of the mutants");
    fs::write(path, text).expect("the file of the mutants");
    lines
}

fn built(path: &Path, lines: &[Range<usize>]) -> Result<PathBuf, BTreeMap<usize, String>> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "test",
            "--offline",
            "--no-run",
            "--test",
            "mutant",
            "--message-format=json",
        ])
        .env("TRANSFORMER_TUTOR_MUTANTS", path)
        .output()
        .expect("cargo starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut refused = BTreeMap::new();
    for message in messages {
        if message["target"]["name"] != "mutant" {
            continue;
        }
        if let Some(program) = message["executable"].as_str() {
            return Ok(program.into());
        }
        let diagnostic = &message["message"];
        if !diagnostic["level"]
            .as_str()
            .is_some_and(|level| level.starts_with("error"))
        {
            continue;
        }
        let spans = diagnostic["spans"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        for span in spans {
            let line = span["line_start"].as_u64().unwrap_or(0) as usize;
            // Errors reported at a call are in the list after all candidates.
            if let Some(n) = lines.iter().position(|lines| lines.contains(&line)) {
                refused
                    .entry(n)
                    .or_insert_with(|| diagnostic["rendered"].as_str().unwrap_or("").to_owned());
            }
        }
    }
    assert!(
        !refused.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Err(refused)
}

/// Outcome of the check on each candidate in the program.
pub fn tried(program: &Path, candidates: usize) -> Vec<Found> {
    let mut outcomes: Vec<Found> = Vec::new();
    while outcomes.len() < candidates {
        let mut child = Command::new(program)
            .arg(outcomes.len().to_string())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program of the mutants starts");
        let out = BufReader::new(child.stdout.take().expect("it is piped"));
        for line in out.lines().map_while(Result::ok) {
            if let Some((n, what)) = line.split_once(' ')
                && n.parse() == Ok(outcomes.len())
            {
                outcomes.push(read(what));
            }
        }
        let ended = child.wait().expect("it ends");
        // The program ended during the next candidate, unless that one reported it.
        if !ended.success() && outcomes.last() != Some(&Found::Stopped) {
            outcomes.push(Found::Stopped);
        }
    }
    outcomes
}

fn read(line: &str) -> Found {
    let (what, words) = line.split_once(' ').unwrap_or((line, ""));
    match what {
        "survived" => Found::Survived,
        "named" => Found::Named(words.to_owned()),
        "shown" => Found::Shown(words.to_owned()),
        "failed" => Found::Failed(words.to_owned()),
        _ => Found::Stopped,
    }
}
