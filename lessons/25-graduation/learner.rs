//! `cargo test --test rms_norm` checks your exercises/rms_norm.rs.

use transformer_tutor::curriculum::graduation::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/rms_norm.rs"]
mod exercise; // No such file? `cargo run -- exercise start rms_norm` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::rms_norm)
}
