//! `cargo test --test multi_head_attention` checks your exercises/multi_head_attention.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::multi_head::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/multi_head_attention.rs"]
mod exercise; // No such file? `cargo run -- exercise start multi-head` writes it.

fn main() -> ExitCode {
    learner("multi_head_attention", || {
        check(exercise::multi_head_attention)
    })
}
