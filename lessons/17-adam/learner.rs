//! `cargo test --test adam_step` checks your exercises/adam_step.rs.

use transformer_tutor::curriculum::adam::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/adam_step.rs"]
mod exercise; // No such file? `cargo run -- exercise start adam_step` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::adam_step)
}
