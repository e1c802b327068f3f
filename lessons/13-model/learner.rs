//! `cargo test --test pass` checks your exercises/pass.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::model::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/pass.rs"]
mod exercise; // No such file? `cargo run -- exercise start model` writes it.

fn main() -> ExitCode {
    learner("pass", || check(exercise::pass))
}
