//! `cargo test --test decoder_layer` checks your exercises/decoder_layer.rs.

use transformer_tutor::curriculum::decoder::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/decoder_layer.rs"]
mod exercise; // No such file? `cargo run -- exercise start decoder_layer` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::decoder_layer)
}
