//! Why a build or a check ended without a result, in sentences for the learner.

use std::process::ExitStatus;

use super::{COMPILER, PACKAGE};
use crate::lesson::exercise::compiler::Diagnostic;
use crate::lesson::exercise::verdict::MEMORY;
use crate::typeset::sanitize::clean;

/// Explains why cargo built nothing although the learner's file has no error.
pub(super) fn unbuilt(elsewhere: &[Diagnostic], stderr: &str) -> String {
    if let Some(first) = elsewhere.first() {
        return format!(
            "The project itself does not compile, so your file could not be tried:\n{}",
            first.rendered
        );
    }
    let stderr = clean(stderr);
    let has = |words: &[&str]| words.iter().any(|words| stderr.contains(words));
    let own = has(&[&format!("could not compile `{PACKAGE}`")]);
    // Messages from rustc, LLVM and the system.
    if has(&[
        "memory allocation of",
        "out of memory",
        "Cannot allocate memory",
    ]) {
        let what_to_do = if own {
            "Does your file make it compute something very large, such as a constant array or a macro that calls itself?"
        } else {
            "Close other programs, then check again."
        };
        let limit = COMPILER >> 30;
        return format!(
            "The compiler was stopped: it asked for more memory than there is, or than the {limit} GB that it may use. \
             {what_to_do}"
        );
    }
    if let Some(end) = end_of_compiler(&stderr) {
        let what = if has(&["overflowed its stack"]) {
            "The compiler filled its stack. Does your file nest expressions, or calls of macros, thousands deep?"
                .to_owned()
        } else if end.contains("SIGKILL") {
            format!(
                "The compiler was killed ({end}), by the system if memory ran out, or else by another program. Check again."
            )
        } else {
            format!(
                "The compiler crashed ({end}), which is a fault of its own. If it does so again, undo what you wrote last."
            )
        };
        return what;
    }
    if has(&["--offline was specified", "network access"]) {
        return "Some libraries that the program needs are missing on this machine, and the tutor never uses the network. \
                Run `cargo fetch` once, then check again."
            .to_owned();
    }
    // With the blank, because paths of the toolchain contain `.rustup/`.
    if has(&["rustup "]) {
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
    let lines: Vec<&str> = stderr.lines().collect();
    let last = lines[lines.len().saturating_sub(20)..].join("\n");
    format!("cargo could not build the exercise:\n{last}")
}

/// How a compiler ended that did not get to report errors: `signal: 9, SIGKILL: kill`.
fn end_of_compiler(stderr: &str) -> Option<&str> {
    let (_, cause) = stderr.split_once("could not compile")?;
    let (_, cause) = cause.split_once("process didn't exit successfully")?;
    let (_, end) = cause.lines().next()?.rsplit_once('(')?;
    end.strip_suffix(')')
}

/// Explains why a check ended without a verdict; true if that makes the stderr output redundant.
pub(super) fn ended(status: ExitStatus, stderr: &str) -> (String, bool) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What cargo writes when the compiler of the learner's file ends like this after writing `words`.
    fn crash(words: &str, end: &str) -> String {
        format!(
            "   Compiling {PACKAGE} v0.1.0 (/a/src/exercises)\n{words}\nerror: could not compile `{PACKAGE}` \
             (test \"softmax\")\n\nCaused by:\n  process didn't exit successfully: \
             `/a/.rustup/toolchains/stable/bin/rustc --cfg 'a(\"b\")'` ({end})\n"
        )
    }

    #[test]
    fn a_compiler_that_was_stopped_killed_or_crashed_is_told_from_a_missing_one() {
        for (words, end, says) in [
            (
                "memory allocation of 17179869184 bytes failed",
                "signal: 6, SIGABRT: process abort signal",
                "GB that it may use",
            ),
            (
                "rustc-LLVM ERROR: out of memory",
                "exit status: 101",
                "GB that it may use",
            ),
            (
                "note: rustc unexpectedly overflowed its stack! this is a bug",
                "signal: 11, SIGSEGV: invalid memory reference",
                "filled its stack",
            ),
            (
                "",
                "signal: 9, SIGKILL: kill",
                "was killed (signal: 9, SIGKILL: kill)",
            ),
            (
                "thread 'rustc' panicked",
                "exit status: 101",
                "crashed (exit status: 101)",
            ),
        ] {
            let sentence = unbuilt(&[], &crash(words, end));
            assert!(sentence.contains(says), "{words} {end}: {sentence}");
            assert!(!sentence.contains("toolchain"), "{sentence}");
        }
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
