//! The terminal is restored, whatever is sent to the program and whatever ends it.

#[cfg(unix)]
mod ends;
mod endurance;
#[cfg(unix)]
mod input;
#[cfg(unix)]
mod panics;
#[cfg(target_os = "linux")]
mod sizes;
#[cfg(unix)]
mod suspend;
