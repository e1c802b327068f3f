//! `cargo test --test next_words` checks your exercises/next_words.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::generator::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/next_words.rs"]
mod exercise; // No such file? `cargo run -- exercise start generator` writes it.

fn main() -> ExitCode {
    learner("next_words", || check(exercise::next_words))
}
