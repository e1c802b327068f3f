//! `cargo test --test decoder_layer` checks your exercises/decoder_layer.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::decoder::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/decoder_layer.rs"]
mod exercise; // No such file? `cargo run -- exercise start decoder` writes it.

fn main() -> ExitCode {
    learner("decoder_layer", || check(exercise::decoder_layer))
}
