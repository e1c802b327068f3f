//! `cargo test --test positional_encoding` checks your exercises/positional_encoding.rs.

use transformer_tutor::curriculum::positional_encoding::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/positional_encoding.rs"]
mod exercise; // No such file? `cargo run -- exercise start positional_encoding` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::positional_encoding)
}
