//! `cargo test --test copy_batch` checks your exercises/copy_batch.rs.

use transformer_tutor::curriculum::copy_task::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/copy_batch.rs"]
mod exercise; // No such file? `cargo run -- exercise start copy_batch` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::copy_batch)
}
