//! `cargo test --test three_uses` checks your exercises/three_uses.rs.

use transformer_tutor::curriculum::three_uses::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/three_uses.rs"]
mod exercise; // No such file? `cargo run -- exercise start three_uses` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::three_uses)
}
