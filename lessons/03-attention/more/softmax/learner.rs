//! `cargo test --test softmax` checks your exercises/softmax.rs.

transformer_tutor::learner! {
    attention::softmax,
    exercise::softmax,
    "../../../../exercises/softmax.rs" // No such file? `cargo run -- exercise start softmax` writes it.
}
