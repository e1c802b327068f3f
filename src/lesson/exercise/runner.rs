//! Builds the learner's file with cargo and runs the check on it. Each runs in its own process group, which is killed
//! if it takes too long or is no longer wanted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::Exercise;
use super::compiler::{self, Diagnostic};
use super::handover::Receiver;
use super::supervise::{Halt, Limits, supervise};
pub use super::verdict::Verdict;
use super::verdict::{self, Halted, MEMORY};
use super::workbook::Workbook;
use crate::lesson::progress::{Done, sum};
use crate::lesson::{Tier, environment};
use crate::typeset::sanitize::clean;

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
            Self::Running => "checking …",
        })
    }
}

/// Package of the exercises' targets.
pub const PACKAGE: &str = "transformer-tutor-exercises";
/// The target that assembles the learner's model.
const MINE: &str = "mine";
/// Time limit for cargo, which compiles all libraries if they are not in the target folder.
const BUILD: Duration = Duration::from_secs(900);
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
}

impl Runner {
    /// A runner for the workbook's package, with the usual time limit (see [`verdict::seconds`]).
    pub fn new(workbook: &Workbook) -> Self {
        Self {
            workbook: workbook.clone(),
            seconds: verdict::seconds(),
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
        let source = self.workbook.text(exercise).unwrap_or_default();
        let untouched = exercise.untouched(&source);
        let report = |verdict, warnings, printed| Report {
            verdict,
            warnings,
            printed,
            source,
            attempted: untouched.is_none(),
            tier: untouched.unwrap_or(tier),
            seconds: start.elapsed().as_secs_f64(),
        };
        let built = match begun {
            Ok(_) => {
                let mut cargo = self.cargo("test", exercise.name);
                cargo.arg("--no-run");
                self.build(cargo, exercise.name, phase, interrupted)
            }
            Err(sentence) => Err(Halted::stopped(sentence)),
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
        for name in own {
            cargo.args(["--cfg".to_owned(), format!("own=\"{name}\"")]);
        }
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
        let mut waiting = false;
        cargo.stdin(Stdio::null());
        let limits = Limits {
            time: BUILD,
            memory: Some(COMPILER),
            output: CARGO_OUTPUT,
        };
        let finished = supervise(&mut cargo, &limits, &mut |stderr: &str| {
            // cargo reports when it begins to wait, but not when it goes on.
            if !waiting && stderr.contains("waiting for file lock") {
                waiting = true;
                phase(Phase::Waiting);
            }
            interrupted()
        });
        let finished = finished.map_err(|halt| match halt {
            Halt::Interrupted => Halted::Interrupted,
            Halt::Late => Halted::stopped("cargo did not end within 15 minutes."),
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
        cargo.args(as_built(&std::env::current_exe().unwrap_or_default()));
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
    /// a second with the stderr output so far.
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
        let result = supervise(&mut program, &limits, interrupted);
        drop(program);
        let mut finished = match result {
            Ok(finished) => finished,
            Err(Halt::Interrupted) => return None,
            Err(Halt::Late) => {
                return stopped(format!(
                    "Your function did not end within {seconds} seconds."
                ));
            }
            Err(Halt::Absent(e)) => return stopped(format!("the check could not be started: {e}")),
        };
        let mut printed = finished.stdout;
        let result = receiver.result().ok_or_else(|| {
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

/// Cargo arguments that select the profile, features and target folder of the program at `exe`, so that cargo reuses
/// what that program was linked from.
pub fn as_built(exe: &Path) -> Vec<OsString> {
    let mut arguments = profile(exe);
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
fn profile(exe: &Path) -> Vec<OsString> {
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
    if target.join("CACHEDIR.TAG").is_file() {
        arguments.extend(["--target-dir".into(), target.as_os_str().to_owned()]);
    }
    arguments
}

/// Explains why cargo built nothing although the learner's file has no error.
fn unbuilt(elsewhere: &[Diagnostic], stderr: &str) -> String {
    if let Some(first) = elsewhere.first() {
        return format!(
            "The project itself does not compile, so your file could not be tried:\n{}",
            first.rendered
        );
    }
    let stderr = clean(stderr);
    if stderr.contains("rustup") {
        let cause = stderr.lines().find(|line| line.starts_with("error:"));
        let cause = cause
            .unwrap_or("error: rustup has no toolchain")
            .trim_start_matches("error: ")
            .trim_end_matches('.');
        return format!(
            "Exercises are compiled with cargo, and rustup could not start it: {cause}. Install a toolchain \
             (`rustup default stable`), then check again; `transformer-tutor doctor` shows what is there."
        );
    }
    if stderr.contains("--offline was specified") || stderr.contains("network access") {
        return "Some libraries that the program needs are missing on this machine, and the tutor never uses the network. \
                Run `cargo fetch` once, then check again."
            .to_owned();
    }
    // Messages from rustc and LLVM; the last one appears where the system kills processes that run out of memory.
    let words = [
        "memory allocation of",
        "out of memory",
        "Cannot allocate memory",
        "signal: 9, SIGKILL",
    ];
    if words.iter().any(|words| stderr.contains(words)) {
        return format!(
            "The compiler was stopped: it asked for more than the {} GB of memory it may use. Does your file make it \
             compute something very large, such as a constant array or a macro that calls itself?",
            COMPILER >> 30
        );
    }
    let lines: Vec<&str> = stderr.lines().collect();
    let last = lines[lines.len().saturating_sub(20)..].join("\n");
    format!("cargo could not build the exercise:\n{last}")
}

/// Explains why a check ended without a verdict; true if that makes the stderr output redundant.
fn ended(status: ExitStatus, stderr: &str) -> (String, bool) {
    if stderr.contains("overflowed its stack") {
        let sentence = "Your function filled the stack: it calls itself without end.";
        return (sentence.to_owned(), true);
    }
    if stderr.contains("memory allocation of") {
        let sentence = format!(
            "Your function asked for more than {} GB of memory. Does something grow in a loop, or is a shape multiplied \
             out that should stretch?",
            MEMORY >> 30
        );
        return (sentence, true);
    }
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let sentence = format!("Your function was stopped by the system with signal {signal}.");
        return (sentence, false);
    }
    let sentence = format!(
        "Your function ended the whole process ({status}) before the check was through: it must return instead."
    );
    (sentence, false)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn sentence(script: &str, seconds: f64) -> (String, f64) {
        let runner = Runner::new(&Workbook::at(Path::new("/"))).with_limit(seconds);
        let start = Instant::now();
        let result = runner.run(shell(script), &mut || false);
        match result {
            Some((Verdict::Stopped(sentence), _)) => (sentence, start.elapsed().as_secs_f64()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_process_that_writes_no_verdict_did_not_pass() {
        assert!(sentence("exit 0", 5.0).0.contains("it must return instead"));
        assert!(sentence("kill -SEGV $$", 5.0).0.contains("signal 11"));
    }

    #[test]
    fn a_stubborn_process_and_its_children_are_ended() {
        let (sentence, seconds) = sentence("sleep 60 & trap '' TERM; sleep 60", -1.9);
        assert!(sentence.contains("did not end"), "{sentence}");
        // The sleeping child holds the pipes, so reading them to the end would take long if it were still running.
        assert!(seconds < 2.0, "{seconds}");
    }

    #[test]
    fn an_interrupted_check_has_no_report() {
        let runner = Runner::new(&Workbook::at(Path::new("/")));
        let mut asked = 0;
        let result = runner.run(shell("sleep 60"), &mut || {
            asked += 1;
            asked > 3
        });
        assert!(result.is_none());
    }

    /// Hands over a verdict as a learner's process does.
    const PASS: &str = r#"word=$(head -c 32); printf '%s"passed"' "$word" >&0"#;

    #[test]
    fn a_flood_is_cut_and_the_verdict_still_read() {
        let script = format!("{PASS}; yes | head -c 3000000");
        let runner = Runner::new(&Workbook::at(Path::new("/")));
        let (verdict, printed) = runner
            .run(shell(&script), &mut || false)
            .expect("not interrupted");
        assert_eq!(verdict, Verdict::Passed);
        assert!(printed.len() < LEARNER_OUTPUT + 100 && printed.ends_with("… and more"));
    }

    #[test]
    fn who_does_not_know_the_word_cannot_pass() {
        for stray in [
            r#"echo '"passed"' >&0"#,
            r#"head -c 32 > /dev/null; printf '00000000000000000000000000000000"passed"' >&0"#,
            r#"echo '"passed"' > "$TRANSFORMER_TUTOR_VERDICT""#,
        ] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let runner = Runner::new(&Workbook::at(folder.path())).with_limit(5.0);
            let result = runner.run(shell(stray), &mut || false);
            assert!(
                matches!(result, Some((Verdict::Stopped(_), _))),
                "{result:?}"
            );
        }
        assert_eq!(result_of(PASS), Verdict::Passed);
        assert_eq!(
            result_of(&format!("echo noise >&0; {PASS}")),
            Verdict::Passed
        );
    }

    fn result_of(script: &str) -> Verdict {
        let runner = Runner::new(&Workbook::at(Path::new("/"))).with_limit(5.0);
        let result = runner.run(shell(script), &mut || false);
        result.expect("nobody interrupts").0
    }

    #[test]
    fn a_flood_in_place_of_a_verdict_is_cut_and_ends_in_time() {
        let (sentence, seconds) = sentence("exec cat /dev/zero >&0", -1.5);
        assert!(sentence.contains("did not end"), "{sentence}");
        assert!(seconds < 5.0, "{seconds}");
        let much = format!("{{ yes | head -c 6000000; }} >&0; {PASS}");
        assert!(matches!(result_of(&much), Verdict::Stopped(_)));
    }

    #[test]
    fn what_a_process_leaves_behind_is_ended_though_it_passed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().join("pid");
        // The child holds none of the pipes, so nothing waits for it.
        let script = format!(
            "sleep 60 < /dev/null > /dev/null 2>&1 & echo $! > '{}'; {PASS}",
            place.display()
        );
        assert_eq!(result_of(&script), Verdict::Passed);
        let pid = std::fs::read_to_string(place).expect("the script wrote it");
        let pid = pid
            .trim()
            .parse()
            .ok()
            .and_then(rustix::process::Pid::from_raw);
        let pid = pid.expect("a process");
        let deadline = Instant::now() + Duration::from_secs(10);
        // Its new parent may take a moment to notice that it has ended.
        while lives(pid) {
            assert!(Instant::now() < deadline, "it lives on");
            std::thread::yield_now();
        }
    }

    /// True if a process exists and has not ended; a zombie counts as ended.
    fn lives(pid: rustix::process::Pid) -> bool {
        if Path::new("/proc/self/stat").exists() {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
            return stat.is_ok_and(|stat| !stat.contains(") Z "));
        }
        rustix::process::test_kill_process(pid).is_ok()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_compiler_has_a_limit_of_memory() {
        let runner = Runner::new(&Workbook::at(Path::new("/")));
        // Without a limit the loop would not end, and `late` would stop it.
        let script = "until [ \"$(ulimit -v)\" != unlimited ]; do :; done; echo \"limit $(ulimit -v)\" >&2; exit 1";
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut late = || Instant::now() > deadline;
        let built = runner.build(shell(script), "attention", &mut |_| {}, &mut late);
        let Err(Halted::Verdict(verdict)) = built else {
            panic!("{built:?}");
        };
        let Verdict::Stopped(sentence) = *verdict else {
            panic!("{verdict:?}");
        };
        let kib = sentence
            .rsplit("limit ")
            .next()
            .and_then(|kib| kib.trim().parse::<u64>().ok());
        assert!(kib.is_some_and(|kib| kib <= COMPILER >> 10), "{sentence}");
    }

    #[test]
    fn a_compiler_without_memory_is_explained() {
        for stderr in [
            "memory allocation of 17179869184 bytes failed\nerror: could not compile",
            "rustc-LLVM ERROR: out of memory",
            "error: could not compile\n(signal: 9, SIGKILL: kill)",
        ] {
            assert!(
                unbuilt(&[], stderr).contains("GB of memory it may use"),
                "{stderr}"
            );
        }
    }

    #[test]
    fn the_build_joins_the_one_that_made_this_program() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path();
        std::fs::create_dir_all(target.join("release/.fingerprint")).expect("folders");
        assert_eq!(
            profile(&target.join("release/tutor")),
            ["--profile", "release"]
        );
        std::fs::write(target.join("CACHEDIR.TAG"), "").expect("a file");
        let arguments = profile(&target.join("release/deps/tutor-1"));
        assert_eq!(
            arguments[2..],
            ["--target-dir".into(), target.as_os_str().to_owned()]
        );
        assert!(profile(Path::new("/usr/bin/tutor")).is_empty());
    }

    #[test]
    fn missing_libraries_are_asked_for_in_a_sentence() {
        let stderr = "error: failed to download\n  attempting to make an HTTP request, but --offline was specified";
        assert!(unbuilt(&[], stderr).contains("cargo fetch"));
        assert!(unbuilt(&[], "error: \u{1b}[31mno space left").ends_with("error: no space left"));
    }

    #[test]
    fn a_rustup_without_a_toolchain_is_named_with_what_to_do_and_without_its_backtrace() {
        let stderr = "error: rustup could not choose a version of cargo to run, because one wasn't specified \
                      explicitly, and no default is configured.\nhelp: run 'rustup default stable'\n\
                      stack backtrace:\n   0: std::backtrace\n";
        let sentence = unbuilt(&[], stderr);
        assert!(
            sentence.contains("could not choose a version of cargo"),
            "{sentence}"
        );
        assert!(sentence.contains("transformer-tutor doctor") && !sentence.contains("backtrace"));
    }
}
