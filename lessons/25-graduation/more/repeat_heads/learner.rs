//! `cargo test --test repeat_heads` checks your exercises/repeat_heads.rs.

use transformer_tutor::curriculum::graduation::{LESSON, repeat_heads::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/repeat_heads.rs"]
mod exercise; // No such file? `cargo run -- exercise start repeat_heads` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::repeat_heads)
}
