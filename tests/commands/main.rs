//! The program's commands, run as a user runs them.

mod answers;
mod carried;
#[cfg(unix)]
mod escapes;
#[cfg(unix)]
mod files;
mod input;
mod support;
mod training;
#[cfg(target_os = "linux")]
mod transcripts;
