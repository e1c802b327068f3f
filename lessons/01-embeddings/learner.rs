//! `cargo test --test scale_embeddings` checks your exercises/scale_embeddings.rs.

transformer_tutor::learner! {
    embeddings::check,
    exercise::scale_embeddings,
    "../../exercises/scale_embeddings.rs" // No such file? `cargo run -- exercise start scale_embeddings` writes it.
}
