//! `cargo test --test layer_norm` checks your exercises/layer_norm.rs.

transformer_tutor::learner! {
    layer_norm::check,
    exercise::layer_norm,
    "../../exercises/layer_norm.rs" // No such file? `cargo run -- exercise start layer_norm` writes it.
}
