//! `cargo test --test noam_rate` checks your exercises/noam_rate.rs.

use transformer_tutor::curriculum::adam::{LESSON, noam_rate::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/noam_rate.rs"]
mod exercise; // No such file? `cargo run -- exercise start noam_rate` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::noam_rate)
}
