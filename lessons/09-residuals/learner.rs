//! `cargo test --test residual` checks your exercises/residual.rs.

transformer_tutor::learner! {
    residuals::check,
    // A function that is generic over the sublayer needs a closure to become a function pointer.
    |x, norm, dropout, sublayer| exercise::residual(x, norm, dropout, sublayer),
    "../../exercises/residual.rs" // No such file? `cargo run -- exercise start residual` writes it.
}
