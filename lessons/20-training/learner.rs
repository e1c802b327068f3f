//! `cargo test --test cut_batches` checks your exercises/cut_batches.rs.

use transformer_tutor::curriculum::training::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/cut_batches.rs"]
mod exercise; // No such file? `cargo run -- exercise start cut_batches` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::cut_batches)
}
