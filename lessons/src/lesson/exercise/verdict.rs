//! The outcome of a check, and the limits that the learner's process and the tutor agree on.

use serde::{Deserialize, Serialize};

use super::compiler::Diagnostic;
use super::{Failure, Outcome};
use crate::lesson::environment;

/// Time limit of a check in seconds; the checks themselves take milliseconds.
pub const SECONDS: f64 = 10.0;
/// Exit status of a learner's process whose function did not end in time; `timeout` has the same.
pub const LATE: i32 = 124;
/// Number of lines a second from which printing may be what takes the time.
const FLOOD: f64 = 10_000.0;
/// Memory limit of a check, in bytes.
pub const MEMORY: u64 = 2 << 30;

/// Outcome of checking the learner's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It does what the reference does.
    Passed,
    /// It runs, but does something else.
    Failed(Box<Failure>),
    /// It does not compile.
    Compiler(Vec<Diagnostic>),
    /// It was stopped, or could not be tried; the sentence says why and what to do.
    Stopped(String),
}

/// Why a learner's program gave no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Halted {
    /// The files don't compile, or the program was stopped: see [`Verdict`].
    Verdict(Box<Verdict>),
    /// It was no longer wanted.
    Interrupted,
}

impl Halted {
    /// It could not be built or run, for the reason that `sentence` gives.
    pub(super) fn stopped(sentence: impl Into<String>) -> Self {
        Self::Verdict(Box::new(Verdict::Stopped(sentence.into())))
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Ok(()) => Self::Passed,
            Err(failure) => Self::Failed(failure),
        }
    }
}

/// Sentence for code that did not end within so many seconds, and printed this many lines if that was counted.
pub fn late(seconds: f64, lines: Option<usize>) -> String {
    let cause = match lines {
        Some(lines) if lines as f64 > FLOOD * seconds.max(0.0) => format!(
            "In that time it printed {lines} lines, which takes long: print less, then check again."
        ),
        Some(_) => "Is there a loop whose end never comes?".to_owned(),
        None => "Is there a loop whose end never comes, or one that prints?".to_owned(),
    };
    format!("Your code did not end within {seconds} seconds. {cause}")
}

/// Time limit of a check on this machine, in seconds: [`environment::SECONDS`] if set, else [`SECONDS`].
pub fn seconds() -> f64 {
    seconds_or(SECONDS)
}

/// Time limit in seconds for work that usually gets `usual`: [`environment::SECONDS`] if set, else `usual`.
pub fn seconds_or(usual: f64) -> f64 {
    // The program refuses a wrong value when it starts.
    environment::seconds().ok().flatten().unwrap_or(usual)
}
