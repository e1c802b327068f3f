//! `cargo test --test shift` checks your exercises/shift.rs.

use transformer_tutor::curriculum::teacher_forcing::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/shift.rs"]
mod exercise; // No such file? `cargo run -- exercise start shift` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::shift)
}
