//! `cargo test --test layer_norm` checks your exercises/layer_norm.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::layer_norm::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/layer_norm.rs"]
mod exercise; // No such file? `cargo run -- exercise start layer-norm` writes it.

fn main() -> ExitCode {
    learner("layer_norm", || check(exercise::layer_norm))
}
