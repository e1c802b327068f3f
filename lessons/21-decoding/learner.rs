//! `cargo test --test beam_step` checks your exercises/beam_step.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::decoding::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/beam_step.rs"]
mod exercise; // No such file? `cargo run -- exercise start decoding` writes it.

fn main() -> ExitCode {
    learner("beam_step", || check(exercise::beam_step))
}
