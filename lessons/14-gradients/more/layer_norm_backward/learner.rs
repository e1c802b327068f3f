//! `cargo test --test layer_norm_backward` checks your exercises/layer_norm_backward.rs.

transformer_tutor::learner! {
    gradients::layer_norm_backward,
    exercise::layer_norm_backward,
    "../../../../exercises/layer_norm_backward.rs" // No such file? `cargo run -- exercise start layer_norm_backward` writes it.
}
