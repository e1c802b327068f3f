//! `cargo test --test feed_forward` checks your exercises/feed_forward.rs.

use transformer_tutor::curriculum::feed_forward::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/feed_forward.rs"]
mod exercise; // No such file? `cargo run -- exercise start feed_forward` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::feed_forward)
}
