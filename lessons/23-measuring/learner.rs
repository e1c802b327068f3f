//! `cargo test --test bleu` checks your exercises/bleu.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::measuring::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/bleu.rs"]
mod exercise; // No such file? `cargo run -- exercise start measuring` writes it.

fn main() -> ExitCode {
    learner("bleu", || check(exercise::bleu))
}
