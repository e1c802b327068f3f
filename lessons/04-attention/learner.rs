//! `cargo test --test attention` checks your exercises/attention.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::attention::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/attention.rs"]
mod exercise; // No such file? `cargo run -- exercise start attention` writes it.

fn main() -> ExitCode {
    learner("attention", || check(exercise::attention))
}
