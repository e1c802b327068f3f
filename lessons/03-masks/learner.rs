//! `cargo test --test subsequent_mask` checks your exercises/subsequent_mask.rs.

use transformer_tutor::curriculum::masks::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/subsequent_mask.rs"]
mod exercise; // No such file? `cargo run -- exercise start subsequent_mask` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::subsequent_mask)
}
