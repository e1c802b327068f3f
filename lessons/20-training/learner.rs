//! `cargo test --test cut_batches` checks your exercises/cut_batches.rs.

transformer_tutor::learner! {
    training::check,
    exercise::cut_batches,
    "../../exercises/cut_batches.rs" // No such file? `cargo run -- exercise start cut_batches` writes it.
}
