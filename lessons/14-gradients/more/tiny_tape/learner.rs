//! `cargo test --test tiny_tape` checks your exercises/tiny_tape.rs.

use transformer_tutor::curriculum::gradients::{LESSON, tiny_tape::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/tiny_tape.rs"]
mod exercise; // No such file? `cargo run -- exercise start tiny_tape` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::tiny_tape)
}
