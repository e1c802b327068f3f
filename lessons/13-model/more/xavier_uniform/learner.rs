//! `cargo test --test xavier_uniform` checks your exercises/xavier_uniform.rs.

transformer_tutor::learner! {
    model::xavier_uniform,
    exercise::xavier_uniform,
    "../../../../exercises/xavier_uniform.rs" // No such file? `cargo run -- exercise start xavier_uniform` writes it.
}
