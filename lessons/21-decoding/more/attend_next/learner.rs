//! `cargo test --test attend_next` checks your exercises/attend_next.rs.

use transformer_tutor::curriculum::decoding::{LESSON, attend_next::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/attend_next.rs"]
mod exercise; // No such file? `cargo run -- exercise start attend_next` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::attend_next)
}
