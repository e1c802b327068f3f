//! `cargo test --test beam_step` checks your exercises/beam_step.rs.

use transformer_tutor::curriculum::decoding::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/beam_step.rs"]
mod exercise; // No such file? `cargo run -- exercise start beam_step` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::beam_step)
}
