//! Builds a learner's file with the lesson's check, and runs it in a process of its own.

use std::io::Read;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::{Exercise, Failure, Outcome, quietly, workbook};
use crate::widgets::sanitize::clean;

/// A check that takes longer has an endless loop.
const CHECK: Duration = Duration::from_secs(10);
/// The whole of a run, the first build included.
const BUILD: Duration = Duration::from_secs(600);
/// What a learner's function prints beyond this is dropped.
const OUTPUT: u64 = 1 << 20;
/// Set by the tutor: the check then reports as JSON.
const JSON: &str = "TRANSFORMER_TUTOR_CHECK_JSON";

/// What became of a learner's file.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Verdict {
    /// Whether the check passed.
    pub passed: bool,
    /// What is wrong, where the check failed.
    pub failure: Option<Failure>,
    /// The compiler's words, where it did not build.
    pub compiler: Option<String>,
    /// A sentence where it was stopped.
    pub stopped: Option<String>,
    /// What the function printed.
    pub printed: String,
}

/// The `main` of a learner's target: runs the check with a time limit and says what it found.
pub fn learner(name: &str, check: impl FnOnce() -> Outcome + Send + 'static) -> ExitCode {
    let (sender, result) = mpsc::channel();
    thread::spawn(move || sender.send(quietly(check)));
    let outcome = result.recv_timeout(CHECK).unwrap_or_else(|_| {
        Err(Failure::new(format!(
            "your function did not end within {} seconds: is there a loop that never stops?",
            CHECK.as_secs()
        )))
    });
    let failure = outcome.err().map(|f| *f);
    if std::env::var_os(JSON).is_some() {
        println!(
            "\n{JSON}{}",
            serde_json::to_string(&failure).unwrap_or_default()
        );
    } else {
        match &failure {
            None => println!(
                "{name}: passed. `cargo run -- exercise solution {name}` shows the reference beside yours."
            ),
            Some(failure) => println!("{name}: not yet.\n\n{}", card(failure)),
        }
    }
    // The thread of an endless loop is left behind; ending the process ends it.
    std::process::exit(i32::from(failure.is_some()))
}

/// The failure, in the order in which a learner needs it.
pub fn card(failure: &Failure) -> String {
    let mut out = clean(&failure.sentence) + "\n";
    if let (Some(expected), Some(shape)) = (&failure.expected_shape, &failure.shape) {
        out += &format!("  expected shape  {expected:?}\n  yours           {shape:?}\n");
    }
    if let Some(cell) = &failure.cell {
        out += &format!(
            "  first wrong cell  {:?}\n  expected          {}\n  yours             {}\n",
            cell.index, cell.expected, cell.got
        );
    }
    if let Some(likely) = &failure.likely {
        out += &format!("\nLikely: {likely}\n");
    }
    out
}

impl Verdict {
    /// Everything that is to be said about it.
    pub fn text(&self, exercise: &Exercise, caught: &[&str]) -> String {
        if self.passed {
            let mut out = format!(
                "Passed.\n\nWhy it works: {}\n\nThe check would have caught:\n",
                exercise.why
            );
            for title in caught {
                out += &format!("  {title}\n");
            }
            return out;
        }
        let mut out = String::new();
        if let Some(sentence) = &self.stopped {
            out += &format!("{sentence}\n");
        }
        if let Some(failure) = &self.failure {
            out += &card(failure);
        }
        if let Some(words) = &self.compiler {
            out += &format!("It does not compile yet. The compiler says:\n\n{words}\n");
        }
        if !self.printed.trim().is_empty() {
            out += &format!("\nYour function printed:\n{}\n", self.printed.trim_end());
        }
        out
    }
}

/// Builds and checks the learner's file. `Err` where it cannot be tried at all.
pub fn check(exercise: &Exercise) -> Result<Verdict, String> {
    workbook::file(exercise)?;
    let none = Verdict {
        passed: false,
        failure: None,
        compiler: None,
        stopped: None,
        printed: String::new(),
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args([
        "test",
        "--offline",
        "--quiet",
        "--no-run",
        "--message-format=json",
        "--test",
        exercise.name,
    ]);
    // The profile that this program was built with has everything built already.
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    build.current_dir(workbook::root()?).env_remove("RUSTFLAGS");
    let built = limited(build, BUILD)?;
    let Some(built) = built else {
        return Ok(Verdict {
            stopped: Some("the build did not end; is another cargo running?".to_owned()),
            ..none
        });
    };
    let (executable, words) = read_build(&built.out, exercise.name);
    let Some(executable) = executable.filter(|_| built.success) else {
        let words = if words.is_empty() { built.err } else { words };
        return Ok(Verdict {
            compiler: Some(clean(&words)),
            ..none
        });
    };
    let mut run = Command::new(executable);
    run.env(JSON, "1");
    let Some(ran) = limited(run, CHECK + Duration::from_secs(3))? else {
        return Ok(Verdict {
            stopped: Some("your function did not end, and was stopped".to_owned()),
            ..none
        });
    };
    let (printed, report) = ran.out.rsplit_once(JSON).unwrap_or((&ran.out, ""));
    let printed = clean(printed);
    match serde_json::from_str::<Option<Failure>>(report.trim()) {
        Ok(failure) => Ok(Verdict {
            passed: failure.is_none() && ran.success,
            failure,
            printed,
            ..none
        }),
        Err(_) => {
            let words = format!(
                "your function ended the whole process before the check was done\n{}",
                clean(&ran.err)
            );
            Ok(Verdict {
                stopped: Some(words),
                printed,
                ..none
            })
        }
    }
}

#[derive(Deserialize)]
struct Line {
    reason: String,
    message: Option<Diagnostic>,
    executable: Option<String>,
    target: Option<Target>,
}

#[derive(Deserialize)]
struct Diagnostic {
    rendered: Option<String>,
    level: String,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// The built program and the compiler's errors, from cargo's JSON lines.
fn read_build(lines: &str, name: &str) -> (Option<String>, String) {
    let mut executable = None;
    let mut words = String::new();
    for line in lines.lines() {
        let Ok(line) = serde_json::from_str::<Line>(line) else {
            continue;
        };
        let ours = line.target.as_ref().is_some_and(|t| t.name == name);
        match (line.reason.as_str(), line.message) {
            ("compiler-artifact", _) if ours => executable = line.executable,
            ("compiler-message", Some(m)) if m.level == "error" => {
                words += &m.rendered.unwrap_or_default();
            }
            _ => {}
        }
    }
    (executable, words)
}

struct Ran {
    success: bool,
    out: String,
    err: String,
}

/// Runs a command in a process group of its own; `None` if it had to be stopped.
fn limited(mut command: Command, limit: Duration) -> Result<Option<Ran>, String> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            "cargo is not on the PATH; exercises are built with it".to_owned()
        }
        _ => format!("cannot start the build: {e}"),
    })?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let readers = (
        thread::spawn(move || gather(out)),
        thread::spawn(move || gather(err)),
    );
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(8)),
            _ => break None,
        }
    };
    if status.is_none() {
        stop(&mut child);
    }
    let text = |reader: thread::JoinHandle<String>| reader.join().unwrap_or_default();
    let (out, err) = (text(readers.0), text(readers.1));
    Ok(status.map(|status| Ran {
        success: status.success(),
        out,
        err,
    }))
}

/// Reads to the end, but keeps no more than a check can need.
fn gather(from: Option<impl Read>) -> String {
    let Some(mut from) = from else {
        return String::new();
    };
    let mut first = Vec::new();
    let _ = from.by_ref().take(16 * OUTPUT).read_to_end(&mut first);
    // What follows is read, so that the writer does not wait, and dropped.
    let _ = std::io::copy(&mut from, &mut std::io::sink());
    String::from_utf8_lossy(&first).into_owned()
}

fn stop(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = child.id().to_string();
        // The whole group, so that nothing that was started lives on.
        let _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{group}")])
            .status();
    }
    let _ = child.kill();
    let _ = child.wait();
}
