//! `cargo test --test encoder_layer` checks your exercises/encoder_layer.rs.

use transformer_tutor::curriculum::encoder::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/encoder_layer.rs"]
mod exercise; // No such file? `cargo run -- exercise start encoder_layer` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::encoder_layer)
}
