//! `cargo test --test encoder_layer` checks your exercises/encoder_layer.rs.

use transformer_tutor::curriculum::encoder::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/encoder_layer.rs"]
mod exercise; // No such file? `cargo run -- exercise start encoder_layer` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::encoder_layer)
}
