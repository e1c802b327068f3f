//! `cargo test --test attention_cost` checks your exercises/attention_cost.rs.

use transformer_tutor::curriculum::where_time_goes::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/attention_cost.rs"]
mod exercise; // No such file? `cargo run -- exercise start attention_cost` writes it.

fn main() -> std::process::ExitCode {
    learner(&LESSON, &TASK, exercise::attention_cost)
}
