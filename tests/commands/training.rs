//! Runs that are killed, stopped and resumed, and the folders that they own.

#[cfg(unix)]
mod kills;
mod tiny;
#[cfg(unix)]
mod writers;
