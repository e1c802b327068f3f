//! `cargo test --test adam_step` checks your exercises/adam_step.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::adam::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/adam_step.rs"]
mod exercise; // No such file? `cargo run -- exercise start adam` writes it.

fn main() -> ExitCode {
    learner("adam_step", || check(exercise::adam_step))
}
