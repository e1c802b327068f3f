//! `cargo test --test layer_norm_backward` checks your exercises/layer_norm_backward.rs.

use transformer_tutor::curriculum::gradients::{LESSON, layer_norm_backward::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/layer_norm_backward.rs"]
mod exercise; // No such file? `cargo run -- exercise start layer_norm_backward` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::layer_norm_backward)
}
