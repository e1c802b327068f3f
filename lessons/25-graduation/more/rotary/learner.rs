//! `cargo test --test rotary` checks your exercises/rotary.rs.

use transformer_tutor::curriculum::graduation::{LESSON, rotary::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../../../exercises/rotary.rs"]
mod exercise; // No such file? `cargo run -- exercise start rotary` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::rotary)
}
