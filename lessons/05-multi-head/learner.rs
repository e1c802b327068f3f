//! `cargo test --test multi_head_attention` checks your exercises/multi_head_attention.rs.

use transformer_tutor::curriculum::multi_head::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/multi_head_attention.rs"]
mod exercise; // No such file? `cargo run -- exercise start multi_head_attention` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::multi_head_attention)
}
