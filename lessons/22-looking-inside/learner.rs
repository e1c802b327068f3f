//! `cargo test --test alignment` checks your exercises/alignment.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::looking_inside::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/alignment.rs"]
mod exercise; // No such file? `cargo run -- exercise start looking-inside` writes it.

fn main() -> ExitCode {
    learner("alignment", || check(exercise::alignment))
}
