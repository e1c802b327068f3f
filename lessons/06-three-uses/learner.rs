//! `cargo test --test three_uses` checks your exercises/three_uses.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::three_uses::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/three_uses.rs"]
mod exercise; // No such file? `cargo run -- exercise start three-uses` writes it.

fn main() -> ExitCode {
    learner("three_uses", || check(exercise::three_uses))
}
