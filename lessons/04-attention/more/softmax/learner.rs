//! `cargo test --test softmax` checks your exercises/softmax.rs.

use transformer_tutor::curriculum::attention::{LESSON, softmax::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/softmax.rs"]
mod exercise; // No such file? `cargo run -- exercise start softmax` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::softmax)
}
