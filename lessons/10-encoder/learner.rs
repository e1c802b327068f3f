//! `cargo test --test encoder_layer` checks your exercises/encoder_layer.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::encoder::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/encoder_layer.rs"]
mod exercise; // No such file? `cargo run -- exercise start encoder` writes it.

fn main() -> ExitCode {
    learner("encoder_layer", || check(exercise::encoder_layer))
}
