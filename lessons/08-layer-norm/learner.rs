//! `cargo test --test layer_norm` checks your exercises/layer_norm.rs.

use transformer_tutor::curriculum::layer_norm::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/layer_norm.rs"]
mod exercise; // No such file? `cargo run -- exercise start layer_norm` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::layer_norm)
}
