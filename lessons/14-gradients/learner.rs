//! `cargo test --test softmax_backward` checks your exercises/softmax_backward.rs.

use transformer_tutor::curriculum::gradients::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/softmax_backward.rs"]
mod exercise; // No such file? `cargo run -- exercise start softmax_backward` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::softmax_backward)
}
