//! `cargo test --test residual` checks your exercises/residual.rs.

use transformer_tutor::curriculum::residuals::{LESSON, check::TASK};
use transformer_tutor::lesson::exercise::learner;

// Keeps rustfmt from looking for a file that may not exist yet.
#[rustfmt::skip]
#[path = "../../exercises/residual.rs"]
mod exercise; // No such file? `cargo run -- exercise start residual` writes it.

fn main() -> std::process::ExitCode {
    // A function that is generic over the sublayer needs a closure to become a function pointer.
    learner(&LESSON, &TASK, |x, norm, dropout, sublayer| {
        exercise::residual(x, norm, dropout, sublayer)
    })
}
