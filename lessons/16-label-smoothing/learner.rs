//! `cargo test --test smoothed_targets` checks your exercises/smoothed_targets.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::label_smoothing::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/smoothed_targets.rs"]
mod exercise; // No such file? `cargo run -- exercise start label-smoothing` writes it.

fn main() -> ExitCode {
    learner("smoothed_targets", || check(exercise::smoothed_targets))
}
