//! `cargo test --test linear` checks your exercises/linear.rs.

use transformer_tutor::curriculum::gradients::{LESSON, linear::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/linear.rs"]
mod exercise; // No such file? `cargo run -- exercise start linear` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::linear)
}
