//! `cargo test --test byte_pairs` checks your exercises/byte_pairs.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::subwords::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/byte_pairs.rs"]
mod exercise; // No such file? `cargo run -- exercise start subwords` writes it.

fn main() -> ExitCode {
    learner("byte_pairs", || check(exercise::byte_pairs))
}
