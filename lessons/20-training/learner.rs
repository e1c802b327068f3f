//! `cargo test --test cut_batches` checks your exercises/cut_batches.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::training::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/cut_batches.rs"]
mod exercise; // No such file? `cargo run -- exercise start training` writes it.

fn main() -> ExitCode {
    learner("cut_batches", || check(exercise::cut_batches))
}
