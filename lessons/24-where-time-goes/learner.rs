//! `cargo test --test attention_cost` checks your exercises/attention_cost.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::where_time_goes::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/attention_cost.rs"]
mod exercise; // No such file? `cargo run -- exercise start where-time-goes` writes it.

fn main() -> ExitCode {
    learner("attention_cost", || check(exercise::attention_cost))
}
