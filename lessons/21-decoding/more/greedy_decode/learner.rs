//! `cargo test --test greedy_decode` checks your exercises/greedy_decode.rs.

use transformer_tutor::curriculum::decoding::{LESSON, greedy_decode::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../../../exercises/greedy_decode.rs"]
mod exercise; // No such file? `cargo run -- exercise start greedy_decode` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::greedy_decode)
}
