//! `cargo test --test xavier_uniform` checks your exercises/xavier_uniform.rs.

use transformer_tutor::curriculum::model::{LESSON, xavier_uniform::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/xavier_uniform.rs"]
mod exercise; // No such file? `cargo run -- exercise start xavier_uniform` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::xavier_uniform)
}
