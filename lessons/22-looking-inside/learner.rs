//! `cargo test --test alignment` checks your exercises/alignment.rs.

use transformer_tutor::curriculum::looking_inside::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/alignment.rs"]
mod exercise; // No such file? `cargo run -- exercise start alignment` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::alignment)
}
