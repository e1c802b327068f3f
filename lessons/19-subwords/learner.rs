//! `cargo test --test byte_pairs` checks your exercises/byte_pairs.rs.

use transformer_tutor::curriculum::subwords::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/byte_pairs.rs"]
mod exercise; // No such file? `cargo run -- exercise start byte_pairs` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::byte_pairs)
}
