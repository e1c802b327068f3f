//! `cargo test --test scale_embeddings` checks your exercises/scale_embeddings.rs.

use transformer_tutor::curriculum::embeddings::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/scale_embeddings.rs"]
mod exercise; // No such file? `cargo run -- exercise start scale_embeddings` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::scale_embeddings)
}
