//! The program's commands, run as a user runs them.

mod answers;
#[cfg(unix)]
mod escapes;
mod everyday;
#[cfg(unix)]
mod files;
mod input;
mod marian;
mod parity;
mod support;
mod training;
