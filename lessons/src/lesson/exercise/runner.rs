//! Builds the learner's file with cargo and runs the check on it. Each runs in its own process group, which is killed
//! if it takes too long or is no longer wanted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::de::DeserializeOwned;

use self::ending::{ended, unbuilt};
use super::Exercise;
use super::compiler::{self, Diagnostic};
use super::handover::Receiver;
use super::supervise::{Halt, Limits, News, supervise};
pub use super::verdict::Verdict;
use super::verdict::{self, Halted, LATE, late};
use super::workbook::{BUILT, FileOrigin, Workbook};
use crate::clock::Instant;
use crate::lesson::progress::{Done, sum};
use crate::lesson::{Tier, environment};
use crate::typeset::sanitize::clean;

mod ending;

/// Result of one check of the learner's file.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Outcome of the check.
    pub verdict: Verdict,
    /// Compiler warnings about code that compiled.
    pub warnings: Vec<Diagnostic>,
    /// Output of the learner's own function, with control characters removed.
    pub printed: String,
    /// The learner's file as checked; empty if it could not be read.
    pub source: String,
    /// True if there was no file, so that the starter was written and checked.
    pub begun: bool,
    /// True if the learner had changed anything: checking the bare starter is not an attempt.
    pub attempted: bool,
    /// Tier at which the file was begun.
    pub tier: Tier,
    /// Time from the start to the verdict, in seconds.
    pub seconds: f64,
}

impl Report {
    /// True if the check passed.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Passed
    }

    /// Records the check in the learner's progress.
    pub fn enter(&self, done: &mut Done) {
        done.attempts = done.attempts.saturating_add(u32::from(self.attempted));
        done.solved |= self.passed();
        done.tier = Some(self.tier);
        if self.passed() {
            done.solved_at = done.solved_at.max(Some(self.tier));
            done.keep_pass(&sum(&self.source));
        }
        done.failing = self.attempted && !self.passed();
        done.checked = self.attempted.then(|| sum(&self.source));
    }

    /// True if there is nothing to judge, because the bare starter was checked.
    pub fn is_unwritten(&self) -> bool {
        !self.attempted && matches!(self.verdict, Verdict::Failed(_) | Verdict::Compiler(_))
    }

    /// The report for programs: `passed`, and whichever of `failure`, `compiler` and `stopped` explains why not.
    pub fn json(&self) -> serde_json::Value {
        let mut json = serde_json::json!({
            "passed": self.passed(), "written": self.attempted, "tier": self.tier, "failure": null, "compiler": null, "stopped": null,
            "warnings": self.warnings, "printed": self.printed, "seconds": self.seconds,
        });
        match &self.verdict {
            Verdict::Passed => {}
            Verdict::Failed(failure) => json["failure"] = serde_json::json!(failure),
            Verdict::Compiler(errors) => json["compiler"] = serde_json::json!(errors),
            Verdict::Stopped(sentence) => json["stopped"] = serde_json::json!(sentence),
        }
        json
    }
}

/// Stage of a check, displayed as what is being waited for: `building …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// cargo is compiling.
    Building,
    /// cargo is waiting for another cargo that uses the same folder.
    Waiting,
    /// The function is running.
    Running,
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Building => "building …",
            Self::Waiting => "waiting for another cargo that is at work here …",
            Self::Running => "running …",
        })
    }
}

/// Package of the exercises' targets.
pub const PACKAGE: &str = "transformer-tutor-exercises";
/// The target that assembles the learner's model.
const MINE: &str = "mine";
/// Time limit for cargo, which compiles all libraries if they are not in the target folder.
const BUILD: Duration = Duration::from_secs(900);
/// Time limit in seconds for compiling the learner's target, which usually takes a few.
const TARGET: f64 = 120.0;
/// The library that the learner's target needs and that is compiled last.
const LIBRARY: &str = "transformer_tutor";
/// Number of bytes kept of a process's output. cargo's messages are read in full; of the learner's output, only the
/// beginning.
const CARGO_OUTPUT: usize = 16 << 20;
const LEARNER_OUTPUT: usize = 8 << 10;
/// Address space of cargo and of each compiler, in bytes: several times what compiling the whole program needs, but
/// small enough to stop a runaway compiler before the machine runs out of memory.
const COMPILER: u64 = 8 << 30;

/// A program that cargo has built.
#[derive(Debug)]
struct Built {
    program: PathBuf,
    /// Compiler warnings about the learner's file.
    warnings: Vec<Diagnostic>,
}

/// Builds and runs the exercises of a workbook.
#[derive(Clone, Debug)]
pub struct Runner {
    workbook: Workbook,
    seconds: f64,
    /// Time limit for compiling the learner's target.
    compiling: f64,
}

impl Runner {
    /// A runner for the workbook's package, with the usual time limit (see [`verdict::seconds`]).
    pub fn new(workbook: &Workbook) -> Self {
        Self {
            workbook: workbook.clone(),
            seconds: verdict::seconds(),
            compiling: TARGET,
        }
    }

    /// The same runner with a different time limit for the function, in seconds.
    pub fn with_limit(self, seconds: f64) -> Self {
        Self { seconds, ..self }
    }

    /// Builds and runs one exercise, using the starter of this tier if its file is missing. Reports each `phase`, and calls
    /// `interrupted` many times a second to ask whether to stop; returns `None` if so.
    pub fn check(
        &self,
        exercise: &Exercise,
        tier: Tier,
        phase: &mut dyn FnMut(Phase),
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Option<Report> {
        let start = Instant::now();
        phase(Phase::Building);
        let begun = self.workbook.begin(exercise, tier);
        let source = self.workbook.text(exercise);
        let untouched = source.as_deref().and_then(|text| exercise.untouched(text));
        let content = sum(source.as_deref().unwrap_or_default());
        let report = |verdict, warnings, printed| Report {
            verdict,
            warnings,
            printed,
            begun: begun == Ok(FileOrigin::New),
            attempted: source.is_some() && untouched.is_none(),
            source: source.unwrap_or_default(),
            tier: untouched.unwrap_or(tier),
            seconds: start.elapsed().as_secs_f64(),
        };
        let built = match &begun {
            Ok(_) => {
                let mut cargo = self.cargo("test", exercise.name);
                cargo.arg("--no-run");
                cargo.env(environment::CONTENT, &content);
                self.build(cargo, exercise.name, phase, interrupted)
            }
            Err(sentence) => Err(Halted::stopped(sentence.as_str())),
        };
        match built {
            Err(Halted::Interrupted) => None,
            Err(Halted::Verdict(verdict)) => Some(report(*verdict, Vec::new(), String::new())),
            Ok(Built { program, warnings }) => {
                phase(Phase::Running);
                let (verdict, printed) = self.run(Command::new(program), interrupted)?;
                Some(report(verdict, warnings, printed))
            }
        }
    }

    /// Builds the target `mine`: the model with the learner's functions `own` in their places.
    pub fn assemble(
        &self,
        own: &[&str],
        phase: &mut dyn FnMut(Phase),
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<PathBuf, Halted> {
        phase(Phase::Building);
        let mut cargo = self.cargo("rustc", MINE);
        cargo.arg("--");
        let mut content = String::new();
        for name in own {
            cargo.args(["--cfg".to_owned(), format!("own=\"{name}\"")]);
            content += &self.workbook.text_of(name).unwrap_or_default();
        }
        cargo.env(environment::CONTENT, sum(&content));
        let built = self.build(cargo, MINE, phase, interrupted)?;
        Ok(built.program)
    }

    fn build(
        &self,
        mut cargo: Command,
        name: &str,
        phase: &mut dyn FnMut(Phase),
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Built, Halted> {
        cargo.stdin(Stdio::null());
        let limits = Limits {
            time: BUILD,
            memory: Some(COMPILER),
            output: CARGO_OUTPUT,
        };
        let mut waiting = false;
        let mut since: Option<Instant> = None;
        let mut too_long = false;
        let finished = supervise(&mut cargo, &limits, &mut |news: &News| {
            // cargo reports when it begins to wait, but not when it goes on.
            if !waiting && news.stderr.contains("waiting for file lock") {
                waiting = true;
                phase(Phase::Waiting);
            }
            if since.is_none() && compiler::has_built(LIBRARY, &news.stdout) {
                since = Some(Instant::now());
            }
            too_long = since.is_some_and(|since| since.elapsed().as_secs_f64() > self.compiling);
            too_long || interrupted()
        });
        let finished = finished.map_err(|halt| match halt {
            Halt::Interrupted if too_long => Halted::stopped(format!(
                "The compiler was stopped after {} seconds, which are its limit for your file. Does the file make it \
                 compute without end, in a constant or in a macro that calls itself?",
                self.compiling
            )),
            Halt::Interrupted => Halted::Interrupted,
            Halt::Late(_) => Halted::stopped(format!(
                "cargo was stopped after {} minutes, which are its limit for compiling everything.{}",
                BUILD.as_secs() / 60,
                if waiting { " It had to wait for another cargo: end that one first." } else { "" }
            )),
            Halt::Absent(e) => Halted::stopped(format!(
                "cargo could not be started ({e}): exercises are compiled, so they need Rust's cargo in the PATH. `transformer-tutor doctor` shows what is there."
            )),
        })?;
        let build = compiler::read(name, &finished.stdout);
        match (build.executable, finished.status.success()) {
            (Some(program), true) => Ok(Built {
                program,
                warnings: build.warnings,
            }),
            _ if !build.errors.is_empty() => {
                Err(Halted::Verdict(Box::new(Verdict::Compiler(build.errors))))
            }
            _ => Err(Halted::stopped(unbuilt(&build.elsewhere, &finished.stderr))),
        }
    }

    /// A cargo command for the test target `name`, with the profile, features and target folder of the running program,
    /// so that only the learner's files are compiled.
    fn cargo(&self, command: &str, name: &str) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(self.workbook.root());
        cargo.args([command, "--offline", "--color=never"]);
        // Only this package, because the project's own tests need crates that `cargo run` neither compiles nor
        // downloads.
        cargo.args([
            "--message-format=json",
            "--package",
            PACKAGE,
            "--test",
            name,
        ]);
        let exe = std::env::current_exe().unwrap_or_default();
        cargo.args(as_built(&exe, self.workbook.root()));
        cargo
    }

    /// Runs a learner's program (see [`super::learner()`]). Returns its verdict and its output.
    pub fn run(
        &self,
        program: Command,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Option<(Verdict, String)> {
        let (ended, printed) = self.run_for(program, self.seconds, &mut |_| interrupted())?;
        Some((ended.unwrap_or_else(Verdict::Stopped), printed))
    }

    /// Runs a program that hands over a `T` (see [`handover`](super::handover)) within the given number of seconds.
    /// Returns the `T`, or a sentence on why there is none, and the printed output. `interrupted` is called many times
    /// a second with the new lines of stderr.
    pub fn run_for<T: DeserializeOwned>(
        &self,
        mut program: Command,
        seconds: f64,
        interrupted: &mut dyn FnMut(&str) -> bool,
    ) -> Option<(Result<T, String>, String)> {
        let stopped = |sentence: String| Some((Err(sentence), String::new()));
        let receiver = match Receiver::new(&mut program) {
            Ok(receiver) => receiver,
            Err(e) => return stopped(format!("the channel for the verdict cannot be opened: {e}")),
        };
        program.current_dir(self.workbook.root());
        program.env(environment::SECONDS, seconds.to_string());
        program.env_remove("RUST_BACKTRACE");
        // The program ends itself in time; this limit is for one that prevents even that.
        let limits = Limits {
            time: Duration::from_secs_f64(seconds + 2.0),
            memory: None,
            output: LEARNER_OUTPUT,
        };
        let result = supervise(&mut program, &limits, &mut |news| interrupted(&news.stderr));
        drop(program);
        let mut finished = match result {
            Ok(finished) => finished,
            Err(Halt::Interrupted) => return None,
            Err(Halt::Late(lines)) => return stopped(late(seconds, Some(lines))),
            Err(Halt::Absent(e)) => return stopped(format!("the check could not be started: {e}")),
        };
        let mut printed = finished.stdout;
        let result = receiver.result().ok_or_else(|| {
            if finished.status.code() == Some(LATE) {
                return late(seconds, Some(finished.lines));
            }
            let (sentence, explained) = ended(finished.status, &finished.stderr);
            if explained {
                finished.stderr.clear();
            }
            sentence
        });
        printed.push_str(&finished.stderr);
        Some((result, clean(&printed).trim_end().to_owned()))
    }
}

/// Cargo arguments for the package at `root` that select the profile, features and target folder of the program at
/// `exe`, so that cargo reuses what that program was linked from. A package that it was not built from keeps a target
/// folder of its own.
pub fn as_built(exe: &Path, root: &Path) -> Vec<OsString> {
    let mut arguments = profile(exe, root);
    if !cfg!(feature = "default") {
        arguments.push("--no-default-features".into());
    }
    for (feature, on) in [
        ("blis", cfg!(feature = "blis")),
        ("openblas", cfg!(feature = "openblas")),
        ("accelerate", cfg!(feature = "accelerate")),
    ] {
        if on {
            arguments.extend(["--features".into(), feature.into()]);
        }
    }
    arguments
}

/// Cargo arguments for the profile and target folder of the program at `exe`, which is `TARGET/PROFILE/NAME`, or
/// `TARGET/PROFILE/deps/NAME` for a test. Empty if the program is not in a target folder.
fn profile(exe: &Path, root: &Path) -> Vec<OsString> {
    let mut folder = exe.parent().unwrap_or(exe);
    if folder.ends_with("deps") {
        folder = folder.parent().unwrap_or(folder);
    }
    let (Some(name), Some(target)) = (folder.file_name(), folder.parent()) else {
        return Vec::new();
    };
    if !folder.join(".fingerprint").is_dir() {
        return Vec::new();
    }
    let mut arguments: Vec<OsString> = Vec::new();
    if name != "debug" {
        arguments.extend(["--profile".into(), name.to_owned()]);
    }
    // cargo marks the target folder itself; the folder of a cross-compilation target is one level deeper and has no
    // mark.
    let is_built = |root: &Path| root.canonicalize().ok() == BUILT.canonicalize().ok();
    if is_built(root) && target.join("CACHEDIR.TAG").is_file() {
        arguments.extend(["--target-dir".into(), target.as_os_str().to_owned()]);
    }
    arguments
}

#[cfg(all(test, unix))]
mod tests;
