//! `cargo test --test bleu` checks your exercises/bleu.rs.

use transformer_tutor::curriculum::measuring::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/bleu.rs"]
mod exercise; // No such file? `cargo run -- exercise start bleu` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::bleu)
}
