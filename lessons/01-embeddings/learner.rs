//! `cargo test --test scale_embeddings` checks your exercises/scale_embeddings.rs.

use transformer_tutor::curriculum::embeddings::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/scale_embeddings.rs"]
mod exercise; // No such file? `cargo run -- exercise start scale_embeddings` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::scale_embeddings)
}
