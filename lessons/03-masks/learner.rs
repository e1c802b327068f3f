//! `cargo test --test subsequent_mask` checks your exercises/subsequent_mask.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::masks::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/subsequent_mask.rs"]
mod exercise; // No such file? `cargo run -- exercise start subsequent_mask` writes it.

fn main() -> ExitCode {
    learner("subsequent_mask", || check(exercise::subsequent_mask))
}
