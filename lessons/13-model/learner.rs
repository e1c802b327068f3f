//! `cargo test --test pass` checks your exercises/pass.rs.

use transformer_tutor::curriculum::model::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/pass.rs"]
mod exercise; // No such file? `cargo run -- exercise start pass` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::pass)
}
