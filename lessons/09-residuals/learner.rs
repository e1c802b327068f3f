//! `cargo test --test residual` checks your exercises/residual.rs.

use transformer_tutor::curriculum::residuals::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/residual.rs"]
mod exercise; // No such file? `cargo run -- exercise start residual` writes it.

fn main() -> std::process::ExitCode {
    // It is generic over the sublayer, so no function pointer by itself.
    learner(&LESSON, &TASK, |x, norm, dropout, sublayer| {
        exercise::residual(x, norm, dropout, sublayer)
    })
}
