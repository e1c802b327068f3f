//! The environment variables that the program reads or sets. An empty one counts as unset.

use std::ffi::OsString;

/// Folder for progress, exercises and own models, instead of the platform's default.
pub const STATE: &str = "TRANSFORMER_TUTOR_STATE";

/// Theme of the screen, where `--theme` is not given.
pub const THEME: &str = "TRANSFORMER_TUTOR_THEME";

/// Time limit of an exercise's check, in seconds.
pub const SECONDS: &str = "TRANSFORMER_TUTOR_SECONDS";

/// A writer's folder of lessons. Like `lessons/`, it holds texts and words; they replace the built-in ones, so that a
/// page can be seen without rebuilding.
pub const LESSONS: &str = "TRANSFORMER_TUTOR_LESSONS";

/// Set for a learner's process whose tutor waits for a result.
pub const VERDICT: &str = "TRANSFORMER_TUTOR_VERDICT";

/// Set for a learner's process that runs the learner's own model: the [`Order`](super::mine::Order), as JSON.
pub const ORDER: &str = "TRANSFORMER_TUTOR_ORDER";

/// Set for cargo: a fingerprint of the learner's files. cargo goes by the time of a file, so it would take an old file that
/// somebody has put back for one that is built already; the targets read this variable, so a new value builds them anew.
pub const CONTENT: &str = "TRANSFORMER_TUTOR_CONTENT";

/// Value of a variable, unless it is empty.
pub fn value(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Number of seconds in [`SECONDS`], if it is set. The error says what it must be.
pub fn seconds() -> Result<Option<f64>, String> {
    let Some(text) = value(SECONDS) else {
        return Ok(None);
    };
    let seconds = text.to_str().and_then(|text| text.trim().parse().ok());
    let seconds = seconds.filter(|seconds| (0.001..=1e6).contains(seconds));
    seconds.map(Some).ok_or_else(|| {
        format!(
            "{SECONDS} is '{}'; it must be a number of seconds from 0.001 to 1000000",
            text.display()
        )
    })
}
