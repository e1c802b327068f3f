//! `cargo test --test next_words` checks your exercises/next_words.rs.

use transformer_tutor::curriculum::generator::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/next_words.rs"]
mod exercise; // No such file? `cargo run -- exercise start next_words` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::next_words)
}
