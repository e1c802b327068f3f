//! `cargo test --test smoothed_targets` checks your exercises/smoothed_targets.rs.

use transformer_tutor::curriculum::label_smoothing::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/smoothed_targets.rs"]
mod exercise; // No such file? `cargo run -- exercise start smoothed_targets` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::smoothed_targets)
}
