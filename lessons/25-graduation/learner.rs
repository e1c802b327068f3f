//! `cargo test --test rms_norm` checks your exercises/rms_norm.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::graduation::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/rms_norm.rs"]
mod exercise; // No such file? `cargo run -- exercise start graduation` writes it.

fn main() -> ExitCode {
    learner("rms_norm", || check(exercise::rms_norm))
}
