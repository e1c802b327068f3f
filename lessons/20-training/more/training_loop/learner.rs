//! `cargo test --test training_loop` checks your exercises/training_loop.rs.

transformer_tutor::learner! {
    training::training_loop,
    exercise::training_loop,
    "../../../../exercises/training_loop.rs" // No such file? `cargo run -- exercise start training_loop` writes it.
}
