//! `cargo test --test attention` checks your exercises/attention.rs.

use transformer_tutor::curriculum::attention::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/attention.rs"]
mod exercise; // No such file? `cargo run -- exercise start attention` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::attention)
}
