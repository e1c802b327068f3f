//! Wrong functions in one program: they are compiled in one build and tried one by one.

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

/// What a learner could hand in.
pub struct Candidate<'a> {
    /// The exercise's right solution.
    pub base: &'a Base,
    /// Imports and functions.
    pub code: String,
}

/// What the check found of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing is wrong.
    Survived,
    /// It fails, and this known mistake is told as its cause.
    Named(String),
    /// It fails, no cause is told, but what is true of all its cells.
    Shown(String),
    /// It fails in these words, and nothing else is told.
    Failed(String),
    /// It took more than the seconds or the memory that a check has.
    Stopped,
}

/// The program of one test at a time: each takes the place of the one before.
pub fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Compiles all candidates; the program, or those that do not compile, by number, each with the compiler's words.
pub fn compiled(candidates: &[Candidate<'_>]) -> Result<PathBuf, BTreeMap<usize, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/mutants/all.rs");
    let lines = written(candidates, &path);
    built(&path, &lines)
}

/// Writes all candidates into one file; the lines of each, counted from 1.
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
            // An error that is told where it is called lies in the list, behind all candidates.
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

/// What the check found of each candidate in the program.
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
        // It was ended in the middle of the next one, unless that one said so itself.
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
