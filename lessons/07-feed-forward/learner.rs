//! `cargo test --test feed_forward` checks your exercises/feed_forward.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::feed_forward::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/feed_forward.rs"]
mod exercise; // No such file? `cargo run -- exercise start feed-forward` writes it.

fn main() -> ExitCode {
    learner("feed_forward", || check(exercise::feed_forward))
}
