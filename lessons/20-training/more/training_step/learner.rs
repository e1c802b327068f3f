//! `cargo test --test training_step` checks your exercises/training_step.rs.

use transformer_tutor::curriculum::training::{LESSON, training_step::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/training_step.rs"]
mod exercise; // No such file? `cargo run -- exercise start training_step` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::training_step)
}
