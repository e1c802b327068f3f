//! `cargo test --test linear` checks your exercises/linear.rs.

use transformer_tutor::curriculum::gradients::{LESSON, linear::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../../../exercises/linear.rs"]
mod exercise; // No such file? `cargo run -- exercise start linear` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::linear)
}
