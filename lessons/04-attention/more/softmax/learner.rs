//! `cargo test --test softmax` checks your exercises/softmax.rs.

use transformer_tutor::curriculum::attention::{LESSON, softmax::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../../../exercises/softmax.rs"]
mod exercise; // No such file? `cargo run -- exercise start softmax` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::softmax)
}
