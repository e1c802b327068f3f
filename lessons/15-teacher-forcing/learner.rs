//! `cargo test --test shift` checks your exercises/shift.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::teacher_forcing::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/shift.rs"]
mod exercise; // No such file? `cargo run -- exercise start teacher-forcing` writes it.

fn main() -> ExitCode {
    learner("shift", || check(exercise::shift))
}
