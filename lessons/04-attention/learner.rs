//! `cargo test --test attention` checks your exercises/attention.rs.

use transformer_tutor::curriculum::attention::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/attention.rs"]
mod exercise; // No such file? `cargo run -- exercise start attention` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::attention)
}
