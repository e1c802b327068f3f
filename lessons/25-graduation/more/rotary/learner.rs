//! `cargo test --test rotary` checks your exercises/rotary.rs.

use transformer_tutor::curriculum::graduation::{LESSON, rotary::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/rotary.rs"]
mod exercise; // No such file? `cargo run -- exercise start rotary` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::rotary)
}
