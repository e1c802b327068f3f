//! `cargo test --test softmax_backward` checks your exercises/softmax_backward.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::gradients::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/softmax_backward.rs"]
mod exercise; // No such file? `cargo run -- exercise start gradients` writes it.

fn main() -> ExitCode {
    learner("softmax_backward", || check(exercise::softmax_backward))
}
