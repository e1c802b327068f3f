//! `cargo test --test smoothed_targets` checks your exercises/smoothed_targets.rs.

use transformer_tutor::curriculum::label_smoothing::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/smoothed_targets.rs"]
mod exercise; // No such file? `cargo run -- exercise start smoothed_targets` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::smoothed_targets)
}
