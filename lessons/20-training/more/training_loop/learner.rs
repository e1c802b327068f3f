//! `cargo test --test training_loop` checks your exercises/training_loop.rs.

use transformer_tutor::curriculum::training::{LESSON, training_loop::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../../../exercises/training_loop.rs"]
mod exercise; // No such file? `cargo run -- exercise start training_loop` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::training_loop)
}
