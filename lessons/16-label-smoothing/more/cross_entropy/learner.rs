//! `cargo test --test cross_entropy` checks your exercises/cross_entropy.rs.

transformer_tutor::learner! {
    label_smoothing::cross_entropy,
    exercise::cross_entropy,
    "../../../../exercises/cross_entropy.rs" // No such file? `cargo run -- exercise start cross_entropy` writes it.
}
