//! `cargo test --test cross_entropy` checks your exercises/cross_entropy.rs.

use transformer_tutor::curriculum::label_smoothing::{LESSON, cross_entropy::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/cross_entropy.rs"]
mod exercise; // No such file? `cargo run -- exercise start cross_entropy` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::cross_entropy)
}
