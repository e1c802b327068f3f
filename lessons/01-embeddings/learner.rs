//! `cargo test --test scale_embeddings` checks your exercises/scale_embeddings.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::embeddings::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/scale_embeddings.rs"]
mod exercise; // No such file? `cargo run -- exercise start scale_embeddings` writes it.

fn main() -> ExitCode {
    learner("scale_embeddings", || check(exercise::scale_embeddings))
}
