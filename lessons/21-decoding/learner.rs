//! `cargo test --test beam_step` checks your exercises/beam_step.rs.

use transformer_tutor::curriculum::decoding::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/beam_step.rs"]
mod exercise; // No such file? `cargo run -- exercise start beam_step` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::beam_step)
}
