//! `cargo test --test residual` checks your exercises/residual.rs.

use std::process::ExitCode;

use transformer_tutor::curriculum::residuals::check::check;
use transformer_tutor::lesson::exercise::learner;

// The formatter must not look for a file that may not be there yet.
#[rustfmt::skip]
#[path = "../../exercises/residual.rs"]
mod exercise; // No such file? `cargo run -- exercise start residuals` writes it.

fn main() -> ExitCode {
    learner("residual", || {
        check(|x, norm, dropout, sublayer| exercise::residual(x, norm, dropout, sublayer))
    })
}
