//! Builds all candidate functions into one program and tries them one by one.

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

/// A solution that a learner could submit.
pub struct Candidate<'a> {
    /// The exercise's right solution.
    pub base: &'a Base,
    /// Imports and functions.
    pub code: String,
}

/// What the check found in a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing is wrong.
    Survived,
    /// It fails, and this known mistake is reported as the cause.
    Named(String),
    /// It fails without a known cause; this relation, which holds for all its cells, is reported.
    Shown(String),
    /// It fails with only this message.
    Failed(String),
    /// It exceeded the time or the memory that a check may take.
    Stopped,
}

/// A lock for one test at a time, because each test's program overwrites the one before.
pub fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Compiles all candidates into a program. The error maps the numbers of those that do not compile to the compiler's
/// messages.
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
        let said = &message["message"];
        if !said["level"]
            .as_str()
            .is_some_and(|level| level.starts_with("error"))
        {
            continue;
        }
        let spans = said["spans"].as_array().map_or(&[][..], Vec::as_slice);
        for span in spans {
            let line = span["line_start"].as_u64().unwrap_or(0) as usize;
            // An error at the call is reported in the list, which comes after all candidates, and matches none.
            if let Some(n) = lines.iter().position(|lines| lines.contains(&line)) {
                refused
                    .entry(n)
                    .or_insert_with(|| said["rendered"].as_str().unwrap_or("").to_owned());
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

/// Runs the program and returns what the check found in each candidate.
pub fn tried(program: &Path, candidates: usize) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    while found.len() < candidates {
        let mut child = Command::new(program)
            .arg(found.len().to_string())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program of the mutants starts");
        let out = BufReader::new(child.stdout.take().expect("it is piped"));
        for line in out.lines().map_while(Result::ok) {
            if let Some((n, what)) = line.split_once(' ')
                && n.parse() == Ok(found.len())
            {
                found.push(read(what));
            }
        }
        let ended = child.wait().expect("it ends");
        // The next candidate ended the program, unless it has already been reported as stopped.
        if !ended.success() && found.last() != Some(&Found::Stopped) {
            found.push(Found::Stopped);
        }
    }
    found
}

fn read(said: &str) -> Found {
    let (what, words) = said.split_once(' ').unwrap_or((said, ""));
    match what {
        "survived" => Found::Survived,
        "named" => Found::Named(words.to_owned()),
        "shown" => Found::Shown(words.to_owned()),
        "failed" => Found::Failed(words.to_owned()),
        _ => Found::Stopped,
    }
}
