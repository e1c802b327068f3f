//! `cargo test --test copy_batch` checks your exercises/copy_batch.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::copy_task::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/copy_batch.rs"]
mod exercise; // No such file? `cargo run -- exercise start copy-task` writes it.

fn main() -> ExitCode {
    learner("copy_batch", || check(exercise::copy_batch))
}
