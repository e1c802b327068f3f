//! `cargo test --test training_loop` checks your exercises/training_loop.rs.

use transformer_tutor::curriculum::training::{LESSON, training_loop::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/training_loop.rs"]
mod exercise; // No such file? `cargo run -- exercise start training_loop` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::training_loop)
}
