//! `cargo test --test adam_step` checks your exercises/adam_step.rs.

use transformer_tutor::curriculum::adam::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/adam_step.rs"]
mod exercise; // No such file? `cargo run -- exercise start adam_step` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::adam_step)
}
